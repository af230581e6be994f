// The life of a descriptor: each kind of change, on a database with records, through the commands and over HTTP.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { isObject, type Json } from '../support/service/client.ts';

const text = { type: 'string', maxLength: 100 };
const name = text;
const place = { properties: { name } };

interface Change {
  readonly title: string;
  readonly before: Groups;
  readonly after: Groups;
  /** Records of the first group after `place`, as they are sent before. `$place` is a place's id. */
  readonly records: readonly Json[];
  /** What the same records show then, oldest first; the members named here. */
  readonly shown: readonly Json[];
  readonly allowDrop?: boolean;
  readonly allowLoss?: boolean;
  readonly fill?: readonly string[];
  /** Queries of the list afterwards, and how many records each finds. */
  readonly finds?: Readonly<Record<string, number>>;
}

const office = (properties: Json, more: Json = {}): Groups => ({
  place,
  office: { properties: { name, ...properties }, ...more },
});
const money = { type: 'number', format: 'decimal', precision: 10, scale: 2 };
const kinds = (...values: string[]): Json => ({ type: 'string', enum: values });
const listOf = (items: Json): Json => ({ type: 'array', maxItems: 20, items, default: [] });
const itemsOf = (properties: Json): Json => ({ type: 'array', maxItems: 20, items: { type: 'object', properties } });

