// Says in one line that this Node is too old. An older one cannot even read what else is in the package, so each entry asks
// this first, and this is written in JavaScript that every Node reads.
const needed = require('../package.json').engines.node.replace('>=', '');
const found = process.versions.node;

if (found.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(`Praxis needs Node.js ${needed} or later; this is ${found}.\n`);
  process.exit(1);
}
