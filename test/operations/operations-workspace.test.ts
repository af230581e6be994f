// Operation 10 of the interface, business units, and what a workspace begins with: its settings and first records.
import { describe, expect, test } from 'vitest';
import { expectFaults, expectGone, expectProblem, pageOf, recordOf, unknownId } from '../support/service/answers.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const features = ['project_rate_cards', 'business_units', 'pipeline'];
const unitFields = [
  ...[
    'id',
    'name',
    'isActive',
    'companyName',
    'streetAddress',
    'invoiceSubject',
    'invoiceNotes',
    'invoiceEmailSubject',
  ],
  ...['invoiceEmailBody', 'invoiceEmailFromName', 'invoiceEmailReplyTo', 'invoiceTaxableItems', 'createdAt'],
  ...['invoicePaymentTerm', 'invoiceTaxRate'],
];
const ofUnit = {
  invoiceSubject: 'Unit S',
  invoiceNotes: 'Unit\nN',
  invoiceEmailSubject: 'Unit ES',
  invoiceEmailBody: 'Unit EB',
};
const named = ({ id, name }: Json) => ({ id, name });

const namesOf = async (context: Context, group: string) => (await context.all(group)).map(({ name }) => name).reverse();

onEveryDatabase(
  'a new workspace',
  (context) => {
    test('has its settings', async () => {
      const settings = recordOf(await context.call('GET', '/workspace-settings'));
      const [term] = await context.all('payment-term', '&name=Net+30');
      const texts = [
        'streetAddress',
        'timesheetAttestationStatement',
        'invoiceSubject',
        'invoiceNotes',
        'invoiceEmailSubject',
        'invoiceEmailBody',
        'invoiceEmailFromName',
        'invoiceEmailReplyTo',
      ];
      expect(settings).toEqual({
        ...Object.fromEntries(texts.map((field) => [field, ''])),
        ...{
          id: settings.id,
          name: 'My Company',
          companyName: 'My Company',
          currency: 'USD',
          currencies: ['USD'],
          timeZoneId: 'UTC',
        },
        ...{ hoursPerDay: [8, 8, 8, 8, 8, 0, 0], features, invoiceNumberPrefix: 'INV-', creditNoteNumberPrefix: 'CN-' },
        ...{
          invoiceTaxableItems: [],
          createdAt: settings.createdAt,
          modifiedAt: settings.createdAt,
          invoiceTaxRate: null,
        },
        invoicePaymentTerm: { id: term?.id, name: 'Net 30', type: 'net', days: 30 },
      });
    });

    test.each([
      ['payment-term', ['Due on Receipt', 'Net 15', 'Net 30', 'Net 45', 'Net 60']],
      ['security-role', ['Administrator', 'Manager', 'Member']],
      ['payment-method', ['Bank Transfer', 'Check', 'Credit Card', 'Cash', 'Other']],
      ['invoice-item', ['Service', 'Expense', 'Product', 'Prepayment', 'Other']],
      ['expense-category', ['Airfare', 'Lodging', 'Meals', 'Ground Transportation', 'Mileage', 'Other']],
      ['project-type', ['Client Project', 'Internal Project']],
      ['time-off-type', ['Vacation', 'Sick Leave', 'Unpaid Leave']],
      ['holiday', ["New Year's Day", 'Christmas Day']],
      ['holiday-schedule', ['Standard']],
      ['workspace-role', ['Project Manager', 'Senior Consultant', 'Consultant']],
      ['opportunity-pipeline', ['Sales']],
      ['opportunity-stage', ['Qualification', 'Proposal', 'Negotiation', 'Won', 'Lost']],
      ['member', ['Ada Admin']],
      ['client', ['My Company']],
    ])('has each %s of the list', async (group, names) => {
      expect(await namesOf(context, group)).toEqual(names);
    });

    test('gives them the values of the list', async () => {
      const show = async (group: string, ...keys: string[]) =>
        (await context.all(group)).reverse().map((record) => keys.map((key) => record[key]));
      expect(await show('payment-term', 'type', 'days')).toEqual([
        ['due_on_receipt', 0],
        ['net', 15],
        ['net', 30],
        ['net', 45],
        ['net', 60],
      ]);
      expect(await show('security-role', 'readOnly', 'isDefault')).toEqual([
        [true, false],
        [false, false],
        [false, true],
      ]);
      expect(await show('invoice-item', 'typeId', 'readOnly')).toEqual([
        ['income', true],
        ['expense', true],
        ['income', false],
        ['income', false],
        ['income', false],
      ]);
      const none = [null, null];
      expect(await show('expense-category', 'unitName', 'unitAmount')).toEqual([
        none,
        none,
        none,
        none,
        ['km', 0.3],
        none,
      ]);
      for (const [group, item] of [
        ['expense-category', 'Expense'],
        ['project-type', 'Service'],
      ] as const) {
        expect(new Set((await context.all(group)).map(({ invoiceItem }) => (invoiceItem as Json).name))).toEqual(
          new Set([item]),
        );
      }
      expect(await show('time-off-type', 'isPaid')).toEqual([[true], [true], [false]]);
      const year = new Date().getUTCFullYear();
      const days = (day: string) => [0, 1, 2, 3, 4].map((more) => `${year + more}-${day}`);
      expect(await show('holiday', 'occurrences', 'readOnly')).toEqual([
        [days('01-01'), true],
        [days('12-25'), true],
      ]);
      const [schedule] = await context.all('holiday-schedule');
      expect(schedule).toMatchObject({
        isDefault: true,
        holidays: [{ name: "New Year's Day" }, { name: 'Christmas Day' }],
      });
      expect(await show('workspace-role', 'isBillable', 'rate')).toEqual([
        [true, null],
        [true, null],
        [true, null],
      ]);
      const stages = [
        ['open', 0.1],
        ['open', 0.4],
        ['open', 0.7],
        ['won', 1],
        ['lost', 0],
      ];
      expect(await show('opportunity-stage', 'statusId', 'probability')).toEqual(stages);
      const types = await context.all('pipeline-activity-type');
      expect(types.map(({ name }) => String(name).toLowerCase().replaceAll(' ', '_'))).toEqual(
        types.map(({ typeId }) => typeId),
      );
    });

    test('has words for its pipeline, and two categories of tasks', async () => {
      const show = async (group: string, ...names: readonly string[]) =>
        (await context.all(group)).map((record) => names.map((name) => record[name])).reverse();
      expect(await show('company-type', 'name')).toEqual([['Prospect'], ['Customer'], ['Partner']]);
      const sources = ['Referral', 'Website', 'Event', 'Outbound', 'Other'];
      expect(await show('opportunity-lead-source', 'name')).toEqual(sources.map((name) => [name]));
      expect(await show('opportunity-type', 'name')).toEqual([['New Business'], ['Existing Business']]);
      expect(await show('task-category', 'name', 'type', 'isDefault')).toEqual([
        ['Task', 'standard', true],
        ['Phase', 'rollup', false],
      ]);
    });

    test('has one administrator with a period of each kind, and its own client', async () => {
      const [admin] = await context.all('member');
      expect(admin).toMatchObject({
        name: 'Ada Admin',
        email: 'ada@example.com',
        loginEnabled: true,
        securityRole: { name: 'Administrator' },
      });
      for (const group of ['cost-period', 'availability-period', 'utilization-target-period']) {
        expect(await context.all(group, `&memberId=${admin?.id}`)).toMatchObject([{ isDefault: true, end: null }]);
      }
      expect(await context.all('client')).toMatchObject([{ key: 'internal', isInternal: true, currency: 'USD' }]);
    });

    test('starts without any other record', async () => {
      const filled = [
        'payment-term',
        'security-role',
        'payment-method',
        'invoice-item',
        'expense-category',
        'project-type',
        'time-off-type',
        'holiday',
        'holiday-schedule',
      ];
      filled.push(
        'workspace-role',
        'opportunity-pipeline',
        'opportunity-stage',
        'pipeline-activity-type',
        'member',
        'client',
        'cost-period',
        'availability-period',
        'utilization-target-period',
        'company-type',
        'opportunity-lead-source',
        'opportunity-type',
        'task-category',
      );
      for (const { name, operations } of context.registry.resources.values()) {
        if (operations.has('list') && !filled.includes(name)) expect(await context.all(name), name).toEqual([]);
      }
    });
  },
  'product',
);

