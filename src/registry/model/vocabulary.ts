// The keywords of descriptors: one row each, with the shapes of field on which it may stand, and where.
import type { EffectEvent, ShownIn, TextFormat } from './model.ts';

/** What a field is, by its structure. */
export type Shape =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'list'
  | 'objects'
  | 'object'
  | 'reference'
  | 'choice'
  | 'references';

/** Shapes in the words of a fault. */
export const shapeWords = {
  text: 'a text',
  integer: 'an integer',
  number: 'an amount',
  boolean: 'a boolean',
  list: 'a list',
  objects: 'a list of objects',
  object: 'an object',
  reference: 'a reference',
  choice: 'a reference into one of several groups',
  references: 'a list of references',
} as const satisfies Record<Shape, string>;

/** Format → the shape of the values that it may stand on. */
export const formatShapes = {
  date: 'text',
  'date-time': 'text',
  uuid: 'text',
  email: 'text',
  url: 'text',
  currency: 'text',
  'time-zone': 'text',
  time: 'text',
  slug: 'text',
  /** Of a reference to the group of files, once it is read. */
  file: 'text',
  money: 'number',
  decimal: 'number',
  json: 'object',
} as const satisfies Record<TextFormat, 'text'> & Record<string, Shape>;
export type Format = keyof typeof formatShapes;
export const formatNames = Object.keys(formatShapes) as readonly Format[];

/** A use of a named rule with its arguments. */
export type RawRule = Readonly<Record<string, unknown>> & { readonly use: string };

/** A condition on a field: what the field must be, or the text of the interface that answers. */
interface RawRequirement {
  readonly each?: string;
  readonly that: string | readonly string[];
  readonly be?: string;
  readonly text?: string;
  readonly answers?: string;
  readonly about?: string;
  readonly on?: string | readonly string[];
  readonly always?: true;
  readonly changed?: string | readonly string[];
}

/** A field as its file has it, once the meta-schema has accepted it. */
export interface RawField {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly label?: string;
  readonly section?: string;
  readonly displayAs?: ShownIn;
  readonly format?: Format;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly signed?: boolean;
  readonly currency?: string;
  readonly perUnit?: boolean;
  readonly precision?: number;
  readonly scale?: number;
  readonly items?: RawField;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueBy?: string;
  readonly properties?: Readonly<Record<string, RawField>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly defaultFrom?: unknown;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly transient?: boolean;
  readonly hidden?: boolean;
  readonly immutable?: boolean;
  readonly updateOnly?: boolean;
  readonly nullable?: boolean;
  readonly reference?: string;
  readonly references?: string;
  readonly referenceBy?: string;
  readonly groups?: Readonly<Record<string, string>>;
  readonly referenceFormat?: 'object' | 'id';
  readonly include?: readonly string[];
  readonly via?: string;
  readonly orderBy?: string;
  readonly onDelete?: 'restrict' | 'cascade' | 'clear';
  readonly filter?: 'exact' | 'text' | 'range';
  readonly sort?: boolean;
  readonly parameter?: boolean;
  readonly onlyWhen?: string;
  readonly requiredWhen?: string;
  readonly inherits?: readonly { readonly when: string; readonly from: string }[];
  readonly lookup?: string;
  readonly computedBy?: RawRule;
  readonly formula?: string | readonly string[];
  readonly compute?: 'always' | 'onWrite' | 'onCreate' | 'onRead';
  readonly recomputeIfChanged?: readonly string[];
  readonly when?: string;
  readonly must?: readonly RawRequirement[];
  readonly acceptIfEqual?: true;
  readonly mediaTypes?: readonly string[];
  readonly maxBytes?: number;
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  readonly initialStates?: readonly string[] | typeof anyState;
  readonly becomes?: readonly { readonly to: string | boolean; readonly when: string }[];
  readonly logValues?: boolean;
  readonly renamedFrom?: string;
  readonly renamedValues?: Readonly<Record<string, string>>;
}

/** Value of `initialStates` that lets a create send every value of the enum. */
export const anyState = 'any';

/** Instead of names: all fields that callers can change and that stand nowhere else. */
export const others = 'others';

/** What a write of a record does to others; one of `make`, `change` and `remove` says what. */
export interface RawEffect {
  readonly on: readonly EffectEvent[];
  readonly sent?: readonly string[];
  readonly when?: string;
  readonly make?: string;
  /** Fields by the kind of change under which they are logged. */
  readonly logs?: Readonly<Record<string, readonly string[] | typeof others>>;
  readonly with?: Readonly<Record<string, string>>;
  readonly change?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: string;
}

/** Fields that callers cannot change while a condition holds: all but the open ones, or the closed ones. */
export interface RawFieldLock {
  readonly when: string;
  readonly open?: readonly string[];
  readonly closed?: readonly string[];
}

interface RawLocked {
  readonly update?: string;
  readonly delete?: string;
  readonly fields?: readonly RawFieldLock[];
}

