// `praxis member`: what members sign in with, given by whoever has write access to the database.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { openWorkspace } from '../../app/workspace.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { Administration } from '../../people/people.ts';
import { memoryUrl } from '../../storage/database.ts';
import { unreachable } from '../../unreachable.ts';
import { type JsonFlag, tell } from '../output/terminal.ts';

/** Gives a member the password that stands on standard input; its sessions end. */
export async function password(config: Config, who: string, flags: JsonFlag): Promise<void> {
  await withMember(config, who, async (people, member) => {
    const given = await readPassword();
    await people.givePassword([member.id], given);
    tell(flags, { member: member.id, maySignIn: member.maySignIn }, `${member.id} has a password.`);
    warn(member, flags);
  });
}

/** Prints a link with which a member chooses its password: once, within 72 hours. */
export async function invite(config: Config, who: string, flags: JsonFlag): Promise<void> {
  if (config.console === false)
    throw new ConfigurationFault('An invitation leads to the console, and CONSOLE is false.');
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const origin = config.publicUrl ?? `http://${host}:${config.port}`;
  await withMember(config, who, async (people, member) => {
    const { secret, expiresAt } = await people.invite(member.id);
    const link = `${origin}/console#invite=${secret}`;
    tell(flags, { member: member.id, link, expiresAt, maySignIn: member.maySignIn }, link);
    if (flags.json !== true)
      process.stderr.write(`It works once, until ${expiresAt}; an invitation of before does not any more.\n`);
    warn(member, flags);
  });
}

/** Ends the links of a member with accounts elsewhere: the next sign-in there links anew. */
export async function unlink(config: Config, who: string, flags: JsonFlag): Promise<void> {
  await withMember(config, who, async (people, member) => {
    const links = await people.unlink(member.id);
    tell(
      flags,
      { member: member.id, links },
      `${member.id} is linked with no account elsewhere${links > 0 ? ' any more' : ''}.`,
    );
  });
}

type Found = NonNullable<Awaited<ReturnType<Administration['find']>>>;

async function withMember(
  config: Config,
  who: string,
  work: (people: Administration, member: Found) => Promise<void>,
): Promise<void> {
  if (config.databaseUrl === memoryUrl)
    throw new ConfigurationFault(`A database in memory (${memoryUrl}) ends with this command; set DATABASE_URL.`);
  // Whether or not anybody signs in at the moment.
  const signIn = config.signIn ?? { ways: ['password'], sessionHours: 12, oidc: undefined };
  const workspace = await openWorkspace({ ...config, signIn });
  try {
    const people = new Administration(workspace.people ?? unreachable('nobody knows the members'), workspace.unit);
    const member = await people.find(who);
    if (member === undefined) throw new ConfigurationFault(`No ${people.title} has the id or sign-in name '${who}'.`);
    await work(people, member);
  } finally {
    await workspace.close();
  }
}

function warn({ maySignIn }: Found, { json }: JsonFlag): void {
  if (json !== true && !maySignIn)
    process.stderr.write('This member cannot sign in now; check "signIn" of its descriptor.\n');
}

/** A line of a pipe, or what is typed, which nobody sees. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await textOf(process.stdin)).replace(/\r?\n$/, '');
  process.stderr.write('Password: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
