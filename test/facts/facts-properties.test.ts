// Whatever is asked of other records, what is read of a database gives what all of them in memory give: also where one of
// them is being written, or goes. PRAXIS_FACTS=2000 tries more formulas, PRAXIS_SEED=… others.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/app/workspace.ts';
import { Groups } from '../../src/engine/plan/groups.ts';
import type { TransactionRecords } from '../../src/engine/transaction/records.ts';
import { Scope } from '../../src/engine/transaction/scope.ts';
import { effectsOf } from '../../src/engine/write/write.ts';
import { ReadFacts } from '../../src/facts/read-facts.ts';
import { compileFormula } from '../../src/formulas/compile/compile.ts';
import { recordValue } from '../../src/formulas/evaluate/facts.ts';
import { isList, isRecord, type Known } from '../../src/formulas/language/value.ts';
import { Shapes } from '../../src/registry/formulas/shapes.ts';
import type { Values } from '../../src/registry/model/model.ts';
import type { RawDescriptor } from '../../src/registry/model/vocabulary.ts';
import { readSources } from '../../src/registry/read/source.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { answer, type Rows } from '../formulas/support/memory.ts';
import { openQuietly } from '../support/databases/workspace.ts';
import { folders, grounds, type Json } from '../support/service/praxis.ts';

const runs = Number(process.env['PRAXIS_FACTS'] ?? 300);
const seed = Number(process.env['PRAXIS_SEED'] ?? 7);

const { sources } = readSources(folders.figures);
const scope = new Shapes(new Map(sources.map(({ name, data }) => [name, data as RawDescriptor]))).scope('order');

/** What may be asked of an order `o`; the formula stands on an order. */
const conditions = fc.constantFrom(
  'o.date >= startOfWeek(date)',
  'date + 2 > o.date',
  'o.date != date',
  "o.date > '2030-01-01'",
  'o.weight < weight',
  'o.weight >= 3',
  'o.weight != 2',
  'weight == o.weight',
  'o.weight == null || o.weight > weight',
  'o.weight <= 4 || null == o.weight',
  'o.weight != null',
  'o.isRush',
  '!o.isRush',
  'o.isRush == isRush',
  "o.statusId != 'open'",
  'o.statusId == statusId',
  'o.followsId == null',
  'o.followsId != id',
  'o.id != id',
  'o.follows.weight > 2',
  'o.lines.exists(l, l.quantity > 3)',
  'o.lines.size() > 1',
  'o.weight > follows.weight',
  'o.lines.size() >= follows.weight',
  'o.customer.favouriteIds.count() > 0',
);
const narrowings = fc.constantFrom(
  'o.customerId == customerId',
  'o.followsId == followsId',
  'o.id == followsId',
  'follows.id == o.followsId',
  'o.customerId == follows.customerId',
);
const gives = fc.constantFrom(
  'map(o, o.id)',
  'first().date',
  'last(o, o.weight).id',
  'sum(o, o.lines.size())',
  'count()',
  'count(o, o.weight > 1)',
  'sum(o, o.weight * 2 - 1)',
  'sum(o, o.weight / 4)',
  'min(o, o.date)',
  'max(o, o.weight)',
  'max(o, round(o.weight / 2, 0))',
  'first(o, o.date).id',
  'first(o, o.weight).id',
  'last(o, o.statusId).id',
  'last().id',
  'exists(o, o.weight == null)',
  'all(o, o.weight >= 1)',
  'count() > 1',
  'count() <= weight',
  'filter(o, !o.isRush).sum(o, o.weight)',
);
const all = (parts: readonly string[]): string => parts.map((part) => `(${part})`).join(' && ');

const ofOrders = fc
  .tuple(fc.array(conditions, { maxLength: 3 }), narrowings, fc.array(conditions, { maxLength: 2 }), gives)
  .map(([before, narrowing, after, give]) => `orders.filter(o, ${all([...before, narrowing, ...after])}).${give}`);
const ofMany = fc
  .tuple(fc.array(conditions, { maxLength: 2 }), narrowings, fc.constantFrom('partId', 'forId'))
  .map(
    ([some, narrowing, key]) =>
      `lines.map(l, orders.filter(o, ${all([narrowing, ...some])} && o.lines.exists(m, m.${key} == l.${key})).count())`,
  );
