// Fills figures of records that are there: which fields, in which order, and how often records are gone through for it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { fieldsInside } from '../../src/endpoints/routes/expandable.ts';
import { backfillFigures } from '../../src/engine/backfill.ts';
import type { Field } from '../../src/registry/model/model.ts';
import { type Groups, Project } from '../support/commands/project.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import type { Call, Json } from '../support/service/client.ts';

const name = { type: 'string', maxLength: 40 };
const whole = { type: 'integer', minimum: -1_000_000, default: 0 };
const day = { type: 'string', format: 'date' };

// By name each group comes before those that it looks at.
const shop: Groups = {
  client: {
    properties: {
      name,
      // By a short way, and by a long one.
      owes: {
        ...whole,
        formula:
          'pieces.filter(p, p.buyerId == id).sum(p, p.cents) * 100 + jobs.filter(o, o.clientId == id).sum(o, o.due)',
      },
      open: { ...whole, formula: "jobs.filter(o, o.clientId == id && o.stateId == 'open').count()" },
      due: { ...whole, formula: "parcels.filter(p, p.clientId == id && p.stateId == 'open').count()" },
    },
  },
  job: {
    properties: {
      name,
      client: { reference: 'client', filter: 'exact' },
      paid: whole,
      due: { ...whole, formula: 'total - paid' },
      total: { ...whole, formula: 'pieces.filter(p, p.jobId == id).sum(p, p.price)' },
      first: { ...whole, formula: 'total', compute: 'onCreate' },
      stateId: {
        ...{ type: 'string', enum: ['open', 'paid'], default: 'open', filter: 'exact' },
        becomes: [{ to: 'paid', when: 'due <= 0' }],
      },
    },
  },
  parcel: {
    properties: {
      name,
      client: { reference: 'client', filter: 'exact' },
      stateId: {
        ...{ type: 'string', enum: ['open', 'sent'], default: 'open', filter: 'exact' },
        becomes: [{ to: 'sent', when: "name == 'sent'" }],
      },
    },
  },
  piece: {
    properties: {
      name,
      job: { reference: 'job', filter: 'exact' },
      buyer: { reference: 'client', nullable: true, filter: 'exact', onDelete: 'clear' },
      price: { ...whole, formula: 'cents * 100' },
      cents: { ...whole, formula: 'count + count' },
      count: whole,
    },
  },
};

/** A figure of items, and one of another record that adds it up. */
const carts: Groups = {
  buyer: {
    properties: {
      name,
      owes: { ...whole, formula: 'carts.filter(c, c.buyerId == id).sum(c, c.lines.sum(l, l.cents))' },
    },
  },
  cart: {
    properties: {
      name,
      buyer: { reference: 'buyer', filter: 'exact' },
      lines: {
        type: 'array',
        maxItems: 9,
        items: { type: 'object', properties: { count: whole, cents: { ...whole, formula: 'count * 100' } } },
      },
    },
  },
};

const tree: Groups = {
  part: {
    properties: {
      name,
      parent: { reference: 'part', nullable: true, onDelete: 'clear' },
      weight: { ...whole, formula: '1 + parts.filter(p, p.parentId == id).sum(p, p.weight)' },
    },
    resource: { rules: [{ use: 'noCircle', field: 'parent' }] },
  },
};

const account: Groups = {
  account: { properties: { name } },
  move: {
    properties: {
      name,
      account: { reference: 'account', onDelete: 'cascade' },
      on: { ...day, type: 'string' },
      amount: whole,
      balance: {
        ...whole,
        formula: 'coalesce(moves.filter(m, m.accountId == accountId).previous(m, [m.on, m.id]).balance, 0) + amount',
      },
    },
  },
};

const bills: Groups = {
  bill: {
    properties: {
      name,
      due: day,
      isLate: { type: 'boolean', formula: 'due < today' },
      seen: { ...day, formula: 'today', compute: 'onWrite' },
      small: { type: 'integer', minimum: 0, maximum: 9, formula: 'size', compute: 'onWrite' },
      size: whole,
    },
  },
};

const post = async (call: Call, path: string, body: Json): Promise<string> => {
  const made = await call('POST', path, body);
  expect(made.status, made.text).toBe(200);
  return String((made.body as Json)['id']);
};

