// Fields that equal a formula: in the record, in objects, in items and in items of items; taken always, at each write, or
// on create.
import { describe, expect, test } from 'vitest';
import { descriptorFaults } from '../support/data/descriptor-faults.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

const message = 'There was a problem processing your request. See errors for more details.';
const today = (): string => new Date().toISOString().slice(0, 10);

onEveryDatabase(
  'figures',
  (context) => {
    const repair = async (body: Json = {}): Promise<Json & { id: string }> => {
      const boatId = body['boatId'] ?? (await context.make('boat', { rate: 10.333, currency: 'EUR' })).id;
      const { status, body: made } = await context.call('POST', '/repairs', { boatId, ...body });
      expect([status, made]).toEqual([200, made]);
      return made as Json & { id: string };
    };
    const patch = async (id: string, body: Json): Promise<Json> =>
      (await context.call('PATCH', `/repairs/${id}`, body)).body as Json;

    const lines = [
      { work: 'Hull', hours: 2.5, price: 33.3 },
      { work: 'Mast', hours: 1, price: null, parts: [{ count: 3, each: 0.5 }] },
      {
        work: 'Sails',
        hours: 0.1,
        price: 5,
        parts: [
          { count: 1, each: 10 },
          { count: 2, each: 0.0001 },
        ],
      },
    ];

    test('a batch that changes the settings goes by them from there on', async () => {
      const { id: boatId } = await context.make('boat');
      const make = { method: 'POST', path: '/repairs', body: { boatId } };
      const { currency: before } = (await context.call('GET', '/settings')).body as { currency: string };
      const change = (currency: string) => ({ method: 'PATCH', path: '/settings', body: { currency } });
      const { body } = await context.call('POST', '/batch', {
        operations: [make, change('JPY'), make, change(before)],
      });
      const { results } = body as { results: { body: Json }[] };
      expect([results[0]?.body['currency'], results[2]?.body['currency']]).toEqual([before, 'JPY']);
    });

    test('conditions stand on fields of items of items, and answer with their place or their record', async () => {
      const dear = await context.make('part', { name: 'Mast', price: 1000 });
      const customer = await context.make('customer');
      const first = await context.make('order', { customerId: customer.id });
      const order = async (...picks: Json[]) => {
        const lines = [
          { partId: dear.id, quantity: 1 },
          { partId: dear.id, quantity: 1, picks },
        ];
        return (await context.call('POST', '/orders', { customerId: customer.id, lines })).body;
      };
      const [part, once] = [
        { kindId: 'part', id: dear.id },
        { kindId: 'order', id: first.id, quantity: 7 },
      ];
      const fault = "'lines[1].picks[1].id' must be a part for less than 1000";
      expect(await order(once, part)).toEqual({ status: 400, message, errors: [fault] });
      expect(await order(once)).toMatchObject({ lines: [{ picks: [] }, { picks: [{ id: first.id }] }] });
      expect(await order({ ...once, quantity: 6 })).toMatchObject({ id: expect.any(String) });
      const conflict = { status: 409, message: expect.stringContaining('Order is in use') };
      expect(await order(once)).toMatchObject(conflict);
    });

    test('items have defaults by formula, in the order of what these look at', async () => {
      const [cloth, rope] = [
        await context.make('part', { name: 'Cloth' }),
        await context.make('part', { name: 'Rope' }),
      ];
      const customer = await context.make('customer');
      const [much, little] = [
        { partId: cloth.id, quantity: 10 },
        { partId: rope.id, quantity: 9 },
      ];
      const order = await context.make('order', {
        customerId: customer.id,
        lines: [
          { ...much, kind: 'cloth' },
          { ...much, kind: 'cloth', label: 'Blue' },
          { ...much, kind: 'cloth', size: 'small' },
          { ...little, kind: 'cloth' },
          little,
        ],
      });
      expect(order['lines']).toMatchObject([
        { size: 'large', label: 'large cloth' },
        { size: 'large', label: 'Blue' },
        { size: 'small', label: 'small cloth' },
        { size: null, label: 'Rope' },
        { size: null, label: 'Rope' },
      ]);
    });

    test('follow from the items of a list, from items of items, and from each other', async () => {
      const made = await repair({ lines });
      // 2.5 × 33.3 = 83.25 → 83; 3 × 0.5 = 1.5, of which no price makes 0; 0.1 × 5 = 0.5 → 1, and 10.0002
      expect(made['lines']).toMatchObject([
        { place: 1, materials: 0, amount: 83, share: 0.883 },
        { place: 2, materials: 1.5, amount: 0, share: 0, parts: [{ cost: 1.5 }] },
        { place: 3, materials: 10.0002, amount: 11.0002, share: 0.117, parts: [{ cost: 10 }, { cost: 0.0002 }] },
      ]);
      expect(made).toMatchObject({ subtotal: 94.0002, dearest: 'Hull', mood: 'busy' });
      const turned = await patch(made.id, { lines: [lines[2], lines[0]] });
      expect(turned['lines']).toMatchObject([
        { place: 1, work: 'Sails' },
        { place: 2, work: 'Hull' },
      ]);
      expect((await context.call('GET', `/repairs/${made.id}`)).body).toEqual(turned);
    });

    test('look outward: an item of an item at the record, an object at the record', async () => {
      const made = await repair({ lines: [lines[1]], length: 9, discount: { ratio: 0.1 } });
      expect(made).toMatchObject({ subtotal: 0, discount: { amount: 0 } });
      const long = await patch(made.id, { length: 10, lines: [{ ...lines[1], price: 10 }] });
      // 1 × 10, and 3 × 0.5 twice: 13, a tenth of it 1.3
      expect(long).toMatchObject({ subtotal: 13, discount: { ratio: 0.1, amount: 1.3 } });
      expect(await patch(made.id, { discount: { ratio: 0.125 } })).toMatchObject({ discount: { amount: 1.63 } });
      // Only the record changes, and the parts follow: 10 and 3 × 0.5, an eighth of it 1.4375.
      const short = await patch(made.id, { length: 9 });
      expect(short).toMatchObject({ subtotal: 11.5, lines: [{ parts: [{ cost: 1.5 }] }], discount: { amount: 1.44 } });
      expect((await context.call('GET', `/repairs/${made.id}`)).body).toEqual(short);
    });

    test('of nothing are what nothing is', async () => {
      expect(await repair()).toMatchObject({
        lines: [],
        subtotal: 0,
        dearest: null,
        mood: 'idle',
        days: null,
        isLong: false,
        minutes: 0,
      });
      expect((await repair({ lines: [{ work: 'Look', hours: 0, price: 5 }] }))['lines']).toMatchObject([
        { amount: 0, share: null },
      ]);
    });

    test('count days over a leap day, and minutes of a day', async () => {
      const made = await repair({ end: '2024-03-06', from: '08:45', until: '16:00' });
      expect(made).toMatchObject({ days: 8, isLong: true, minutes: 435 });
      expect(await patch(made.id, { end: '2024-03-05' })).toMatchObject({ days: 7, isLong: false });
      expect(await patch(made.id, { until: '08:00' })).toMatchObject({ minutes: -45 });
    });

    test('are filters like other fields', async () => {
      const made = await repair({ lines: [{ work: 'Keel', hours: 1, price: 4711 }], end: '2024-12-31' });
      expect((await context.all('repair', '&isLong=true')).map(({ id }) => id)).toContain(made.id);
      expect(await context.all('repair', `&isLong=false&boatId=${String((made['boat'] as Json)['id'])}`)).toEqual([]);
    });

    test('nobody sends them', async () => {
      const { body } = await context.call('POST', '/repairs', {
        boatId: (await context.make('boat')).id,
        subtotal: 1,
        rate: 2,
        doneOn: today(),
      });
      expect(body).toEqual({
        status: 400,
        message,
        errors: ["'subtotal' is not allowed", "'doneOn' is not allowed", "'rate' is not allowed"],
      });
    });

    test('that their field cannot hold are refused, and nothing is kept', async () => {
      const boatId = (await context.make('boat')).id;
      const tooMuch = {
        boatId,
        lines: Array.from({ length: 20 }, () => ({ work: 'x', hours: 99999.99, price: 99999999999999 })),
      };
      const { body } = await context.call('POST', '/repairs', tooMuch);
      expect(body).toMatchObject({ status: 400 });
      expect((body as { errors: string[] }).errors[0]).toBe(
        "'lines[0].amount' must be a number with at most 15 digits",
      );
      expect(await context.all('repair', `&boatId=${boatId}`)).toEqual([]);
      const long = await context.call('POST', '/sailors', {
        firstName: 'Wilhelmina-Theres',
        lastName: 'van der Valk-Steen',
      });
      expect(long.body).toEqual({ status: 400, message, errors: ["'name' must be at most 30 characters"] });
    });

    test('taken on create stay, and are taken again where a field changes that they name', async () => {
      const made = await repair();
      expect(made['doneOn']).toBeNull();
      const done = await patch(made.id, { statusId: 'done' });
      expect(done['doneOn']).toBe(today());
      expect((await patch(made.id, { length: 6 }))['doneOn']).toBe(today());
      expect((await patch(made.id, { statusId: 'paid' }))['doneOn']).toBeNull();
    });

    test('taken at each write are as of the last one', async () => {
      const boat = await context.make('boat', { rate: 10.333, currency: 'EUR' });
      const made = await repair({ boatId: boat.id });
      // 10.333 × 1.5 = 15.4995
      expect(made['rate']).toBe(15.5);
      await context.call('PATCH', `/boats/${boat.id}`, { rate: 20, currency: 'JPY' });
      expect(((await context.call('GET', `/repairs/${made.id}`)).body as Json)['rate']).toBe(15.5);
      expect((await patch(made.id, { length: 6 }))['rate']).toBe(30);
      await patch(made.id, { statusId: 'paid' });
      await context.call('PATCH', `/boats/${boat.id}`, { rate: 40 });
      // It looks at the record before the write, which is paid.
      expect((await patch(made.id, { length: 7 }))['rate']).toBe(30);
    });

    test('read through references, also where one on the way is not set', async () => {
      const owner = await context.make('sailor', { firstName: '', lastName: 'Noor' });
      const boat = await context.make('boat', { ownerId: owner.id, rate: null });
      const made = await repair({ boatId: boat.id });
      expect(made).toMatchObject({
        owner: { id: owner.id, name: 'Noor' },
        ownerName: 'Noor',
        rate: null,
        currency: 'EUR',
      });
      await context.call('PATCH', `/boats/${boat.id}`, { ownerId: null });
      const after = await patch(made.id, { length: 8 });
      expect(after).toMatchObject({ owner: { id: owner.id }, ownerName: null });
    });

    test('taken again where a reference changes, also to another record of the same kind', async () => {
      const [first, second] = [await context.make('sailor'), await context.make('sailor')];
      const boat = await context.make('boat', { ownerId: first.id });
      const made = await repair({ boatId: boat.id });
      await context.call('PATCH', `/boats/${boat.id}`, { ownerId: second.id });
      expect((await patch(made.id, { length: 8 }))['owner']).toMatchObject({ id: first.id });
      const other = await context.make('boat', { ownerId: second.id });
      expect((await patch(made.id, { boatId: other.id }))['owner']).toMatchObject({ id: second.id });
    });

    test('defaults are taken on create, and again where a field changes that they name and none is sent', async () => {
      const boat = await context.make('boat', { length: 10 });
      const made = await repair({ boatId: boat.id });
      // The tenth day after 2024-02-28 in a leap year.
      expect(made['due']).toBe('2024-03-09');
      expect((await repair({ boatId: boat.id, due: '2025-01-01' }))['due']).toBe('2025-01-01');
      expect((await repair({ boatId: boat.id, due: null }))['due']).toBeNull();
      expect((await patch(made.id, { length: 7, start: '2024-02-28' }))['due']).toBe('2024-03-09');
      expect((await patch(made.id, { start: '2023-02-28' }))['due']).toBe('2023-03-10');
      expect((await patch(made.id, { start: '2024-02-28', due: '2024-04-01' }))['due']).toBe('2024-04-01');
      const short = await context.make('boat', { length: 1 });
      expect((await patch(made.id, { boatId: short.id }))['due']).toBe('2024-02-29');
      // Beyond the last day that there is no day follows.
      expect((await patch(made.id, { start: '9999-12-31' }))['due']).toBeNull();
    });

    test('count the record that is written among the others', async () => {
      const boat = await context.make('boat');
      const numbers = [];
      for (let round = 0; round < 3; round += 1) numbers.push((await repair({ boatId: boat.id }))['number']);
      expect(numbers).toEqual([1, 2, 3]);
    });

    test('are fields like any other while their condition does not hold of another record', async () => {
      const boat = await context.make('boat', { rate: null });
      const made = await repair({ boatId: boat.id });
      expect([made['quote'], (await repair({ boatId: boat.id, quote: 7 }))['quote']]).toEqual([10, 7]);
      const required = { status: 400, message, errors: ["'quote' is required"] };
      expect(await patch(made.id, { statusId: 'done', quote: null })).toEqual(required);
      expect(await patch(made.id, { quote: null })).toMatchObject({ quote: null });
      expect(await patch(made.id, { statusId: 'done' })).toEqual(required);
      expect(await patch(made.id, { statusId: 'done', quote: 8 })).toMatchObject({ statusId: 'done', quote: 8 });
      expect(await patch(made.id, { quote: null })).toEqual(required);
    });

    test('are sent by nobody while their condition holds of another record', async () => {
      const boat = await context.make('boat', { rate: 10 });
      const allowed = { status: 400, message, errors: ["'quote' is not allowed"] };
      const sent = { boatId: boat.id, quote: 7 };
      expect((await context.call('POST', '/repairs', sent)).body).toEqual(allowed);
      const made = await repair({ boatId: boat.id });
      expect(made['quote']).toBe(100);
      for (const quote of [7, 100]) expect(await patch(made.id, { quote })).toEqual(allowed);
      expect(await patch(made.id, { quote: null })).toMatchObject({ quote: 100 });
      await context.call('PATCH', `/boats/${boat.id}`, { rate: null });
      expect(await patch(made.id, { length: 6 })).toMatchObject({ quote: 100 });
      expect(await patch(made.id, { quote: 7 })).toMatchObject({ quote: 7 });
    });

    test('follow before conditions are judged', async () => {
      const { id } = await repair();
      expect(await patch(id, { end: '2024-02-01' })).toEqual({
        status: 400,
        message,
        errors: ["'end' must be on or after start"],
      });
    });
  },
  'figures',
);