const places = 'map(l, l.index * 100 + l.record.lines.size() + l.picks.size() * 10)';
const items = fc.constantFrom(
  `orders.lines.filter(l, l.record.customerId == customerId && l.quantity > 1).${places}`,
  `orders.lines.filter(l, l.record.id == followsId).${places}`,
  `lines.map(m, all.orders.lines.filter(l, l.partId == m.partId && l.record.customerId == customerId).${places}.sum())`,
  `lines.map(m, all.orders.lines.filter(l, l.partId == m.partId && l.forId == m.forId).${places}.sum())`,
  'lines.map(m, all.orders.lines.filter(l, l.partId == m.partId).map(l, l.record.id).distinct())',
  'orders.lines.picks.filter(p, p.id == id).map(p, p.quantity * 10 + p.index + p.record.index * 1000)',
  'orders.lines.picks.filter(p, p.record.partId == lines.first().partId && p.quantity > 1).map(p, p.record.record.id)',
  'orders.lines.picks.filter(p, p.record.record.followsId == followsId).map(p, p.order.weight)',
  'orders.lines.picks.filter(p, p.id == followsId).map(p, p.part.price + p.index)',
  'customers.filter(c, lines.first().partId in c.favouriteIds).map(c, c.rates.first().steps.size())',
  'lines.map(m, customers.filter(c, m.partId in c.favouriteIds && c.id != customerId).map(c, c.id))',
  'payments.orders.filter(p, p.id == id).sum(p, p.amount * (p.index + 1))',
  'payments.orders.filter(p, p.id.customerId == customerId && p.id == id).map(p, p.record.id)',
  'follows.lines.map(l, l.picks.map(p, p.index + l.index * 10).sum())',
  'follows.follows.lines.filter(l, l.forId != null).map(l, l.for.favourites.map(f, f.name).first())',
  'payments.exists(p, true) && orders.lines.picks.exists(p, true)',
  'customer.favourites.sorted(f, f.name).map(f, f.price)',
);

/** What is read through a null reference is told, though the database could leave out all that would tell it. */
const telling = fc.constantFrom(
  "orders.filter(o, o.customerId == customerId && o.lines.size() >= follows.weight && o.date > '2030-01-01').count()",
  "orders.filter(o, o.customerId == customerId && o.weight >= follows.weight && o.date > '2030-01-01').count()",
);

/** A few dozen records that refer to each other as chance has it. */
async function fill(workspace: Workspace): Promise<void> {
  const random = fc.sample(fc.integer({ min: 0, max: 1_000_000 }), { seed, numRuns: 5000 });
  let at = 0;
  const upTo = (most: number): number => {
    at += 1;
    return (random[at % random.length] ?? 0) % (most + 1);
  };
  const one = <T>(from: readonly T[]): T => from[upTo(from.length - 1)] as T;
  const some = <T>(most: number, make: (n: number) => T): T[] => Array.from({ length: upTo(most) }, (_v, n) => make(n));
  await workspace.engine.together(async (batch) => {
    const make = async (group: string, values: Json): Promise<string> =>
      String((await batch.create(group, { values: values as Values }))['id']);
    const parts: string[] = [];
    for (let n = 0; n < 5; n += 1) parts.push(await make('part', { name: `P${n}`, price: n === 0 ? null : String(n) }));
    const customers: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const steps = some(2, (from) => ({ from, rate: '1' }));
      const rates = some(3, () => ({ partId: one(parts), rate: '2', steps }));
      customers.push(
        await make('customer', { name: `C${n}`, favouriteIds: [...new Set(some(3, () => one(parts)))], rates }),
      );
    }
    const orders: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const pick = () =>
        upTo(1) === 0 || orders.length === 0
          ? { kindId: 'part', id: one(parts), quantity: upTo(3) }
          : { kindId: 'order', id: one(orders), quantity: upTo(3) };
      const lines = some(3, () => ({
        ...{ partId: one(parts), quantity: upTo(5), forId: one([null, ...customers]) },
        picks: some(2, pick),
      }));
      const order = {
        ...{ customerId: one(customers), date: `2026-03-0${1 + upTo(8)}`, weight: one([null, 0, 1, 2, 3, 4, 5]) },
        ...{
          isRush: upTo(1) === 1,
          statusId: one(['open', 'issued', 'paid']),
          followsId: upTo(2) === 0 ? null : one([null, ...orders]),
          lines,
        },
      };
      orders.push(await make('order', order));
    }
    for (let n = 0; n < 10; n += 1) {
      const paid = some(3, () => ({ id: one(orders), amount: String(upTo(9)) }));
      await make('payment', { customerId: one(customers), orders: paid });
    }
  });
}

