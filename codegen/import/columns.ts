// Columns of a file → fields of a group, by a mapping or by their headings.
import type { FieldShape, GroupShape, Shapes } from './document.ts';
import {
  type FieldPath,
  GroupFields,
  idShape,
  listLookUpFields,
  listUsualLookUpFields,
  type Meaning,
} from './fields.ts';
import { ImportFault, type Mapping, type Target } from './model.ts';
import { suggestName } from './names.ts';
import { ofRefused } from './rows.ts';

/** Where the value of a column goes. */
export interface Column {
  /** As the file has it. */
  readonly name: string;
  readonly target: Target;
  /** Of the body, from outside inwards. */
  readonly path: readonly string[];
  readonly shape: FieldShape;
  /** Of a reference that is looked up. */
  readonly lookUp?: LookUp;
  /** Whether each row gives an item of the list that the path begins with. */
  readonly isOfItem: boolean;
}

export interface LookUp {
  readonly group: GroupShape;
  readonly by: string;
  /** `owner.email` */
  readonly words: string;
  readonly within: readonly { readonly filter: string; readonly column: string; readonly lookUp?: LookUp }[];
}

/** The columns of a file, taken or ignored. */
export interface TakenColumns {
  /** In the order of the header; undefined for those that are ignored. */
  readonly columns: readonly (Column | undefined)[];
  readonly ignored: readonly string[];
}

interface Passing {
  /** Whether to ignore unknown columns. */
  readonly ignores: boolean;
  readonly notice: (text: string) => void;
}

export class Columns {
  readonly #group: GroupShape;
  readonly #mapping: Mapping;
  readonly fields: GroupFields;
  /** Fields by which rows refer to other records of the group. */
  readonly ownLookUpFields = new Set<string>();

  constructor(shapes: Shapes, group: GroupShape, mapping: Mapping) {
    this.#group = group;
    this.#mapping = mapping;
    this.fields = new GroupFields(shapes, group);
  }

  /** Finds the field of each column by its heading. The id of a reference has precedence, then exact names over labels. */
  propose(names: readonly string[]): readonly (Meaning | undefined)[] {
    const all = names.map((name) => this.fields.findByHeading(name));
    const isBetter = (one: Meaning, other: Meaning): boolean =>
      one.path.join('.') === other.path.join('.') &&
      ((one.by === undefined && other.by !== undefined) || (!one.isLabel && other.isLabel));
    return all.map((each) =>
      each === undefined || all.some((other) => other !== undefined && isBetter(other, each)) ? undefined : each,
    );
  }

  /** Returns the columns of a header. @throws ImportFault with all faults */
  of(names: readonly string[], passing: Passing): TakenColumns {
    const { columns: targets, rowKey } = this.#mapping;
    this.#require(names, [...(rowKey === undefined ? [] : [rowKey]), ...Object.keys(targets ?? {})]);
    const columns = targets === undefined ? this.#proposed(names, passing) : this.#mapColumns(names, targets, passing);
    this.#require(names, columns.flatMap(listNarrowingColumns));
    const faults = findDuplicates(columns);
    if (faults.length > 0) throw new ImportFault(faults.join('\n'));
    const used = [rowKey, ...ofRefused, ...columns.flatMap(listNarrowingColumns)];
    return { columns, ignored: names.filter((name, place) => columns[place] === undefined && !used.includes(name)) };
  }

