// Records one behind the other: who stands behind one that has changed, in portions, and in which order they are computed.
import { ReadFacts } from '../../facts/read-facts.ts';
import { evaluateFirst } from '../../formulas/evaluate/evaluate.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Order } from '../../formulas/language/tree.ts';
import { isRecord, notKnown, type RecordValue } from '../../formulas/language/value.ts';
import type { Values } from '../../registry/model/model.ts';
import { timeOfId } from '../../values/id.ts';
import { type Soon, soon } from '../../values/soon.ts';
import type { Change } from '../changes/change.ts';
import type { Scope } from '../transaction/scope.ts';
import type { RecordVersions } from './moves.ts';

interface Asking extends Pick<RecordVersions, 'before' | 'after'> {
  readonly change: Change;
  /** So many of those behind it are looked for, and noted. */
  readonly most: number;
}

/** The id of the record behind one that has changed: where it was, and where it will be. */
export function behindIn(
  scope: Scope,
  order: Order,
  { change, before, after, most }: Asking,
): readonly Soon<readonly string[]>[] {
  const isMoved = change.kind !== 'update' || change.keys.some((key) => order.keys.includes(key));
  const there = after === undefined ? [] : [behind(scope, order, { record: after, most, isThere: true })];
  return before === undefined || !isMoved
    ? there
    : [...there, behind(scope, order, { record: before, most, isThere: false })];
}

interface Standing {
  readonly record: Readonly<Values>;
  readonly most: number;
  /** Whether the record stands there by now. */
  readonly isThere: boolean;
}

function behind(scope: Scope, order: Order, { record, most, isThere }: Standing): Soon<readonly string[]> {
  const { lines } = scope.records.facts;
  const known = isThere ? lines.behind(order, String(record['id'])) : undefined;
  if (known !== undefined) return known === null ? [] : [known];
  const self = placed(record);
  return soon(readBehind(scope, order, { self, most }), (found) => {
    lines.note(order, isThere ? [self, ...found] : found, found.length < most);
    return found.slice(0, 1).flatMap(({ id }) => id ?? []);
  });
}

/** A record, as it was or as it will be, with the time of its making. */
export const placed = (record: Readonly<Values>): RecordValue =>
  recordValue({ ...record, createdAt: record['createdAt'] ?? timeOfId(String(record['id'])) ?? null });

async function readBehind(
  scope: Scope,
  { behind }: Order,
  { self, most }: { readonly self: RecordValue; readonly most: number },
): Promise<readonly RecordValue[]> {
  const facts = new ReadFacts({ records: scope.records });
  const found = await facts.known(() => {
    const parts = behind.map((tree) => evaluateFirst(tree, self, { facts, most }));
    return parts.includes(notKnown) ? notKnown : parts;
  });
  return found
    .flatMap((part) => (part === notKnown ? [] : part))
    .filter(isRecord)
    .slice(0, most);
}

/** Those of these records whose place is known, and all that are known to stand behind them, in their order. */
export function inLine(scope: Scope, order: Order, ids: Iterable<string>): readonly string[] {
  const { lines } = scope.records.facts;
  const among = new Set<string>();
  for (const id of ids) if (lines.has(order, id)) addFrom(id, among);
  const followers = new Set([...among].map((id) => lines.behind(order, id)));
  const sorted = new Set<string>();
  for (const id of among) if (!followers.has(id)) addFrom(id, sorted);
  return [...sorted];

  function addFrom(first: string, to: Set<string>): void {
    for (let id: string | null | undefined = first; typeof id === 'string' && !to.has(id); id = lines.behind(order, id))
      to.add(id);
  }
}
