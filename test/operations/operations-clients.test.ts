// Operations 2, 3 and 19 of the interface: clients and industries.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  recordOf,
  type Shown,
  unknownId,
  unknownRecord,
} from '../support/service/answers.ts';
import { type Context, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const fields = [
  ...['id', 'key', 'name', 'code', 'currency', 'notes', 'emails', 'streetAddress', 'invoiceDetailsSource'],
  ...['invoiceSubject', 'invoiceNotes', 'invoiceEmailSubject', 'invoiceEmailBody', 'isInternal', 'recordStatusId'],
  ...['createdAt', 'modifiedAt', 'owner', 'practice', 'industry', 'location', 'tags', 'invoicePaymentTerm'],
  ...['salesRepresentative', 'useWorkspaceInvoiceDetails', 'businessUnit', 'integrations'],
];

const ofWorkspace = {
  invoiceSubject: 'Workspace S',
  invoiceNotes: 'Workspace N',
  invoiceEmailSubject: 'Workspace ES',
  invoiceEmailBody: 'Workspace EB',
};
const ofUnit = {
  invoiceSubject: 'Unit S',
  invoiceNotes: 'Unit\nN',
  invoiceEmailSubject: 'Unit ES',
  invoiceEmailBody: 'Unit EB',
};
const ofClient = {
  invoiceSubject: 'Client S',
  invoiceNotes: 'Client N',
  invoiceEmailSubject: 'Client ES',
  invoiceEmailBody: 'Client EB',
};
const empty = { invoiceSubject: '', invoiceNotes: '', invoiceEmailSubject: '', invoiceEmailBody: '' };

const patch = (context: Context, id: string, body: unknown) => context.call('PATCH', `/clients/${id}`, body);
const get = async (context: Context, id: string): Promise<Shown> =>
  recordOf(await context.call('GET', `/clients/${id}`));
const named = ({ id, name }: Json) => ({ id, name });

onEveryDatabase(
  'clients',
  (context) => {
    const termOf = async (name: string): Promise<Shown> => {
      const [term] = await context.all('payment-term', `&name=${encodeURIComponent(name)}`);
      if (term === undefined) throw new Error(`no payment term ${name}`);
      return term;
    };

    test('shows every field in the order of the interface, with the defaults of a new client', async () => {
      const client = await context.make('client', { name: 'Plain' });
      const shown = await get(context, client.id);
      expect(Object.keys(shown)).toEqual(fields);
      expect(shown).toEqual({
        ...{
          id: client.id,
          key: 'plain',
          name: 'Plain',
          code: '',
          currency: 'USD',
          notes: '',
          emails: [],
          streetAddress: '',
        },
        ...{ ...empty, invoiceDetailsSource: 'workspace', isInternal: false, recordStatusId: 'active' },
        ...{
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          modifiedAt: client.createdAt,
        },
        ...{ owner: null, practice: null, industry: null, location: null, tags: [], salesRepresentative: null },
        ...{ useWorkspaceInvoiceDetails: true, businessUnit: null, integrations: [] },
        invoicePaymentTerm: named(await termOf('Net 30')),
      });
    });

    test('finds a client by its id in either case, and answers 404 with the id as it was sent', async () => {
      const { id } = await context.make('client');
      expect((await get(context, id.toUpperCase())).id).toBe(id);
      const unknown = unknownId.toUpperCase();
      expectProblem(await context.call('GET', `/clients/${unknown}`), 404, unknownRecord(unknown));
      expectProblem(await context.call('GET', '/clients/1'), 400, "Parameter 'id' is not a valid UUID.");
    });

    test('updates every field of the interface', async () => {
      const { id } = await context.make('client');
      const owner = await context.make('member');
      const seller = await context.make('member');
      const [practice, industry, location, unit] = [
        await context.make('practice'),
        await context.make('industry'),
        await context.make('location'),
        await context.make('business-unit'),
      ];
      const tags = [await context.make('client-tag'), await context.make('client-tag')].reverse();
      const term = await termOf('Net 60');
      const plain = {
        ...{
          key: 'all-new',
          name: ' All New ',
          code: 'C-1',
          currency: 'JPY',
          notes: 'a\nb',
          emails: ['b@x.org', 'a@x.org'],
        },
        ...{ streetAddress: '1 Way\nTown', invoiceDetailsSource: 'custom', ...ofClient, recordStatusId: 'archived' },
      };
      const references = {
        ...{ ownerId: owner.id, practiceId: practice.id, industryId: industry.id, locationId: location.id },
        ...{ tagIds: tags.map((tag) => tag.id), invoicePaymentTermId: term.id, salesRepresentativeId: seller.id },
        businessUnitId: unit.id.toUpperCase(),
      };
      const shown = recordOf(await patch(context, id, { ...plain, ...references }));
      expect(shown).toMatchObject({
        ...plain,
        ...{ owner: named(owner), practice: named(practice), industry: named(industry), location: named(location) },
        ...{ invoicePaymentTerm: named(term), salesRepresentative: named(seller), businessUnit: named(unit) },
        useWorkspaceInvoiceDetails: false,
      });
      expect(shown.tags).toEqual(tags.map(named));
      expect(Object.keys(shown)).toEqual(fields);
      expect(await get(context, id)).toEqual(shown);
    });

    test.each([
      ...(['key', 'name', 'code', 'invoiceSubject', 'invoiceEmailSubject'] as const).map(
        (field) => [field, 255] as const,
      ),
      ...(['notes', 'streetAddress', 'invoiceNotes', 'invoiceEmailBody'] as const).map(
        (field) => [field, 5000] as const,
      ),
    ])('takes a %s of %i characters and no more', async (field, most) => {
      const { id } = await context.make('client', { invoiceDetailsSource: 'custom' });
      const letter = field === 'key' ? 'k' : '🙂';
      const text = letter.repeat(most);
      expect(recordOf(await patch(context, id, { [field]: text }))[field]).toBe(text);
      expectFaults(
        await patch(context, id, { [field]: `${text}${letter}` }),
        `'${field}' must be at most ${most} characters`,
      );
    });

    test('refuses what no client may have, all at once and in the order of the record', async () => {
      const { id } = await context.make('client');
      const before = await get(context, id);
      const body = {
        ...{
          surprise: 1,
          id: unknownId,
          key: 'No Slug',
          name: ' ',
          currency: 'usd',
          emails: ['x', 'a@b.c'],
          invoiceDetailsSource: 'other',
        },
        ...{
          isInternal: true,
          recordStatusId: 'gone',
          createdAt: 'now',
          modifiedAt: 'now',
          ownerId: 'x',
          owner: null,
          tagIds: 'x',
        },
        ...{ industryId: unknownId, invoicePaymentTermId: 5, useWorkspaceInvoiceDetails: false, integrations: [] },
      };
      expectFaults(
        await patch(context, id, body),
        "'id' is not allowed",
        "'key' must be lower-case letters and digits joined by -",
        "'name' is required",
        "'currency' must be an ISO 4217 currency code",
        "'emails[0]' must be an e-mail address",
        "'invoiceDetailsSource' must be one of workspace, custom, business_unit",
        "'isInternal' is not allowed",
        "'recordStatusId' must be one of active, archived",
        "'createdAt' is not allowed",
        "'modifiedAt' is not allowed",
        "'ownerId' must be a UUID",
        "'industryId' does not refer to an existing Industry",
        "'tagIds' must be an array",
        "'invoicePaymentTermId' must be a UUID",
        "'useWorkspaceInvoiceDetails' is not allowed",
        "'integrations' is not allowed",
        "'surprise' is not allowed",
        "'owner' is not allowed",
      );
      expect(await get(context, id)).toEqual(before);
    });

    test('refuses lists that are too long or say something twice', async () => {
      const { id } = await context.make('client');
      const addresses = Array.from({ length: 51 }, (_, index) => `a${index}@x.org`);
      expect(recordOf(await patch(context, id, { emails: addresses.slice(1) })).emails).toEqual(addresses.slice(1));
      expectFaults(await patch(context, id, { emails: addresses }), "'emails' must be at most 50 items");
      expectFaults(await patch(context, id, { emails: ['a@x.org', 'a@x.org'] }), "'emails' must be without duplicates");
      const tag = await context.make('client-tag');
      expectFaults(
        await patch(context, id, { tagIds: [tag.id, tag.id.toUpperCase()] }),
        "'tagIds' must be without duplicates",
      );
      expectFaults(
        await patch(context, id, { tagIds: [tag.id, unknownId] }),
        "'tagIds[1]' does not refer to an existing Client Tag",
      );
      expect(recordOf(await patch(context, id, { emails: null, tagIds: null }))).toMatchObject({
        emails: [],
        tags: [],
      });
    });

    test('unsets with null what may be unset', async () => {
      const owner = await context.make('member');
      const { id } = await context.make('client', { code: 'x', notes: 'x', streetAddress: 'x', ownerId: owner.id });
      const unset = { code: null, notes: '', streetAddress: ' \n', ownerId: null };
      expect(recordOf(await patch(context, id, unset))).toMatchObject({
        code: '',
        notes: '',
        streetAddress: '',
        owner: null,
      });
      const never = { key: null, name: null, currency: null, invoiceDetailsSource: null, recordStatusId: null };
      expectFaults(await patch(context, id, never), ...Object.keys(never).map((field) => `'${field}' is required`));
    });

    test('archives and brings back a client, which changes modifiedAt', async () => {
      const client = await context.make('client');
      await delay(2);
      const archived = recordOf(await patch(context, client.id, { recordStatusId: 'archived' }));
      expect(archived).toEqual({ ...client, recordStatusId: 'archived', modifiedAt: archived.modifiedAt });
      expect(String(archived.modifiedAt) > String(client.modifiedAt)).toBe(true);
      const filter = (status: string) => context.all('client', `&recordStatusId=${status}&key=${String(client.key)}`);
      expect([await filter('archived'), await filter('active')]).toEqual([[archived], []]);
      for (const [path, body] of [
        ['/projects', { name: 'x', billingTypeId: 'tm' }],
        ['/invoices', {}],
        ['/payments', { amount: 1 }],
      ] as const) {
        expectFaults(
          await context.call('POST', path, { ...body, clientId: client.id }),
          "'clientId' must be an active client",
        );
      }
      await delay(2);
      const active = recordOf(await patch(context, client.id, { recordStatusId: 'active' }));
      expect(String(active.modifiedAt) > String(archived.modifiedAt)).toBe(true);
      expect(active).toEqual({ ...client, modifiedAt: active.modifiedAt });
      await delay(2);
      expect(recordOf(await patch(context, client.id, {}))).toEqual(active);
      expect(recordOf(await patch(context, client.id, { recordStatusId: 'active', name: client.name }))).toEqual(
        active,
      );
    });

    test('shows the invoice settings of their source, and the stored ones once the source is custom', async () => {
      recordOf(await context.call('PATCH', '/workspace-settings', ofWorkspace));
      const net15 = await termOf('Net 15');
      const net60 = await termOf('Net 60');
      const net30 = await termOf('Net 30');
      const unit = await context.make('business-unit', { ...ofUnit, invoicePaymentTermId: net15.id });
      const { id } = await context.make('client', {
        ...ofClient,
        invoicePaymentTermId: net60.id,
        businessUnitId: unit.id,
      });
      const show = async (body: Json, settings: Json, term: Shown, legacy: boolean) => {
        const wanted = { ...settings, invoicePaymentTerm: named(term), useWorkspaceInvoiceDetails: legacy };
        expect(recordOf(await patch(context, id, body))).toMatchObject(wanted);
        expect(await get(context, id)).toMatchObject(wanted);
      };
      await show({}, ofWorkspace, net30, true);
      await show({ invoiceDetailsSource: 'business_unit' }, ofUnit, net15, false);
      await show({ invoiceSubject: 'Kept' }, ofUnit, net15, false);
      await show({ invoiceDetailsSource: 'custom' }, { ...ofClient, invoiceSubject: 'Kept' }, net60, false);
      await show({ invoiceDetailsSource: 'workspace', invoiceNotes: null }, ofWorkspace, net30, true);
      recordOf(
        await context.call('PATCH', '/workspace-settings', { invoiceSubject: 'Later', invoicePaymentTermId: null }),
      );
      expect(await get(context, id)).toMatchObject({ invoiceSubject: 'Later', invoicePaymentTerm: null });
      recordOf(await context.call('PATCH', '/workspace-settings', { ...empty, invoicePaymentTermId: net30.id }));
      await show(
        { invoiceDetailsSource: 'custom' },
        { ...ofClient, invoiceSubject: 'Kept', invoiceNotes: '' },
        net60,
        false,
      );
    });

    test('needs a business unit while the source is business_unit, and keeps it from being deleted', async () => {
      const { id } = await context.make('client');
      const required = "'businessUnitId' is required";
      expectFaults(await patch(context, id, { invoiceDetailsSource: 'business_unit' }), required);
      expectFaults(
        await context.call('POST', '/clients', { name: 'x', invoiceDetailsSource: 'business_unit' }),
        required,
      );
      const unit = await context.make('business-unit');
      recordOf(await patch(context, id, { invoiceDetailsSource: 'business_unit', businessUnitId: unit.id }));
      expectFaults(await patch(context, id, { businessUnitId: null }), required);
      const remove = () => context.call('DELETE', `/business-units/${unit.id}`);
      expectProblem(await remove(), 409, 'The Business Unit is in use and cannot be deleted.');
      const before = recordOf(await patch(context, id, { invoiceDetailsSource: 'workspace' }));
      expectGone(await remove());
      expect(await get(context, id)).toEqual({ ...before, businessUnit: null });
    });

    test.each([
      ['words and signs', 'Ünïcode & Co.', 'unicode-co', 'unicode-co'],
      ['letters without a base', '  --Łódź 2--', 'odz-2', 'odz-2'],
      ['compatibility characters', 'ﬁne ①', 'fine-1', 'fine-1'],
      ['no letters at all', '日本', 'client', 'client'],
      ['a name of full length', `${'y'.repeat(253)} z`, `${'y'.repeat(253)}-z`, 'y'.repeat(253)],
      ['a cut behind a hyphen', `${'w'.repeat(252)} zz`, `${'w'.repeat(252)}-zz`, 'w'.repeat(252)],
    ])('makes the keys of names: %s', async (_title, name, key, stem) => {
      expect((await context.make('client', { name })).key).toBe(key);
      expect((await context.make('client', { name })).key).toBe(`${stem}-2`);
      expect((await context.make('client', { name, key: null })).key).toBe(`${stem}-3`);
    });

    test('keeps the key when the name changes, and refuses one that is taken', async () => {
      const one = await context.make('client', { name: 'Key Holder' });
      const other = await context.make('client', { name: 'Key Seeker' });
      expect(recordOf(await patch(context, one.id, { name: 'Another Name' })).key).toBe('key-holder');
      expectProblem(
        await patch(context, other.id, { key: 'key-holder' }),
        409,
        'A Client with the same key already exists.',
      );
      const twice = await context.call('POST', '/clients', { name: 'x', key: 'key-holder' });
      expectProblem(twice, 409, 'A Client with the same key already exists.');
      expect(recordOf(await patch(context, one.id, { key: 'key-holder' })).key).toBe('key-holder');
      for (const key of ['Upper', 'a--b', '-a', 'a-', 'a_b', 'ä']) {
        expectFaults(
          await patch(context, other.id, { key }),
          "'key' must be lower-case letters and digits joined by -",
        );
      }
    });

    test('has one internal client, which is neither archived nor deleted nor billed', async () => {
      const [internal, ...others] = await context.all('client', '&key=internal');
      expect([internal?.isInternal, internal?.name, others]).toEqual([true, 'My Company', []]);
      const id = String(internal?.id);
      const readOnly = 'The Client is read-only.';
      expectProblem(await patch(context, id, { recordStatusId: 'archived' }), 409, readOnly);
      expectProblem(await context.call('DELETE', `/clients/${id}`), 409, readOnly);
      expect(recordOf(await patch(context, id, { recordStatusId: 'active', code: 'I' })).code).toBe('I');
      const refusal = "'clientId' must be a client other than the internal one";
      expectFaults(await context.call('POST', '/payments', { clientId: id, amount: 1 }), refusal);
      expectFaults(await context.call('POST', '/invoices', { clientId: id }), refusal);
    });

    test('clears the industry in clients when it is deleted, once', async () => {
      const industry = await context.make('industry');
      const client = await context.make('client', { industryId: industry.id });
      const path = `/industries/${industry.id}`;
      expectGone(await context.call('DELETE', path));
      expect(await get(context, client.id)).toEqual({ ...client, industry: null });
      expectProblem(await context.call('DELETE', path), 404, unknownRecord(industry.id));
      expectProblem(await context.call('DELETE', '/industries/x'), 400, "Parameter 'id' is not a valid UUID.");
      expectFaults(
        await patch(context, client.id, { industryId: industry.id }),
        "'industryId' does not refer to an existing Industry",
      );
    });
  },
  'product',
);
