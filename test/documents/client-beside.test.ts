// What the generated client asks beside groups: rights, histories, the feed, undo.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  type ChangePage,
  ConflictError,
  createClient,
  ForbiddenError,
  GoneError,
  type GroupName,
  type Praxis,
} from '../../codegen/generated/client.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { Folder } from '../support/commands/command.ts';
import { newToken } from '../support/service/new-token.ts';
import { accessToken, folders, onEveryDatabase, registryOf } from '../support/service/praxis.ts';

/** The roles that `praxis new access` writes. */
const roles = loadRoles('.package/new-access', registryOf('product'));

onEveryDatabase(
  'the generated client',
  (context) => {
    let praxis: Praxis;
    beforeAll(() => {
      praxis = createClient({ baseUrl: context.address, token: accessToken });
    });
    const withRole = async (role: string): Promise<Praxis> => {
      return createClient({ baseUrl: context.address, token: await newToken(context, { roles: [role] }) });
    };

    test('tells what the caller may do, with groups and with a record', async () => {
      const { groups, roles: none } = await praxis.access();
      expect([groups['time-entry'].update, none]).toEqual(['all', []]);
      const agent = await withRole('agent');
      const own = await agent.access();
      expect([own.roles, own.groups['cost-period'].list, own.groups.invoice.delete]).toEqual([['agent'], 'no', 'no']);
      const { id } = await praxis.clients.create({ name: 'Acme', currency: 'EUR' });
      const { operations } = await agent.can('client', id);
      expect([operations.get?.allowed, operations.delete?.allowed]).toEqual([true, false]);
      await expect(agent.clients.delete(id)).rejects.toThrow(ForbiddenError);
      const { id: member } = await context.make('member');
      expect((await praxis.can('client', id, { member })).rules).toEqual(expect.any(Array));
      await expect(praxis.can('clients' as GroupName, id)).rejects.toThrow("can: there is no group 'clients'.");
      await expect(praxis.can('client', '')).rejects.toThrow(TypeError);
    });

    test('tells what became of a record, and takes a write back', async () => {
      const { id } = await praxis.clients.create({ name: 'Before', currency: 'EUR' });
      await praxis.clients.update(id, { name: 'After' });
      const { results, hasMore } = await praxis.history('client', id, { limit: 1 });
      const [newest] = results;
      expect([newest?.operation, newest?.changes?.['name'], hasMore]).toEqual([
        'update',
        { from: 'Before', to: 'After' },
        true,
      ]);
      const undone = await praxis.undo(newest?.write ?? '');
      expect(undone).toEqual({ write: expect.any(String), undoes: newest?.write });
      expect((await praxis.clients.get(id)).name).toBe('Before');
      await expect(praxis.undo(newest?.write ?? '')).rejects.toThrow(ConflictError);
      expect((await praxis.history('workspace-settings')).results).toEqual(expect.any(Array));
    });

    test('reads the feed to its end, and goes on from a cursor', async () => {
      const now = await lastOf(praxis.changes.pages({ after: 'now' }));
      const names = ['one', 'two', 'three'];
      for (const name of names) await praxis.jobTitles.create({ name: `${name} ${context.address}` });
      const seen: string[] = [];
      let pages = 0;
      let cursor = '';
      const query = { after: now.cursor, group: ['job-title'], limit: 2 } as const;
      for await (const page of praxis.changes.pages(query)) {
        pages += 1;
        cursor = page.cursor;
        seen.push(...page.results.map(({ name }) => String(name).split(' ')[0] ?? ''));
      }
      expect([seen, pages]).toEqual([names, 2]);
      expect((await lastOf(praxis.changes.pages({ after: cursor }))).results).toEqual([]);
      const another = `${cursor.startsWith('0') ? '1' : '0'}${cursor.slice(1)}`;
      await expect(lastOf(praxis.changes.pages({ after: another }))).rejects.toThrow(GoneError);
    });

    test('waits for what comes, past failures of the moment, until it is told to stop', async () => {
      const stop = new AbortController();
      const statuses: number[] = [];
      let failures = 2;
      const patient = createClient({
        baseUrl: context.address,
        token: accessToken,
        maxRetries: 0,
        fetch: async (url, init) => {
          failures -= 1;
          const answer = failures >= 0 ? new Response('', { status: 502 }) : await fetch(url, init);
          statuses.push(answer.status);
          return answer;
        },
      });
      const { cursor } = await lastOf(praxis.changes.pages({ after: 'now' }));
      const seen: (string | null)[] = [];
      const following = (async () => {
        const query = { after: cursor, group: 'job-title', wait: 5 } as const;
        for await (const page of patient.changes.follow(query, { signal: stop.signal })) {
          seen.push(...page.results.map(({ id }) => id));
          if (seen.length === 2) stop.abort(new Error('enough'));
        }
      })();
      const { id: first } = await praxis.jobTitles.create({ name: `Followed ${context.address}` });
      await expect.poll(() => seen, { timeout: 20_000 }).toEqual([first]);
      const { id: second } = await praxis.jobTitles.create({ name: `Followed too ${context.address}` });
      await expect(following).rejects.toThrow('enough');
      expect([seen, statuses.slice(0, 2)]).toEqual([
        [first, second],
        [502, 502],
      ]);
    }, 60_000);

    test('tells what uses a record that cannot be deleted', async () => {
      const { id: clientId } = await praxis.clients.create({ name: 'Used', currency: 'EUR' });
      await praxis.projects.create({ clientId, name: 'Using', billingTypeId: 'tm', currency: 'EUR' });
      const error = await praxis.clients.delete(clientId).catch((thrown: unknown) => thrown);
      if (!(error instanceof ConflictError)) throw error;
      expect(error.usedBy).toEqual([{ group: 'projects', count: 1 }]);
    });
  },
  'product',
  { parts: { roles, changes: 90 } },
);

async function lastOf(pages: AsyncIterable<ChangePage<GroupName>>): Promise<ChangePage<GroupName>> {
  let last: ChangePage<GroupName> | undefined;
  for await (const page of pages) last = page;
  if (last === undefined) throw new Error('there is no page');
  return last;
}

test('types have what a role may hide as what need not be there', async () => {
  const folder = new Folder({}, folders.studio);
  try {
    await folder.print('types --out app');
    const types = readFileSync(join(folder.path, 'app/types.ts'), 'utf8');
    const memberType = /export interface Member \{[\s\S]*?\n\}/.exec(types)?.[0] ?? '';
    expect(memberType).toContain('  name: string;');
    expect(memberType).toContain('  salary?: number | null;');
    expect(/export interface ClientReference \{[\s\S]*?\n\}/.exec(types)?.[0]).toContain('  name?: string;');
    expect(readFileSync(join(folder.path, 'app/client.ts'), 'utf8')).toContain('extends Services<GroupName>');
  } finally {
    folder.remove();
  }
});
