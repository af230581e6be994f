// Columns of a file → fields of a group, by a mapping or by their names.
import type { FieldShape, GroupShape, Shapes } from './document.ts';
import { ImportFault, type Mapping, type Target } from './model.ts';
import { didYouMean } from './nearest.ts';
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

export const idShape: FieldShape = {
  ...{ type: 'text', format: 'uuid', isNullable: false, reference: undefined, items: undefined },
  fields: new Map(),
};

/** Names in the singular, by what they may be. */
const singulars = (name: string): readonly string[] => [
  name.replace(/ies$/, 'y'),
  name.replace(/(ss|x|ch|sh)es$/, '$1'),
  name.replace(/s$/, ''),
];

/** The key in a body of what a record shows under a name: `client` → `clientId`, `tags` → `tagIds`. */
export function keyOf(fields: ReadonlyMap<string, FieldShape>, name: string): string | undefined {
  const candidates = [name, `${name}Id`, ...singulars(name).map((each) => `${each}Ids`)];
  return candidates.find((each) => fields.has(each));
}

const referenceOf = ({ reference, items }: FieldShape): string | undefined => reference ?? items?.reference;

export class Columns {
  readonly #shapes: Shapes;
  readonly #group: GroupShape;
  readonly #mapping: Mapping;
  #guesses: ReadonlyMap<string, string> | undefined;

  constructor(shapes: Shapes, group: GroupShape, mapping: Mapping) {
    this.#shapes = shapes;
    this.#group = group;
    this.#mapping = mapping;
  }

  /** Fields by which rows name others of the group. */
  readonly ownWays = new Set<string>();

  /** What may be named: fields, and references by what tells their records apart. */
  known(): readonly string[] {
    return [
      'id',
      ...this.#group.fields.keys(),
      ...[...this.#group.fields].flatMap(([key, shape]) => this.#waysTo(key, shape)),
    ];
  }

  /** Where a column of this name goes, by its name alone: case, spaces and `_` do not count. */
  guess(name: string): string | undefined {
    this.#guesses ??= new Map(this.known().map((each) => [plainName(each), each]));
    const [head = '', ...rest] = name.split('.');
    // Lists of references are known in the singular, and shown in the plural.
    const base = rest.length === 0 ? undefined : this.#keyShownAs(head)?.replace(/Ids$/, '');
    return this.#guesses.get(plainName(name)) ?? this.#guesses.get(plainName([base, ...rest].join('.')));
  }

  #waysTo(key: string, shape: FieldShape): readonly string[] {
    const name = referenceOf(shape);
    const group = name === undefined ? undefined : this.#shapes.find(name);
    if (group === undefined) return [...shape.fields.keys()].map((inner) => `${key}.${inner}`);
    const base = key.replace(/Ids?$/, '');
    return ['id', ...waysOf(group)].map((by) => `${base}.${by}`);
  }

  /** @throws ImportFault for a target that is none */
  column(name: string, said: string | Target): Column {
    const target: Target = typeof said === 'string' ? { to: said } : said;
    const [, list = '', inner = ''] = /^(\w+)\[\]\.(.+)$/.exec(target.to) ?? [];
    if (list !== '') {
      const items = this.#group.fields.get(list)?.items;
      if (items === undefined || items.type !== 'object')
        throw new ImportFault(`'${list}' is no list of items of ${this.#group.name}.`);
      if (this.#mapping.rowKey === undefined)
        throw new ImportFault(`'${target.to}' needs a rowKey: the column whose equal values are one record.`);
      const column = this.#columnIn(items.fields, name, { ...target, to: inner });
      return { ...column, path: [list, ...column.path], isOfItem: true };
    }
    return this.#columnIn(this.#group.fields, name, target);
  }

  #columnIn(fields: ReadonlyMap<string, FieldShape>, name: string, target: Target): Column {
    const [head = '', ...rest] = target.to.split('.');
    const key = head === 'id' && rest.length === 0 ? 'id' : keyOf(fields, head);
    const shape = key === 'id' && !fields.has('id') ? idShape : fields.get(key ?? '');
    const plain = { name, target, isOfItem: false };
    if (key !== undefined && shape !== undefined) {
      const referred = referenceOf(shape);
      const by = target.by ?? rest[0];
      if (referred === undefined) {
        const inner = rest.reduce<FieldShape | undefined>((outer, step) => outer?.fields.get(step), shape);
        if (inner !== undefined) return { ...plain, path: [key, ...rest], shape: inner };
      } else if (by === undefined || by === 'id') return { ...plain, path: [key], shape };
      else
        return {
          ...plain,
          path: [key],
          shape,
          lookUp: this.#lookUp({ key, referred, by, within: target.within ?? {} }),
        };
    }
    throw new ImportFault(
      `'${target.to}' is no field of ${this.#group.name}${didYouMean(target.to, this.known()) || '.'}`,
    );
  }

