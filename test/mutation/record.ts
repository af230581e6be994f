// Set up for each test file under mutants: what it passed is written down when it ends.
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { mutants } from './switch.ts';

const { MUTANTS_RECORD: file } = process.env;
if (file !== undefined)
  afterAll(() => appendFileSync(file, `${[expect.getState().testPath, ...mutants.passed].join(',')}\n`));
