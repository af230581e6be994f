// Many callers at once on what is billed and paid: whatever their order, each race ends as if they had come one after
// the other, and no figure is left wrong.
import { expect, test } from 'vitest';
import { verified } from '../support/databases/verify.ts';
import { fewer } from '../support/run/part.ts';
import type { Answer } from '../support/service/client.ts';
import { isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const timeout = 60_000;
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_value, n) => make(n));
const shown = ({ body }: Answer): Json => (isObject(body) ? body : {});
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).toSorted();
const told = (answers: readonly Answer[]): string => answers.map(({ text }) => text).join('\n');
const refusals = (answers: readonly Answer[]): unknown[] =>
  answers.filter(({ status }) => status >= 300).map(({ body }) => (isObject(body) ? (body['errors'] ?? body) : body));

onEveryDatabase(
  'races for money',
  (context) => {
    const post = (path: string, body: Json) => context.call('POST', path, body);
    const patch = (path: string, body: Json) => context.call('PATCH', path, body);
    const read = async (path: string): Promise<Json> => shown(await context.call('GET', path));
    const engagement = async () => {
      const { id: clientId } = await context.make('client', { currency: 'USD' });
      const { id: projectId } = await context.make('project', { clientId, billingTypeId: 'tm', useRoles: false });
      return { clientId, projectId };
    };
    const time = (projectId: string) =>
      context.make('time-entry', { projectId, statusId: 'approved', isBillable: true });
    const line = (amount: number, more: Json = {}): Json => ({ amount, taxable: false, ...more });
    const issued = (clientId: string, amount: number) =>
      context.make('invoice', { clientId, statusId: 'issued', taxRateId: null, lines: [line(amount)] });
    const nothingIsWrong = async () => expect(await verified(context, 'product')).toEqual([]);

    test(
      'of twenty invoices that take the same hour one has it, and the others are told',
      async () => {
        for (const round of times(3, (n) => n)) {
          const { clientId, projectId } = await engagement();
          const [one, two] = [await time(projectId), await time(projectId)];
          // Half of them take a second hour too, on a line before or behind: who comes late must not hold it.
          const bodies = times(20, (n) => {
            const lines = [one, ...(n % 2 === 0 ? [two] : [])].map(({ id }) =>
              line(100, { projectId, sources: [{ typeId: 'time_entry', id }] }),
            );
            return {
              clientId,
              statusId: n % 3 === 0 ? 'issued' : 'draft',
              lines: n % 4 === 0 ? lines : lines.toReversed(),
            };
          });
          const answers = await Promise.all(bodies.map((body) => post('/invoices', body)));
          expect(statuses(answers), told(answers)).toEqual([200, ...times(19, () => 409)]);
          expect(refusals(answers)).toEqual(
            times(19, () => ({ status: 409, message: 'The Time Entry is in use and cannot be deleted.' })),
          );
          const winner = shown(answers.find(({ status }) => status === 200) as Answer);
          const isIssued = winner['statusId'] === 'issued';
          expect(await read(`/time-entries/${one.id}`), `round ${round}`).toMatchObject({
            invoiced: isIssued,
            invoice: isIssued ? { id: winner['id'] } : null,
          });
          expect(await context.all('invoice', `&clientId=${clientId}`)).toHaveLength(1);
        }
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'numbers come once each and without gaps, though callers take some and others are refused',
      async () => {
        const { clientId } = await engagement();
        for (const [path, setting] of [
          ['/invoices', 'invoiceNumberPrefix'],
          ['/credit-notes', 'creditNoteNumberPrefix'],
        ] as const) {
          const prefix = `Race of ${path} `;
          await patch('/workspace-settings', { [setting]: prefix });
          const first = Number(/\d+$/.exec(String(shown(await post(path, { clientId }))['number']))?.[0]);
          const numberOf = (steps: number) => prefix + String(first + steps).padStart(4, '0');
          const made = times(20, () => post(path, { clientId }));
          const refused = times(10, (n) =>
            post(path, n % 2 === 0 ? { clientId, statusId: 'issued' } : { clientId, taxRateId: clientId }),
          );
          const taken = times(6, (n) => post(path, { clientId, number: numberOf(1 + 3 * n) }));
          expect(statuses(await Promise.all(made))).toEqual(times(20, () => 200));
          expect(statuses(await Promise.all(refused))).toEqual(times(10, () => 400));
          const takers = await Promise.all(taken);
          for (const { status } of takers) expect([200, 409]).toContain(status);
          const numbers = [...(await Promise.all(made)), ...takers.filter(({ status }) => status === 200)]
            .map((answer) => String(shown(answer)['number']))
            .toSorted();
          // Who takes a number far ahead makes the sequence pass over it; all before it are used.
          expect(new Set(numbers).size).toBe(numbers.length);
          const own = (await Promise.all(made)).map((answer) =>
            Number(/\d+$/.exec(String(shown(answer)['number']))?.[0]),
          );
          for (const steps of times(Math.max(...own) - first, (n) => n + 1)) expect(numbers).toContain(numberOf(steps));
        }
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'payments and credits at once settle what is due and no more',
      async () => {
        for (const _round of times(3, (n) => n)) {
          const { clientId } = await engagement();
          const [one, two] = [await issued(clientId, 100), await issued(clientId, 100)];
          const part = ({ id }: Json, amount: number): Json => ({ id, amount });
          const credits = await Promise.all(
            times(6, () =>
              context.make('credit-note', { clientId, statusId: 'issued', taxRateId: null, lines: [line(20)] }),
            ),
          );
          // Those that pay both name them in either order.
          const answers = await Promise.all([
            ...times(14, (n) =>
              post('/payments', {
                clientId,
                amount: 40,
                invoices: n % 2 === 0 ? [part(one, 10), part(two, 10)] : [part(two, 10), part(one, 10)],
              }),
            ),
            ...credits.map(({ id }, n) =>
              patch(`/credit-notes/${id}`, { invoices: [part(n % 2 === 0 ? one : two, 20)] }),
            ),
          ]);
          for (const { status, text } of answers) expect([200, 400], text).toContain(status);
          for (const errors of refusals(answers))
            for (const text of errors as string[])
              expect(text).toMatch(/^'invoices\[[01]\]\.amount' must be at most \d+$/);
          for (const { id } of [one, two]) {
            const invoice = await read(`/invoices/${id}`);
            const sum = (key: string) =>
              (invoice[key] as Json[]).reduce((total, { amount }) => total + Number(amount), 0);
            expect([invoice['amountPaid'], invoice['amountCredited']]).toEqual([sum('payments'), sum('creditNotes')]);
            expect(invoice['amountDue']).toBe(100 - sum('payments') - sum('creditNotes'));
            expect(Number(invoice['amountDue'])).toBeGreaterThanOrEqual(0);
            expect(invoice['statusId']).toBe(invoice['amountDue'] === 0 ? 'paid' : 'issued');
          }
          // 14 payments of 10 and 3 credits of 20 want 200 of each: one of the two is settled whole.
          const dues = await Promise.all(
            [one, two].map(async ({ id }) => (await read(`/invoices/${id}`))['amountDue']),
          );
          expect(dues).toContain(0);
        }
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'twenty payments of a tenth settle an invoice with ten',
      async () => {
        const { clientId } = await engagement();
        const { id } = await issued(clientId, 1);
        const answers = await Promise.all(
          times(20, () =>
            post('/payments', { clientId, currency: 'USD', amount: 0.1, invoices: [{ id, amount: 0.1 }] }),
          ),
        );
        expect(statuses(answers), told(answers)).toEqual([...times(10, () => 200), ...times(10, () => 400)]);
        expect(refusals(answers)).toEqual(times(10, () => ["'invoices[0].amount' must be at most 0"]));
        expect(await read(`/invoices/${id}`)).toMatchObject({ statusId: 'paid', amountPaid: 1, amountDue: 0 });
        // Half of them taken back at once, and paid anew by others.
        const paid = answers.filter(({ status }) => status === 200).map((answer) => String(shown(answer)['id']));
        await Promise.all([
          ...paid.slice(5).map((payment) => context.call('DELETE', `/payments/${payment}`)),
          ...times(10, () =>
            post('/payments', { clientId, currency: 'USD', amount: 0.1, invoices: [{ id, amount: 0.1 }] }),
          ),
        ]);
        const invoice = await read(`/invoices/${id}`);
        expect((invoice['payments'] as Json[]).length * 10).toBe(Math.round(Number(invoice['amountPaid']) * 100));
        expect(Number(invoice['amountDue'])).toBeGreaterThanOrEqual(0);
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'twenty invoices draw no more from an advance than there is',
      async () => {
        const { clientId, projectId } = await engagement();
        const prepayment = await context.make('project-prepayment', { projectId, amount: 100 });
        const sources = [{ typeId: 'project_prepayment', id: prepayment.id }];
        await context.make('invoice', { clientId, statusId: 'issued', lines: [line(100, { projectId, sources })] });
        const answers = await Promise.all(
          times(20, () =>
            post('/invoices', {
              clientId,
              statusId: 'issued',
              lines: [line(500, { projectId }), line(-10, { projectId, projectPrepaymentId: prepayment.id })],
            }),
          ),
        );
        expect(statuses(answers), told(answers)).toEqual([...times(10, () => 200), ...times(10, () => 400)]);
        expect(refusals(answers)).toEqual(times(10, () => ["'lines[1].amount' must be at least 0"]));
        expect(await read(`/project-prepayments/${prepayment.id}`)).toMatchObject({
          amountApplied: 100,
          amountRemaining: 0,
        });
        await nothingIsWrong();
      },
      timeout,
    );

    /** Two at once, of whom exactly one may have its way. @returns the winner's place. */
    const duel = async (rounds: number, begin: () => Promise<readonly (() => Promise<Answer>)[]>) => {
      // Where one writes at a time either order is all there is.
      for (const round of times(context.isServer ? rounds : fewer(2, rounds), (n) => n)) {
        const [one, other] = await begin();
        if (one === undefined || other === undefined) throw new Error('a duel has two sides');
        const answers = await Promise.all(round % 2 === 0 ? [one(), other()] : [other(), one()]);
        expect(
          answers.filter(({ status }) => status < 300),
          told(answers),
        ).toHaveLength(1);
        for (const { status, text } of answers) expect([200, 204, 400, 409], text).toContain(status);
      }
      await nothingIsWrong();
    };

    for (const statusId of ['void', 'draft'])
      test(
        `an invoice is paid or becomes ${statusId}, not both`,
        async () => {
          const { clientId } = await engagement();
          await duel(6, async () => {
            const { id } = await issued(clientId, 100);
            const invoices = [{ id, amount: 10 }];
            return [
              () => patch(`/invoices/${id}`, { statusId }),
              () => post('/payments', { clientId, currency: 'USD', amount: 10, invoices }),
            ];
          });
          await duel(6, async () => {
            const { id } = await issued(clientId, 100);
            const body = { clientId, currency: 'USD', statusId: 'issued', taxRateId: null, lines: [line(10)] };
            return [
              () => patch(`/invoices/${id}`, { statusId }),
              () => post('/credit-notes', { ...body, invoices: [{ id, amount: 10 }] }),
            ];
          });
        },
        timeout,
      );

    test(
      'time is invoiced or its approval is taken back, not both',
      async () => {
        const { clientId, projectId } = await engagement();
        await duel(8, async () => {
          const entry = await time(projectId);
          const lines = [line(100, { projectId, sources: [{ typeId: 'time_entry', id: entry.id }] })];
          const invoice = await context.make('invoice', { clientId, lines });
          return [
            () => patch(`/invoices/${invoice.id}`, { statusId: 'issued' }),
            () => patch(`/time-entries/${entry.id}`, { statusId: 'not_submitted' }),
          ];
        });
      },
      timeout,
    );

    test(
      'an item is billed or deleted, not both',
      async () => {
        const { clientId, projectId } = await engagement();
        await duel(8, async () => {
          const item = await context.make('project-service-item', { projectId });
          const lines = [line(100, { projectId, sources: [{ typeId: 'project_service_item', id: item.id }] })];
          return [
            () => post('/invoices', { clientId, lines }),
            () => context.call('DELETE', `/project-service-items/${item.id}`),
          ];
        });
      },
      timeout,
    );

    test(
      'a client comes to be billed as a business unit or the unit is deleted, not both',
      async () => {
        for (const isNamedBefore of [false, true])
          await duel(6, async () => {
            const { id: businessUnitId } = await context.make('business-unit');
            const client = await context.make('client', isNamedBefore ? { businessUnitId } : {});
            const named = isNamedBefore ? {} : { businessUnitId };
            return [
              () => patch(`/clients/${client.id}`, { invoiceDetailsSource: 'business_unit', ...named }),
              () => context.call('DELETE', `/business-units/${businessUnitId}`),
            ];
          });
      },
      timeout,
    );

    test(
      'an invoice is made whatever becomes of the terms and the tax that it would have had',
      async () => {
        for (const round of times(12, (n) => n)) {
          const term = await context.make('payment-term', { type: 'net', days: 5 });
          const rate = await context.make('tax-rate', { rate: 0.1 });
          const unit = await context.make('business-unit', {
            ...{ invoicePaymentTermId: term.id, invoiceTaxRateId: rate.id },
          });
          const client = await context.make('client', {
            ...{ invoiceDetailsSource: 'business_unit', businessUnitId: unit.id },
          });
          const remove = () => [
            context.call('DELETE', `/payment-terms/${term.id}`),
            context.call('DELETE', `/tax-rates/${rate.id}`),
          ];
          const make = () => post('/invoices', { clientId: client.id });
          const [made, ...gone] = round % 2 === 0 ? [make(), ...remove()] : [...remove(), make()].toReversed();
          const invoice = await made;
          expect(invoice?.status, invoice?.text).toBe(200);
          const [first, second] = await Promise.all(gone);
          const byPath = round % 2 === 0 ? [first, second] : [second, first];
          const shows = await read(`/invoices/${shown(invoice as Answer)['id']}`);
          expect(byPath.map((answer) => answer?.status)).toEqual(
            ['paymentTerm', 'taxRate'].map((key) => (shows[key] === null ? 204 : 409)),
          );
        }
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'one credit, given to many invoices at once, is given whole to the last, and every invoice shows it so',
      async () => {
        const { clientId } = await engagement();
        const invoices = await Promise.all(times(8, () => issued(clientId, 100)));
        const credit = await context.make('credit-note', {
          ...{ clientId, statusId: 'issued', taxRateId: null, lines: [line(60)] },
        });
        const payment = await context.make('payment', { clientId, currency: 'USD', amount: 60 });
        const answers = await Promise.all(
          invoices.flatMap(({ id }, n) => {
            const next = invoices[(n + 1) % invoices.length]?.id;
            const parts = {
              invoices: [
                { id, amount: 30 },
                { id: next, amount: 30 },
              ],
            };
            return [patch(`/credit-notes/${credit.id}`, parts), patch(`/payments/${payment.id}`, parts)];
          }),
        );
        expect(statuses(answers), told(answers)).toEqual(times(16, () => 200));
        expect(await read(`/credit-notes/${credit.id}`)).toMatchObject({ statusId: 'applied', amountApplied: 60 });
        const sums = { amountPaid: 0, amountCredited: 0, amountDue: 0 };
        for (const { id } of invoices) {
          const invoice = await read(`/invoices/${id}`);
          for (const key of ['amountPaid', 'amountCredited', 'amountDue'] as const) sums[key] += Number(invoice[key]);
        }
        expect(sums).toEqual({ amountPaid: 60, amountCredited: 60, amountDue: 680 });
        await nothingIsWrong();
      },
      timeout,
    );

    test(
      'no invoice bills a project that changes its client meanwhile, and no task gets a category that becomes another kind',
      async () => {
        for (const _round of times(5, (n) => n)) {
          const [{ clientId, projectId }, other] = [await engagement(), await context.make('client')];
          const category = await context.make('task-category', { type: 'standard', isDefault: false });
          const moves = times(4, () => patch(`/projects/${projectId}`, { clientId: other.id }));
          const billed = times(8, () => post('/invoices', { clientId, lines: [line(5, { projectId })] }));
          const [changed, tasks] = [
            patch(`/task-categories/${category.id}`, { type: 'rollup' }),
            times(7, (n) =>
              post('/tasks', { projectId, name: `Task ${n}`, taskCategoryId: category.id, budgetedHours: 1 }),
            ),
          ];
          const [movers, billers] = [await Promise.all(moves), await Promise.all(billed)];
          const { client } = await read(`/projects/${projectId}`);
          const hasMoved = isObject(client) && client['id'] === other.id;
          expect(statuses(movers), told(movers)).toEqual(times(4, () => (hasMoved ? 200 : 409)));
          expect(statuses(billers), told(billers)).toEqual(times(8, () => (hasMoved ? 400 : 200)));
          const [change, made] = [await changed, await Promise.all(tasks)];
          expect([200, 409], change.text).toContain(change.status);
          expect(statuses(made), told(made)).toEqual(times(7, () => (change.status === 200 ? 400 : 200)));
        }
        await nothingIsWrong();
      },
      timeout,
    );
  },
  'product',
);