const changes: readonly Change[] = [
  {
    title: 'new fields hold their defaults, or nothing',
    before: office({}),
    after: office({
      note: { type: ['string', 'null'], maxLength: 40 },
      mood: { ...text, default: 'calm' },
      long: { type: 'string', maxLength: 5000, default: 'it\'s \\ "so"' },
      size: { type: 'integer', default: 3 },
      rate: { ...money, default: 1.5 },
      isOpen: { type: 'boolean', default: true },
      tags: listOf(text),
      since: { type: ['string', 'null'], format: 'date' },
      kind: { ...kinds('a', 'b'), default: 'b', filter: 'exact' },
      home: { type: ['object', 'null'], properties: { city: { ...text, default: '' } } },
    }),
    records: [{ name: 'One' }, { name: 'Two' }],
    shown: [
      {
        name: 'One',
        note: null,
        mood: 'calm',
        long: 'it\'s \\ "so"',
        size: 3,
        rate: 1.5,
        isOpen: true,
        tags: [],
        since: null,
        kind: 'b',
        home: null,
      },
      { name: 'Two', mood: 'calm' },
    ],
    finds: { 'kind=b': 2, 'kind=a': 0 },
  },
  {
    title: 'new references and lists are empty',
    before: office({}),
    after: office({
      place: { reference: 'place', nullable: true, filter: 'exact' },
      places: { references: 'place', maxItems: 5 },
      lines: itemsOf({ text: { ...text, default: '' }, place: { reference: 'place', nullable: true } }),
    }),
    records: [{ name: 'One' }],
    shown: [{ name: 'One', place: null, places: [], lines: [] }],
  },
  {
    title: 'a required field takes what is given for the records that exist',
    before: office({}),
    after: office({ phone: text, floor: { type: 'integer' } }, { required: ['name', 'phone', 'floor'] }),
    fill: ["office.phone='none'", 'office.floor=2'],
    records: [{ name: 'One' }],
    shown: [{ name: 'One', phone: 'none', floor: 2 }],
  },
  {
    title: 'new fields are filled by formulas over what the same migration drops, renames and changes',
    before: office({ full: text, price: money, kind: kinds('a', 'b'), since: { type: 'string', format: 'date' } }),
    after: office(
      {
        first: { ...text, filter: 'text' },
        last: text,
        gross: { ...money, precision: 12, scale: 4 },
        cost: { ...money, renamedFrom: 'price' },
        sort: { ...kinds('a', 'other'), renamedFrom: 'kind', renamedValues: { other: 'b' } },
        isOther: { type: 'boolean' },
        year: { type: ['integer', 'null'] },
        until: { type: 'string', format: 'date' },
        mood: { ...kinds('good', 'bad') },
      },
      { required: ['name', 'first', 'last', 'gross', 'cost', 'sort', 'isOther', 'until', 'mood'] },
    ),
    fill: [
      "office.first=split(full, ' ')[0]",
      "office.last=split(full, ' ').last()",
      'office.gross=cost * 1.19',
      "office.isOther=sort == 'other'",
      'office.year=cost > 100 ? year(since) : null',
      'office.until=since + 30',
      "office.mood=cost > 100 ? 'bad' : 'good'",
    ],
    // The year of the cheap one.
    ...{ allowDrop: true, allowLoss: true },
    records: [
      { name: 'One', full: 'Ada Maria Lovelace', price: 100.01, kind: 'b', since: '2024-02-01' },
      { name: 'Two', full: 'Straße', price: 0, kind: 'a', since: '1999-12-31' },
    ],
    shown: [
      {
        first: 'Ada',
        last: 'Lovelace',
        gross: 119.0119,
        cost: 100.01,
        sort: 'other',
        isOther: true,
        year: 2024,
        until: '2024-03-02',
        mood: 'bad',
      },
      { first: 'Straße', last: 'Straße', gross: 0, isOther: false, year: null, until: '2000-01-30', mood: 'good' },
    ],
    finds: { 'firstContains=STRASSE': 1 },
  },
  {
    title: 'what was unset is filled by a formula, and what was there stays, in items too',
    before: office({
      nick: { type: ['string', 'null'], maxLength: 50 },
      lines: itemsOf({ pieces: { type: 'integer' }, price: money }),
    }),
    after: office(
      {
        nick: { type: 'string', maxLength: 50 },
        // Filled from what is filled before it.
        loud: { type: 'string', maxLength: 51 },
        lines: itemsOf({ pieces: { type: 'integer' }, price: money, total: { ...money, precision: 14 } }),
      },
      { required: ['name', 'nick', 'loud'] },
    ),
    fill: ['office.nick=upper(name)', "office.loud=nick + '!'", 'office.lines.total=pieces * price'],
    records: [
      { name: 'One', lines: [{ pieces: 3, price: 1.5 }] },
      { name: 'Two', nick: 'ii', lines: [] },
    ],
    shown: [
      { nick: 'ONE', loud: 'ONE!', lines: [{ pieces: 3, price: 1.5, total: 4.5 }] },
      { nick: 'ii', loud: 'ii!', lines: [] },
    ],
  },
  {
    title: 'what was unset is filled by a formula in a field that takes more digits, or longer texts, from then on',
    before: office({
      price: { ...money, type: ['number', 'null'] },
      nick: { type: ['string', 'null'], maxLength: 4, filter: 'text' },
    }),
    after: office(
      { price: { ...money, precision: 12, scale: 4 }, nick: { ...text, filter: 'text' } },
      { required: ['name', 'price', 'nick'] },
    ),
    fill: ["office.price=name == 'One' ? 2.5555 : 3", "office.nick=name + ' of them'"],
    records: [{ name: 'One' }, { name: 'Two', price: 1.25, nick: 'ii' }],
    shown: [
      { price: 2.5555, nick: 'One of them' },
      { price: 1.25, nick: 'ii' },
    ],
    finds: { 'nickContains=of': 1 },
  },
  {
    title: 'a field that keeps its name is filled from what it was, and so are others',
    before: office(
      {
        phone: { ...text, filter: 'text' },
        since: { type: ['string', 'null'], format: 'date', filter: 'exact' },
        code: text,
        size: { type: 'integer' },
        lines: itemsOf({ pieces: text }),
      },
      { unique: [['code']] },
    ),
    after: office(
      {
        phone: { type: ['integer', 'null'], filter: 'exact' },
        since: { type: ['string', 'null'], format: 'date-time' },
        code: { type: 'integer' },
        size: { ...text, filter: 'text' },
        both: text,
        lines: itemsOf({ pieces: { type: 'integer' } }),
      },
      { required: ['name', 'code', 'size', 'both'], unique: [['code'], ['size']] },
    ),
    fill: [
      'office.phone=number(phone)',
      "office.since=since == null ? null : text(year(since)) + '-02-01T12:00:00Z'",
      'office.code=number(code)',
      'office.size=text(size)',
      "office.both=phone + '/' + text(size)",
      'office.lines.pieces=number(pieces)',
    ],
    allowDrop: true,
    records: [
      { name: 'One', phone: '0123', since: '2024-02-01', code: '7', size: 3, lines: [{ pieces: '5' }] },
      { name: 'Two', phone: '9', code: '8', size: 4, lines: [] },
    ],
    shown: [
      { phone: 123, since: '2024-02-01T12:00:00.000Z', code: 7, size: '3', both: '0123/3', lines: [{ pieces: 5 }] },
      { phone: 9, since: null, code: 8, size: '4', both: '9/4', lines: [] },
    ],
    finds: { 'phone=123': 1, 'sizeContains=4': 1 },
  },
  {
    title: 'a renamed field keeps its values, its filters and its key',
    before: office(
      { code: { ...text, filter: 'text' }, place: { reference: 'place', nullable: true } },
      { unique: [['code']] },
    ),
    after: office(
      {
        sign: { ...text, filter: 'text', renamedFrom: 'code' },
        spot: { reference: 'place', nullable: true, renamedFrom: 'place' },
      },
      { unique: [['sign']] },
    ),
    records: [
      { name: 'One', code: 'Äbc', placeId: '$place' },
      { name: 'Two', code: 'X' },
    ],
    shown: [
      { sign: 'Äbc', spot: { name: 'Here' } },
      { sign: 'X', spot: null },
    ],
    finds: { 'signContains=äB': 1, 'signStartsWith=x': 1 },
  },
  {
    title: 'renamed lists, items, objects and what is in them keep their values',
    before: office({
      tags: listOf(text),
      lines: itemsOf({ text: { ...text, default: '' }, cost: { ...money, default: 0 } }),
      home: { type: ['object', 'null'], properties: { city: { ...text, default: '' }, zip: { ...text, default: '' } } },
      places: { references: 'place', maxItems: 5 },
    }),
    after: office({
      words: { ...listOf(text), renamedFrom: 'tags' },
      rows: {
        ...itemsOf({ label: { ...text, default: '', renamedFrom: 'text' }, cost: { ...money, default: 0 } }),
        renamedFrom: 'lines',
      },
      seat: {
        type: ['object', 'null'],
        properties: { town: { ...text, default: '', renamedFrom: 'city' }, zip: { ...text, default: '' } },
        renamedFrom: 'home',
      },
      spots: { references: 'place', maxItems: 5, renamedFrom: 'places' },
    }),
    records: [
      {
        name: 'One',
        tags: ['a', 'b'],
        lines: [{ text: 'x', cost: 1.25 }, { text: 'y' }],
        home: { city: 'Ulm', zip: '89' },
        placeIds: ['$place'],
      },
    ],
    shown: [
      {
        words: ['a', 'b'],
        rows: [
          { label: 'x', cost: 1.25 },
          { label: 'y', cost: 0 },
        ],
        seat: { town: 'Ulm', zip: '89' },
        spots: [{ name: 'Here' }],
      },
    ],
  },
  {
    title: 'a renamed group keeps its records, its lists and those that refer to it',
    before: office(
      { lines: itemsOf({ text: { ...text, default: '' } }), parent: { reference: 'office', nullable: true } },
      { setup: [{ name: 'First' }] },
    ),
    after: {
      place,
      bureau: {
        renamedFrom: 'office',
        properties: {
          name,
          lines: itemsOf({ text: { ...text, default: '' } }),
          parent: { reference: 'bureau', nullable: true },
        },
        setup: [{ name: 'First' }],
      },
    },
    records: [{ name: 'One', lines: [{ text: 'x' }] }],
    shown: [{ name: 'First' }, { name: 'One', lines: [{ text: 'x' }] }],
  },
  {
    title: 'renamed values of an enum change in the records, in lists too',
    before: office({
      kind: { ...kinds('big', 'small'), default: 'big', filter: 'exact' },
      days: listOf(kinds('mon', 'tue')),
    }),
    after: office({
      kind: {
        ...kinds('large', 'extremely-small', 'medium'),
        default: 'large',
        filter: 'exact',
        renamedValues: { large: 'big', 'extremely-small': 'small' },
      },
      days: listOf({ ...kinds('monday', 'tue'), renamedValues: { monday: 'mon' } }),
    }),
    records: [
      { name: 'One', kind: 'big', days: ['tue', 'mon'] },
      { name: 'Two', kind: 'small' },
    ],
    shown: [
      { kind: 'large', days: ['tue', 'monday'] },
      { kind: 'extremely-small', days: [] },
    ],
    finds: { 'kind=large': 1, 'kind=medium': 0 },
  },
  {
    title: 'types widen and narrow with their values',
    before: office({
      a: { type: 'string', maxLength: 20 },
      b: { type: 'string', maxLength: 200 },
      c: { ...money, signed: true },
      d: { ...money, scale: 4 },
      e: { type: 'integer' },
      f: { type: 'string', maxLength: 20 },
      g: kinds('x', 'y'),
    }),
    after: office({
      a: { type: 'string', maxLength: 2000 },
      b: { type: 'string', maxLength: 20 },
      c: { ...money, scale: 5, precision: 12, signed: true },
      d: { ...money, scale: 1 },
      e: { ...money, scale: 2 },
      f: kinds('long', 'short'),
      g: text,
    }),
    records: [{ name: 'One', a: 'ä', b: 'ß', c: -1234.56, d: 7.5, e: 12, f: 'long', g: 'x' }],
    shown: [{ a: 'ä', b: 'ß', c: -1234.56, d: 7.5, e: 12, f: 'long', g: 'x' }],
  },
  {
    title: 'what was unset stays unset when its form changes',
    before: office({
      a: { ...text, default: '' },
      b: { type: ['string', 'null'], maxLength: 100 },
      c: { type: ['integer', 'null'] },
    }),
    after: office({
      a: { type: ['string', 'null'], maxLength: 100 },
      b: { ...text, default: '' },
      c: { type: 'integer', default: 7 },
    }),
    records: [{ name: 'One' }, { name: 'Two', a: 'x', b: 'y', c: 1 }],
    shown: [
      { a: null, b: '', c: 7 },
      { a: 'x', b: 'y', c: 1 },
    ],
  },
  {
    title: 'new filters and keys find what was there before',
    before: office({ code: text, place: { reference: 'place', nullable: true } }),
    after: office(
      { code: { ...text, filter: 'text' }, place: { reference: 'place', nullable: true, filter: 'exact' } },
      { unique: [['name'], ['code', 'place']] },
    ),
    records: [
      { name: 'One', code: 'Straße', placeId: '$place' },
      { name: 'Two', code: 'B' },
    ],
    shown: [{ code: 'Straße' }, { code: 'B' }],
    finds: { 'codeContains=STRASSE': 1, 'placeId=$place': 1 },
  },
  {
    title: 'filters and keys go without a trace',
    before: office(
      { code: { ...text, filter: 'text' }, place: { reference: 'place', nullable: true, filter: 'exact' } },
      { unique: [['name'], ['code']] },
    ),
    after: office({ code: text, place: { reference: 'place', nullable: true } }),
    records: [{ name: 'One', code: 'A', placeId: '$place' }],
    shown: [{ code: 'A', place: { name: 'Here' } }],
  },
  {
    title: 'removed fields, lists and groups go; the rest stays',
    before: {
      ...office({
        a: text,
        place: { reference: 'place', nullable: true },
        lines: itemsOf({ text }),
        other: { reference: 'other', nullable: true },
      }),
      other: { properties: { name } },
    },
    after: office({}),
    allowDrop: true,
    records: [{ name: 'One', a: 'x', lines: [{ text: 'y' }], placeId: '$place' }],
    shown: [{ name: 'One' }],
  },
  {
    title: 'a field that becomes something else loses its values by consent',
    before: office({ a: text, b: listOf(text), c: { type: 'integer' }, d: { references: 'place', maxItems: 5 } }),
    after: office({
      a: { type: 'integer', default: 1 },
      b: itemsOf({ text: { ...text, default: '' } }),
      c: { reference: 'place', nullable: true },
      d: itemsOf({ text: { ...text, default: '' } }),
    }),
    allowDrop: true,
    records: [{ name: 'One', a: 'x', b: ['y'], c: 3, dIds: ['$place'] }],
    shown: [{ a: 1, b: [], c: null, d: [] }],
  },
  {
    title: 'groups that refer to each other, and to themselves, come and go',
    before: office({}),
    after: {
      place,
      office: {
        properties: {
          name,
          boss: { reference: 'person', nullable: true },
          parent: { reference: 'office', nullable: true },
        },
      },
      person: { properties: { name, office: { reference: 'office', nullable: true } } },
    },
    records: [{ name: 'One' }],
    shown: [{ name: 'One', boss: null, parent: null }],
  },
  {
    title: 'bounds that loosen and tighten around the values',
    before: office({ a: { type: 'integer', maximum: 100 }, b: { ...money, maximum: 50 }, c: text }),
    after: office({
      a: { type: 'integer', minimum: 5, maximum: 10 },
      b: { ...money, minimum: 0.07, maximum: 5000 },
      c: { type: 'string', maxLength: 200, format: 'email' },
    }),
    records: [{ name: 'One', a: 5, b: 0.07, c: 'a@example.com' }],
    shown: [{ a: 5, b: 0.07, c: 'a@example.com' }],
  },
];