onEveryDatabase(
  'the workspace',
  (context) => {
    describe('workspace settings', () => {
      const get = async () => recordOf(await context.call('GET', '/workspace-settings'));
      const patch = (body: unknown) => context.call('PATCH', '/workspace-settings', body);

      test('updates every field but those of the service', async () => {
        const before = await get();
        const rate = await context.make('tax-rate', { rate: 0.19 });
        const term = await context.make('payment-term', { type: 'end_of_month', days: 3 });
        const plain = {
          ...{
            name: 'N',
            companyName: 'C',
            streetAddress: 'S\nT',
            currency: 'EUR',
            currencies: ['EUR', 'JPY'],
            timeZoneId: 'Europe/Kyiv',
          },
          ...{
            hoursPerDay: [0, 24, 7.25, 8, 8, 8, 8],
            features: ['pipeline'],
            timesheetAttestationStatement: 'True',
            invoiceNumberPrefix: 'I',
          },
          ...{
            creditNoteNumberPrefix: '',
            invoiceSubject: 'a',
            invoiceNotes: 'b',
            invoiceEmailSubject: 'c',
            invoiceEmailBody: 'd',
          },
          ...{
            invoiceEmailFromName: 'e',
            invoiceEmailReplyTo: 'f@x.org',
            invoiceTaxableItems: ['expenses', 'services'],
          },
        };
        const shown = recordOf(await patch({ ...plain, invoicePaymentTermId: term.id, invoiceTaxRateId: rate.id }));
        const references = {
          invoicePaymentTerm: { id: term.id, name: term.name, type: 'end_of_month', days: 3 },
          invoiceTaxRate: { id: rate.id, name: rate.name, rate: 0.19 },
        };
        expect(shown).toEqual({ ...before, ...plain, ...references, modifiedAt: shown.modifiedAt });
        expect(Object.keys(shown)).toEqual(Object.keys(before));
        expect(await get()).toEqual(shown);
        const { id, createdAt, modifiedAt, ...rest } = before;
        const reset = Object.fromEntries(
          Object.entries(rest).filter(([, value]) => typeof value !== 'object' || Array.isArray(value)),
        );
        const again = recordOf(
          await patch({
            ...reset,
            invoicePaymentTermId: (before.invoicePaymentTerm as Json).id,
            invoiceTaxRateId: null,
          }),
        );
        expect(again).toEqual({ ...before, modifiedAt: again.modifiedAt });
        expectGone(await context.call('DELETE', `/tax-rates/${rate.id}`));
      });

      test('keeps the main currency among the currencies', async () => {
        expect(recordOf(await patch({ currencies: ['JPY'] })).currencies).toEqual(['JPY', 'USD']);
        expect(recordOf(await patch({ currency: 'CHF' })).currencies).toEqual(['JPY', 'USD', 'CHF']);
        expect(recordOf(await patch({ currency: 'USD', currencies: null })).currencies).toEqual(['USD']);
      });

      test('refuses what settings cannot be', async () => {
        const before = await get();
        expectFaults(
          await patch({
            ...{
              id: unknownId,
              name: '',
              currency: 'XXX',
              currencies: ['EUR', 'EUR'],
              timeZoneId: 'Mars/Base',
              hoursPerDay: [1, 2, 3],
            },
            ...{
              features: ['everything'],
              invoiceNumberPrefix: 'x'.repeat(33),
              invoiceEmailReplyTo: 'x',
              invoiceTaxableItems: 'all',
            },
            ...{ createdAt: 'x', modifiedAt: 'x', invoicePaymentTermId: unknownId, invoiceTaxRateId: 'x', x: 1 },
          }),
          "'id' is not allowed",
          "'name' is required",
          "'currency' must be an ISO 4217 currency code",
          "'currencies' must be without duplicates",
          "'timeZoneId' must be an IANA time zone",
          "'hoursPerDay' must be exactly 7 items",
          "'features[0]' must be one of project_rate_cards, business_units, pipeline",
          "'invoiceNumberPrefix' must be at most 32 characters",
          "'invoiceEmailReplyTo' must be an e-mail address",
          "'invoiceTaxableItems' must be an array",
          "'createdAt' is not allowed",
          "'modifiedAt' is not allowed",
          "'invoicePaymentTermId' does not refer to an existing Payment Term",
          "'invoiceTaxRateId' must be a UUID",
          "'x' is not allowed",
        );
        expectFaults(
          await patch({ hoursPerDay: [24.01, -1, 1.255, 'x', null, 1, 1] }),
          ...['from 0 to 24', 'from 0 to 24', 'a number with at most 2 decimals', 'a number', 'a number'].map(
            (words, index) => `'hoursPerDay[${index}]' must be ${words}`,
          ),
        );
        expect(await get()).toEqual(before);
      });

      test('keeps the main currency once an amount is recorded in it', async () => {
        await context.make('payment');
        for (const currency of ['EUR', 'x', null])
          expectProblem(await patch({ currency, name: 5 }), 409, 'The Workspace Settings is read-only.');
        expect(recordOf(await patch({ currency: 'USD' })).currency).toBe('USD');
      });

      test('clears a payment term that is deleted', async () => {
        const term = await context.make('payment-term', { type: 'net', days: 7 });
        const before = recordOf(await patch({ invoicePaymentTermId: term.id }));
        expectGone(await context.call('DELETE', `/payment-terms/${term.id}`));
        expect(await get()).toEqual({ ...before, invoicePaymentTerm: null });
      });
    });

    describe('business units', () => {
      test('lists business units by their exact name, with every field', async () => {
        const rate = await context.make('tax-rate', { rate: 0.2 });
        const term = await context.make('payment-term', { type: 'net', days: 15 });
        const body = {
          ...{ name: 'Unit One', companyName: 'Co', streetAddress: 'a\nb', ...ofUnit, invoiceEmailFromName: 'From' },
          ...{ invoiceEmailReplyTo: 'to@x.org', invoiceTaxableItems: ['products', 'services'] },
        };
        const unit = await context.make('business-unit', {
          ...body,
          invoicePaymentTermId: term.id,
          invoiceTaxRateId: rate.id,
        });
        const { results, hasMore } = pageOf(await context.call('GET', '/business-units?name=Unit%20One'));
        expect([results, hasMore]).toEqual([[unit], false]);
        expect(Object.keys(unit)).toEqual(unitFields);
        expect(unit).toMatchObject({ ...body, isActive: true });
        expect(unit.invoicePaymentTerm).toEqual({ ...named(term), type: 'net', days: 15 });
        expect(unit.invoiceTaxRate).toEqual({ ...named(rate), rate: 0.2 });
        for (const name of ['unit%20one', 'Unit%20One%20', 'Unit', 'Unit%25', '']) {
          expect(pageOf(await context.call('GET', `/business-units?name=${name}`)).results).toEqual([]);
        }
        expectProblem(
          await context.call('POST', '/business-units', { name: ' UNIT one ' }),
          409,
          'A Business Unit with the same name already exists.',
        );
        expectFaults(
          await context.call('POST', '/business-units', { name: 'x', invoiceEmailReplyTo: 'x' }),
          "'invoiceEmailReplyTo' must be an e-mail address",
        );
      });
    });
  },
  'product',
);
