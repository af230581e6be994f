// Where a value comes from, as callers of the API are told: the parts of each formula with their values, and the records behind them.
import { beforeAll, expect, test } from 'vitest';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

interface Source {
  readonly group: string;
  readonly id: string;
  readonly name: string;
  readonly place: string;
  readonly value?: unknown;
  readonly parts: readonly Part[];
}

interface Part {
  readonly words: string;
  readonly value: unknown;
  readonly unread?: true;
  readonly parts: readonly Part[];
  readonly sources: readonly Source[];
  readonly more?: number;
}

interface Numbers extends Omit<Part, 'words' | 'sources'> {
  readonly part: string;
  readonly place: string;
  readonly kept?: unknown;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A part is a line, and those below it stand further in. */
const partLines = (parts: readonly Part[], indent: string): string[] =>
  parts.flatMap(({ words, value, unread, parts: inside, sources, more }) => [
    `${indent}${words} = ${text(value)}${unread === true ? ' (unread)' : ''}`,
    ...partLines(inside, `${indent}  `),
    ...sources.flatMap((source) => [
      `${indent}  < ${source.group} ${source.name}${source.place && ` ${source.place}`}${source.value === undefined ? '' : `: ${text(source.value)}`}`,
      ...partLines(source.parts, `${indent}    `),
    ]),
    ...(more === undefined ? [] : [`${indent}  and ${more} more`]),
  ]);

const numberLines = (numbers: readonly Numbers[]): string[] =>
  numbers.flatMap(({ part, place, kept, value, unread, parts }) => [
    `${place}${part && ` (${part})`}: ${text(value)}${unread === true ? ' (unread)' : ''}${kept === undefined ? '' : `, kept ${text(kept)}`}`,
    ...partLines(parts, '  '),
  ]);

onEveryDatabase(
  'what callers are told of sums and states',
  (context) => {
    const ids: Record<string, string> = {};
    const post = async (path: string, body: Json): Promise<string> => {
      const { status, body: made, text: sent } = await context.call('POST', path, body);
      expect(status, sent).toBe(200);
      return String((made as Json)['id']);
    };
    const explained = async (path: string): Promise<string[]> => {
      const { status, body, text: sent } = await context.call('GET', `/explain${path}`);
      expect(status, sent).toBe(200);
      return numberLines(Object(body).record.numbers);
    };

    beforeAll(async () => {
      ids['assets'] = await post('/accounts', { name: 'Assets' });
      ids['cash'] = await post('/accounts', { name: 'Cash', parentId: ids['assets'], sides: {} });
      ids['sales'] = await post('/accounts', { name: 'Sales' });
      ids['period'] = await post('/periods', { start: '2026-01-01', end: '2026-12-31' });
      const lines = [
        { accountId: ids['sales'], credit: 12.5 },
        { accountId: ids['cash'], debit: 12.5 },
      ];
      const journal = { periodId: ids['period'], date: '2026-03-01' };
      ids['posted'] = await post('/journals', { ...journal, statusId: 'posted', lines });
      await post('/journals', { ...journal, lines });
    });

    const posted = (of: string): string =>
      `journals.lines.filter(l, l.accountId == id && l.record.statusId == 'posted').${of}`;

    test.each<readonly [string, readonly string[]]>([
      [
        '/accounts/cash/balance',
        [
          'balance: 12.5, kept 12.5',
          `  ${posted('sum(l, l.debit - l.credit)')} = 12.5`,
          '    < journal 2026-03-01 lines[1]: 12.5',
        ],
      ],
      [
        '/accounts/assets/total',
        [
          'total: 12.5, kept 12.5',
          '  balance = 0',
          '  accounts.filter(a, a.parentId == id).sum(a, a.total) = 12.5',
          '    < account Cash: 12.5',
        ],
      ],
      [
        '/accounts/assets/total?depth=3',
        [
          'total: 12.5, kept 12.5',
          '  balance = 0',
          `    ${posted('sum(l, l.debit - l.credit)')} = 0`,
          '  accounts.filter(a, a.parentId == id).sum(a, a.total) = 12.5',
          '    < account Cash: 12.5',
          '      total = 12.5',
          '        balance = 12.5',
          `          ${posted('sum(l, l.debit - l.credit)')} = 12.5`,
          '            < journal 2026-03-01 lines[1]: 12.5',
          '        accounts.filter(a, a.parentId == id).sum(a, a.total) = 0',
        ],
      ],
      [
        '/accounts/cash/sides.difference?depth=2',
        [
          'sides.difference: 12.5, kept 12.5',
          '  debits = 12.5',
          `    ${posted('sum(l, l.debit)')} = 12.5`,
          '      < journal 2026-03-01 lines[1]: 12.5',
          '  credits = 0',
          `    ${posted('sum(l, l.credit)')} = 0`,
          '      < journal 2026-03-01 lines[1]: 0',
        ],
      ],
      ['/accounts/sales/sides.difference', []],
      [
        '/accounts/sales/stateId',
        [
          'stateId (overdrawn): true, kept overdrawn',
          '  balance = -12.5',
          'stateId (used): true, kept overdrawn',
          '  lineCount = 2',
          'stateId (unused): true, kept overdrawn',
        ],
      ],
      // Of two sides that which counts.
      [
        '/accounts/sales/overdrawnOn',
        ['overdrawnOn: 2026-03-01, kept 2026-03-01', '  stateId = overdrawn', '  lastUsedOn = 2026-03-01'],
      ],
      ['/accounts/cash/overdrawnOn', ['overdrawnOn: null, kept null', '  stateId = used']],
      ['/accounts/assets/lastUsedOn', ['lastUsedOn: null, kept null', `  ${posted('max(l, l.record.date)')} = null`]],
      [
        '/periods/period/average',
        [
          'average: 12.5, kept 12.5',
          '  turnover = 12.5',
          "  all.journals.filter(j, j.periodId == id && j.statusId == 'posted').count() = 1",
          '    < journal 2026-03-01',
        ],
      ],
      // What a figure is kept as, what it would be, and whether it is computed at all.
      [
        '/periods/period/surplus?depth=2',
        [
          'surplus: -1.25, kept 0',
          '  turnover = 12.5',
          "    all.journals.filter(j, j.periodId == id && j.statusId == 'posted').sum(j, j.debits) = 12.5",
          '      < journal 2026-03-01: 12.5',
          '  goal = 13.75',
          '    turnover = 12.5',
          'surplus (when): false, kept 0',
          '  isReached = false',
          '    turnover = 12.5',
          '    goal = 13.75',
        ],
      ],
      [
        '/periods/period/turnover?depth=2',
        [
          'turnover: 12.5, kept 12.5',
          "  all.journals.filter(j, j.periodId == id && j.statusId == 'posted').sum(j, j.debits) = 12.5",
          '    < journal 2026-03-01: 12.5',
          '      debits = 12.5',
          '        lines.sum(l, l.debit) = 12.5',
          '          < journal 2026-03-01 lines[0]: 0',
          '          < journal 2026-03-01 lines[1]: 12.5',
        ],
      ],
      ['/periods/period/start', []],
    ])('%s', async (path, lines) => {
      const [group, name = '', ...rest] = path.slice(1).split('/');
      expect(await explained(`/${group}/${ids[name]}/${rest.join('/')}`)).toEqual(lines);
    });

    test('a hundred records behind a part, and how many there are besides', async () => {
      const busy = await post('/accounts', { name: 'Busy' });
      const lines = Array.from({ length: 50 }, () => ({ accountId: busy, debit: 1 }));
      for (const date of ['2026-05-01', '2026-06-01', '2026-07-01'])
        await post('/journals', { periodId: ids['period'], date, lines });
      const told = await explained(`/accounts/${busy}/lineCount`);
      expect(told.slice(0, 2)).toEqual([
        'lineCount: 150, kept 150',
        '  journals.lines.filter(l, l.accountId == id).count() = 150',
      ]);
      expect(told.filter((line) => /^ {4}< journal 2026-0[567]-01 lines\[\d+\]$/.test(line))).toHaveLength(100);
      expect(told.slice(102)).toEqual(['    and 50 more']);
    });

    test('a record has the name and the id that it is found by', async () => {
      const { body } = await context.call('GET', `/explain/accounts/${ids['cash']?.toUpperCase()}/balance`);
      const source = { group: 'journal', id: ids['posted'], name: '2026-03-01', place: 'lines[1]' };
      expect(body).toMatchObject({
        record: { id: ids['cash'], name: 'Cash', numbers: [{ parts: [{ sources: [source] }] }] },
      });
    });
  },
  'books',
);

onEveryDatabase(
  'what callers are told of named formulas',
  (context) => {
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      const { id: customerId } = await context.make('customer', { name: 'Ada', discount: 0.5 });
      const { id: card } = await context.make('card', { customerId, price: 80, start: '2026-01-01' });
      await context.make('card', { customerId, price: 90, start: '2026-06-01' });
      const lines = [
        { part: 'Disc', count: 2 },
        { part: 'Pad', count: 4 },
      ];
      const job = { title: 'Brakes', customerId, day: '2026-03-01', hours: 3, lines, tint: { coats: 2 } };
      const { body } = await context.call('POST', '/jobs', job);
      Object.assign(ids, { customer: customerId, card, job: Object(body).id });
    });
    /** Of a price: what is given to the formula, and what it goes on to. */
    const priced = (by: string, count: number, price: number): readonly string[] => [
      `  fee(${by}) = ${price}`,
      `    ${by} = ${count}`,
      `    customer.priceOn(coalesce(day, today), hours) = ${price}`,
      '      day = 2026-03-01',
      '      today = (today)',
      '      cardOn(day).price = 80',
      '        cardOn(day) = (card)',
      '          cards.filter(c, c.start == null || c.start <= day) .last(c, c.start) = (card)',
      '            < card 80: 2026-01-01',
      '      discount = 0.5',
      '      currency = EUR',
    ];