/** A formula with a name, for other formulas. */
export interface RawNamedFormula {
  readonly given?: Readonly<Record<string, 'number' | 'text' | 'bool' | 'date' | 'instant' | 'time' | 'id'>>;
  readonly is: string | readonly string[];
}

interface RawResource {
  readonly path: string;
  readonly area?: string;
  readonly shownAs?: string;
  readonly shows?: readonly string[];
  readonly views?: { readonly name: string; readonly of: string; readonly query: string };
  readonly operations: readonly string[];
  readonly feature?: { readonly name: string; readonly switch: string };
  readonly singleton?: boolean;
  readonly ifMatch?: boolean;
  readonly changes?: boolean;
  readonly workspace?: boolean;
  readonly timeZone?: string;
  readonly features?: string;
  readonly mayAct?: string;
  readonly signIn?: { readonly name: string; readonly when?: string };
  readonly computed?: RawRule | boolean;
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
  readonly locked?: RawLocked;
  readonly formulas?: Readonly<Record<string, RawNamedFormula>>;
  readonly rules?: readonly RawRule[];
  readonly effects?: readonly RawEffect[];
  readonly decisions?: readonly string[];
  readonly setup?: readonly Readonly<Record<string, unknown>>[];
}

export interface RawDescriptor {
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, RawField | true>>;
  readonly required?: readonly string[];
  readonly renamedFrom?: string;
  readonly resource: RawResource;
}

/** A member of an object out of a file: what every object inherits (`constructor`) is none. */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Which shape a field has, or undefined when its keywords do not say. */
export function shapeOf(field: RawField): Shape | undefined {
  if (field.reference !== undefined) return 'reference';
  if (field.references !== undefined) return 'references';
  if (field.referenceBy !== undefined) return 'choice';
  const type = typeof field.type === 'string' ? field.type : field.type?.[0];
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
      return type;
    case 'array':
      return field.items?.type === 'object' ? 'objects' : 'list';
    default:
      return undefined;
  }
}

/** Whether a field's value is kept in the database. */
export const isKept = (field: RawField): boolean =>
  field.transient !== true && field.lookup === undefined && field.via === undefined && !isTakenAtRead(field);

/** Whether a field equals its formula when it is read, so that nothing of it is kept. */
export const isTakenAtRead = ({ formula, compute }: Pick<RawField, 'formula' | 'compute'>): boolean =>
  formula !== undefined && compute === 'onRead';

/** Whether no body can bring a field. */
export const isReadOnly = (field: RawField): boolean =>
  field.readOnly === true ||
  field.parameter === true ||
  field.computedBy !== undefined ||
  (field.formula !== undefined && field.when === undefined) ||
  field.lookup !== undefined ||
  field.via !== undefined;

/** Where a field stands: in the record, in an object of it, in the items of an owned list, or of a list inside these. */
export type Home = 'record' | 'object' | 'items' | 'inner';

/** Where else than in the fields of a record that is kept a keyword may stand. */
export type KeywordPlace =
  | Exclude<Home, 'record'>
  /** In the items of a list of plain values. */
  | 'value'
  /** Beside the `properties` of the items of a list of objects. */
  | 'item'
  /** In what a list shows that is the other side of a reference. */
  | 'shown'
  /** In the fields of a computed record, at any depth, where nothing is sent, kept or searched. */
  | 'computed'
  /** In those of them that callers choose. */
  | 'parameter';

interface Keyword {
  /** The shapes of the field that it may stand on. */
  readonly on: readonly Shape[];
  readonly in: readonly KeywordPlace[];
}

const plain = ['text', 'integer', 'number', 'boolean'] as const;
const every = [...plain, 'list', 'objects', 'object', 'reference', 'choice', 'references'] as const;
const single = [...plain, 'list', 'reference'] as const;
/** Fields inside fields: they are written whole. */
const inside = ['object', 'items', 'inner'] as const;
const items = ['items', 'inner'] as const;
/** Wherever a plain value may stand. */
const values = [...inside, 'value', 'shown', 'computed'] as const;

