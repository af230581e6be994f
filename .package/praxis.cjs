#!/usr/bin/env node
// The command of the packed package.
require('./needs-node.cjs');
void import('./src/cli.js');