  #lookUp(of: {
    readonly key: string;
    readonly referred: string;
    readonly by: string;
    readonly within: Readonly<Record<string, string>>;
  }): LookUp {
    const { key, referred, by, within } = of;
    const group = this.#shapes.find(referred);
    const words = `${key.replace(/Ids?$/, '')}.${by}`;
    if (group === this.#group) this.ownWays.add(by);
    if (group === undefined || !waysOf(group).includes(by))
      throw new ImportFault(
        `'${words}' cannot be looked up${group === undefined ? '.' : didYouMean(by, waysOf(group)) || `; ${referred} is found by ${waysOf(group).join(', ')}.`}`,
      );
    const narrowed = Object.entries(within).map(([filter, said]) => {
      if (!group.filters.has(filter))
        throw new ImportFault(
          `'${filter}' narrows no list of ${group.name}${didYouMean(filter, group.filters) || '.'}`,
        );
      const [, path, column] = /^(\S+) of (.+)$/.exec(said) ?? [];
      if (path === undefined || column === undefined) return { filter, column: said };
      const [, inner = ''] = path.split('.');
      const outer = group.fields.get(filter)?.reference ?? path.split('.')[0] ?? '';
      return { filter, column, lookUp: this.#lookUp({ key: filter, referred: outer, by: inner, within: {} }) };
    });
    return { group, by, words, within: narrowed };
  }

  /** The columns of a header, by the mapping, or by their names. @throws ImportFault for what is unknown, all of it at once */
  of(names: readonly string[], ignores: boolean, notice: (text: string) => void): readonly (Column | undefined)[] {
    const said = this.#mapping.columns;
    if (said !== undefined) return this.#said(names, said, { ignores, notice });
    const shown = new Set([...this.#group.shown].map(plainName));
    const unknown: string[] = [];
    const passed: string[] = [];
    const columns = names.map((name) => {
      const found = this.guess(name);
      if (found !== undefined) return this.column(name, found);
      const head = name.split('.')[0] ?? '';
      if (shown.has(plainName(head)) || ofRefused.includes(name)) passed.push(name);
      else unknown.push(name);
      return undefined;
    });
    const faults = [...unknown.map((name) => this.#isNone(name)), ...this.#unsaid(passed, columns)];
    if (!ignores && faults.length > 0) throw new ImportFault(faults.join('\n'));
    const taken = withIdsFirst(columns);
    for (const [place, column] of columns.entries())
      if (column !== undefined && taken[place] === undefined) passed.push(column.name);
    const told = [...passed.filter((name) => !ofRefused.includes(name)), ...(ignores ? unknown : [])];
    if (told.length > 0) notice(`Not taken: ${told.join(', ')}.`);
    return taken;
  }

  #said(
    names: readonly string[],
    said: NonNullable<Mapping['columns']>,
    { ignores, notice }: { readonly ignores: boolean; readonly notice: (text: string) => void },
  ): readonly (Column | undefined)[] {
    const missing = Object.keys(said).filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new ImportFault(
        missing
          .map((name) => `The mapping names a column '${name}' that is not there${didYouMean(name, names) || '.'}`)
          .join('\n'),
      );
    const others = names.filter(
      (name) => !Object.hasOwn(said, name) && !ofRefused.includes(name) && name !== this.#mapping.rowKey,
    );
    if (others.length > 0 && !ignores)
      throw new ImportFault(
        others.map((name) => `The mapping does not say what becomes of the column '${name}'.`).join('\n'),
      );
    if (others.length > 0) notice(`Not taken: ${others.join(', ')}.`);
    return names.map((name) => {
      const target = said[name];
      return target === undefined || target === null ? undefined : this.column(name, target);
    });
  }

  /** Of columns that are passed over: those that name records, without saying by what, where no other column does. */
  #unsaid(passed: readonly string[], columns: readonly (Column | undefined)[]): readonly string[] {
    return passed.flatMap((name) => {
      const key = this.#keyShownAs(name) ?? '';
      const referred = referenceOf(this.#group.fields.get(key) ?? idShape);
      const group = referred === undefined ? undefined : this.#shapes.find(referred);
      if (group === undefined || columns.some((column) => column?.path.join('.') === key)) return [];
      const ways = ['id', ...usualWaysOf(group)].map((by) => `${name}.${by}`);
      return [`The column '${name}' does not say by what it names a ${group.name}: call it ${ways.join(' or ')}.`];
    });
  }

  /** The key in a body of what records show under this name. */
  #keyShownAs(name: string): string | undefined {
    const shown = [...this.#group.shown].find((each) => plainName(each) === plainName(name));
    return shown === undefined ? undefined : keyOf(this.#group.fields, shown);
  }

  #isNone(name: string): string {
    return `The column '${name}' is no field of ${this.#group.name}${didYouMean(name, this.known()) || '.'}`;
  }
}

/** Fields by which one record of a group can be found in its list. */
const waysOf = ({ filters, keys }: GroupShape): readonly string[] =>
  [...filters].filter(
    (name) =>
      keys.some((key) => key.length === 1 && key[0] === name) ||
      !/(Contains|StartsWith|EndsWith|After|Before|Above|Below|AtLeast|AtMost|Id)$/.test(name),
  );

/** By which people would look first: unique keys, else texts. */
function usualWaysOf(group: GroupShape): readonly string[] {
  const ways = waysOf(group);
  const unique = ways.filter((name) => group.keys.some((key) => key.length === 1 && key[0] === name));
  const isText = (name: string): boolean => {
    const { type, format, reference } = group.fields.get(name) ?? idShape;
    return type === 'text' && format === undefined && reference === undefined;
  };
  return unique.length > 0 ? unique : ways.filter(isText).slice(0, 3);
}

const plainName = (name: string): string => name.toLowerCase().replace(/[\s_.]/g, '');

/** Of several columns of one reference its id counts. */
function withIdsFirst(columns: readonly (Column | undefined)[]): readonly (Column | undefined)[] {
  const keyed = (column: Column | undefined): string => column?.path.join('.') ?? '';
  const byId = new Set(columns.filter((column) => column !== undefined && column.lookUp === undefined).map(keyed));
  return columns.map((column) => (column?.lookUp !== undefined && byId.has(keyed(column)) ? undefined : column));
}
