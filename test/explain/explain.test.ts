// Where a value comes from: `praxis explain`, run as its users run it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { folders, type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'praxis explain --record',
  (context) => {
    let folder: Folder;
    const ids: Record<string, string> = {};
    const post = async (path: string, body: Json): Promise<string> => {
      const { status, body: made } = await context.call('POST', path, body);
      expect([status, made]).toEqual([200, made]);
      return String((made as Json)['id']);
    };

    beforeAll(async () => {
      folder = new Folder({ DATABASE_URL: context.databaseUrl }, folders.books);
      ids['assets'] = await post('/accounts', { name: 'Assets' });
      ids['cash'] = await post('/accounts', { name: 'Cash', parentId: ids['assets'] });
      ids['sales'] = await post('/accounts', { name: 'Sales' });
      ids['period'] = await post('/periods', { start: '2026-01-01', end: '2026-12-31' });
      const lines = [
        { accountId: ids['sales'], credit: 12.5 },
        { accountId: ids['cash'], debit: 12.5 },
      ];
      const journal = { periodId: ids['period'], date: '2026-03-01' };
      ids['posted'] = await post('/journals', { ...journal, statusId: 'posted', lines });
      ids['draft'] = await post('/journals', { ...journal, lines });
    }, 60_000);
    afterAll(() => folder.remove());

    const after = async (line: string): Promise<string[]> => {
      const text = await folder.print(line);
      return text
        .slice(text.lastIndexOf('\n\n') + 2)
        .trimEnd()
        .split('\n');
    };

    test('tells the records that a sum comes from', async () => {
      const sum = "journals.lines.filter(l, l.accountId == id && l.record.statusId == 'posted')";
      expect(await after(`explain account.balance --record ${ids['cash']}`)).toEqual([
        `account "Cash" ${ids['cash']}`,
        '  balance: 12.5 is stored, 12.5 by the formula',
        `    ${sum}.sum(l, l.debit - l.credit) = 12.5`,
        `      12.5  journal "2026-03-01" ${ids['posted']} lines[1]`,
      ]);
    }, 60_000);

    test('takes figures apart as deep as it is asked to', async () => {
      const flat = [
        `account "Assets" ${ids['assets']}`,
        '  total: 12.5 is stored, 12.5 by the formula',
        '    balance = 0',
        '    accounts.filter(a, a.parentId == id).sum(a, a.total) = 12.5',
        `      12.5  account "Cash" ${ids['cash']}`,
      ];
      expect(await after(`explain account.total --record ${ids['assets']}`)).toEqual(flat);
      const deep = await after(`explain account.total --record ${ids['assets']} --depth 3`);
      expect(deep.filter((line) => flat.includes(line))).toEqual(flat);
      expect(deep).toContain('        total = 12.5');
      expect(deep).toContain(`              12.5  journal "2026-03-01" ${ids['posted']} lines[1]`);
    }, 60_000);

    test('tells which state follows, and which condition a figure hangs on', async () => {
      expect(await after(`explain account.stateId --record ${ids['sales']}`)).toEqual([
        `account "Sales" ${ids['sales']}`,
        '  stateId: overdrawn: true by the formula',
        '    balance = -12.5',
        '  stateId: used: true by the formula',
        '    lineCount = 2',
        '  stateId: unused: true by the formula',
      ]);
      expect(await after(`explain period.goal --record ${ids['period']}`)).toEqual([
        `period "2026-01-01" ${ids['period']}`,
        '  goal: 13.75 is stored, 13.75 by the formula',
        '    turnover = 12.5',
        '  goal: when: true by the formula',
        '    goalMode = auto',
      ]);
    }, 60_000);

    test('tells the same as JSON', async () => {
      const { record } = JSON.parse(await folder.print(`explain period.average --record ${ids['period']} --json`));
      expect(record).toMatchObject({ id: ids['period'], name: '2026-01-01' });
      expect(record.numbers).toMatchObject([
        {
          kept: '12.5',
          value: '12.5',
          parts: [
            { words: 'turnover', value: '12.5' },
            { value: '1', sources: [{ group: 'journal', id: ids['posted'], name: '2026-03-01', place: '' }] },
          ],
        },
      ]);
    }, 60_000);

    test('tells callers of the API the same', async () => {
      const line = `explain account.total --record ${ids['assets']} --depth 2 --json`;
      // What the field is, callers are told by the OpenAPI document.
      const { field: _field, ...told } = JSON.parse(await folder.print(line));
      const path = `/explain/accounts/${ids['assets']}/total`;
      const answer = await context.call('GET', `${path}?depth=2`);
      expect(answer).toMatchObject({ status: 200, body: told });
      expect((await context.call('GET', path)).body).toMatchObject({ record: { numbers: [{ value: '12.5' }] } });
    }, 60_000);

    test('refuses callers what there is not, and what makes no sense', async () => {
      const unknown = '01920000-0000-7000-8000-000000000000';
      const refusals = {
        [`/explain/accounts/${unknown}/total`]: [404, `Object with id '${unknown}' not found.`],
        '/explain/accounts/x/total': [400, "Parameter 'id' is not a valid UUID."],
        [`/explain/accounts/${ids['cash']}/totals`]: [404, 'No such path.'],
        [`/explain/nothing/${ids['cash']}/total`]: [404, 'No such path.'],
        [`/explain/accounts/${ids['cash']}`]: [404, 'No such path.'],
        [`/explain/accounts/${ids['cash']}/total/more`]: [404, 'No such path.'],
        [`/explain/accounts/${ids['cash']}/%E0%A4%A`]: [404, 'No such path.'],
        [`/explain/accounts/${ids['cash']}/total?depth=0`]: [400, "Parameter 'depth' must be an integer from 1 to 9."],
        [`/explain/accounts/${ids['cash']}/total?depth=1&depth=2`]: [400, "Parameter 'depth' is given twice."],
        [`/explain/accounts/${ids['cash']}/total?deep=1`]: [400, "Parameter 'deep' is not allowed."],
      };
      for (const [path, [status, message]] of Object.entries(refusals))
        expect((await context.call('GET', path)).body, path).toMatchObject({ status, message });
      expect((await context.call('POST', `/explain/accounts/${ids['cash']}/total`, {})).status).toBe(405);
      expect((await context.call('OPTIONS', `/explain/accounts/${ids['cash']}/total`)).status).toBe(204);
    }, 60_000);

    test('refuses a record that there is not', async () => {
      const id = '01920000-0000-7000-8000-000000000000';
      expect(await folder.run(`explain account.total --record ${id}`)).toEqual({
        code: 1,
        stdout: '',
        stderr: `No Account has the id '${id}'.\n`,
      });
      expect((await folder.run('explain account.total --record x')).stderr).toBe(
        "--record must be the id of a record, not 'x'\n",
      );
    }, 60_000);
  },
  'books',
);

