// Descriptors as the oracle reads them: the fields of records and of their items, with the formulas that stand on them.
import { type Node, parseFormula } from './syntax.ts';

interface RawFormula {
  readonly formula: string | readonly string[];
  readonly recomputeIfChanged?: readonly string[];
}

export interface RawCondition {
  readonly that: string;
  readonly be?: string;
  readonly must?: string;
  readonly text?: string;
  readonly field?: string;
  readonly answers?: string;
  readonly about?: string;
  readonly on?: string | readonly string[];
  readonly changed?: string;
  readonly always?: true;
}

/** The keywords of a field that the oracle knows; a descriptor with others is none for it. */
export interface RawField {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly precision?: number;
  readonly scale?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly signed?: boolean;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly defaultFrom?: readonly RawFormula[];
  readonly reference?: string;
  readonly references?: string;
  readonly referenceFormat?: string;
  readonly nullable?: boolean;
  readonly onDelete?: 'restrict' | 'cascade' | 'clear';
  readonly filter?: string;
  readonly readOnly?: boolean;
  readonly items?: { readonly type: 'object'; readonly properties: RawFields; readonly required?: readonly string[] };
  readonly maxItems?: number;
  readonly formula?: string | readonly string[];
  readonly compute?: Taken;
  readonly recomputeIfChanged?: readonly string[];
  readonly when?: string;
  readonly acceptIfEqual?: true;
  readonly becomes?: readonly { readonly to: string | boolean; readonly when: string }[];
  readonly must?: readonly RawCondition[];
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  readonly initialStates?: readonly string[] | 'any';
  readonly description: string;
}
type RawFields = Readonly<Record<string, RawField>>;
export type Taken = 'always' | 'onWrite' | 'onCreate' | 'onRead';

export interface RawEffect {
  readonly on: readonly Happening[];
  readonly when?: string;
  readonly make?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly change?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: string;
}
export type Happening = 'create' | 'update' | 'delete' | 'becomes';

export interface RawDescriptor {
  readonly $schema?: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'object';
  readonly properties: RawFields;
  readonly required: readonly string[];
  readonly resource: {
    readonly path: string;
    readonly shownAs: string;
    readonly operations: readonly string[];
    readonly indexes?: readonly (readonly string[])[];
    readonly rules?: readonly ({
      readonly use: string;
      readonly from?: string;
      readonly to?: string;
    } & Partial<RawCondition>)[];
    readonly effects?: readonly RawEffect[];
    readonly decisions?: readonly string[];
    readonly formulas?: Readonly<
      Record<string, { readonly given?: Readonly<Record<string, string>>; readonly is: string }>
    >;
    readonly locked?: {
      readonly update?: string;
      readonly delete?: string;
      readonly fields?: readonly {
        readonly when: string;
        readonly open?: readonly string[];
        readonly closed?: readonly string[];
      }[];
    };
    readonly [word: string]: unknown;
  };
}

/** All descriptors of a domain, by the names of their groups. */
export type Domain = Readonly<Record<string, RawDescriptor>>;

type Kind = 'integer' | 'decimal' | 'text' | 'bool' | 'date' | 'reference' | 'references' | 'items';

interface Figure {
  readonly formula: Node;
  readonly taken: Taken;
  readonly again: readonly string[];
  readonly when: Node | undefined;
  readonly isAccepted: boolean;
}

export interface Field {
  /** As the descriptor has it; `key` as bodies have it. */
  readonly name: string;
  readonly key: string;
  readonly kind: Kind;
  readonly scale: number;
  /** The bounds that a value of a formula is held against. */
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly precision: number;
  readonly maxLength: number;
  readonly isNullable: boolean;
  readonly isRequired: boolean;
  readonly target: string;
  readonly onDelete: 'restrict' | 'cascade' | 'clear';
  readonly default: unknown;
  readonly defaults: readonly { readonly formula: Node; readonly again: readonly string[] }[];
  readonly figure: Figure | undefined;
  readonly becomes: readonly { readonly to: string | boolean; readonly when: Node }[];
  readonly transitions: Readonly<Record<string, readonly string[]>> | undefined;
  readonly initialStates: readonly string[] | 'any' | undefined;
  readonly raw: RawField;
  /** The shape of its items. */
  readonly items: Shape | undefined;
}