describe('figures are filled', { timeout: 60_000 }, () => {
  let project: Project;
  let workspace: Workspace | undefined;
  beforeEach(async () => {
    project = await Project.open('SQLite');
  });
  afterEach(async () => {
    await workspace?.close();
    workspace = undefined;
    await project.close();
  });

  /** The workspace of these groups, with the records that a service has made. */
  const opened = async (groups: Groups, fill: (call: Call) => Promise<unknown>): Promise<Workspace> => {
    project.describe(groups);
    await project.serve(fill);
    workspace = await openQuietly({ databaseUrl: project.url, resources: project.env['RESOURCES'] ?? '' });
    return workspace;
  };
  /** Transactions of the last backfill. */
  let transactions = 0;
  /** @param names `group.field`, or `group.list.field` @returns the number of chunks of records that were read */
  const filled = async ({ groups, unit, registry }: Workspace, ...names: readonly string[]): Promise<number> => {
    const fields = new Set<Field>();
    for (const [group = '', key = '', inner] of names.map((each) => each.split('.'))) {
      const outer = registry.resources.get(group)?.byKey.get(key);
      const field = inner === undefined ? outer : outer && fieldsInside(outer).find((each) => each.key === inner);
      if (field === undefined) throw new Error(`there is no ${group}.${key}`);
      fields.add(field);
    }
    let chunks = 0;
    transactions = 0;
    await backfillFigures({
      ...{ groups, unit, fields },
      portion: async () => {
        transactions += 1;
      },
      onProgress: () => {
        chunks += 1;
      },
    });
    return chunks;
  };
  const rows = ({ database }: Workspace, sql: string) => database.all(sql, []);

  /** Two clients with a job each, of one piece and of many. */
  const fillShop = async (call: Call, many = 1): Promise<void> => {
    const [ada, bob] = [await post(call, '/clients', { name: 'Ada' }), await post(call, '/clients', { name: 'Bob' })];
    const [first, second] = [
      await post(call, '/jobs', { name: 'One', clientId: ada, paid: 600 }),
      await post(call, '/jobs', { name: 'Many', clientId: bob }),
    ];
    await post(call, '/pieces', { name: 'Piece', jobId: first, count: 3 });
    await post(call, '/parcels', { name: 'Parcel', clientId: ada });
    const operations = Array.from({ length: many }, () => ({
      ...{ method: 'POST', path: '/pieces', body: { name: 'Piece', jobId: second, count: 1 } },
    }));
    expect((await call('POST', '/batch', { operations })).status).toBe(200);
  };
  const spoil = ({ database }: Workspace): Promise<void> =>
    database.script([
      'update client set owes = 7, open = 7, due = 7',
      "update job set due = 7, total = 7, first = 7, state_id = 'open'",
      'update piece set price = 7, cents = 7',
    ]);

  test('with all that looks at them and is always true, each behind what it looks at, in one pass', async () => {
    const made = await opened(shop, (call) => fillShop(call, 200));
    await spoil(made);
    // Two chunks of pieces, one of jobs, and one of clients.
    expect(await filled(made, 'piece.cents')).toBe(4);
    // What nothing that is filled leads to stays as it is, and so does what is taken once.
    expect(await rows(made, 'select name, owes, open, due from client order by name')).toEqual([
      ['Ada', 0, 0, 7],
      ['Bob', 40_000, 1, 7],
    ]);
    expect(await rows(made, 'select name, total, due, first, state_id from job order by name')).toEqual([
      ['Many', 40_000, 40_000, 7, 'open'],
      ['One', 600, 0, 7, 'paid'],
    ]);
  });

  test('behind those of items in other records', async () => {
    const made = await opened(carts, async (call) => {
      const buyerId = await post(call, '/buyers', { name: 'Ada' });
      await post(call, '/carts', { name: 'Cart', buyerId, lines: [{ count: 2 }, { count: 3 }] });
    });
    await made.database.script(['update buyer set owes = 7', 'update cart_lines set cents = 7']);
    await filled(made, 'buyer.owes', 'cart.lines.cents');
    expect(await rows(made, 'select owes from buyer')).toEqual([[500]]);
  });

  test('with those that look at a state which follows, where that is filled', async () => {
    const made = await opened(shop, (call) => fillShop(call));
    await spoil(made);
    // Orders, and their clients for what they owe and how many are open.
    expect(await filled(made, 'job.due')).toBe(2);
    expect(await rows(made, 'select name, due, total, state_id from job order by name')).toEqual([
      ['Many', 7, 7, 'open'],
      ['One', -593, 7, 'paid'],
    ]);
    expect(await rows(made, 'select name, owes, open, due from client order by name')).toEqual([
      ['Ada', -593, 0, 7],
      ['Bob', 7, 1, 7],
    ]);
  });

  test('that are taken once, where they are asked for; none where none is', async () => {
    const made = await opened(shop, (call) => fillShop(call));
    await spoil(made);
    expect(await filled(made)).toBe(0);
    expect(await filled(made, 'piece.count')).toBe(0);
    expect(await filled(made, 'job.first')).toBe(1);
    expect(transactions).toBe(0);
    expect(await rows(made, 'select name, total, first from job order by name')).toEqual([
      ['Many', 7, 7],
      ['One', 7, 7],
    ]);
    await made.database.script(['update job set total = 9']);
    expect(await filled(made, 'job.first')).toBe(1);
    expect(transactions).toBe(1);
    expect(await rows(made, 'select distinct total, first from job')).toEqual([[9, 9]]);
  });

  test('again and again where they look at themselves in other records, until nothing changes', async () => {
    const made = await opened(tree, async (call) => {
      let parentId: string | null = null;
      for (const each of ['root', 'branch', 'twig', 'leaf'])
        parentId = await post(call, '/parts', { name: each, parentId });
    });
    await made.database.script(['update part set weight = 0']);
    // As often as the tree is deep, and once more to see that nothing changes.
    expect(await filled(made, 'part.weight')).toBe(5);
    expect(await rows(made, 'select name, weight from part order by weight')).toEqual([
      ['leaf', 1],
      ['twig', 2],
      ['branch', 3],
      ['root', 4],
    ]);
    expect(await filled(made, 'part.weight')).toBe(1);
  });

  test('one behind the other in their order, whatever the order of their making', async () => {
    const made = await opened(account, async (call) => {
      const ids = [await post(call, '/accounts', { name: 'Bank' }), await post(call, '/accounts', { name: 'Till' })];
      for (let place = 0; place < 40; place += 1)
        await post(call, '/moves', {
          ...{ name: `${place}`, accountId: ids[place % 2], on: `2026-03-${10 + ((place * 7) % 13)}`, amount: place },
        });
    });
    const right = await rows(made, 'select name, balance from move order by name');
    await made.database.script(['update move set balance = 0']);
    // All of them at once, account by account, and once more to see that nothing changes.
    expect(await filled(made, 'move.balance')).toBe(2);
    expect(await rows(made, 'select name, balance from move order by name')).toEqual(right);
  });

  test('as of the day that was reached, where they are always true', async () => {
    const made = await opened(bills, (call) => post(call, '/bills', { name: 'Rent', due: '2020-01-02' }));
    await made.database.script([
      "update praxis_day set value = '2020-01-01' where name = 'day'",
      "update bill set is_late = 1, seen = '2020-01-01'",
    ]);
    await filled(made, 'bill.isLate', 'bill.seen');
    const [[isLate, seen] = []] = await rows(made, 'select is_late, seen from bill');
    expect(isLate).toBe(0);
    expect(String(seen) > '2026').toBe(true);
  });

  test('as far as their fields can hold them: else the first five records are told, and none is changed', async () => {
    const made = await opened(bills, async (call) => {
      for (let n = 0; n < 8; n++) await post(call, '/bills', { name: `Bill ${n}`, due: '2020-01-02', size: 1 });
    });
    await made.database.script(["update bill set size = case when name = 'Bill 3' then 2 else 77 end"]);
    const wrong = await rows(made, "select id from bill where name <> 'Bill 3' order by name limit 5");
    const lines = wrong.map(([id]) => `  bill ${id}: 'small' must be from 0 to 9`);
    await expect(filled(made, 'bill.small')).rejects.toThrow(
      `Figures cannot be computed, for their fields cannot hold them:\n${lines.join('\n')}\nPut that right, and run it again.`,
    );
    expect(await rows(made, 'select distinct small from bill')).toEqual([[1]]);
    await made.database.script(["update bill set size = 9 where name <> 'Bill 3'"]);
    expect(await filled(made, 'bill.small')).toBe(1);
    expect(await rows(made, 'select small, count(*) from bill group by small order by small')).toEqual([
      [2, 1],
      [9, 7],
    ]);
  });
});
