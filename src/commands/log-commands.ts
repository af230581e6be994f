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
    .description('print the changes of a record, <group>/<id>, newest first: caller, fields, time and cause')
    .option('--json', 'print JSON, one line per entry')
    .action(async (record: string, options: JsonFlag) => (await commands()).history(config(), record, options));

  const changes = program
    .command('changes')
    .description('print the log of changes, oldest first, one line per entry')
    .option('--group <groups>', 'only changes of these groups: invoice,payment')
    .option('--follow', 'print new changes until the command is stopped')
    .option('--json', 'print JSON, one line per entry')
    .action(async (options: ChangesOptions) => (await commands()).changes(config(), options));
  changes
    .command('renew')
    .description('start a new log after a backup was restored; followers of the log start again')
    .option(...json)
    .action(async (options: JsonFlag) => (await commands()).renew(config(), options));
  addWebhooks(program, config);
}

function addWebhooks(program: Command, config: () => Config): void {
  const webhook = program.command('webhook').description('create, list and delete webhooks, which receive changes');
  webhook
    .command('create <url>')
    .description('create a webhook and print its secret; it cannot be shown again')
    .option('--group <name>', 'send changes of this group; repeat for more', collect)
    .option('--operation <word>', 'send these operations: create, update, delete, reset', collect)
    .option('--cause <word>', 'send changes with this cause: caller, effect, figure, …', collect)
    .option('--pass', 'set aside a message that was refused ten times; default: later messages wait for it')
    .option(...json)
    .action(async (url: string, options: WebhookOptions) => (await webhookCommands()).create(config(), url, options));
  webhook
    .command('list')
    .description('print every webhook, its position and its state')
    .option(...json)
    .action(async (options: JsonFlag) => (await webhookCommands()).list(config(), options));
  webhook
    .command('delete <id>')
    .description('delete a webhook, and the messages set aside for it')
    .option(...json)
    .action(async (id: string, options: JsonFlag) => (await webhookCommands()).remove(config(), id, options));
}
