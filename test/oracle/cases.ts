// What the language says, by hand: so that the oracle is judged by something else than the service.
import type { Domain } from './shape.ts';
import { figure, group, lending, money, to, whole, word } from './worlds.ts';

/** Formulas over nothing, and what they give. */
export const formulas: readonly (readonly [formula: string, gives: string])[] = [
  ['1 + null', 'null'],
  ['1 / 0', 'null'],
  ['null == null', 'true'],
  ['null < 1', 'false'],
  ['null != 1', 'true'],
  ['!null', 'true'],
  ['null || true', 'true'],
  ['null && true', 'false'],
  ['[1, null, 3].sum()', '4'],
  ['[].sum()', '0'],
  ['[].max()', 'null'],
  ['[3, null, 1].min()', '1'],
  ['[].first()', 'null'],
  ['[3, 8, 5].last(n, 0 - n)', '3'],
  ['[3, 8, 5].first(n, 0 - n)', '8'],
  ['[2, null, 1].sorted()', '[null, 1, 2]'],
  ['[2, 1, 2].distinct()', '[2, 1]'],
  ['[3, 8, 5].count(n, n > 4)', '2'],
  ['0.1 + 0.2', '0.3'],
  ['round(2.345, 2)', '2.35'],
  ['round(-2.345, 2)', '-2.35'],
  ['round(2.5, 0)', '3'],
  ['round(1250, -2)', '1300'],
  ["round(2.345, 'JPY')", '2'],
  ['floor(-1.5)', '-2'],
  ['ceil(1.2)', '2'],
  ['abs(-1.5)', '1.5'],
  ['1.5 * (1 - 2 / 3)', `0.4${'9'.repeat(39)}5`],
  ['min(7, null, 3)', '3'],
  ['coalesce(null, 2, 3)', '2'],
  ['[1, 2, 3].filter(n, n in [1, 3]).map(n, n * 2)', '[2, 6]'],
  ['[4, 5][1]', '5'],
  ['[4, 5][2]', 'null'],
  ["size('Praxis')", '6'],
  ["startsWith('INV-1', 'INV-')", 'true'],
  ["cut('Rebuild', 3)", 'Reb'],
];

/** Formulas over the day 2026-03-15, a Sunday. */
export const days: readonly (readonly [formula: string, gives: string])[] = [
  ['day + 20', '2026-04-04'],
  ['day - 15', '2026-02-28'],
  ['lastOfMonth(day) - day', '16'],
  ['weekday(day)', '7'],
  ['startOfWeek(day)', '2026-03-09'],
  ['firstOfMonth(day)', '2026-03-01'],
  ['addMonths(day + 16, 1)', '2026-04-30'],
  ["day < '2026-03-16'", 'true'],
  ['days(day, day + 1)', '[2026-03-15, 2026-03-16]'],
];

/** What is asked, and the values that it leaves by the label of the record; or the texts with which it is refused. */
interface Step {
  readonly ask: readonly [
    'create' | 'update' | 'delete',
    group: string,
    label: string,
    body?: Readonly<Record<string, unknown>>,
  ];
  readonly leaves?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly refused?: readonly string[];
}

export interface Case {
  readonly name: string;
  readonly domain: Domain;
  readonly steps: readonly Step[];
}

