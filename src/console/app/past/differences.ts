// Entries of the log of changes as people read them: which fields, by their labels, were what and are what.
import type { ChangeShown, EntryShown } from '../../../past/entry-json.ts';
import {
  causeMessages,
  historyMessages,
  operationMessages,
  recordCauseMessages,
  undoneMessage,
} from '../messages/history.ts';
import { type FieldModel, type GroupModel, groups } from '../service/model.ts';
import { isUnset, labelOf } from '../values/format.ts';

/** One line of what has changed. */
export interface Difference {
  readonly label: string;
  readonly field: FieldModel;
  readonly from: unknown;
  readonly to: unknown;
  /** Instead of values: what the log says without them. */
  readonly note?: string;
  /** Of what items hold, the item; then the record. */
  readonly around: readonly unknown[];
}

/** Of what every write changes, nobody asks. */
const untold: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'id']);

/** What an entry changed, in the order of the record's fields. @param record As it is shown, for the currencies of amounts. */
export function differencesOf(group: GroupModel, { changes }: EntryShown, record?: unknown): readonly Difference[] {
  if (changes === undefined || changes === null) return [];
  const around = [record ?? recordIn(group, changes)];
  return group.fields.flatMap((field) => {
    const change = changes[field.key];
    return change === undefined || untold.has(field.name) ? [] : differences(field, change, around);
  });
}

/** What entries tell of a record, by the names that records have. */
function recordIn(
  group: GroupModel,
  changes: Readonly<Record<string, ChangeShown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    group.fields.map(({ key, name }) => [name, changes[key]?.to ?? changes[key]?.from] as const),
  );
}

function differences(field: FieldModel, change: ChangeShown, around: readonly unknown[]): readonly Difference[] {
  const { from, to, removed } = change;
  const label = labelOf(field);
  const line = { label, field, from, to, around };
  if (removed !== undefined) return [{ ...line, note: removedNote(removed) }];
  if (!('from' in change) && !('to' in change)) return [{ ...line, note: historyMessages.notLogged }];
  if (isUnset(from) && isUnset(to)) return [];
  if (field.kind === 'object') return partDifferences(field, change, around);
  return field.kind === 'objects' ? itemDifferences(field, change, around) : [line];
}

/** Of an object the fields that are others. */
function partDifferences(
  field: FieldModel,
  { from, to }: ChangeShown,
  around: readonly unknown[],
): readonly Difference[] {
  const [before, after] = [from ?? {}, to ?? {}] as [Item, Item];
  return (field.fields ?? []).flatMap((part) => {
    const [was, is] = [before[part.key], after[part.key]];
    if (JSON.stringify(was) === JSON.stringify(is) || (isUnset(was) && isUnset(is))) return [];
    const label = `${labelOf(field)}: ${labelOf(part).toLowerCase()}`;
    return [{ label, field: part, from: was, to: is, around: [after, ...around] }];
  });
}

const removedNote = (removed: NonNullable<ChangeShown['removed']>): string =>
  Array.isArray(removed) ? historyMessages.lostRecords(removed.length) : historyMessages.lostItems;

type Item = Readonly<Record<string, unknown>>;
const itemsIn = (value: unknown): readonly Item[] => (Array.isArray(value) ? (value as Item[]) : []);

/** Items are told apart by their ids, others by their places. */
function itemDifferences(
  field: FieldModel,
  { from, to }: ChangeShown,
  around: readonly unknown[],
): readonly Difference[] {
  const [before, after] = [itemsIn(from), itemsIn(to)];
  const keyOf = (item: Item, index: number): string => String(item['id'] ?? index);
  const known = new Map(before.map((item, index) => [keyOf(item, index), item]));
  const kept = new Set(after.map(keyOf));
  const whole = { field, around };
  const labelAt = (index: number): string => `${labelOf(field)}, ${index + 1}`;
  return [
    ...after.flatMap((item, index): readonly Difference[] => {
      const old = known.get(keyOf(item, index));
      if (old === undefined) return [{ ...whole, label: labelAt(index), from: undefined, to: [item] }];
      return (field.fields ?? []).flatMap((part) => {
        const [was, is] = [old[part.key], item[part.key]];
        if (part.name === 'id' || JSON.stringify(was) === JSON.stringify(is)) return [];
        const place = { field: part, from: was, to: is, around: [item, ...around] };
        return [{ ...place, label: `${labelAt(index)}: ${labelOf(part).toLowerCase()}` }];
      });
    }),
    ...before.flatMap((item, index) =>
      kept.has(keyOf(item, index)) ? [] : [{ ...whole, label: labelAt(index), from: [item], to: undefined }],
    ),
  ];
}

/** Who has written. */
export function writerOf({ by }: EntryShown): string {
  if (by === null || by === undefined) return historyMessages.service;
  return by.member?.name ?? by.member?.id ?? historyMessages.token(by.token.name);
}

/** What an entry did to its record, in a word. */
export const operationOf = ({ operation, cause }: EntryShown): string =>
  cause?.kind === 'undo' ? undoneMessage : (operationMessages[operation] ?? operation);

/** Why, where it was not the writer's own doing: words, and the record that they end with. */
export function reasonOf({ cause }: EntryShown): { readonly words: string; readonly of?: Linked } | undefined {
  if (cause === undefined) return undefined;
  const words = recordCauseMessages[cause.kind];
  const group = groups().named(cause.of?.group ?? '');
  if (words !== undefined && group !== undefined && cause.of !== undefined)
    return { words, of: { group, id: cause.of.id } };
  const alone = causeMessages[cause.kind];
  return alone === undefined ? undefined : { words: alone };
}

interface Linked {
  readonly group: GroupModel;
  readonly id: string;
}
