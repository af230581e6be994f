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
  const token = program.command('token').description('make, list and revoke access tokens');
  token
    .command('create')
    .description('make a token and print it; it is not shown again')
    .option('--name <name>', 'what it is for', 'token')
    .option('--member <uuid>', 'the member whom it acts for; nobody by default')
    .option('--expires <when>', 'the last day (2027-12-31, UTC), or a time from now (30d, 12h); never by default')
    .option('--role <name>', 'give it the rights of this role, and of further ones', collect)
    .option('--read-only', 'keep it to what changes nothing')
    .option(
      '--allow <to:on>',
      'keep it to this, and to what further ones say: read:client,invoice, create:area:Billing, may:metrics',
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
  const member = program.command('member').description('give members what they sign in with');
  member
    .command('password <who>')
    .description('give a member the password that stands on standard input: its id, or the name that it signs in by')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).password(config(), who, options));
  member
    .command('invite <who>')
    .description('print a link with which a member chooses its password: it works once, for 72 hours')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).invite(config(), who, options));
  member
    .command('unlink <who>')
    .description('end the links of a member with accounts elsewhere (OpenID Connect)')
    .option(...json)
    .action(async (who: string, options: JsonFlag) => (await memberCommands()).unlink(config(), who, options));
}

function addDay(program: Command, config: Configuring): void {
  const day = program.command('day').description('show the day of the workspace, let it go on');
  day
    .command('show', { isDefault: true })
    .description('print the date that the workspace has reached')
    .option(...json)
    .action(async (options: JsonFlag) => (await dayCommands()).show(config(), options));
  day
    .command('allow <date>')
    .description('let the workspace reach a date beyond the clock of the database server')
    .option(...json)
    .action(async (date: string, options: JsonFlag) => (await dayCommands()).allow(config(), date, options));
}

function addFeatures(program: Command, config: Configuring): void {
  const feature = program.command('feature').description('list the features of the workspace, turn them on and off');
  feature
    .command('list')
    .description('print every feature and whether it is on')
    .option(...json)
    .action(async (options: JsonFlag) => (await featureCommands()).list(config(), options));
  feature
    .command('enable <name>')
    .description('turn a feature on')
    .option(...json)
    .action(async (name: string, options: JsonFlag) =>
      (await featureCommands()).turn(config(), name, { ...options, isOn: true }),
    );
  feature
    .command('disable <name>')
    .description('turn a feature off; its records are kept')
    .option(...json)
    .action(async (name: string, options: JsonFlag) =>
      (await featureCommands()).turn(config(), name, { ...options, isOn: false }),
    );
}
