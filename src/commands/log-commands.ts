// The commands that read the log of changes, and their options.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { ChangesOptions } from './data/changes.ts';
import { json } from './output/options.ts';
import type { JsonFlag } from './output/terminal.ts';

const commands = () => import('./data/changes.ts');

/** Adds them to the others. */
export function addLogCommands(program: Command, config: () => Config): void {
  program
    .command('history <record>')
    .description('print what became of a record, <group>/<id>, newest first: who changed what, when and why')
    .option('--json', 'print JSON, one line an entry')
    .action(async (record: string, options: JsonFlag) => (await commands()).history(config(), record, options));

  const changes = program
    .command('changes')
    .description('print the log of changes, oldest first, a line an entry')
    .option('--group <groups>', 'of these groups alone: invoice,payment')
    .option('--follow', 'print what comes from now on, until it is ended')
    .option('--json', 'print JSON, one line an entry')
    .action(async (options: ChangesOptions) => (await commands()).changes(config(), options));
  changes
    .command('renew')
    .description('begin a new log, behind a restored backup: who follows changes is told to begin anew')
    .option(...json)
    .action(async (options: JsonFlag) => (await commands()).renew(config(), options));
}
