// Finds references to records that do not exist. Asked only when something else is wrong or a foreign key has failed, because the
// database checks them anyway.
import { type FieldFault, fieldFault } from '../../problems/field-fault.ts';
import type { Field, Value, Values } from '../../registry/model/model.ts';
import { mostFaults } from '../../request/faults.ts';

/** An id without a record: where it stands in the body, and the title of the group it should be in. */
export interface ReferenceFault {
  readonly place: string;
  readonly title: string;
}

/** An id in a record, and where it stands. */
export interface Named {
  readonly place: string;
  readonly target: string;
  readonly id: string;
  /** The record, the item or the list that holds it, and by what. */
  readonly holder: Readonly<Values> | readonly Value[];
  readonly key: string | number;
}

interface Search {
  /** Which of these records of a group there are. */
  readonly existing: (group: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly titleOf: (group: string) => string;
  /** The fields that may name what is not there. */
  readonly fields: readonly Field[];
  readonly values: Readonly<Values>;
  /** Whether something else is wrong with a place already: what is to be mended anyway is not looked up. */
  readonly isRefused?: (place: string) => boolean;
}

/** Returns the fault of the body that refers to nothing. */
export const unknownReference = ({ place, title }: ReferenceFault): FieldFault =>
  fieldFault(place, `does not refer to an existing ${title}`, 'reference-unknown');

/** So many ids are looked up at a time: when the first of them show enough faults, the others need no look. */
const lookedUp = 1000;

/** Looks up the ids that fields of a record name. @returns the first faults in the order of the record, as many as are shown. */
export async function referenceFaults(search: Search): Promise<ReferenceFault[]> {
  const { titleOf, isRefused, fields, values } = search;
  const found: ReferenceFault[] = [];
  let part: Named[] = [];
  const lookUp = async (): Promise<void> => {
    const missing = await missingOf(search, part);
    for (const named of missing) found.push({ place: named.place, title: titleOf(named.target) });
    part = [];
  };
  for (const named of namesIn(fields, values)) {
    if (isRefused?.(named.place) === true) continue;
    part.push(named);
    if (part.length === lookedUp) await lookUp();
    if (found.length >= mostFaults) break;
  }
  await lookUp();
  return found.slice(0, mostFaults);
}

/** Those of the named ids that no record has. */
async function missingOf(search: Search, part: readonly Named[]): Promise<Named[]> {
  const targets = Map.groupBy(part, ({ target }) => target);
  const existing = new Map<string, ReadonlySet<string>>();
  for (const [target, named] of targets) {
    const ids = [...new Set(named.map(({ id }) => id))];
    existing.set(target, await search.existing(target, ids));
  }
  return part.filter(({ target, id }) => existing.get(target)?.has(id) !== true);
}

/** Lets what names a record name another one. */
export function rename({ holder, key }: Named, id: string): void {
  (holder as Record<string | number, Value>)[key] = id;
}

/** All records that a record names, with their groups, in the order of its fields. */
export function* namesIn(fields: readonly Field[], values: Readonly<Values>): Generator<Named> {
  for (const field of fields) yield* namedBy(field, values, field.key);
}

/** The ids that a field of a record, or of an item, names. What is ill-formed has been left out of what is judged. */
function* namedBy(field: Field, values: Readonly<Values>, place: string): Generator<Named> {
  const value = values[field.key];
  const { key } = field;
  if (field.kind === 'reference' && typeof value === 'string')
    yield { place, target: field.target, id: value, holder: values, key };
  if (field.kind === 'choice') {
    const branch = field.branches.find((each) => each.value === values[field.by]);
    if (branch && typeof value === 'string')
      yield { place, target: branch.reference.target, id: value, holder: values, key };
  }
  if (!Array.isArray(value) || (field.kind !== 'references' && field.kind !== 'objects')) return;
  for (const [index, item] of (value as Value[]).entries()) {
    const here = `${place}[${index}]`;
    if (field.kind === 'objects')
      for (const inside of field.fields) yield* namedBy(inside, (item as Values | null) ?? {}, `${here}.${inside.key}`);
    else if (typeof item === 'string')
      yield { place: here, target: field.target, id: item, holder: value as Value[], key: index };
  }
}
