// The keywords of the dialect: which shape of field each may stand on. The meta-schema says how they are written.

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

/** A use of a named rule with its arguments. */
export type RawRule = Readonly<Record<string, unknown>> & { readonly use: string };

/** A field as its file has it, once the meta-schema has accepted it. */
export interface RawField {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly signed?: boolean;
  readonly precision?: number;
  readonly scale?: number;
  readonly items?: RawField;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly distinct?: string;
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
  readonly as?: 'object' | 'id';
  readonly include?: readonly string[];
  readonly via?: string;
  readonly sortedBy?: string;
  readonly onDelete?: 'restrict' | 'cascade' | 'clear';
  readonly filter?: 'exact' | 'text' | 'range';
  readonly parameter?: boolean;
  readonly onlyWhen?: string;
  readonly requiredWhen?: string;
  readonly lockedWhen?: string;
  readonly inherits?: readonly { readonly when: string; readonly from: string }[];
  readonly from?: string;
  readonly derived?: RawRule;
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  readonly renamedFrom?: string;
  readonly renamedValues?: Readonly<Record<string, string>>;
}

interface RawResource {
  readonly path: string;
  readonly area?: string;
  readonly shownAs?: string;
  readonly operations: readonly string[];
  readonly feature?: { readonly name: string; readonly switch: string };
  readonly singleton?: boolean;
  readonly workspace?: boolean;
  readonly computed?: RawRule;
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
  readonly locked?: { readonly update?: string; readonly delete?: string };
  readonly rules?: readonly RawRule[];
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
  switch (typeof field.type === 'string' ? field.type : field.type?.[0]) {
    case 'string':
      return 'text';
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return 'object';
    case 'array':
      return field.items?.type === 'object' ? 'objects' : 'list';
    default:
      return undefined;
  }
}

/** Whether a field's value is kept in the database. */
export const isKept = (field: RawField): boolean =>
  field.transient !== true && field.from === undefined && field.via === undefined && field.derived?.use !== 'inEffect';

/** Whether no body can bring a field. */
export const isReadOnly = (field: RawField): boolean =>
  field.readOnly === true ||
  field.parameter === true ||
  field.derived !== undefined ||
  field.from !== undefined ||
  field.via !== undefined;

const plain: readonly Shape[] = ['text', 'integer', 'number', 'boolean'];
const every: readonly Shape[] = [...plain, 'list', 'objects', 'object', 'reference', 'choice', 'references'];
const single: readonly Shape[] = [...plain, 'list', 'reference'];
const lists: readonly Shape[] = ['list', 'objects'];

/** Keyword → the shapes it may stand on. `satisfies` makes the compiler name a keyword that is missing here. */
export const keywordShapes = {
  type: [...plain, 'list', 'objects', 'object'],
  description: every,
  examples: every,
  deprecated: every,
  format: ['text', 'number'],
  enum: ['text'],
  maxLength: ['text'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  exclusiveMinimum: ['number'],
  signed: ['integer', 'number'],
  precision: ['number'],
  scale: ['number'],
  items: lists,
  minItems: lists,
  maxItems: [...lists, 'references'],
  distinct: ['objects'],
  properties: ['object'],
  required: ['object'],
  default: [...plain, 'list', 'objects', 'references'],
  defaultFrom: single,
  readOnly: every,
  writeOnly: single,
  transient: ['reference', ...plain],
  hidden: ['text', 'integer', 'boolean', 'reference'],
  immutable: every,
  updateOnly: every,
  nullable: ['reference'],
  reference: ['reference'],
  references: ['references'],
  referenceBy: ['choice'],
  groups: ['choice'],
  as: ['reference'],
  include: ['reference'],
  via: ['references', 'objects'],
  sortedBy: ['objects'],
  onDelete: ['reference', 'choice', 'references'],
  filter: [...plain, 'list', 'reference', 'references'],
  parameter: ['text', 'integer', 'boolean'],
  onlyWhen: every,
  requiredWhen: every,
  lockedWhen: every,
  inherits: [...plain, 'reference'],
  from: [...plain, 'reference'],
  derived: [...plain, 'list', 'reference', 'objects', 'object'],
  transitions: ['text'],
  renamedFrom: every,
  renamedValues: ['text'],
} as const satisfies Record<keyof RawField, readonly Shape[]>;

/** Keywords of the items of a list of plain values. */
export const itemKeywords: ReadonlySet<keyof RawField> = new Set([
  'type',
  'description',
  'format',
  'enum',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'signed',
  'precision',
  'scale',
  'renamedValues',
]);

const inObjects: readonly (keyof RawField)[] = [
  ...itemKeywords,
  'examples',
  'deprecated',
  'default',
  'defaultFrom',
  'readOnly',
  'onlyWhen',
  'requiredWhen',
  'derived',
  'renamedFrom',
];
const inItems: readonly (keyof RawField)[] = [
  ...inObjects,
  'items',
  'minItems',
  'maxItems',
  'nullable',
  'reference',
  'referenceBy',
  'groups',
  'as',
  'include',
  'onDelete',
  'from',
];
/**
 * Keywords of the fields of an object, of those of an owned list's items, and of those of the items of a list inside
 * these: all are written whole.
 */
export const nestedKeywords: Readonly<Record<'object' | 'items' | 'inner', ReadonlySet<keyof RawField>>> = {
  object: new Set(inObjects),
  items: new Set([...inItems, 'filter', 'distinct']),
  inner: new Set(inItems),
};

/** Keywords of the fields of a computed record, at any depth: nothing of it is sent, kept or searched. */
export const computedKeywords: ReadonlySet<keyof RawField> = new Set([
  ...itemKeywords,
  'examples',
  'deprecated',
  'readOnly',
  'items',
  'minItems',
  'maxItems',
  'properties',
]);
/** What a parameter of a computed record may say besides. */
export const parameterKeywords: ReadonlySet<keyof RawField> = new Set(['parameter', 'default', 'defaultFrom']);

/**
 * Names that a field cannot have: parts of every record, words that paths and conditions use, and what every object of
 * JavaScript has by that name, which a record without the field would seem to hold.
 */
export const reservedNames: ReadonlySet<string> = new Set([
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