export const cases: readonly Case[] = [
  {
    name: 'a sum over the own group counts the record that is written once',
    domain: {
      owner: group('/owners', {}),
      part: group('/parts', {
        owner: to('owner'),
        length: whole(),
        all: figure('parts.filter(p, p.ownerId == ownerId).sum(p, p.length)', whole()),
        before: figure('parts.filter(p, p.ownerId == ownerId && p.length < length).count()', whole()),
        share: figure('length / all', money({ type: ['number', 'null'] })),
      }),
    },
    steps: [
      { ask: ['create', 'owner', 'O'] },
      {
        ask: ['create', 'part', 'A', { ownerId: 'O', length: 5 }],
        leaves: { A: { all: '5', before: '0', share: '1' } },
      },
      {
        ask: ['create', 'part', 'B', { ownerId: 'O', length: 3 }],
        leaves: { A: { all: '8', before: '1', share: '0.625' }, B: { all: '8', before: '0' } },
      },
      {
        ask: ['update', 'part', 'B', { length: 7 }],
        leaves: { A: { all: '12', before: '0', share: '0.4167' }, B: { before: '1' } },
      },
      { ask: ['delete', 'part', 'A'], leaves: { B: { all: '7', before: '0' } } },
    ],
  },
  {
    name: 'figures are taken always, at each write, on create and again, and when they are read',
    domain: {
      room: group('/rooms', {
        price: whole(),
        total: figure('stays.filter(s, s.roomId == id).sum(s, s.price)', whole()),
      }),
      stay: group('/stays', {
        room: to('room'),
        nights: whole(),
        kind: word('a', 'b'),
        price: { ...figure('nights * room.price', whole()), compute: 'onWrite' },
        first: { ...figure('room.price', whole()), compute: 'onCreate', recomputeIfChanged: ['kind'] },
        now: { ...figure('nights * room.price', whole()), compute: 'onRead' },
      }),
    },
    steps: [
      { ask: ['create', 'room', 'R', { price: 10 }] },
      {
        ask: ['create', 'stay', 'S', { roomId: 'R', nights: 2 }],
        leaves: { S: { price: '20', first: '10', now: '20' }, R: { total: '20' } },
      },
      {
        ask: ['update', 'room', 'R', { price: 30 }],
        leaves: { S: { price: '20', first: '10', now: '60' }, R: { total: '20' } },
      },
      {
        ask: ['update', 'stay', 'S', { nights: 1 }],
        leaves: { S: { price: '30', first: '10', now: '30' }, R: { total: '30' } },
      },
      { ask: ['update', 'stay', 'S', { kind: 'b' }], leaves: { S: { first: '30' } } },
    ],
  },
  {
    name: 'states follow from figures of others, and from what the record says',
    domain: {
      bill: group('/bills', {
        amount: whole(),
        paid: figure('payments.filter(p, p.billId == id).sum(p, p.amount)', whole()),
        state: {
          ...word('open', 'paid'),
          becomes: [
            { to: 'paid', when: 'paid >= amount' },
            { to: 'open', when: 'true' },
          ],
        },
      }),
      payment: group('/payments', { bill: to('bill'), amount: whole() }),
    },
    steps: [
      { ask: ['create', 'bill', 'B', { amount: 5 }], leaves: { B: { state: 'open' } } },
      { ask: ['create', 'payment', 'P', { billId: 'B', amount: 5 }], leaves: { B: { state: 'paid' } } },
      { ask: ['update', 'bill', 'B', { amount: 6, state: 'paid' }], leaves: { B: { state: 'open' } } },
      { ask: ['delete', 'payment', 'P'], leaves: { B: { paid: '0' } } },
    ],
  },
  {
    name: 'a condition sees all that the write does, and says so in its own words',
    domain: {
      store: group(
        '/stores',
        { free: figure('receipts.filter(r, r.storeId == id).sum(r, r.amount)', whole()) },
        { rules: [{ use: 'require', that: 'free <= 9', on: ['create', 'update'], field: 'label', must: 'small' }] },
      ),
      receipt: group(
        '/receipts',
        { store: to('store'), amount: whole() },
        {
          rules: [
            { use: 'require', that: 'store.free >= 0', answers: 'inUse', on: ['delete'] },
            { use: 'require', that: 'store.free <= 9', field: 'amount', must: 'at most {9 - (store.free - amount)}' },
          ],
        },
      ),
    },
    steps: [
      { ask: ['create', 'store', 'S'] },
      { ask: ['create', 'receipt', 'A', { storeId: 'S', amount: 8 }], leaves: { S: { free: '8' } } },
      { ask: ['create', 'receipt', 'B', { storeId: 'S', amount: 2 }], refused: ["'amount' must be at most 1"] },
      { ask: ['create', 'receipt', 'C', { storeId: 'S', amount: -8 }], leaves: { S: { free: '0' } } },
      { ask: ['delete', 'receipt', 'A'], refused: [] },
      { ask: ['delete', 'store', 'S'] },
    ],
  },
  {
    name: 'a condition on a delete that asks who names the record is judged while they do, any other when all is done',
    domain: {
      pier: group(
        '/piers',
        {},
        {
          rules: [
            {
              use: 'require',
              that: '!boats.exists(b, b.pierId == id && b.length > 5)',
              answers: 'inUse',
              on: ['delete'],
            },
          ],
        },
      ),
      boat: group(
        '/boats',
        { pier: to('pier'), length: whole() },
        {
          rules: [
            {
              use: 'require',
              that: 'all.piers.filter(p, p.id == pierId).count() == 0',
              answers: 'readOnly',
              on: ['delete'],
            },
          ],
        },
      ),
    },
    steps: [
      { ask: ['create', 'pier', 'P'] },
      { ask: ['create', 'boat', 'A', { pierId: 'P', length: 9 }] },
      { ask: ['delete', 'pier', 'P'], refused: [] },
      { ask: ['delete', 'boat', 'A'], refused: [] },
      { ask: ['update', 'boat', 'A', { length: 1 }] },
      { ask: ['delete', 'pier', 'P'] },
    ],
  },
  {
    name: 'what restricts a record and goes with the same delete restricts nothing',
    domain: {
      ward: group('/wards', {}),
      room: group('/rooms', { ward: to('ward') }),
      stay: group('/stays', { ward: to('ward'), room: to('room', { onDelete: 'restrict' }) }),
    },
    steps: [
      { ask: ['create', 'ward', 'W'] },
      { ask: ['create', 'ward', 'V'] },
      { ask: ['create', 'room', 'R', { wardId: 'W' }] },
      { ask: ['create', 'stay', 'S', { wardId: 'V', roomId: 'R' }] },
      { ask: ['delete', 'ward', 'W'], refused: [] },
      { ask: ['update', 'stay', 'S', { wardId: 'W' }] },
      { ask: ['delete', 'ward', 'W'] },
    ],
  },
  {
    name: 'effects make, change and remove, the first that waits alone',
    domain: {
      event: group('/events', {
        inside: figure("tickets.filter(t, t.eventId == id && t.state == 'in').count()", whole()),
      }),
      ticket: group('/tickets', { event: to('event'), number: whole(), state: word('waiting', 'in') }),
      leave: group(
        '/leaves',
        { event: to('event') },
        {
          effects: [
            {
              on: ['create'],
              change: "[tickets.filter(t, t.eventId == eventId && t.state == 'waiting').first(t, t.number)]",
              set: { state: "'in'" },
            },
            { on: ['create'], make: 'ticket', with: { eventId: 'eventId', number: '9', label: "'made'" } },
            { on: ['delete'], remove: "tickets.filter(t, t.eventId == eventId && t.state == 'in')" },
          ],
        },
      ),
    },
    steps: [
      { ask: ['create', 'event', 'E'] },
      { ask: ['create', 'ticket', 'A', { eventId: 'E', number: 2 }] },
      { ask: ['create', 'ticket', 'B', { eventId: 'E', number: 1 }] },
      {
        ask: ['create', 'leave', 'L', { eventId: 'E' }],
        leaves: { A: { state: 'waiting' }, B: { state: 'in' }, made: { number: '9' }, E: { inside: '1' } },
      },
      { ask: ['delete', 'leave', 'L'], leaves: { E: { inside: '0' }, A: { state: 'waiting' } } },
    ],
  },
  {
    name: 'a create sends initial states only, effects and states that follow are free',
    domain: {
      ticket: group('/tickets', {
        number: whole(),
        state: {
          ...word('new', 'open', 'done'),
          transitions: { new: ['open'], open: ['done'] },
          initialStates: ['new', 'open'],
          becomes: [{ to: 'done', when: "number > 9 && state == 'open'" }],
        },
      }),
      leave: group(
        '/leaves',
        { number: whole() },
        { effects: [{ on: ['create'], make: 'ticket', with: { number: 'number', state: "'done'", label: "'made'" } }] },
      ),
    },
    steps: [
      { ask: ['create', 'ticket', 'A', { state: 'done' }], refused: ["'state' must be one of new, open"] },
      { ask: ['create', 'ticket', 'A', { state: 'open' }], leaves: { A: { state: 'open' } } },
      { ask: ['create', 'ticket', 'B', { state: 'open', number: 10 }], leaves: { B: { state: 'done' } } },
      { ask: ['update', 'ticket', 'A', { state: 'new' }], refused: ["'state' cannot change from 'open' to 'new'"] },
      { ask: ['update', 'ticket', 'A', { state: 'done' }], leaves: { A: { state: 'done' } } },
      { ask: ['create', 'leave', 'L', { number: 1 }], leaves: { made: { state: 'done' } } },
    ],
  },
  {
    name: 'a right value is accepted, locks hold callers up, what refers is cleared',
    domain: {
      item: group(
        '/items',
        {
          keeper: to('item', { nullable: true, onDelete: 'clear' }),
          count: whole(),
          double: { ...figure('count * 2', whole()), acceptIfEqual: true },
          held: figure('items.filter(i, i.keeperId == id).count()', whole()),
        },
        { locked: { fields: [{ when: 'count > 5', open: ['label'] }] } },
      ),
    },
    steps: [
      { ask: ['create', 'item', 'A', { count: 3, double: 6 }], leaves: { A: { double: '6' } } },
      { ask: ['update', 'item', 'A', { double: 7 }], refused: ["'double' must be 6"] },
      { ask: ['create', 'item', 'B', { keeperId: 'A' }], leaves: { A: { held: '1' } } },
      { ask: ['update', 'item', 'A', { count: 6 }], leaves: { A: { double: '12' } } },
      { ask: ['update', 'item', 'A', { count: 1 }], refused: [] },
      { ask: ['delete', 'item', 'A'], leaves: { B: { keeperId: 'null' } } },
    ],
  },
  {
    name: 'items of items have figures, each after those that it looks at',
    domain: {
      order: group('/orders', {
        lines: {
          type: 'array',
          maxItems: 9,
          default: [],
          items: {
            type: 'object',
            properties: {
              amount: figure('cost + index', whole()),
              cost: figure('parts.sum(p, p.count * rate)', whole()),
              parts: {
                type: 'array',
                maxItems: 9,
                default: [],
                items: { type: 'object', properties: { count: whole() } },
                description: 'Parts',
              },
            },
          },
          description: 'Lines',
        },
        rate: whole(),
        total: figure('lines.sum(l, l.amount)', whole()),
      }),
    },
    steps: [
      {
        ask: ['create', 'order', 'O', { rate: 2, lines: [{ parts: [{ count: 1 }, { count: 2 }] }, {}] }],
        leaves: { O: { total: '7' } },
      },
      { ask: ['update', 'order', 'O', { rate: 3 }], leaves: { O: { total: '10' } } },
    ],
  },
  {
    name: 'conditions and effects ask what was before the write',
    domain: lending,
    steps: [
      { ask: ['create', 'book', 'B', { copies: 2 }] },
      { ask: ['create', 'copy', 'C', { bookId: 'B' }] },
      { ask: ['create', 'hold', 'H', { bookId: 'B', reader: 1 }], leaves: { B: { held: '1' } } },
      {
        ask: ['create', 'loan', 'L', { copyId: 'C', reader: 1 }],
        leaves: { B: { held: '0' }, '1/1': { isMet: 'true' } },
      },
      { ask: ['update', 'loan', 'L', { reader: 2 }], refused: ["'reader' must be as it was"] },
      { ask: ['create', 'hold', 'I', { bookId: 'B', reader: 2 }] },
      { ask: ['create', 'hold', 'J', { bookId: 'B', reader: 3 }], leaves: { B: { held: '2' } } },
      {
        ask: ['create', 'loan', 'M', { copyId: 'C', reader: 2 }],
        refused: ["'reader' must be one of few, not of 2"],
      },
      { ask: ['update', 'loan', 'L', { copyId: 'C' }], refused: ["'reader' must be one of few, not of 2"] },
    ],
  },
];
