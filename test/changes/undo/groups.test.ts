// Undo in the workspace: what is deleted, or changed, comes back in every group as it was, also what callers type in where a formula
// leaves it to them, what applies only in some states, and what was taken on one day.
import { expect, it } from 'vitest';
import { entriesOf } from '../../support/data/changes.ts';
import { verified } from '../../support/databases/verify.ts';
import { type Context, type Json, onEveryDatabase } from '../../support/service/praxis.ts';
import { send } from '../../support/service/send.ts';

type Write = (on: Context) => Promise<unknown>;

/** The write that some work was, undone. */
async function undone(on: Context, work: () => Promise<unknown>) {
  const [entry] = await entriesOf(on, work);
  const { status, body } = await send(on, `POST /writes/${entry?.write}/undo`);
  return { status, message: status === 200 ? '' : String(body.errors ?? body.message), write: String(body.write) };
}
const done = { status: 200, message: '' };

/** What a record shows, but for when it was last changed. */
async function shown(on: Context, path: string): Promise<Json> {
  const { body } = await on.call('GET', path);
  const { modifiedAt: _modifiedAt, ...record } = body as Json;
  return record;
}

async function made(on: Context, path: string, body: object): Promise<Json & { readonly id: string }> {
  const answer = await on.call('POST', path, body as Json);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as Json & { readonly id: string };
}

const deleted = (on: Context, path: string): Promise<unknown> => on.call('DELETE', path);
const changed = (on: Context, path: string, body: object): Promise<unknown> => on.call('PATCH', path, body as Json);