/** What each keyword may stand on, and where. The meta-schema says how it is written. */
const keywords: Readonly<Record<keyof RawField, Keyword>> = {
  type: { on: [...plain, 'list', 'objects', 'object'], in: [...values, 'item'] },
  description: { on: every, in: [...values, 'item'] },
  examples: { on: every, in: [...inside, 'shown', 'computed'] },
  deprecated: { on: every, in: [...inside, 'shown', 'computed'] },
  label: { on: every, in: [...inside, 'shown', 'computed'] },
  section: { on: every, in: [] },
  displayAs: { on: ['integer', 'number'], in: [...inside, 'shown', 'computed'] },
  format: { on: ['text', 'number', 'object'], in: values },
  enum: { on: ['text'], in: values },
  maxLength: { on: ['text'], in: values },
  pattern: { on: ['text'], in: [...inside, 'shown'] },
  minimum: { on: ['integer', 'number'], in: values },
  maximum: { on: ['integer', 'number'], in: values },
  exclusiveMinimum: { on: ['number'], in: values },
  signed: { on: ['integer', 'number'], in: values },
  currency: { on: ['number'], in: [...inside, 'shown'] },
  perUnit: { on: ['number'], in: inside },
  precision: { on: ['number'], in: values },
  scale: { on: ['number'], in: values },
  items: { on: ['list', 'objects'], in: [...items, 'computed'] },
  minItems: { on: ['list', 'objects'], in: [...items, 'computed'] },
  maxItems: { on: ['list', 'objects', 'references'], in: [...items, 'computed'] },
  uniqueBy: { on: ['objects'], in: ['items'] },
  properties: { on: ['object'], in: ['item', 'computed'] },
  required: { on: ['object'], in: ['item'] },
  default: { on: [...plain, 'list', 'object', 'objects', 'references'], in: [...inside, 'parameter'] },
  defaultFrom: { on: [...single, 'references'], in: [...inside, 'parameter'] },
  readOnly: { on: every, in: [...inside, 'computed'] },
  writeOnly: { on: single, in: [] },
  transient: { on: ['reference', ...plain], in: [] },
  hidden: { on: [...plain, 'reference'], in: [] },
  immutable: { on: every, in: [] },
  updateOnly: { on: every, in: [] },
  nullable: { on: ['reference'], in: [...items, 'computed'] },
  reference: { on: ['reference'], in: [...items, 'computed'] },
  references: { on: ['references'], in: ['computed'] },
  referenceBy: { on: ['choice'], in: items },
  groups: { on: ['choice'], in: items },
  referenceFormat: { on: ['reference'], in: [...items, 'computed'] },
  include: { on: ['reference'], in: items },
  via: { on: ['references', 'objects'], in: [] },
  orderBy: { on: ['objects'], in: [] },
  onDelete: { on: ['reference', 'choice', 'references'], in: items },
  filter: { on: [...plain, 'list', 'reference', 'references'], in: ['items'] },
  sort: { on: ['text', 'integer', 'number'], in: [] },
  parameter: { on: ['text', 'integer', 'boolean', 'reference'], in: ['parameter'] },
  onlyWhen: { on: every, in: inside },
  requiredWhen: { on: every, in: inside },
  inherits: { on: [...plain, 'reference'], in: [] },
  lookup: { on: [...plain, 'reference'], in: items },
  computedBy: { on: [...plain, 'list', 'reference', 'objects', 'object'], in: inside },
  formula: { on: [...plain, 'list', 'objects', 'reference', 'references'], in: [...inside, 'computed'] },
  compute: { on: [...plain, 'list', 'objects', 'reference', 'references'], in: [...inside, 'computed'] },
  recomputeIfChanged: { on: [...plain, 'reference'], in: [] },
  when: { on: [...plain, 'reference'], in: inside },
  must: { on: every, in: ['items', 'inner'] },
  acceptIfEqual: { on: [...plain, 'reference'], in: inside },
  mediaTypes: { on: [...plain, 'reference'], in: inside },
  maxBytes: { on: [], in: [] },
  transitions: { on: ['text'], in: [] },
  initialStates: { on: ['text'], in: [] },
  becomes: { on: ['text', 'boolean'], in: [] },
  logValues: { on: every, in: [] },
  renamedFrom: { on: every, in: inside },
  renamedValues: { on: ['text'], in: values },
};

export const keywordNames: readonly string[] = Object.keys(keywords);

/** The keywords that a field has. */
export const keywordsOf = (field: RawField): readonly (keyof RawField)[] => Object.keys(field) as (keyof RawField)[];

/** Returns the shapes of fields that may have a keyword; undefined for any other name. */
export const getShapes = (name: string): readonly Shape[] | undefined => own(keywords, name)?.on;

/** Whether a keyword may stand on a field of that shape. */
export const fitsShape = (keyword: keyof RawField, shape: Shape): boolean => keywords[keyword].on.includes(shape);

/** Whether a keyword means something at a place. */
export const meansSomething = (keyword: keyof RawField, place: KeywordPlace): boolean =>
  keywords[keyword].in.includes(place);

/**
 * Names that a field cannot have: parts of every record, words that paths and conditions use, and what every object of
 * JavaScript has by that name, which a record without the field would seem to hold.
 */
const reservedNames: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'workspace',
  'today',
  'actingMember',
  'version',
  'guard',
  'startingAfter',
  'endingBefore',
  'limit',
  'true',
  'false',
  'null',
  'in',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** Names that mean something else to formulas. */
const wordsOfFormulas: ReadonlySet<string> = new Set(['old', 'actor', 'sent', 'all', 'record', 'index']);

/** Why a name is none for a field or a formula, or undefined. */
export function reservedFault(name: string): string | undefined {
  if (wordsOfFormulas.has(name)) return `"${name}" is a word of formulas; choose another name`;
  return reservedNames.has(name)
    ? `"${name}" is a name of every record or a word of the engine; choose another`
    : undefined;
}
