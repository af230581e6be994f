// Finds the field of a group that a name stands for: the path of a mapping, or the heading of a column.
import type { FieldShape, GroupShape, Shapes } from './document.ts';
import { letters, plainName } from './names.ts';

/** A field of a body, or a field by which the target of a reference is looked up. */
export interface FieldPath {
  /** Keys of the body, from outside inwards. */
  readonly path: readonly string[];
  readonly shape: FieldShape;
  /** Field by which the reference is looked up; undefined for the field itself. */
  readonly by?: string | undefined;
}

/** A field that the heading of a column names. */
export interface Meaning extends FieldPath {
  /** As mappings spell it. */
  readonly to: string;
  /** Whether the heading is only the label of the field, as the console shows it. */
  readonly isLabel: boolean;
}

type Fields = ReadonlyMap<string, FieldShape>;

export const idShape: FieldShape = {
  ...{ type: 'text', format: 'uuid', isNullable: false, reference: undefined, items: undefined },
  fields: new Map(),
};

/** Possible singulars of a name. */
const singulars = (name: string): readonly string[] => [
  name.replace(/ies$/, 'y'),
  name.replace(/(ss|x|ch|sh)es$/, '$1'),
  name.replace(/s$/, ''),
];

const findReference = ({ reference, items }: FieldShape): string | undefined => reference ?? items?.reference;

/** Finds the key in bodies of a field that records show under a name: `client` → `clientId`, `tags` → `tagIds`. */
export function keyOf(fields: Fields, name: string): string | undefined {
  if (fields.has(name)) return name;
  const candidates = [`${name}Id`, ...singulars(name).map((each) => `${each}Ids`)];
  return candidates.find((key) => findReference(fields.get(key) ?? idShape) !== undefined);
}

/** Fields by which one record of a group can be found in its list. */
export const listLookUpFields = ({ filters, keys }: GroupShape): readonly string[] =>
  [...filters].filter(
    (name) =>
      keys.some((key) => key.length === 1 && key[0] === name) ||
      !/(Contains|StartsWith|EndsWith|After|Before|Above|Below|AtLeast|AtMost|Id)$/.test(name),
  );

/** Lists the fields that people would look up first: unique keys, otherwise at most three fields of plain text. */
export function listUsualLookUpFields(group: GroupShape): readonly string[] {
  const all = listLookUpFields(group);
  const unique = all.filter((name) => group.keys.some((key) => key.length === 1 && key[0] === name));
  const isText = (name: string): boolean => {
    const { type, format, reference } = group.fields.get(name) ?? idShape;
    return type === 'text' && format === undefined && reference === undefined;
  };
  return unique.length > 0 ? unique : all.filter(isText).slice(0, 3);
}

/** Returns a field as mappings spell it: `name`, `address.city`, `clientId`, `client.key`. */
export const toTarget = ({ path, by }: FieldPath): string =>
  by === undefined ? path.join('.') : `${path.join('.').replace(/Ids?$/, '')}.${by}`;

/** The fields of a group, by the names that they have in mappings, in records and in headings. */
export class GroupFields {
  readonly #shapes: Shapes;
  readonly #group: GroupShape;
  /** Fields by headings without dots; undefined for headings that several fields could have. */
  #byHeading: Map<string, Meaning | undefined> | undefined;

  constructor(shapes: Shapes, group: GroupShape) {
    this.#shapes = shapes;
    this.#group = group;
  }

  /** The group that a field refers to. */
  findTarget(shape: FieldShape): GroupShape | undefined {
    const name = findReference(shape);
    return name === undefined ? undefined : this.#shapes.find(name);
  }

  /** Follows a path of names. The rest of the path after a reference is `by`. */
  find(path: readonly string[], fields: Fields = this.#withId): FieldPath | undefined {
    const [name = '', ...rest] = path;
    const key = keyOf(fields, name);
    const shape = key === undefined ? undefined : fields.get(key);
    if (key === undefined || shape === undefined) return undefined;
    if (rest.length === 0) return { path: [key], shape };
    if (findReference(shape) !== undefined) {
      const by = rest.join('.');
      return { path: [key], shape, by: by === 'id' ? undefined : by };
    }
    const inner = shape.type === 'object' ? this.find(rest, shape.fields) : undefined;
    return inner && { ...inner, path: [key, ...inner.path] };
  }

