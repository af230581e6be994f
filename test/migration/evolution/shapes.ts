// What a field of a made-up group may be: few kinds of values, in all the forms that a migration tells apart.
import fc from 'fast-check';
import type { Json } from '../../support/service/client.ts';

/** `default`: never null, and there is a value for what is not sent. */
type Unset = 'never' | 'null' | 'default';

export type Plain =
  | { readonly kind: 'text'; readonly max: number; readonly unset: Unset; readonly format?: string | undefined }
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly unset: Unset }
  | {
      readonly kind: 'integer';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly unset: Unset;
    }
  | {
      readonly kind: 'decimal';
      readonly precision: number;
      readonly scale: number;
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly signed: boolean;
      readonly unset: Unset;
    }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date'; readonly unset: 'null' | 'never' };

export type Shape =
  | Plain
  | { readonly kind: 'list'; readonly item: Plain; readonly minItems: number; readonly maxItems: number }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | {
      readonly kind: 'objects';
      readonly fields: readonly Field[];
      readonly minItems: number;
      readonly maxItems: number;
    }
  | {
      readonly kind: 'reference';
      /** Of the group that it names. */
      readonly target: number;
      readonly nullable: boolean;
      readonly onDelete: string;
      readonly asId: boolean;
    }
  | { readonly kind: 'references'; readonly target: number; readonly maxItems: number };

export interface Field {
  /** Stays the same through renames. */
  readonly uid: number;
  readonly name: string;
  /** The name it had before the edits. */
  readonly was?: string | undefined;
  readonly shape: Shape;
  readonly isFiltered: boolean;
  /** A scalar that may be null: it has a value only while the record's switch is on. */
  readonly isConditional: boolean;
  /** New value of an enum → the old one. */
  readonly renamedValues: Readonly<Record<string, string>>;
}

export interface Group {
  readonly uid: number;
  readonly name: string;
  readonly was?: string | undefined;
  readonly fields: readonly Field[];
  /** Uids of the fields of each key. */
  readonly keys: readonly (readonly number[])[];
}

export const words = ['on', 'off', 'low', 'high', 'very-high', 'none'] as const;
const unset = fc.constantFrom<Unset>('never', 'null', 'default');
const bound = fc.option(fc.constantFrom(-3, 0, 1, 2, 7), { nil: undefined, freq: 2 });
const ceiling = fc.option(fc.constantFrom(9, 12, 99, 500), { nil: undefined, freq: 2 });

const text: fc.Arbitrary<Plain> = fc.record({
  kind: fc.constant('text' as const),
  max: fc.constantFrom(12, 20, 60, 200, 300, 5000),
  unset,
  format: fc.option(fc.constantFrom('email', 'url'), { nil: undefined, freq: 5 }),
});
const word: fc.Arbitrary<Plain> = fc.record({
  kind: fc.constant('enum' as const),
  values: fc.subarray([...words], { minLength: 1 }),
  unset,
});
const integer: fc.Arbitrary<Plain> = fc.record({
  kind: fc.constant('integer' as const),
  min: bound,
  max: ceiling,
  unset,
});
const decimal: fc.Arbitrary<Plain> = fc
  .record({
    kind: fc.constant('decimal' as const),
    whole: fc.constantFrom(3, 4, 8),
    scale: fc.constantFrom(0, 1, 2, 4),
    min: bound,
    max: ceiling,
    signed: fc.boolean(),
    unset,
  })
  .map(({ whole, min, signed, ...rest }) => ({
    ...rest,
    precision: whole + rest.scale,
    signed,
    min: signed || (min ?? 0) > 0 ? min : undefined,
  }));
const plain: fc.Arbitrary<Plain> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: integer },
  { weight: 2, arbitrary: decimal },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('date' as const), unset: fc.constantFrom('null', 'never') }) },
);
const items = fc.oneof(text, word, integer, decimal).map((item) => ({ ...item, unset: 'never' as const }));
const fewest = fc.constantFrom(0, 0, 0, 1, 2);
const most = fc.constantFrom(2, 3, 9);

const reference = fc.record({
  kind: fc.constant('reference' as const),
  target: fc.nat(5),
  nullable: fc.boolean(),
  onDelete: fc.constantFrom('restrict', 'cascade', 'clear'),
  asId: fc.boolean(),
});

/** A field whose uid and name are given when it takes its place. */
const fieldOf = (shape: fc.Arbitrary<Shape>): fc.Arbitrary<Field> =>
  fc.record({
    uid: fc.constant(0),
    name: fc.constant(''),
    shape,
    isFiltered: fc.boolean(),
    isConditional: fc.constantFrom(false, false, false, true),
    renamedValues: fc.constant({}),
  });

/** References of items are always to be had: a record of the same group may be the only one. */
const inside = (shapes: fc.Arbitrary<Shape>): fc.Arbitrary<readonly Field[]> =>
  fc.array(
    fieldOf(shapes).map((one) => ({ ...one, isConditional: false })),
    { minLength: 1, maxLength: 3 },
  );

const shape: fc.Arbitrary<Shape> = fc.oneof(
  { weight: 9, arbitrary: plain },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      item: items,
      minItems: fc.constantFrom(0, 0, 1),
      maxItems: most,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('object' as const), fields: inside(plain) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('objects' as const),
      fields: inside(
        fc.oneof(
          { weight: 4, arbitrary: plain },
          { weight: 1, arbitrary: reference.map((one) => ({ ...one, nullable: true })) },
        ),
      ),
      minItems: fewest,
      maxItems: most,
    }),
  },
  { weight: 2, arbitrary: reference },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('references' as const), target: fc.nat(5), maxItems: most }),
  },
);

