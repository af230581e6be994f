// All records of a group, one behind the other in an order: who looks at the one before is told of it without asking.
import type { RecordValue } from '../../formulas/language/value.ts';
import { isScalar } from '../../registry/model/kinds.ts';
import type { Resource, Values } from '../../registry/model/model.ts';
import type { RowReader } from '../../storage/rows/row-reader.ts';
import type { Session } from '../../storage/schema/session.ts';
import type { Line } from '../plan/figures.ts';
import type { Scope } from '../transaction/scope.ts';
import { placed } from './lines.ts';

/** So many are read in an order at once, which an index need not have: few times through all of them. */
const readAtOnce = 5000;

/** Records without their lists, which stand one behind the other. */
export interface Stretch {
  readonly records: readonly Readonly<Values>[];
  /** The one before them, which may be of another line. */
  readonly before: Readonly<Values> | undefined;
}

/** All records of a group in portions: along a line, or oldest first. */
export async function* stretchesOf(
  rows: RowReader,
  session: Session,
  { line, size }: { readonly line: Line | undefined; readonly size: number },
): AsyncGenerator<Stretch> {
  const by = line === undefined ? [] : line.order.keys.filter((key) => isColumn(rows.resource, key));
  const limit = line === undefined ? size : readAtOnce;
  for (let before: Readonly<Values> | undefined; ; ) {
    const page = await rows.page(session, {}, { by, after: before, limit });
    for (let start = 0; start < page.length; start += size) {
      const records = page.slice(start, start + size);
      yield { records, before };
      before = records.at(-1);
    }
    if (page.length < limit) return;
  }
}

/** Whether rows can be sorted by what is under a key. */
function isColumn({ byKey }: Resource, key: string): boolean {
  const field = byKey.get(key);
  return field?.stored === true && (isScalar(field) || field.kind === 'reference');
}

/** Has formulas of a transaction know who stands before each of these, and what is kept of that one. */
export async function knowBefore(scope: Scope, { order }: Line, { records, before }: Stretch): Promise<void> {
  const { resource } = scope.groups.get(order.group);
  if (!order.isEven || !order.keys.every((key) => isColumn(resource, key))) return;
  const all = before === undefined ? records : [before, ...records];
  const { lines } = scope.records.facts;
  let line: RecordValue[] = [];
  const note = (): void => lines.note(order, line, { isBegin: line[0]?.id !== before?.['id'] });
  for (const [place, record] of all.entries()) {
    // Nothing equals null alone: formulas are asked who stands before such a record.
    const isOpen = order.common.some((key) => (record[key] ?? null) === null);
    const isOther = order.common.some((key) => record[key] !== all[place - 1]?.[key]);
    if (isOpen || isOther) {
      note();
      line = [];
    }
    if (!isOpen) line.push(placed(record));
  }
  note();
  await scope.records.many(
    order.group,
    all.map(({ id }) => String(id)),
  );
}
