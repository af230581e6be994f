// Says in one line that this Node is too old. An older one cannot even read what else is in the package, so each entry asks
// this first, and this is written in JavaScript that every Node reads.
const needed = require('../package.json').engines.node.replace('>=', '');
const found = process.versions.node;

if (found.localeCompare(needed, 'en', { numeric: true }) < 0) {
  const major = needed.split('.')[0];
  process.stderr.write(
    `Praxis needs Node.js ${needed} or later; this is ${found}. Run one command with "npx -p node@${major} praxis", or change Node with a version manager: "nvm install ${major}", "fnm use ${major}", "volta install node@${major}".\n`,
  );
  process.exit(1);
}
