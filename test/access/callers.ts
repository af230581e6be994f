// A service with roles, and callers who hold some of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { RightsBook } from '../../src/access/rights.ts';
import type { PraxisOptions } from '../../src/app/praxis.ts';
import { loadRoles } from '../../src/app/registry.ts';
import type { Workspace } from '../../src/app/workspace.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import type { Caller } from '../../src/request/intent.ts';
import type { Call } from '../support/service/client.ts';
import { type Context, type Folder, grounds, registryOf, startService } from '../support/service/praxis.ts';

/** The JSON of a role, but for its title and description. */
export type RoleText = Readonly<Record<string, unknown>>;

export interface RoleContext extends Context {
  /** A client of somebody who acts for a member, or for none, and holds these roles. */
  as(member: string | null, ...roles: readonly string[]): Call;
  readonly workspace: Workspace;
}

/** Roles as those of files. */
export function rolesIn(registry: Registry, texts: Readonly<Record<string, RoleText>>): RightsBook {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-roles-'));
  try {
    for (const [name, text] of Object.entries(texts))
      writeFileSync(
        join(folder, `${name}.json`),
        JSON.stringify({ title: name, description: `Role ${name}.`, ...text }),
      );
    return new RightsBook(loadRoles(folder, registry));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What such a service is made of. */
interface RoleGround {
  readonly folder: Folder;
  readonly roles: Readonly<Record<string, RoleText>>;
  readonly parts?: Partial<PraxisOptions>;
}

/** A service whose tokens are made up: what they may do is told by the roles that they are asked for with. */
async function startWithRoles(
  { folder, roles: texts, parts }: RoleGround,
  url: string,
): Promise<RoleContext & { stop(): Promise<void> }> {
  const { roles: loaded } = rolesIn(registryOf(folder), texts);
  const service = await startService(folder, url, { ...parts, roles: loaded });
  const callers = new Map<string, Caller>();
  const { tokens } = service.workspace;
  const authenticate = tokens.authenticate.bind(tokens);
  tokens.authenticate = (token, now) => callers.get(token) ?? authenticate(token, now);
  const as = (memberId: string | null, ...roles: readonly string[]): Call => {
    const token = `token-of-the-tests-${callers.size}-${'0'.repeat(16)}`;
    callers.set(token, { tokenId: `T${callers.size}`, memberId, roles });
    return callOf(service.address, token);
  };
  return Object.assign(service, { as });
}

/** Who does not see everything gets less than the document shows to others: the answers are not held against it. */
function callOf(address: string, token: string): Call {
  return async (method, path, body, { headers = {} } = {}) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(500);
    const found = Object.fromEntries(response.headers);
    const isJson = found['content-type']?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: found,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
    };
  };
}

/** Describes behaviour once for each database, on a service with these roles. */
export function withRoles(name: string, of: RoleGround, body: (context: RoleContext) => void): void {
  for (const ground of grounds)
    describe.skipIf(ground.open === undefined)(`${name} (${ground.name})`, () => {
      const context = { registry: registryOf(of.folder), isServer: ground.name !== 'SQLite' } as RoleContext;
      const closing: (() => Promise<void>)[] = [];
      beforeAll(async () => {
        if (ground.open === undefined) return;
        const { url, close } = await ground.open();
        closing.push(close);
        const service = await startWithRoles(of, url);
        closing.unshift(service.stop);
        Object.assign(context, service);
      }, 60_000);
      afterAll(async () => {
        for (const close of closing) await close();
      }, 60_000);
      body(context);
    });
}
