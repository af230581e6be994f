// Roles in an application of one's own: loaded, looked through, given to the service, and asked.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type AccessAnswer,
  can,
  createPraxis,
  DescriptorFaults,
  findingsOf,
  loadRegistry,
  loadRoles,
  openDatabase,
  type Role,
  rules,
} from '../../src/library.ts';
import { sqlite } from '../support/databases/databases.ts';
import { folders } from '../support/service/praxis.ts';

test('roles are loaded, proven, and asked what they let somebody do', async () => {
  const registry = loadRegistry(folders.studio, rules);
  expect(loadRoles(join(folders.studio, 'no-roles'), registry)).toBeUndefined();
  expect(() => loadRoles(folders.studio, registry)).toThrow(DescriptorFaults);
  const roles = loadRoles(join(folders.studio, 'roles'), registry);
  const worker: Role | undefined = roles?.byName.get('worker');
  if (roles === undefined || worker === undefined) throw new Error('the studio has no workers');
  expect([worker.title, worker.includes]).toEqual(['Worker', ['reader']]);
  expect(findingsOf(roles, registry)).toEqual([]);
  const alone = new Map([...roles.byName].filter(([name]) => name === 'reader'));
  expect(findingsOf({ byName: alone }, registry)).toContainEqual(
    expect.objectContaining({ code: 'group-unreachable', text: 'no role may list entry' }),
  );

  const { url, drop } = await sqlite.open();
  const praxis = await createPraxis({ registry, roles, database: await openDatabase(url) });
  try {
    const ask = (who: string, operation: 'create' | 'list', target: string): Promise<AccessAnswer> =>
      can(praxis.workspace, { who, operation, target });
    expect((await ask('role:desk', 'create', 'client')).allowed).toBe(true);
    const no = await ask('role:reader', 'create', 'client');
    expect([no.allowed, no.by]).toEqual([false, []]);
    await expect(ask('role:reader', 'list', 'clients')).rejects.toThrow('"clients" is not a group');
    await expect(ask('role:raeder', 'list', 'client')).rejects.toThrow('did you mean "reader"');
  } finally {
    await praxis.close();
    await drop();
  }
});