onEveryDatabase(
  'praxis explain --record of named formulas',
  (context) => {
    test('goes into them with what they are given, and into items', async () => {
      const folder = new Folder({ DATABASE_URL: context.databaseUrl }, folders.garage);
      const { id: customerId } = await context.make('customer', { name: 'Ada', discount: 0.5 });
      const { id: card } = await context.make('card', { customerId, price: 80, start: '2026-01-01' });
      await context.make('card', { customerId, price: 90, start: '2026-06-01' });
      const lines = [
        { part: 'Disc', count: 2 },
        { part: 'Pad', count: 4 },
      ];
      const job = { title: 'Brakes', customerId, day: '2026-03-01', hours: 3, lines };
      const { body } = await context.call('POST', '/jobs', job);
      const { id } = body as Json;
      const text = await folder.print(`explain job.lines.charge --record ${id} --depth 2`);
      expect(text.slice(text.indexOf('\n  lines[1].charge')).split('\n')).toEqual([
        '',
        '  lines[1].charge: 160 is stored, 160 by the formula',
        '    fee(count) = 160',
        '      count = 4',
        '      customer.priceOn(coalesce(day, today), hours) = 160',
        '        day = 2026-03-01',
        expect.stringMatching(/^ {8}today = \d{4}-\d\d-\d\d$/),
        '        cardOn(day).price = 80',
        `          cardOn(day) = ${card}`,
        `            cards.filter(c, c.start == null || c.start <= day) .last(c, c.start) = ${card}`,
        `              2026-01-01  card "80" ${card}`,
        '        discount = 0.5',
        '        currency = EUR',
        '',
      ]);
      expect(await folder.print(`explain customer.cardOn --record ${customerId}`)).toMatch(/\ncustomer "Ada" \S+\n$/);
      folder.remove();
    }, 60_000);
  },
  'garage',
);

