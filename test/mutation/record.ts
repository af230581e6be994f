// Set up for each test file under mutants: what it passed, and the processor time it took, are written down when it ends.
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { mutants } from './switch.ts';

const { MUTANTS_RECORD: file } = process.env;
if (file !== undefined)
  afterAll(() => {
    const { user, system } = process.cpuUsage();
    const line = [expect.getState().testPath, Math.round((user + system) / 1000), ...mutants.passed];
    appendFileSync(file, `${line.join(',')}\n`);
  });
