// Names of today: entries of the log name groups, fields and values as they were called at the time of writing; whoever reads them
// later learns them by the names that descriptors have now, through any number of migrations.
import type { Registry, Resource, Value } from '../registry/model/model.ts';
import type { EntryData, FieldChange, KeptEntry, KeptRenaming } from '../storage/log/entry.ts';
import { isObject } from '../values/json.ts';
import { type FormerField, type FormerFields, FormerNames } from './former-names.ts';

export class NamesOfToday {
  readonly registry: Registry;
  readonly #renamings: readonly KeptRenaming[];
  /** By how many of the renamings had happened. */
  readonly #times = new Map<number, FormerNames>();
  readonly #byPath: ReadonlyMap<string, Resource>;

  /** @param renamings Oldest first. */
  constructor(registry: Registry, renamings: readonly KeptRenaming[]) {
    this.registry = registry;
    this.#renamings = renamings;
    this.#byPath = new Map([...registry.resources.values()].map((resource) => [resource.path.slice(1), resource]));
  }

  /** The entry of the last renaming that is known; 0 where none is. */
  get lastRenaming(): number {
    return this.#renamings.at(-1)?.id ?? 0;
  }

  /** The group with a path, without its slash. */
  resourceAt(path: string): Resource | undefined {
    return this.#byPath.get(path);
  }

  /** Under which names entries of a group may stand. */
  namesOf(resource: Resource): readonly string[] {
    const times = [0, ...this.#renamings.map((_each, place) => place + 1)];
    return [...new Set(times.flatMap((time) => this.#at(time).nameOf(resource) ?? []))];
  }

  /** Entries by the names of today, without those of groups that are gone, and without fields that are. */
  ofEntries(entries: readonly KeptEntry[]): readonly KeptEntry[] {
    return entries.flatMap((entry) => this.#today(entry) ?? []);
  }

  #today(entry: KeptEntry): KeptEntry | undefined {
    // What migrations have renamed stands there too, and is no entry.
    if (entry.group === '') return entry.operation === 'reset' ? entry : undefined;
    const later = this.#renamings.findIndex(({ id }) => id > entry.id);
    const then = this.#at(later < 0 ? this.#renamings.length : later);
    const resource = then.resource(entry.group);
    if (resource === undefined) return undefined;
    return { ...entry, group: resource.name, data: dataToday(entry.data, then.fieldsOf(resource), then) };
  }

  #at(time: number): FormerNames {
    let names = this.#times.get(time);
    if (names === undefined) {
      const since = this.#renamings.slice(time).map(({ renaming }) => renaming);
      names = new FormerNames(this.registry, since);
      this.#times.set(time, names);
    }
    return names;
  }
}

function dataToday(data: EntryData, fields: FormerFields, then: FormerNames): EntryData {
  const { changes, cause, also } = data;
  return {
    ...data,
    changes: changes && byKeysOfToday(changes, fields, changeToday),
    cause:
      'of' in cause
        ? { ...cause, of: { ...cause.of, group: then.resource(cause.of.group)?.name ?? cause.of.group } }
        : cause,
    ...(also && { also: byKeysOfToday(also, fields, (_former, kind) => kind) }),
  };
}

/** What stands under the keys of fields, under those of today; nothing of fields that are gone. */
function byKeysOfToday<From, To>(
  held: Readonly<Record<string, From>>,
  fields: FormerFields,
  toToday: (former: FormerField, one: From) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(held).flatMap(([key, one]) => {
      const former = fields.get(key);
      return former === undefined ? [] : [[former.field.key, toToday(former, one)]];
    }),
  );
}

function changeToday(former: FormerField, { from, to, removed, items }: FieldChange): FieldChange {
  return {
    ...(from !== undefined && { from: valueToday(former, from) }),
    ...(to !== undefined && { to: valueToday(former, to) }),
    ...(removed !== undefined && { removed: removedToday(former, removed) }),
    ...(items !== undefined && { items: items.map((item) => valueToday(former, item)) }),
  };
}

function removedToday({ inside }: FormerField, removed: NonNullable<FieldChange['removed']>): typeof removed {
  if (!('field' in removed)) return removed;
  return { ...removed, field: inside?.get(removed.field)?.field.key ?? removed.field };
}

function valueToday(former: FormerField, value: Value): Value {
  const { values, inside } = former;
  if (inside === undefined && values.size === 0) return value;
  if (Array.isArray(value)) return (value as Value[]).map((item) => valueToday(former, item));
  if (typeof value === 'string') return values.get(value) ?? value;
  if (inside === undefined || !isObject(value)) return value;
  return byKeysOfToday(value as Readonly<Record<string, Value>>, inside, valueToday);
}