describe('figures that mean nothing', () => {
  const faultsOf = (properties: Json): string[] => {
    const descriptor = {
      title: 'Note',
      description: 'A note.',
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20, description: 'Name' },
        count: { type: ['integer', 'null'], description: 'Count' },
        parent: { reference: 'note', nullable: true, onDelete: 'clear', description: 'Parent' },
        ...properties,
      },
      required: ['name'],
      resource: { path: '/notes', shownAs: '{name}', operations: ['list', 'get', 'create', 'update', 'delete'] },
    };
    return descriptorFaults('note', descriptor);
  };
  const money = (more: Json): Json => ({ type: ['number', 'null'], format: 'money', description: 'Money', ...more });

  test.each<[string, Json, string]>([
    [
      'another type',
      { a: money({ formula: 'name' }) },
      '/properties/a/formula: gives a text, but this field is an amount',
    ],
    [
      'a text for a time',
      { a: { type: 'string', format: 'time', description: 'Time', formula: 'name' } },
      '/properties/a/formula: gives a text, but this field is a time of day',
    ],
    [
      'an unknown name',
      { a: money({ formula: 'cuont * 2' }) },
      '/properties/a/formula: names "cuont", which the record does not have; did you mean "count"?\n    cuont * 2\n    ^',
    ],
    [
      'null where there is none',
      { a: { ...money({ formula: 'count * 2' }), type: 'number' } },
      '/properties/a/formula: can give null, but this field cannot be null; give it a "default", use coalesce(…, 0), or "type": ["number", "null"]',
    ],
    [
      'another record, always',
      { a: money({ formula: 'parent.count * 2' }) },
      '/properties/a/formula: reads "count" through a reference, so one change can affect many records; set when it is computed ("compute": "onWrite", "onCreate", "onRead"), or "always" if that is intended\n    parent.count * 2\n    ^',
    ],
    [
      'the day, always',
      { a: { type: 'string', format: 'date', description: 'Day', formula: 'today' } },
      '/properties/a/formula: reads "today" in a way that no index can find the records that a day changes; compare it with a date of the record: "dueOn < today", "dueOn + 14 < today"; set when it is computed ("compute": "onWrite", "onCreate", "onRead")\n    today\n    ^',
    ],
    [
      'a whole collection',
      { a: money({ formula: 'notes.sum(n, n.count)', compute: 'onWrite' }) },
      '/properties/a/formula: searches all records; narrow them by a field with == or a range: .filter(x, x.projectId == id); only a computed field with "compute": "onRead" or "always" aggregates all of them\n    notes.sum(n, n.count)\n    ^',
    ],
    [
      'itself',
      { a: money({ formula: 'b + 1' }), b: money({ formula: 'a + 1' }) },
      '/properties/b/formula: depends on itself: a → b → a',
    ],
    [
      'itself, in an item that is chosen among the own ones',
      {
        a: money({ formula: 'rows.last(r, r.x).b' }),
        rows: {
          type: 'array',
          maxItems: 5,
          default: [],
          items: {
            type: 'object',
            properties: { x: { type: 'integer', description: 'X' }, b: money({ formula: 'a + 1' }) },
            required: ['x'],
          },
          description: 'Rows',
        },
      },
      '/properties/rows/items/properties/b/formula: depends on itself: a → rows.b → a',
    ],
    [
      'words without a formula',
      { a: money({ compute: 'onWrite' }) },
      '/properties/a/compute: has no effect without "formula"',
    ],
    [
      'again, where it is always so',
      { a: money({ formula: 'count * 2', recomputeIfChanged: ['count'] }) },
      '/properties/a/recomputeIfChanged: needs "compute": "onCreate"; other formulas are computed at each write',
    ],
    [
      'again for what is no field',
      { a: money({ formula: 'count * 2', compute: 'onCreate', recomputeIfChanged: ['cuont'] }) },
      '/properties/a/recomputeIfChanged/0: "cuont" is not a field; did you mean "count"?',
    ],
    [
      'a condition beside it',
      { a: money({ formula: 'count * 2', onlyWhen: 'count > 1' }) },
      '/properties/a/onlyWhen: has no effect with "formula"',
    ],
    [
      'a default of another type',
      { a: money({ defaultFrom: [{ formula: 'name' }] }) },
      '/properties/a/defaultFrom/0/formula: gives a text, but this field is an amount',
    ],
    [
      'a default that takes itself',
      { a: money({ defaultFrom: [{ formula: 'a + 1' }] }) },
      '/properties/a/defaultFrom/0: depends on itself: a → a',
    ],
    [
      'a default with a strange word',
      { a: money({ defaultFrom: [{ formula: 'count', recomputIfChanged: ['count'] }] }) },
      '/properties/a/defaultFrom/0/recomputIfChanged: unknown word "recomputIfChanged"; did you mean "recomputeIfChanged"?',
    ],
    [
      'a text that no enum has',
      { a: { type: 'string', enum: ['x', 'y'], description: 'Mood', formula: "count > 1 ? 'x' : 'z'" } },
      `/properties/a/formula: can give 'z', which is not in "enum"`,
    ],
  ])('%s', (_what, properties, fault) => {
    expect(faultsOf(properties)).toContain(fault);
  });

  describe('what its condition says is not null is none in the formula', () => {
    const filled = (formula: string, when: string): Json => ({
      ...money({ formula, when, compute: 'onWrite' }),
      type: 'number',
    });
    const canBeNull = expect.stringContaining('can give null, but this field cannot be null');

    test.each([
      ['count * 2', 'count != null'],
      ['count * size', "size != null && (name != '' && null != count)"],
      ['parent.size2', 'parent != null'],
    ])('%s when %s', (formula, when) => {
      const size = { type: ['integer', 'null'], description: 'Size' };
      const size2 = { type: 'integer', default: 2, description: 'Size' };
      expect(faultsOf({ a: filled(formula, when), size, size2 })).toEqual([]);
    });

    test.each([
      ['count * 2', "count != null || name == ''"],
      ['count * 2', '(count != null) == false'],
      ['count * 2', 'count == null'],
      ['count * 2', 'parent.count != null'],
      ['parent.count * 2', 'parent.count != null'],
      ['old.count * 2', 'count != null'],
    ])('but not %s when %s', (formula, when) => {
      expect(faultsOf({ a: filled(formula, when) })).toContainEqual(canBeNull);
    });

    test('in an item of a list, of the record around it too', () => {
      const rows = (when: string): Json => ({
        type: 'array',
        maxItems: 5,
        default: [],
        items: {
          type: 'object',
          properties: { x: { type: ['integer', 'null'], description: 'X' }, b: filled('x * count', when) },
        },
        description: 'Rows',
      });
      expect(faultsOf({ rows: rows('x != null && record.count != null') })).toEqual([]);
      expect(faultsOf({ rows: rows('x != null') })).toContainEqual(canBeNull);
    });
  });

  test('none of these is a fault', () => {
    const rows = {
      type: 'array',
      maxItems: 5,
      default: [],
      items: {
        type: 'object',
        properties: {
          note: { reference: 'note', onDelete: 'restrict', description: 'X' },
          g: money({ formula: 'all.notes.rows.filter(r, r.noteId == noteId).max(r, r.g)', compute: 'onCreate' }),
        },
        required: ['note'],
      },
      description: 'Rows',
    };
    expect(
      faultsOf({
        rows,
        a: money({ formula: ['count', '* 2'] }),
        b: money({ formula: 'parent.count', compute: 'onWrite' }),
        c: money({ formula: 'notes.filter(n, n.parentId == parentId).sum(n, n.rows.size())', compute: 'onWrite' }),
        d: money({ formula: 'all.notes.rows.filter(r, r.noteId == id).count()', compute: 'onCreate' }),
        e: money({ defaultFrom: [{ formula: 'parent.rows.size()' }] }),
        // It looks at that of others.
        f: money({
          formula: 'coalesce(notes.filter(n, n.parentId == parentId).max(n, n.f), 0) + 1',
          compute: 'onCreate',
        }),
      }),
    ).toEqual([]);
  });
});