onEveryDatabase(
  'undo in every group',
  (on) => {
    it('gives a key back that another record of the same write has taken, there and back again', async () => {
      const tag = (name: string): Promise<Json & { readonly id: string }> => made(on, '/client-tags', { name });
      const creates = (name: string) => ({ method: 'POST', path: '/client-tags', body: { name } });
      const [renamed, removed] = [await tag('Moves'), await tag('Goes')];
      const operations = [
        { method: 'PATCH', path: `/client-tags/${renamed.id}`, body: { name: 'Moved' } },
        creates('Moves'),
        { method: 'DELETE', path: `/client-tags/${removed.id}` },
        creates('Goes'),
      ];
      const tags = async () => (await on.call('GET', '/client-tags?limit=100&fields=name,createdAt')).body;
      const before = await tags();
      let after: unknown;
      const first = await undone(on, async () => {
        await on.call('POST', '/batch', { operations });
        after = await tags();
      });
      expect(first).toMatchObject(done);
      expect(await tags()).toEqual(before);
      expect((await send(on, `POST /writes/${first.write}/undo`)).body).toMatchObject({ undoes: first.write });
      expect(await tags()).toEqual(after);
    });

    it('gives back a reference in place of which its holder was given another one, there and back again', async () => {
      const [old, other] = [
        await made(on, '/client-tags', { name: 'Old' }),
        await made(on, '/client-tags', { name: 'Other' }),
      ];
      const client = await made(on, '/clients', { name: 'Tagged', tagIds: [old.id] });
      const operations = [
        { method: 'DELETE', path: `/client-tags/${old.id}` },
        { method: 'PATCH', path: `/clients/${client.id}`, body: { tagIds: [other.id] } },
      ];
      const tags = async () => (await shown(on, `/clients/${client.id}`))['tags'];
      const { write, ...answer } = await undone(on, () => on.call('POST', '/batch', { operations }));
      expect([answer, await tags()]).toEqual([done, [{ id: old.id, name: 'Old' }]]);
      expect((await send(on, `POST /writes/${write}/undo`)).status).toBe(200);
      expect(await tags()).toEqual([{ id: other.id, name: 'Other' }]);
    });

    it('makes again what was deleted, as it was', async () => {
      const differ: string[] = [];
      let count = 0;
      for (const { name, path, operations, singleton } of on.registry.resources.values()) {
        if (singleton || !operations.has('delete') || !operations.has('create') || !operations.has('get')) continue;
        for (const extent of ['required', 'all'] as const) {
          const { id } = await on.make(name, {}, extent);
          const before = await shown(on, `${path}/${id}`);
          let status = 0;
          const { message } = await undone(on, async () => {
            status = (await on.call('DELETE', `${path}/${id}`)).status;
          });
          if (status !== 204) continue;
          count += 1;
          if (message !== '') differ.push(`${name}, ${extent}: ${message}`);
          else expect.soft(await shown(on, `${path}/${id}`), `${name}, ${extent}`).toEqual(before);
        }
      }
      const hadEffects = 'The write had effects that cannot be undone.';
      expect(differ).toEqual(
        ['timesheet, required', 'timesheet, all', 'project-rate-card, all'].map((each) => `${each}: ${hadEffects}`),
      );
      expect(count).toBeGreaterThan(130);
      expect(await verified(on, 'product')).toEqual([]);
    }, 120_000);

    const project = async (body: object = {}): Promise<string> => {
      const { id: clientId } = await on.make('client');
      return (
        await made(on, '/projects', {
          name: `P ${Math.random()}`,
          clientId,
          currency: 'EUR',
          billingTypeId: 'tm',
          ...body,
        })
      ).id;
    };
    const given: Readonly<Record<string, () => Promise<readonly [path: string, write: Write]>>> = {
      'a task with hours that were typed in': async () => {
        const { id } = await made(on, '/tasks', {
          projectId: await project(),
          name: 'T',
          budgetedHours: 3,
          notes: 'old',
        });
        return [`/tasks/${id}`, () => deleted(on, `/tasks/${id}`)];
      },
      'such hours of a task': async () => {
        const { id } = await made(on, '/tasks', {
          projectId: await project(),
          name: 'T',
          budgetedHours: 3,
          notes: 'old',
        });
        return [`/tasks/${id}`, () => changed(on, `/tasks/${id}`, { budgetedHours: 9, notes: 'new' })];
      },
      'budgets of a project that were typed in': async () => {
        const budget = { servicesRevenue: 4, billableHours: 2 };
        const id = await project({ useBudget: true, budgetMode: 'summary', budget });
        return [`/projects/${id}`, () => changed(on, `/projects/${id}`, { budget: { servicesRevenue: 9 } })];
      },
      'a project with such budgets': async () => {
        const budget = { servicesRevenue: 9, billableHours: 2 };
        const id = await project({ useBudget: true, budgetMode: 'summary', budget });
        return [`/projects/${id}`, () => deleted(on, `/projects/${id}`)];
      },
      'a project without roles': async () => {
        const id = await project({ useRoles: false });
        return [`/projects/${id}`, () => deleted(on, `/projects/${id}`)];
      },
      'an invoice whose line has an amount by itself': async () => {
        const { id: clientId } = await on.make('client');
        const { id } = await made(on, '/invoices', { clientId, lines: [{ amount: 12.5 }, { quantity: 2, rate: 3 }] });
        return [`/invoices/${id}`, () => deleted(on, `/invoices/${id}`)];
      },
      'the lines of an invoice': async () => {
        const { id: clientId } = await on.make('client');
        const { id } = await made(on, '/invoices', { clientId, lines: [{ amount: 12.5 }, { quantity: 2, rate: 3 }] });
        return [`/invoices/${id}`, () => changed(on, `/invoices/${id}`, { lines: [] })];
      },
      'a member with the periods that begin with it': async () => {
        const { id } = await on.make('member');
        return [`/members/${id}`, () => deleted(on, `/members/${id}`)];
      },
      'a project with a task of one of its members': async () => {
        const projectId = await project();
        const { id: memberId } = await on.make('member');
        const { id } = await made(on, '/project-members', { projectId, memberId });
        await made(on, '/tasks', { projectId, name: 'T', projectMembers: [{ id, hours: 2 }] });
        return [`/projects/${projectId}`, () => deleted(on, `/projects/${projectId}`)];
      },
      'a project with two rate cards': async () => {
        const projectId = await project();
        await made(on, '/project-rate-cards', { projectId });
        await made(on, '/project-rate-cards', { projectId, start: '2026-05-01' });
        return [`/projects/${projectId}`, () => deleted(on, `/projects/${projectId}`)];
      },
      'a fee that was computed until it was typed in': async () => {
        const projectId = await project();
        const body = { projectId, quantity: 2, rate: 3 };
        const { id } = await on.make('project-service-item', { ...body, fee: undefined });
        const path = `/project-service-items/${id}`;
        return [path, () => changed(on, path, { quantity: null, rate: null, fee: 77 })];
      },
      'an expense whose amount follows from its units': async () => {
        const { id: expenseCategoryId } = await on.make('expense-category', { unitName: 'km', unitAmount: 0.5 });
        const body = { expenseCategoryId, unitCount: 30, amount: undefined };
        const { id } = await on.make('expense-item', body);
        expect(await shown(on, `/expense-items/${id}`)).toMatchObject({ unitAmount: 0.5, amount: 15 });
        return [`/expense-items/${id}`, () => deleted(on, `/expense-items/${id}`)];
      },
      'what a report took on its day': async () => {
        const projectId = await project();
        await made(on, '/tasks', { projectId, name: 'T', budgetedHours: 3 });
        const { id } = await on.make('project-health-report', { projectId });
        await made(on, '/tasks', { projectId, name: 'U', budgetedHours: 30 });
        return [`/project-health-reports/${id}`, () => deleted(on, `/project-health-reports/${id}`)];
      },
    };
    it.each(Object.keys(given))('%s comes back, and goes again', async (what) => {
      const [path, write] = (await given[what]?.()) ?? [];
      const before = await shown(on, path ?? '');
      const back = await undone(on, async () => await write?.(on));
      expect(back).toMatchObject(done);
      expect(await shown(on, path ?? '')).toEqual(before);
      const again = await send(on, `POST /writes/${back.write}/undo`);
      expect([again.status, again.body]).toEqual([200, again.body]);
      expect(await shown(on, path ?? '')).not.toEqual(before);
    });

    it('a state that went on by itself comes back', async () => {
      const projectId = await project({ timeApprovalMode: 'auto', useRoles: false });
      const { id: memberId } = await on.make('member');
      await made(on, '/project-members', { projectId, memberId });
      const entry = { projectId, memberId, typeId: 'project_time', date: '2026-03-02', minutes: 30 };
      const { id } = await made(on, '/time-entries', entry);
      const path = `/time-entries/${id}`;
      const before = await shown(on, path);
      const back = await undone(on, async () => {
        await changed(on, path, { statusId: 'pending_approval' });
        expect(await shown(on, path)).toMatchObject({ statusId: 'approved' });
      });
      expect(back).toMatchObject(done);
      expect(await shown(on, path)).toEqual(before);
    });

    it('what others lose by a delete comes back to them without effects', async () => {
      const { id: contactId } = await on.make('contact');
      const { id } = await on.make('opportunity', { contactIds: [contactId] });
      const { message } = await undone(on, () => deleted(on, `/contacts/${contactId}`));
      expect(message).toBe('');
      expect(await shown(on, `/opportunities/${id}`)).toMatchObject({ contacts: [{ id: contactId }] });
      expect(await on.all('pipeline-activity', `&opportunityId=${id}`)).toEqual([]);
    });

    it('a source that a void invoice loses by a delete comes back to its line', async () => {
      const projectId = await project({ useRoles: false });
      const { id: memberId } = await on.make('member');
      await made(on, '/project-members', { projectId, memberId });
      const entry = { projectId, memberId, date: '2026-03-02', minutes: 30, statusId: 'approved' };
      const { id, project: of } = await made(on, '/time-entries', entry);
      const sources = [{ typeId: 'time_entry', id }];
      const lines = [{ amount: 10, projectId, sources }];
      const { client } = of as { client: { id: string } };
      const invoice = await made(on, '/invoices', { clientId: client.id, statusId: 'issued', lines });
      const path = `/invoices/${invoice.id}`;
      await changed(on, path, { statusId: 'void' });
      await changed(on, `/time-entries/${id}`, { statusId: 'not_submitted' });
      const before = await shown(on, path);
      const entries = await entriesOf(on, () => deleted(on, `/time-entries/${id}`));
      expect(await shown(on, path)).toMatchObject({ lines: [{ sources: [] }] });
      expect(entries.map(({ operation, group, cause }) => [operation, group, cause.kind])).toEqual([
        ['update', 'invoice', 'clear'],
        ['delete', 'time-entry', 'caller'],
      ]);
      expect(entries[0]?.changes?.['lines']).toMatchObject({ from: [{ sources }], to: [{ sources: [] }] });
      const undo = await send(on, `POST /writes/${entries[0]?.write}/undo`);
      expect([undo.status, undo.body]).toEqual([200, undo.body]);
      expect(await shown(on, path)).toEqual(before);
    });

    it('is refused where what a record named is gone by now, and says which', async () => {
      const { id: practiceId } = await on.make('practice');
      const projectId = await project({ practiceId });
      const [entry] = await entriesOf(on, () => deleted(on, `/projects/${projectId}`));
      await deleted(on, `/practices/${practiceId}`);
      const { status, body } = await send(on, `POST /writes/${entry?.write}/undo`);
      expect([status, body.message]).toEqual([409, 'The Practice has changed since.']);
      expect((await on.call('GET', `/projects/${projectId}`)).status).toBe(404);
    });
  },
  'product',
  { parts: { changes: 90 } },
);
