// Names of today: entries of the log name groups, fields and values as they were called at the time of writing; whoever reads them
// later learns them by the names that descriptors have now (`renamedFrom`, `renamedValues`).
import { keyOf } from '../registry/model/field-names.ts';
import type { Field, Registry, Resource } from '../registry/model/model.ts';

export class NamesOfToday {
  readonly registry: Registry;
  /** By what a group was called before. */
  readonly #renamed: ReadonlyMap<string, Resource>;
  readonly #fields = new Map<readonly Field[], ReadonlyMap<string, Field>>();
  readonly #byPath: ReadonlyMap<string, Resource>;

  constructor(registry: Registry) {
    this.registry = registry;
    const all = [...registry.resources.values()];
    this.#renamed = new Map(all.flatMap((each) => (each.renamedFrom === undefined ? [] : [[each.renamedFrom, each]])));
    this.#byPath = new Map(all.map((resource) => [resource.path.slice(1), resource]));
  }

  /** The group that had a name; undefined for one that is gone. */
  resource(name: string): Resource | undefined {
    return this.registry.resources.get(name) ?? this.#renamed.get(name);
  }

  /** The group with a path, without its slash. */
  resourceAt(path: string): Resource | undefined {
    return this.#byPath.get(path);
  }

  /** Under which names entries of a group may stand. */
  namesOf({ name, renamedFrom }: Resource): readonly string[] {
    const isTaken = renamedFrom === undefined || this.registry.resources.has(renamedFrom);
    return isTaken ? [name] : [name, renamedFrom];
  }

  /** The field that had a key; undefined for one that is gone. @param fields Among which it stands, of a record or inside one. */
  field(fields: readonly Field[], key: string): Field | undefined {
    let known = this.#fields.get(fields);
    if (known === undefined) {
      known = new Map([
        ...fields.flatMap((field) => {
          const before = formerKey(field);
          return before === undefined ? [] : [[before, field] as const];
        }),
        // What a field is called now means that field.
        ...fields.map((field) => [field.key, field] as const),
      ]);
      this.#fields.set(fields, known);
    }
    return known.get(key);
  }
}

/** What the key of a field was before it was renamed. */
function formerKey(field: Field): string | undefined {
  const { renamedFrom } = field;
  if (renamedFrom === undefined) return undefined;
  switch (field.kind) {
    case 'reference':
      return keyOf(renamedFrom, { reference: field.target, as: field.as });
    case 'references':
      return keyOf(renamedFrom, { references: field.target });
    default:
      return renamedFrom;
  }
}

/** What a value of a field is called now. */
export function valueToday({ renamedValues }: Field, value: string): string {
  for (const [now, before] of Object.entries(renamedValues)) if (before === value) return now;
  return value;
}