  /** All targets of mappings: fields, and references by the fields that look their records up. */
  get all(): readonly string[] {
    return [...this.#paths(this.#withId)].map(toTarget);
  }

  /**
   * Finds the field that the heading of a column names, without regard to case, spaces and `_`. A path, as in exports, must lead to a
   * field with its last step.
   */
  findByHeading(heading: string): Meaning | undefined {
    this.#byHeading ??= this.#headings();
    const [head = '', ...rest] = heading.split('.');
    const field = rest.length === 0 ? undefined : this.find([this.#spell(head), ...rest]);
    const isKnown = field?.by === undefined || this.#lookUpFieldsTo(field.shape).includes(field.by);
    if (field !== undefined && isKnown) return { ...field, to: toTarget(field), isLabel: false };
    return this.#byHeading.get(plainName(heading));
  }

  /** Finds the key in bodies of the field that records show under this name. */
  shownAs(heading: string): string | undefined {
    return keyOf(this.#group.fields, this.#spell(heading));
  }

  /** Reports whether records show something under this name. */
  isShown(heading: string): boolean {
    const [head = ''] = heading.split('.');
    return this.#group.shown.has(this.#spell(head));
  }

  /** Returns a name as the group spells it. */
  #spell(name: string): string {
    const names = [...this.#group.shown, ...this.#group.fields.keys()];
    return names.find((each) => plainName(each) === plainName(name)) ?? name;
  }

  #lookUpFieldsTo(shape: FieldShape): readonly string[] {
    const target = this.findTarget(shape);
    return target === undefined ? [] : listLookUpFields(target);
  }

  get #withId(): Fields {
    return new Map([['id', idShape], ...this.#group.fields]);
  }

  *#paths(fields: Fields, outer: readonly string[] = []): Generator<FieldPath> {
    for (const [key, shape] of fields) {
      const path = [...outer, key];
      yield { path, shape };
      yield* this.#paths(shape.fields, path);
      for (const by of this.#lookUpFieldsTo(shape)) yield { path, shape, by };
    }
  }

  /** Exact names have precedence over abbreviations and labels. A name that only records show never names another field. */
  #headings(): Map<string, Meaning | undefined> {
    const fields = this.#withId;
    const all = [...this.#paths(fields)].map((found) => ({ ...found, to: toTarget(found), isLabel: false }));
    const onlyShown = [...this.#group.shown].filter((name) => keyOf(fields, name) === undefined);
    const tiers: readonly (readonly [name: string, meaning: Meaning | undefined])[][] = [
      [...all.map((each) => [each.to, each] as const), ...onlyShown.map((name) => [name, undefined] as const)],
      all.map((each) => [each.to.replaceAll('.', ''), each]),
      all.flatMap((each) => this.#listLabels(each).map((label) => [label, { ...each, isLabel: true }] as const)),
    ];
    const byHeading = new Map<string, Meaning | undefined>();
    for (const tier of tiers) {
      const tierHeadings = new Map<string, Meaning | undefined>();
      for (const [name, meaning] of tier) {
        const heading = plainName(name);
        const isAmbiguous = tierHeadings.has(heading) && tierHeadings.get(heading)?.to !== meaning?.to;
        tierHeadings.set(heading, isAmbiguous ? undefined : meaning);
      }
      for (const [heading, meaning] of tierHeadings) if (!byHeading.has(heading)) byHeading.set(heading, meaning);
    }
    return byHeading;
  }

  /** Lists the names by which the console shows a field: Status for `statusId`, Active for `isActive`, Owner for `owner.name`. */
  #listLabels({ path, shape, by }: FieldPath): readonly string[] {
    const [key = ''] = path;
    if (path.length > 1) return [];
    if (by !== undefined)
      return by === 'name' ? [...this.#group.shown].filter((name) => keyOf(this.#group.fields, name) === key) : [];
    if (shape.type === 'boolean') return [key.replace(/^is(?=[A-Z])/, '')];
    return shape.values === undefined ? [] : [key.replace(/Id$/, '')];
  }
}

/** Returns the value of an enum, also for its label in the console: `Not submitted` → `not_submitted`. Other text stays. */
export function enumValue(text: string, values: readonly string[]): string {
  if (values.includes(text)) return text;
  const matches = values.filter((value) => letters(value) === letters(text));
  return matches.length === 1 ? String(matches[0]) : text;
}