/** A record of a group, or an item of one of its lists. */
export interface Shape {
  readonly group: string;
  readonly lists: readonly string[];
  readonly fields: readonly Field[];
  readonly outer: Shape | undefined;
  /** Formulas of the group that have names. */
  readonly named: Named;
}

export type Named = Readonly<Record<string, { readonly given: readonly string[]; readonly is: Node }>>;

const sourceOf = (formula: string | readonly string[]): string =>
  typeof formula === 'string' ? formula : formula.join('\n');

/** `tags` as bodies name it: `tagIds`. */
const keyOf = (name: string, field: RawField): string => {
  if (field.reference !== undefined) return field.referenceFormat === 'id' ? name : `${name}Id`;
  return field.references === undefined ? name : `${name.replace(/s$/, '')}Ids`;
};

function kindOf({ type, format, reference, references, items }: RawField): Kind {
  if (reference !== undefined) return 'reference';
  if (references !== undefined) return 'references';
  if (items !== undefined) return 'items';
  const plain = [type].flat().find((each) => each !== 'null');
  if (plain === 'integer') return 'integer';
  if (plain === 'number') return 'decimal';
  if (plain === 'boolean') return 'bool';
  return format === 'date' ? 'date' : 'text';
}

function precisionOf({ format, precision }: RawField, kind: Kind): number {
  if (kind === 'integer') return 15;
  return format === 'money' ? 18 : (precision ?? 18);
}

interface Around {
  readonly group: string;
  readonly lists: readonly string[];
  readonly outer: Shape | undefined;
  readonly required: readonly string[];
  readonly named: Named;
}

function fieldOf(name: string, raw: RawField, around: Around): Omit<Field, 'items'> {
  const kind = kindOf(raw);
  const { formula } = raw;
  return {
    name,
    key: keyOf(name, raw),
    kind,
    scale: kind === 'integer' ? 0 : raw.format === 'money' ? 4 : (raw.scale ?? 0),
    minimum: raw.minimum ?? (raw.signed === true ? undefined : 0),
    maximum: raw.maximum,
    precision: precisionOf(raw, kind),
    maxLength: raw.maxLength ?? 0,
    isNullable: raw.nullable === true || [raw.type].flat().includes('null'),
    isRequired: around.required.includes(name),
    target: raw.reference ?? raw.references ?? '',
    onDelete: raw.onDelete ?? 'clear',
    default: raw.default,
    defaults: (raw.defaultFrom ?? []).map(({ formula: of, recomputeIfChanged = [] }) => ({
      formula: parseFormula(sourceOf(of)),
      again: recomputeIfChanged,
    })),
    figure:
      formula === undefined
        ? undefined
        : {
            formula: parseFormula(sourceOf(formula)),
            taken: raw.compute ?? 'always',
            again: raw.recomputeIfChanged ?? [],
            when: raw.when === undefined ? undefined : parseFormula(raw.when),
            isAccepted: raw.acceptIfEqual === true,
          },
    becomes: (raw.becomes ?? []).map(({ to, when }) => ({ to, when: parseFormula(when) })),
    transitions: raw.transitions,
    initialStates: raw.initialStates,
    raw,
  };
}

function shapeOf(properties: RawFields, around: Around): Shape {
  const fields: Field[] = [];
  const { group, lists, outer, named } = around;
  const shape: Shape = { group, lists, outer, named, fields };
  for (const [name, raw] of Object.entries(properties)) {
    const field = fieldOf(name, raw, around);
    const items =
      raw.items &&
      shapeOf(raw.items.properties, {
        group: around.group,
        lists: [...around.lists, name],
        outer: shape,
        required: raw.items.required ?? [],
        named,
      });
    fields.push({ ...field, items });
  }
  return shape;
}

/** The shape of the records of a group. */
export function shapeOfGroup(group: string, { properties, required, resource }: RawDescriptor): Shape {
  const named = Object.entries(resource.formulas ?? {}).map(([word, { given = {}, is }]) => [
    word,
    { given: Object.keys(given), is: parseFormula(is) },
  ]);
  return shapeOf(properties, { group, lists: [], outer: undefined, required, named: Object.fromEntries(named) });
}

/** `/time-entries` as formulas name it. */
export const collectionName = (path: string): string =>
  path.slice(1).replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
