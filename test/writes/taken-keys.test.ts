// Which key is told when several are taken: always the first of the descriptor, whatever the database stops at.
import { expect, test } from 'vitest';
import { openQuietly } from '../support/databases/workspace.ts';
import { expectProblem, recordOf } from '../support/service/answers.ts';
import { folders, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'several keys that are taken at once',
  (context) => {
    const sameName = 'A Company with the same name already exists.';
    const sameClient = 'A Company with the same client already exists.';

    /** Two companies: one has the name, the other the client. In either order of their making. */
    async function taken(order: 'name first' | 'client first') {
      const client = await context.make('client');
      const name = `Taken ${client.id}`;
      const makers = [() => context.make('company', { name }), () => context.make('company', { clientId: client.id })];
      for (const make of order === 'name first' ? makers : makers.reverse()) await make();
      return { name, clientId: client.id };
    }

    test.each(['name first', 'client first'] as const)('name the first of the descriptor: %s', async (order) => {
      const keys = await taken(order);
      const post = (body: object) => context.call('POST', '/companies', body);
      expectProblem(await post(keys), 409, sameName);
      // With a list it is a transaction.
      const contact = await context.make('contact');
      expectProblem(await post({ ...keys, contactIds: [contact.id] }), 409, sameName);
      expectProblem(await post({ ...keys, name: 'Free' }), 409, sameClient);
      const { id } = await context.make('company');
      const patch = (body: object) => context.call('PATCH', `/companies/${id}`, body);
      expectProblem(await patch(keys), 409, sameName);
      expectProblem(await patch({ ...keys, contactIds: [contact.id] }), 409, sameName);
      expectProblem(await patch({ clientId: keys.clientId }), 409, sameClient);
      // A key that the record itself has is not taken.
      const own = recordOf(await context.call('GET', `/companies/${id}`));
      expectProblem(await patch({ ...keys, name: own['name'] }), 409, sameClient);
    });

    test('name the first of the descriptor where the other part of a key is stored already', async () => {
      const client = await context.make('client');
      const workspaceRole = await context.make('workspace-role');
      const linked = { clientId: client.id, workspaceRoleId: workspaceRole.id };
      recordOf(await context.call('POST', '/client-roles', linked));
      const message = 'A Client Role with the same workspaceRole already exists.';
      expectProblem(await context.call('POST', '/client-roles', linked), 409, message);
    });

    test('name the first of the descriptor in several writes together', async () => {
      const { name, clientId } = await taken('client first');
      const setup = { workspaceName: 'x', workspaceCurrency: 'USD', adminName: undefined, adminEmail: undefined };
      const workspace = await openQuietly({ databaseUrl: context.databaseUrl, resources: folders.product, setup });
      try {
        const work = workspace.engine.together((batch) => batch.create('company', { values: { name, clientId } }));
        await expect(work).rejects.toMatchObject({ status: 409, message: sameName });
      } finally {
        await workspace.close();
      }
    });
  },
  'product',
);