for (const dialect of dialects) {
  describe(`a change of descriptors (${dialect})`, () => {
    let project: Project;
    beforeEach(async () => {
      project = await Project.open(dialect);
    });
    afterEach(() => project.close());

    test.each(changes)('$title', { timeout: 60_000 }, async (change) => {
      const { before, after, records, shown, finds = {} } = change;
      project.describe(before);
      project.generate();
      const [group = ''] = Object.keys(before).filter((word) => word !== 'place');
      const here = await project.serve(async (call) => {
        const made = await call('POST', '/places', { name: 'Here' });
        const id = isObject(made.body) ? String(made.body['id']) : '';
        for (const record of records) {
          const { status, text: answer } = await call(
            'POST',
            `/${group}s`,
            JSON.parse(JSON.stringify(record).replaceAll('$place', id)),
          );
          expect(status, answer).toBe(200);
        }
        return id;
      });

      project.describe(after);
      const flags = { allowDrop: change.allowDrop === true };
      project.generate('change', { ...flags, fill: change.fill ?? [] });
      await project.apply({ ...flags, allowRebuild: true, allowLoss: change.allowLoss === true });
      // Nothing is left, for anybody.
      expect(project.generate()).toContain('no migration is needed');
      expect(await project.status()).toMatchObject({ state: 'current', drift: [], unwritten: [] });
      expect(await project.apply()).toBe('No migrations are pending.\n');

      const [now = ''] = Object.keys(after).filter((word) => word !== 'place');
      await project.serve(async (call) => {
        const { body } = await call('GET', `/${now}s?limit=100`);
        const results = isObject(body) && Array.isArray(body['results']) ? body['results'] : [];
        expect(results.toReversed()).toMatchObject(shown);
        for (const [query, count] of Object.entries(finds)) {
          const found = await call('GET', `/${now}s?${query.replace('$place', here)}`);
          expect(found.body, query).toMatchObject({ results: { length: count } });
        }
        // What was there can be written, and so can something new.
        for (const record of results.filter(isObject)) {
          const patched = await call('PATCH', `/${now}s/${String(record['id'])}`, {
            name: `${String(record['name'])}!`,
          });
          expect(patched.status, patched.text).toBe(200);
        }
      });
      expect(project.log.filter((line) => line.includes('"database: '))).toEqual([]);

      const fresh = await Project.open(dialect);
      try {
        fresh.describe(after);
        await fresh.serve(async () => {});
        expect(await project.tables()).toEqual(await fresh.tables());
      } finally {
        await fresh.close();
      }
    });
  });
}
