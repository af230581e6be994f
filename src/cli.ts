#!/usr/bin/env node
// Where the command `praxis` begins. Compiled code is kept between starts, in the system's temporary folder: that of all files
// that are loaded from here on, so that nothing else stands here.
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./commands/program.ts');
