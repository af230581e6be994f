// The commands that read the log of changes, and their options.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { ChangesOptions } from './data/changes.ts';
import type { WebhookOptions } from './data/webhooks.ts';
import { collect, json } from './output/options.ts';
import type { JsonFlag } from './output/terminal.ts';

const commands = () => import('./data/changes.ts');
const webhookCommands = () => import('./data/webhooks.ts');

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
  addWebhooks(program, config);
}

function addWebhooks(program: Command, config: () => Config): void {
  const webhook = program.command('webhook').description('make, list and remove webhooks: who is sent what changes');
  webhook
    .command('create <url>')
    .description('make a webhook and print its secret; it is not shown again')
    .option('--group <name>', 'send what becomes of this group, and of further ones', collect)
    .option('--operation <word>', 'of what was done: create, update, delete, reset', collect)
    .option('--cause <word>', 'of why it was done: caller, effect, figure, …', collect)
    .option('--pass', 'put aside what is refused ten times; it holds up what comes behind it by default')
    .option(...json)
    .action(async (url: string, options: WebhookOptions) => (await webhookCommands()).create(config(), url, options));
  webhook
    .command('list')
    .description('print every webhook, how far it has come and what it waits for')
    .option(...json)
    .action(async (options: JsonFlag) => (await webhookCommands()).list(config(), options));
  webhook
    .command('delete <id>')
    .description('remove a webhook, and what was put aside for it')
    .option(...json)
    .action(async (id: string, options: JsonFlag) => (await webhookCommands()).remove(config(), id, options));
}