export const field: fc.Arbitrary<Field> = fieldOf(shape);

const formats: Readonly<Record<string, string>> = { email: 'a@b.co', url: 'http://a.b' };

/** A value that the shape always takes: its default, and what rows that exist are given. */
export function valueFor(plainShape: Plain): string | number | boolean {
  switch (plainShape.kind) {
    case 'text':
      return formats[plainShape.format ?? ''] ?? 'dflt';
    case 'enum':
      return plainShape.values[0] ?? '';
    case 'integer':
    case 'decimal':
      return Math.max(plainShape.min ?? 3, 3);
    case 'boolean':
      return plainShape.value;
    case 'date':
      return '2024-02-29';
  }
}

/** Whether a value is asked for at each create. */
export const isRequired = ({ shape: { kind, ...rest }, isConditional }: Field): boolean =>
  ('unset' in rest && rest.unset === 'never' && !isConditional) ||
  (kind === 'reference' && 'nullable' in rest && !rest.nullable);

const limitsOf = (one: { readonly min?: number | undefined; readonly max?: number | undefined }): Json => ({
  ...(one.min !== undefined && { minimum: one.min }),
  ...(one.max !== undefined && { maximum: one.max }),
});

/** The shape in JSON Schema, without what says how it is unset. */
function plainJson(one: Plain): Json {
  switch (one.kind) {
    case 'text':
      return { type: 'string', maxLength: one.max, ...(one.format !== undefined && { format: one.format }) };
    case 'enum':
      return { type: 'string', enum: one.values };
    case 'integer':
      return { type: 'integer', ...limitsOf(one) };
    case 'decimal':
      return {
        ...{ type: 'number', format: 'decimal', precision: one.precision, scale: one.scale, ...limitsOf(one) },
        ...(one.signed && { signed: true }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
  }
}

const filterOf: Partial<Record<Shape['kind'], string>> = {
  text: 'text',
  enum: 'exact',
  integer: 'range',
  decimal: 'range',
  boolean: 'exact',
  date: 'range',
  reference: 'exact',
};

/** Whether a text can be searched: only those of some length and no form. */
const canFilter = (one: Shape, isInside: boolean): boolean =>
  !isInside &&
  (one.kind !== 'text' || (one.max <= 255 && one.format === undefined)) &&
  filterOf[one.kind] !== undefined;

/** Lists are filtered by it, sorted by it, or both. */
function wayOf({ uid, shape: { kind } }: Field): Json {
  const filter = { filter: filterOf[kind] };
  const canSort = kind === 'text' || kind === 'integer' || kind === 'decimal' || kind === 'date';
  if (!canSort || uid % 3 === 0) return filter;
  return { ...(uid % 3 === 1 && filter), sort: true };
}

export interface Naming {
  /** The names of groups, by uid. */
  readonly groups: ReadonlyMap<number, string>;
}

/** A field as a descriptor has it. */
export function fieldJson(one: Field, naming: Naming, isInside = false): Json {
  const { shape: of, was, renamedValues } = one;
  return {
    ...shapeJson(one, naming),
    ...(was !== undefined && was !== one.name && { renamedFrom: was }),
    ...(Object.keys(renamedValues).length > 0 && of.kind === 'enum' && { renamedValues }),
    ...(one.isFiltered && canFilter(of, isInside) && wayOf(one)),
  };
}

function shapeJson({ shape: one, isConditional }: Field, naming: Naming): Json {
  const listed = (fields: readonly Field[]): Json => ({
    properties: Object.fromEntries(fields.map((inner) => [inner.name, fieldJson(inner, naming, true)])),
    ...(fields.some(isRequired) && { required: fields.filter(isRequired).map(({ name }) => name) }),
  });
  switch (one.kind) {
    case 'reference':
      return {
        reference: naming.groups.get(one.target),
        ...(one.nullable && { nullable: true }),
        ...(one.asId && { referenceFormat: 'id' }),
        onDelete: one.onDelete === 'clear' && !one.nullable ? 'restrict' : one.onDelete,
      };
    case 'references':
      return { references: naming.groups.get(one.target), maxItems: one.maxItems, onDelete: 'clear' };
    case 'list':
      return {
        ...{ type: 'array', items: plainJson(one.item), maxItems: one.maxItems },
        ...(one.minItems > 0 && { minItems: one.minItems }),
        default: Array.from({ length: one.minItems }, () => valueFor(one.item)),
      };
    case 'object':
      return { type: ['object', 'null'], ...listed(one.fields) };
    case 'objects':
      return {
        ...{ type: 'array', items: { type: 'object', ...listed(one.fields) }, maxItems: one.maxItems },
        ...(one.minItems > 0 && { minItems: one.minItems }),
      };
    case 'boolean':
      return { ...plainJson(one), default: one.value };
    default: {
      const json = plainJson(one);
      if (isConditional) return { ...json, type: [json['type'], 'null'], onlyWhen: 'isOn' };
      if (one.unset === 'null') return { ...json, type: [json['type'], 'null'] };
      if (one.unset !== 'default') return json;
      // Half of the texts have the empty one as their default.
      return { ...json, default: one.kind === 'text' && one.max % 100 === 0 ? '' : valueFor(one) };
    }
  }
}