describe('praxis explain', () => {
  const folder = new Folder({}, folders.books);
  const garage = new Folder({}, folders.garage);
  afterAll(() => {
    folder.remove();
    garage.remove();
  });

  test('tells the formula, both directions, and the writes that bring it up to date', async () => {
    const collection = "journals.lines.filter(l, l.accountId == id && l.record.statusId == 'posted')";
    expect((await folder.print('explain account.balance')).split('\n')).toEqual([
      'account.balance: Debits less credits of what is posted',
      '',
      'Type          number, at most 4 decimal places',
      'Request body  read-only',
      '',
      'Computed field, always up to date',
      `  ${collection}.sum(l, l.debit - l.credit)`,
      '    the sum of (l.debit − l.credit) of the journals.lines for which l.accountId is id and l.record.statusId is posted',
      '  depends on',
      '    journal: lines.accountId, statusId, lines.debit, lines.credit',
      `      by ${collection}`,
      '  updated by',
      '    create of account',
      '    create, update, delete of journal: when statusId, lines change',
      '',
      'Used by',
      '  account.total: computed field',
      '  account.stateId: computed state (overdrawn)',
      '',
    ]);
  });

  test('tells a field without formula who sets it and who looks at it', async () => {
    const text = await folder.print('explain closing.turnover');
    expect(text).toContain('Set by\n  period: effect (update: make closing)\n');
    expect(text).toContain('Not used by other fields or rules.');
    expect(await folder.print('explain journal.statusId')).toContain(
      '\n  journal.lines: condition on writes (require)\n',
    );
  });

  test('tells named formulas with those that call them', async () => {
    const text = await garage.print('explain customer.cardOn');
    expect(text).toContain('Named formula\n');
    expect(text).toContain('  customer.priceOn: named formula\n');
  });

  test.each([
    ['acount.balance', '"acount" is not a group; did you mean "account"?'],
    ['account.balanc', '"account" has no field or formula "balanc"; did you mean "balance"?'],
    ['journal.lines.debt', '"journal" has no field or formula "lines.debt"; did you mean "lines.debit"?'],
    ['acount', '"acount" is not a group; did you mean "account"?'],
    ['range', '"range" is not a group; it is a rule: praxis explain rule range'],
    ['onDelete', '"onDelete" is not a group; it is a keyword: praxis explain keyword onDelete'],
    ['rule rnge', '"rnge" is not a rule; did you mean "range"?; to list all: praxis explain rule'],
    ['function rond', '"rond" is not a function; did you mean "round"?; to list all: praxis explain function'],
    [
      'account balance',
      'praxis explain takes a group, a group.field, "rule <name>", "function <name>", "keyword <name>" or "plan <group> <write>", not \'account balance\'.',
    ],
    ['account.total --depth 0', "--depth must be a whole number from 1 to 9, not '0'."],
  ])('names the nearest right word for %s', async (line, message) => {
    expect(await folder.run(`explain ${line}`)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  });
});

describe('what there is to know', { timeout: 120_000 }, () => {
  const product = new Folder();
  afterAll(() => product.remove());
  const linesOf = async (what: string): Promise<string[]> => (await product.print(`explain ${what}`)).split('\n');

  test('a list: how many, who may send it, what is inside', async () => {
    const lines = await linesOf('invoice.lines');
    expect(lines.slice(0, 12)).toEqual([
      'invoice.lines: Lines',
      '',
      'Type          list of objects, at most 1,000',
      'Request body  optional',
      '- Read-only under a condition.',
      '',
      'Inside',
      '  id  UUID',
      '      Id of the line; send it to keep the line',
      '  lineNumber  integer, at least 1',
      '      Position in the list: 1, 2, 3 …',
      '  kindId  one of services expenses products other_items',
    ]);
    expect(lines).toContain('Used by');
  });

  test('a field inside a list; its filters, its name in bodies, what its formulas do not tell', async () => {
    expect(await linesOf('invoice.lines.rate')).toContain(
      'Type          number, at most 4 decimal places; amount in currency; can be null',
    );
    const filtered = await linesOf('project.name');
    expect(filtered).toContain('Request body  required on create');
    expect(filtered).toContain('Filters       name, nameContains, nameStartsWith, nameEndsWith: a string');
    expect(await linesOf('project.client')).toContain('Request body  required on create, as clientId');
    const currency = (await linesOf('client.currency')).join('\n');
    expect(currency).toContain('- Default: the value of workspace.currency.');
    // The figure is told at length.
    expect((await linesOf('invoice.amountDue')).join('\n')).not.toContain('- Computed');
  });

  test('a group: operations, fields, rules, neighbours', async () => {
    const text = await product.print('explain project-group');
    expect(text).toMatch(/^project-group: Project Group\. /);
    for (const part of [
      '\n  GET     /project-groups\n',
      '\n  name  string, at most 255 characters (required)\n',
      '\nUnique\n',
      '\nReferred to by\n  ',
    ])
      expect(text).toContain(part);
    const told = JSON.parse(await product.print('explain project --json'));
    expect(told).toMatchObject({ group: 'project', title: 'Project', feature: null });
    expect(told.fields.find(({ name }: { name: string }) => name === 'budget').fields[0].name).toMatch(/^budget\./);
    expect(told.rules).toContainEqual({
      text: 'Where both are set, end must be on or after start.',
      use: 'range',
    });
  });

  test('a rule: what it takes, an example, who uses it', async () => {
    const lines = await linesOf('rule range');
    expect(lines.slice(0, 7)).toEqual([
      'range, a rule',
      '',
      '  Where both are set, <to> must be on or after <from>.',
      '',
      'Takes',
      '  from  a field that is a date',
      '  to    a field that is a date',
    ]);
    expect(lines).toContain('  "rules": [{ "use": "range", "from": "start", "to": "end" }]');
    expect(lines).toContain('  project.start');
  });

  test('a function, and an operator of two meanings', async () => {
    expect(await linesOf('function round')).toContain('  round(2.345, 2) → 2.35');
    expect(await linesOf('function filter')).toContain('Example');
    const minus = await product.print('explain function -');
    expect(minus).toContain('a - b, an operator of formulas');
    expect(await linesOf('function today')).toEqual(
      expect.arrayContaining(['today, a name of formulas', '  dueOn < today → true']),
    );
  });

  test('rules and functions also where descriptors have faults', async () => {
    const broken = new Folder({ RESOURCES: '.' });
    writeFileSync(join(broken.path, 'thing.json'), '{ "title": "Thing", "type": "object" }');
    const { code, stdout, stderr } = await broken.run('explain function round');
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('a function of formulas')]);
    expect(stderr).toMatch(
      /^The descriptors have (?:a fault|\d+ faults), so uses are unknown; run "praxis check"\.\n$/,
    );
    expect((await broken.run('explain rule range')).code).toBe(0);
    broken.remove();
  });

  test('all rules, all functions', async () => {
    const rules = await linesOf('rule');
    expect(rules[0]).toMatch(/^\d+ rules of descriptors$/);
    expect(rules.some((line) => /^ {2}range +Where both are set, <to> must/.test(line))).toBe(true);
    expect(rules).toContain('  require         <field> must be <must>: <that>.');
    expect((await linesOf('function'))[0]).toMatch(/^\d+ functions, macros, operators and names of formulas$/);
    const all = JSON.parse(await product.print('explain function --json')) as { name: string; kind: string }[];
    expect(all.some(({ name, kind }) => name === 'sum' && kind === 'macro')).toBe(true);
  });
});

test('praxis explain plan tells a write: what it reads, computes and judges, and its locks', async () => {
  const folder = new Folder({}, folders.product);
  try {
    const plan = (await folder.print('explain plan time-entry create')).trimEnd();
    const plansIn = (file: string): string[] =>
      readFileSync(join(import.meta.dirname, '../races', file), 'utf8')
        .trimEnd()
        .split(/\n\n(?=(?:create|update|delete) of )/);
    expect(plansIn('lock-plans.txt').some((each) => plan.endsWith(each))).toBe(true);
    expect(plansIn('write-plans.txt').some((each) => plan.startsWith(`${each}\n\n`))).toBe(true);
    expect(plan).toContain('  project: shared, by project-member: projectId (require looks for project-member)');
    const ofNotes = await folder.print('explain plan time-entry update notes');
    expect(ofNotes).toContain('update of time-entry that sends notes: transaction');
    expect(ofNotes).not.toContain('minutesOfDay');
    const wrong = await folder.run('explain plan time-entry raise');
    expect(wrong.stderr).toContain('"time-entry" has no write "raise"; there is create, update, delete');
  } finally {
    folder.remove();
  }
}, 60_000);