const groupNames = ['part', 'customer', 'order', 'payment'] as const;

/** All records with their lists, oldest first. */
async function allOf(records: TransactionRecords): Promise<Record<string, Values[]>> {
  const rows: Record<string, Values[]> = {};
  for (const group of groupNames) {
    const found: Values[] = [];
    for (const { id } of await records.list(group, {})) found.push((await records.whole(group, String(id))) ?? {});
    rows[group] = found;
  }
  return rows;
}

function plain(value: Known): unknown {
  if (isList(value)) return value.map(plain);
  return isRecord(value) ? value.id : value;
}

describe.each(grounds.filter(({ open }) => open !== undefined))('on $name', ({ open }) => {
  test(`facts are those of all records, seed ${seed}`, { timeout: 60_000 + runs * 100 }, async () => {
    const ground = await open?.();
    if (ground === undefined) throw new Error('there is no database');
    const workspace = await openQuietly({
      databaseUrl: ground.url,
      resources: folders.figures,
      setup: { workspaceName: 'Yard', workspaceCurrency: 'EUR', adminName: undefined, adminEmail: undefined },
    });
    try {
      await fill(workspace);
      const { registry, database } = workspace;
      const groups = new Groups(registry, rules, database.dialect);
      let found = 0;
      await database.transact(async (session) => {
        const fresh = (): TransactionRecords => new Scope({ groups, session, actingMember: null, effectsOf }).records;
        const rows = await allOf(fresh());
        const orders = rows['order'] ?? [];
        const resource = fresh().resource('order');
        const which = fc.nat({ max: orders.length - 1 });
        const operation = fc.constantFrom('none', 'update', 'delete');
        const changed = fc.record({
          like: which,
          keys: fc.subarray(['customerId', 'lines', 'weight', 'isRush', 'followsId']),
        });
        const formula = fc.oneof(
          { arbitrary: telling, weight: 1 },
          ...[ofOrders, ofMany, items].map((arbitrary) => ({ arbitrary, weight: 4 })),
        );
        const law = fc.asyncProperty(
          formula,
          which,
          operation,
          changed,
          async (source, place, kind, { like, keys }) => {
            const stored = orders[place] ?? {};
            const other = orders[like] ?? {};
            const values =
              kind === 'update' ? { ...stored, ...Object.fromEntries(keys.map((key) => [key, other[key]])) } : stored;
            const there: Rows = {
              ...rows,
              order: orders.flatMap((order) => (order !== stored ? [order] : kind === 'delete' ? [] : [values])),
            };
            const tree = compileFormula(source, scope);
            const expected = answer(tree, recordValue(values), { rows: there });
            const today = async (): Promise<string> => '2026-03-04';
            const about = { today, actingMember: null, before: stored, values, resource };
            const write = kind === 'none' ? {} : { write: { ...about, operation: kind } as const };
            const facts = new ReadFacts({ records: fresh(), ...write });
            const { value, throughNull } = await facts.evaluate(tree, recordValue(values));
            expect({ value: plain(value), throughNull }).toEqual({
              value: expected.value,
              throughNull: expected.throughNull,
            });
            if (value !== null && value !== '0' && (!isList(value) || value.length > 0)) found += 1;
          },
        );
        await fc.assert(law, { seed, numRuns: runs });
      });
      // Else it would say nothing about them.
      expect(found).toBeGreaterThan(runs / 4);
    } finally {
      await workspace.close();
      await ground.close();
    }
  });
});
