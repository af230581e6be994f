// What groups, fields and values were called before migrations: from where each stands today, back through what these have renamed
// or ended. What stood under a name before it was given away is nothing of today.
import type { Field, Registry, Resource } from '../registry/model/model.ts';
import { singular, snakeCase } from '../registry/model/naming.ts';
import type { Renaming } from '../storage/log/entry.ts';
import { isList, tableName } from '../storage/schema/tables.ts';

/** A field by what it was called at some time. */
export interface FormerField {
  readonly field: Field;
  /** What its values are called today, by what they were called then. */
  readonly values: ReadonlyMap<string, string>;
  /** The fields inside it. */
  readonly inside: FormerFields | undefined;
}

/** By the keys that fields had then. */
export type FormerFields = ReadonlyMap<string, FormerField>;

/** A table, or a column of one. */
interface Place {
  readonly table: string;
  readonly column?: string | undefined;
}

/** Where a place was before a step; undefined where it was not there yet, whatever stood under its name. */
function before(place: Place, step: Renaming): Place | undefined {
  const { table, column } = place;
  switch (step.do) {
    case 'renameTable':
      return table === step.to ? { ...place, table: step.table } : table === step.table ? undefined : place;
    case 'dropTable':
      return table === step.table ? undefined : place;
    case 'renameColumn':
      if (table !== step.table || column === undefined) return place;
      return column === step.to ? { table, column: step.column } : column === step.column ? undefined : place;
    case 'dropColumn':
      return table === step.table && column === step.column ? undefined : place;
    case 'addTable':
    case 'renameValues':
      return place;
  }
}

/** `due_on` → `dueOn` */
const keyIn = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** The names of one time. */
export class FormerNames {
  /** What has happened since, the last of it first. */
  readonly #steps: readonly Renaming[];
  readonly #byName: ReadonlyMap<string, Resource>;
  readonly #names: ReadonlyMap<Resource, string>;
  readonly #fields = new Map<Resource, FormerFields>();

  constructor({ resources }: Registry, since: readonly Renaming[]) {
    this.#steps = since.toReversed();
    const named = [...resources.values()].flatMap((resource): [string, Resource][] => {
      const was = this.#before({ table: tableName(resource.name) });
      return was === undefined ? [] : [[was.table.replaceAll('_', '-'), resource]];
    });
    this.#byName = new Map(named);
    this.#names = new Map(named.map(([name, resource]) => [resource, name]));
  }

  /** The group that had a name; undefined for one that is gone. */
  resource(name: string): Resource | undefined {
    return this.#byName.get(name);
  }

  /** What a group was called; undefined where it was not there yet. */
  nameOf(resource: Resource): string | undefined {
    return this.#names.get(resource);
  }

  fieldsOf(resource: Resource): FormerFields {
    const known = this.#fields.get(resource);
    if (known !== undefined) return known;
    const table = tableName(resource.name);
    const made = this.#inside(resource.fields, { table, was: this.#before({ table })?.table ?? table, prefix: '' });
    this.#fields.set(resource, made);
    return made;
  }

  #before(place: Place): Place | undefined {
    let now: Place | undefined = place;
    for (const step of this.#steps) now &&= before(now, step);
    return now;
  }

  #inside(fields: readonly Field[], holder: Holder): FormerFields {
    return new Map(fields.flatMap((field) => (field.stored ? this.#formerOf(field, holder) : [])));
  }

  #formerOf(field: Field, holder: Holder): [string, FormerField][] {
    const inItems: readonly Field[] | undefined = 'fields' in field ? field.fields : undefined;
    const isEmbedded = field.kind === 'objects' && field.isEmbedded;
    if (isList(field)) {
      const table = `${holder.table}_${snakeCase(field.name)}`;
      const was = this.#before({ table })?.table;
      if (was?.startsWith(`${holder.was}_`) !== true) return [];
      const name = keyIn(was.slice(holder.was.length + 1));
      const key = field.kind === 'references' ? `${singular(name)}Ids` : name;
      const inside = inItems && this.#inside(inItems, { table, was, prefix: '' });
      return [[key, { field, values: new Map(), inside }]];
    }
    if (field.kind === 'choice') return keptByKey(field);
    const was = this.#before({ table: holder.table, column: field.column });
    if (was?.column?.startsWith(holder.prefix) !== true) return [];
    const prefix = `${was.column}_`;
    const inside =
      inItems && (isEmbedded ? new Map(inItems.flatMap(keptByKey)) : this.#inside(inItems, { ...holder, prefix }));
    const values = this.#valuesOf({ table: holder.table, column: field.column });
    return [[keyIn(was.column.slice(holder.prefix.length)), { field, values, inside }]];
  }

  #valuesOf(place: Place): ReadonlyMap<string, string> {
    let values: ReadonlyMap<string, string> = new Map();
    let at: Place | undefined = place;
    for (const step of this.#steps) {
      if (at === undefined) break;
      if (step.do === 'renameValues' && step.table === at.table && step.column === at.column) {
        const since = values;
        const heirs = Object.entries(step.values).map(([now, was]): [string, string] => [was, since.get(now) ?? now]);
        values = new Map([...since, ...heirs]);
      }
      at = before(at, step);
    }
    return values;
  }
}

/** Of fields of one table. */
interface Holder {
  readonly table: string;
  /** What the table was called. */
  readonly was: string;
  /** Of the columns of an object's parts, as they were called. */
  readonly prefix: string;
}

/** No column or table goes by the name of such a field, so that migrations do not tell of it: its last name alone is known. */
function keptByKey(field: Field): [string, FormerField][] {
  const { key, renamedFrom, renamedValues } = field;
  const inItems: readonly Field[] | undefined = 'fields' in field ? field.fields : undefined;
  const values = new Map(Object.entries(renamedValues).map(([now, was]) => [was, now]));
  const inside = inItems && new Map(inItems.flatMap(keptByKey));
  const former: FormerField = { field, values, inside };
  return [...(renamedFrom === undefined ? [] : [[renamedFrom, former] as [string, FormerField]]), [key, former]];
}
