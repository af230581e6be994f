// `praxis demo`: fills a workspace with records; progress on standard error, the summary on standard output. With roles, its
// members have a password too.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { type Holder, whoHolds } from '../../app/access/who-holds.ts';
import { rolesFolderOf } from '../../app/registry.ts';
import { openWorkspace } from '../../app/workspace.ts';
import { type Config, readConfig } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type DemoOptions, fillWorkspace, type Made, type Progress } from '../../demo/demo.ts';
import { Administration } from '../../people/people.ts';
import { fileOf, memoryUrl } from '../../storage/database.ts';
import { unreachable } from '../../unreachable.ts';
import { isDate } from '../../values/date.ts';
import { writeStarterRoles } from '../descriptors/new-access.ts';
import { barOf, progressOn } from '../output/progress.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

export interface DemoArguments extends JsonFlag {
  readonly until: string;
  readonly months: string;
  readonly scale: string;
  readonly roles?: boolean;
}

/** @throws ConfigurationFault for wrong arguments, and for a workspace that is not empty. */
export async function demo(
  config: Config,
  { until, months, scale, json, roles: hasRoles = false }: DemoArguments,
): Promise<void> {
  if (config.databaseUrl === memoryUrl)
    throw new ConfigurationFault(`Records in ${memoryUrl} would end with this command; set DATABASE_URL.`);
  const options = {
    until: readDay(until),
    months: readNumber('--months', months, 60),
    scale: readNumber('--scale', scale, 1000),
    hasRoles,
  };
  const started = performance.now();
  const progress = progressOn(process.stderr);
  let last: Progress | undefined;
  const show = (now: Progress): void => {
    last = now;
    progress.show(`${barOf(now.done)}  ${now.day}  ${grouped(now.records)} records`);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    progress.end();
    process.stderr.write(`${stoppedText(config, last)}\n`);
    process.exit(128 + constants.signals[signal]);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const made = await fillWorkspace(config, options, show).finally(() => {
    progress.end();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  });
  const seconds = (performance.now() - started) / 1000;
  const signedUp = hasRoles ? await signUp(config) : undefined;
  const data = { ...dataOf(made, options.until, seconds), ...signedUp };
  const words = signedUp === undefined ? '' : signInWords(signedUp);
  tell({ json }, data, `${summary(made, seconds)}\n${words}${whatNext(config, options)}`);
}

/** What is left where somebody has stopped it. */
function stoppedText({ databaseUrl }: Config, last: Progress | undefined): string {
  const file = fileOf(databaseUrl);
  const left =
    last === undefined ? 'with nothing written yet' : `at ${last.day}, with about ${grouped(last.records)} records`;
  const way = file === undefined ? 'Empty it' : `Remove it (rm ${file}*)`;
  return `Stopped ${left}: what is in ${file ?? 'the database'} is right, and a part of the demo. ${way} before you begin again.`;
}

/** Those who sign in, and the password of all of them. */
interface SignedUp {
  readonly password: string;
  /** Where the roles stand, and whether they were written just now. */
  readonly roles: { readonly folder: string; readonly written: boolean };
  readonly members: readonly Holder[];
}

/** Writes the roles where there are none, and gives everybody who may sign in a password: one, for each costs a third of a second. */
async function signUp(config: Config): Promise<SignedUp> {
  const folder = rolesFolderOf(config);
  const written = !existsSync(folder);
  if (written) writeStarterRoles(config, folder);
  const signIn = config.signIn ?? { ways: ['password'], sessionHours: 12, oidc: undefined };
  const workspace = await openWorkspace({ ...config, signIn });
  try {
    const members = await whoHolds(workspace);
    const password = randomBytes(9).toString('base64url');
    const people = new Administration(workspace.people ?? unreachable('nobody knows the members'), workspace.unit);
    await people.givePassword(
      members.map(({ id }) => id),
      password,
    );
    return { password, roles: { folder, written }, members };
  } finally {
    await workspace.close();
  }
}

/** Somebody of each set of roles, and how many hold the same. */
function signInWords({ password, roles: { folder, written }, members }: SignedUp): string {
  const alike = Map.groupBy(members, ({ roles }) => roles.join(', '));
  const width = Math.max(...[...alike.keys()].map(({ length }) => length));
  const lines = [...alike].map(([roles, [first, ...others]]) => {
    const more = others.length === 0 ? '' : `  and ${others.length} more`;
    return `  ${roles.padEnd(width)}  ${first?.name}${more}`;
  });
  return `
Everybody signs in with the password ${password}

${lines.join('\n')}

Who may do what is said in ${folder}${written ? ', written just now' : ''}; praxis access prints it as a table.
`;
}

const dataOf = (made: Made, until: string, seconds: number): object => ({
  until,
  seconds: Math.round(seconds * 10) / 10,
  records: [...made.values()].reduce((sum, count) => sum + count, 0),
  groups: Object.fromEntries([...made].map(([{ name }, count]) => [name, count])),
});

const earliest = '1990-01-01';
const latest = '2090-12-31';

function readDay(text: string): string {
  const day = text === 'today' ? new Date().toISOString().slice(0, 10) : text;
  if (isDate(day) && day >= earliest && day <= latest) return day;
  throw new ConfigurationFault(
    `--until must be a day (2026-09-30) from ${earliest} to ${latest}, or 'today', not '${text}'.`,
  );
}

function readNumber(name: string, text: string, most: number): number {
  const number = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new ConfigurationFault(`${name} must be a whole number from 1 to ${most}, not '${text}'.`);
}

const grouped = (count: number): string => count.toLocaleString('en-US');

const most = 2;

/** A line for each area, with the groups of which it has most. */
function summary(made: Made, seconds: number): string {
  const areas = Map.groupBy(made, ([{ area }]) => area);
  const text = [...areas].map(([area, groups]) => {
    const total = grouped(groups.reduce((sum, [, count]) => sum + count, 0));
    const first = groups.toSorted(([, one], [, other]) => other - one).slice(0, most);
    const words = first.map(([{ path }, count]) => `${path.slice(1)} ${grouped(count)}`);
    return `${area.padEnd(26)}${total.padStart(8)}  ${words.join(', ')}${groups.length > most ? ', …' : ''}`;
  });
  const total = [...made.values()].reduce((sum, count) => sum + count, 0);
  return `${text.join('\n')}

${grouped(total)} records in ${seconds.toFixed(1)} seconds, ${grouped(Math.round(total / seconds))} a second.`;
}

/** How to start on what was filled, and what to ask for first. */
function whatNext({ databaseUrl, host, port }: Config, { until, hasRoles }: DemoOptions): string {
  const api = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}/api`;
  const curl = 'curl -H "Authorization: Bearer $TOKEN"';
  return `
Start on it:

  ${hasRoles ? 'SIGN_IN=password ' : ''}${startLine(databaseUrl)}

${hasRoles ? 'Sign in at /console. ' : ''}The first start prints an access token (praxis token create makes another). With it as $TOKEN:

  ${curl} "${api}/projects?statusId=in_progress"
  ${curl} "${api}/invoices?statusId=issued&limit=3"
  ${curl} "${api}/time-entries?dateOnAfter=${until.slice(0, 8)}01"
`;
}

/** The address is repeated where the next command would go elsewhere without it; never with its password. */
function startLine(databaseUrl: string): string {
  if (databaseUrl === readConfig({}).databaseUrl) return 'npm start';
  if (/:[^/@]*@/.test(databaseUrl.replace(/^\w+:/, ''))) return 'npm start    # with DATABASE_URL as it is now';
  const isPlain = /^[\w:/.@-]+$/.test(databaseUrl);
  return `DATABASE_URL=${isPlain ? databaseUrl : `'${databaseUrl.replaceAll("'", "'\\''")}'`} npm start`;
}
