// Commands that administer a workspace: its tokens, what its members sign in with, its features.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { CreateOptions } from './database/token.ts';
import { collect, json } from './output/options.ts';
import type { JsonFlag } from './output/terminal.ts';

const tokenCommands = () => import('./database/token.ts');
const memberCommands = () => import('./database/member.ts');
const featureCommands = () => import('./database/feature.ts');
const dayCommands = () => import('./database/day.ts');

type Configuring = () => Config;

/** Adds them to the program. */
export function addAdministration(program: Command, config: Configuring): void {
  addTokens(program, config);
  addMembers(program, config);
  addDay(program, config);
  addFeatures(program, config);
}

function addTokens(program: Command, config: Configuring): void {
  const token = program.command('token').description('create, list and revoke access tokens');
  token
    .command('create')
    .description('create a token and print it; it cannot be shown again')
    .option('--name <name>', 'name of the token', 'token')
    .option('--member <uuid>', 'id of the member that the token acts for; default: no member')
    .option('--expires <when>', 'last day (2027-12-31, UTC), or a time from now (30d, 12h); default: never')
    .option('--role <name>', 'role of the token; repeat for more', collect)
    .option('--read-only', 'limit it to operations that change nothing')
    .option(
      '--allow <to:on>',
      'limit it to these operations and groups; repeat for more: read:client,invoice, create:area:Billing, may:metrics',
      collect,
    )
    .option(...json)
    .action(async (options: CreateOptions) => (await tokenCommands()).create(config(), options));
  token
    .command('list')
    .description('print every token, without its secret part')
    .option(...json)
    .action(async (options: JsonFlag) => (await tokenCommands()).list(config(), options));
  token
    .command('revoke <id>')
    .description('revoke a token, by its id or its last four characters')
    .option(...json)
    .action(async (id: string, options: JsonFlag) => (await tokenCommands()).revoke(config(), id, options));
}

function addMembers(program: Command, config: Configuring): void {
  const member = program.command('member').description('manage how members sign in');
  member
    .command('password <who>')
    .description('set the password of a member from standard input; <who> is its id or sign-in name')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).password(config(), who, options));
  member
    .command('invite <who>')
    .description('print a link for a member to choose a password; it is valid once, for 72 hours')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).invite(config(), who, options));
  member
    .command('unlink <who>')
    .description('remove the links of a member to external accounts (OpenID Connect)')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).unlink(config(), who, options));
}

function addDay(program: Command, config: Configuring): void {
  const day = program.command('day').description('show or advance the day of the workspace');
  day
    .command('show', { isDefault: true })
    .description('print the date that the workspace has reached')
    .option(...json)
    .action(async (options: JsonFlag) => (await dayCommands()).show(config(), options));
  day
    .command('allow <date>')
    .description('allow the workspace to reach a date ahead of the clock of the database server')
    .option(...json)
    .action(async (date: string, options: JsonFlag) => (await dayCommands()).allow(config(), date, options));
}

function addFeatures(program: Command, config: Configuring): void {
  const feature = program.command('feature').description('list, enable and disable features of the workspace');
  feature
    .command('list')
    .description('print every feature and whether it is enabled')
    .option(...json)
    .action(async (options: JsonFlag) => (await featureCommands()).list(config(), options));
  feature
    .command('enable <name>')
    .description('enable a feature')
    .option(...json)
    .action(async (name: string, options: JsonFlag) =>
      (await featureCommands()).turn(config(), name, { ...options, isOn: true }),
    );
  feature
    .command('disable <name>')
    .description('disable a feature; its records are kept')
    .option(...json)
    .action(async (name: string, options: JsonFlag) =>
      (await featureCommands()).turn(config(), name, { ...options, isOn: false }),
    );
}
