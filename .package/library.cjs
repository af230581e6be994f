// What `require('praxis')` gives.
require('./needs-node.cjs');
module.exports = require('./src/library.js');
