// What records of projects take from other records, and what they ask of their project.
import { expect, test } from 'vitest';
import { expectFaults, recordOf } from '../support/service/answers.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'records of projects',
  (context) => {
    /** A project in euros, and the body of a role of it that is copied from a role of its client. */
    const copied = async (role: Json) => {
      const { id: clientId } = await context.make('client', { currency: 'EUR' });
      const { id: projectId } = await context.make('project', { clientId, currency: 'EUR', billingTypeId: 'tm' });
      const { id: clientRoleId } = await context.make('client-role', { clientId, ...role });
      return { projectId, clientRoleId };
    };
    const createRole = (body: Json) => context.call('POST', '/project-roles', body);

    test('a copied rate is converted at the rate of the day, and must be sent where none is known', async () => {
      const role = await copied({ rate: 33.3333, currency: 'CHF' });
      const unknown = "'rate' must be sent: no exchange rate from CHF to EUR is known";
      expectFaults(await createRole(role), unknown);
      expect(recordOf(await createRole({ ...role, name: 'Own', rate: 7 })).rate).toBe(7);
      expect(recordOf(await createRole({ ...role, name: 'None', rate: null })).rate).toBeNull();
      const unbilled = recordOf(await createRole({ ...role, name: 'Free', isBillable: false }));
      expect(unbilled.rate).toBeNull();
      const period = { fromCurrency: 'CHF', toCurrency: 'EUR', rate: 1.05 };
      const past = { ...period, start: '2001-01-01', end: '2001-12-31' };
      recordOf(await context.call('POST', '/exchange-rate-periods', past));
      expectFaults(await createRole(role), unknown);
      const now = { ...period, start: '2020-01-01', end: '9999-12-31' };
      recordOf(await context.call('POST', '/exchange-rate-periods', now));
      expect(recordOf(await createRole(role)).rate).toBe(35);
      const wide = await copied({ rate: 99999999999.9999, currency: 'CHF' });
      expectFaults(await createRole(wide), "'rate' must be a number with at most 15 digits");
      const back = await copied({ rate: 10, currency: 'EUR' });
      const swiss = await context.make('project', {
        clientId: (recordOf(await context.call('GET', `/client-roles/${back.clientRoleId}`)).client as Json).id,
        currency: 'CHF',
      });
      expect(recordOf(await createRole({ ...back, projectId: swiss.id })).rate).toBe(9.5238);
    });

    test('a role of another client is told of, not the rate that it would give', async () => {
      const [ours, theirs] = [await copied({}), await copied({ rate: 5, currency: 'SEK' })];
      expectFaults(
        await createRole({ projectId: ours.projectId, clientRoleId: theirs.clientRoleId }),
        "'clientRoleId' must be a role of the project's client",
      );
    });

    test('a project that takes no expenses takes none of its own', async () => {
      const { id: projectId } = await context.make('project', { billingTypeId: 'tm' });
      const setProject = async (body: Json) => recordOf(await context.call('PATCH', `/projects/${projectId}`, body));
      const body = await context.bodyOf('project-expense', { projectId });
      const made = recordOf(await context.call('POST', '/project-expenses', body));
      const closed = [
        ...['tentative', 'completed', 'cancelled'].map((statusId) => ({ statusId, recordStatusId: 'active' })),
        { statusId: 'in_progress', recordStatusId: 'archived' },
      ];
      for (const state of closed) {
        await setProject(state);
        expectFaults(
          await context.call('POST', '/project-expenses', body),
          "'projectId' must be an active project that takes expenses",
        );
        const notes = JSON.stringify(state);
        expect(recordOf(await context.call('PATCH', `/project-expenses/${made.id}`, { notes })).notes).toBe(notes);
      }
      for (const statusId of ['not_started', 'in_progress', 'paused']) {
        await setProject({ statusId, recordStatusId: 'active' });
        recordOf(await context.call('POST', '/project-expenses', body));
      }
    });
  },
  'product',
);