    test.each<readonly [string, readonly string[]]>([
      [
        'lines.charge?depth=2',
        [
          'lines[0].charge: 80, kept 80',
          ...priced('count', 2, 80),
          'lines[1].charge: 160, kept 160',
          ...priced('count', 4, 160),
        ],
      ],
      ['price', ['price: 120, kept 120', ...priced('hours', 3, 120)]],
      [
        'lines.share?depth=2',
        [2, 4].flatMap((count, place) => [
          `lines[${place}].share: ${place === 0 ? '0.3333, kept 0.3333' : '0.6667, kept 0.6667'}`,
          `  count = ${count}`,
          '  parts = 6',
          '    pieces(0) = 6',
          '      lines.filter(l, l.count >= least).sum(l, l.count) = 6',
          '        < job Brakes lines[0]: 2',
          '        < job Brakes lines[1]: 4',
        ]),
      ],
      ['isDear', ['isDear: false, kept false', '  isAbove(5) = false', '    hours = 3']],
      [
        'isOwn',
        [
          'isOwn: false, kept false',
          '  isOf(customerId, title) = false',
          '    customerId = (customer)',
          '    title = Brakes',
          '    customerId = (customer)',
        ],
      ],
      ['tint.layers', ['tint.layers: 3, kept 3', '  coats = 2']],
      ['note', ['note: true, kept null', '  isAbove(2) = true', '    hours = 3']],
      ['estimate', ['estimate: 3, kept 0', '  hours = 3', 'estimate (when): false, kept 0', '  isSettled = false']],
    ])('job.%s', async (field, lines) => {
      const { body, text: sent, status } = await context.call('GET', `/explain/jobs/${ids['job']}/${field}`);
      expect(status, sent).toBe(200);
      const plain = numberLines(Object(body).record.numbers).map((line) =>
        line
          .replace(/today = \d{4}-\d\d-\d\d$/, 'today = (today)')
          .replace(`${ids['card']}`, '(card)')
          .replace(`${ids['customer']}`, '(customer)'),
      );
      expect(plain).toEqual(lines);
    });
  },
  'garage',
);