  #proposed(names: readonly string[], { ignores, notice }: Passing): readonly (Column | undefined)[] {
    const proposed = this.propose(names);
    const faults = names.flatMap((name, place) =>
      proposed[place] === undefined ? this.#listFaults(name, this.#isGiven(name, proposed)) : [],
    );
    if (!ignores && faults.length > 0) throw new ImportFault(faults.join('\n'));
    const labelled = names.flatMap((name, place) =>
      proposed[place]?.isLabel === true ? `${name} as ${proposed[place].to}` : [],
    );
    if (labelled.length > 0) notice(`Taken by the label: ${labelled.join(', ')}.`);
    return proposed.map((meaning, place) => meaning && this.column(names[place] ?? '', meaning.to));
  }

  /** Reports whether another column gives the field that this one names. */
  #isGiven(name: string, proposed: readonly (Meaning | undefined)[]): boolean {
    const key = this.fields.shownAs(name.split('.')[0] ?? '');
    return proposed.some((meaning) => meaning?.path[0] === key);
  }

  /** Returns the fault of a column that is unknown, or names records without the field that identifies them. */
  #listFaults(name: string, isGiven: boolean): readonly string[] {
    if (ofRefused.includes(name) || name === this.#mapping.rowKey) return [];
    if (!this.fields.isShown(name) && this.fields.findByHeading(name) === undefined)
      return [`The column '${name}'${this.#isNone(name)}`];
    const key = this.fields.shownAs(name);
    const group = this.fields.findTarget(this.#group.fields.get(key ?? '') ?? idShape);
    if (isGiven || group === undefined) return [];
    const names = ['id', ...listUsualLookUpFields(group)].map((by) => `${name}.${by}`);
    return [`The column '${name}' does not name the key of its ${group.name}: call it ${names.join(' or ')}.`];
  }

  #mapColumns(
    names: readonly string[],
    targets: NonNullable<Mapping['columns']>,
    { ignores }: Passing,
  ): readonly (Column | undefined)[] {
    const unmapped = names.filter(
      (name) => !Object.hasOwn(targets, name) && !ofRefused.includes(name) && name !== this.#mapping.rowKey,
    );
    if (unmapped.length > 0 && !ignores)
      throw new ImportFault(unmapped.map((name) => `The mapping has no entry for the column '${name}'.`).join('\n'));
    return names.map((name) => {
      const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
      return target === undefined || target === null ? undefined : this.column(name, target);
    });
  }

  /** @throws ImportFault if the file does not have the columns that the mapping names */
  #require(names: readonly string[], needed: readonly string[]): void {
    const faults = [...new Set(needed)]
      .filter((name) => !names.includes(name))
      .map((name) => `The mapping names a column '${name}' that is not there${suggestName(name, names) || '.'}`);
    if (faults.length > 0) throw new ImportFault(faults.join('\n'));
  }

  /** @throws ImportFault for a target that is none */
  column(name: string, said: string | Target): Column {
    const target: Target = typeof said === 'string' ? { to: said } : said;
    const [, list = '', inner = ''] = /^(\w+)\[\]\.(.+)$/.exec(target.to) ?? [];
    if (list === '')
      return { ...this.#columnAt(this.fields.find(target.to.split('.')), name, target), isOfItem: false };
    const items = this.#group.fields.get(list)?.items;
    if (items === undefined || items.type !== 'object')
      throw new ImportFault(`'${list}' is not a list of items of ${this.#group.name}.`);
    if (this.#mapping.rowKey === undefined)
      throw new ImportFault(`'${target.to}' needs a rowKey: the column whose equal values are one record.`);
    const column = this.#columnAt(this.fields.find(inner.split('.'), items.fields), name, target);
    return { ...column, path: [list, ...column.path], isOfItem: true };
  }

  #columnAt(found: FieldPath | undefined, name: string, target: Target): Omit<Column, 'isOfItem'> {
    if (found === undefined) throw new ImportFault(`'${target.to}'${this.#isNone(target.to)}`);
    const { path, shape } = found;
    const by = target.by ?? found.by;
    const plain = { name, target, path, shape };
    if (by === undefined || by === 'id') return plain;
    return { ...plain, lookUp: this.#lookUp({ path, shape, by }, target.within) };
  }

  #lookUp({ path, shape, by = '' }: FieldPath, within: Target['within'] = {}): LookUp {
    const group = this.fields.findTarget(shape);
    const words = `${path.at(-1)?.replace(/Ids?$/, '')}.${by}`;
    if (group === undefined || !listLookUpFields(group).includes(by))
      throw new ImportFault(
        `'${words}' cannot be looked up${group === undefined ? '.' : suggestName(by, listLookUpFields(group)) || `; ${group.name} is found by ${listLookUpFields(group).join(', ')}.`}`,
      );
    if (group === this.#group) this.ownLookUpFields.add(by);
    const narrowed = Object.entries(within).map(([filter, said]) => {
      if (!group.filters.has(filter))
        throw new ImportFault(
          `'${filter}' narrows no list of ${group.name}${suggestName(filter, group.filters) || '.'}`,
        );
      const [, inner, column] = /^(\S+) of (.+)$/.exec(said) ?? [];
      if (inner === undefined || column === undefined) return { filter, column: said };
      const reference = group.fields.get(filter) ?? { ...idShape, reference: inner.split('.')[0] };
      return { filter, column, lookUp: this.#lookUp({ path: [filter], shape: reference, by: inner.split('.')[1] }) };
    });
    return { group, by, words, within: narrowed };
  }

  #isNone(name: string): string {
    return ` is not a field of ${this.#group.name}${suggestName(name, this.fields.all) || '.'}`;
  }
}

/** Lists the columns that narrow the look-up of a column. */
const listNarrowingColumns = (column: Column | undefined): readonly string[] =>
  column?.lookUp?.within.map((each) => each.column) ?? [];

/** Lists pairs of columns for one field, or for a field and a part of it: one of the two would be lost. */
function findDuplicates(columns: readonly (Column | undefined)[]): readonly string[] {
  const takenColumns = columns.flatMap((column) => column ?? []);
  return takenColumns.flatMap((one, place) =>
    takenColumns
      .slice(place + 1)
      .filter(({ path }) => one.path.every((step, at) => at >= path.length || step === path[at]))
      .map((other) => {
        const [outer = ''] = [one.path, other.path]
          .map((path) => path.join('.'))
          .toSorted((a, b) => a.length - b.length);
        return `The columns '${one.name}' and '${other.name}' are both for ${outer}; leave one out.`;
      }),
  );
}
