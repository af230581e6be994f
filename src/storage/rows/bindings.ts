// Maps fields of a record to columns of its row, and back.

import { sql } from 'kysely';
import type { Field, ObjectField, Value, Values } from '../../registry/model/model.ts';
import { fold, keyHash } from '../../values/fold.ts';
import type { Bound } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnTypeOf, encode, isReadAsText } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { columnsOf, foldedColumn, foldedType, isFolded, keyColumn } from '../schema/tables.ts';

/** A column of a record, and how its value is found in, or put into, the record. */
export interface Binding {
  readonly column: string;
  /** Key of the field that the column belongs to. */
  readonly key: string;
  readonly type: ColumnType;
  /** What is bound for the column. */
  readonly bound: (values: Readonly<Values>) => Bound;
  /** Puts a cell back; absent for columns made from others. */
  readonly put: ((values: Values, value: Value) => void) | undefined;
  /** Whether the cell alone is the value of the field. */
  readonly isPlain: boolean;
}

export const idType: ColumnType = { kind: 'id' };

/** The columns of a field. `hashed` are the texts that unique keys compare by their hash. */
export function fieldBindings(field: Field, hashed: ReadonlySet<Field>, dialect: Dialect): Binding[] {
  const { key, column } = field;
  if (columnsOf(field).length === 0) return [];
  const plain = (
    type: ColumnType,
    read: (values: Readonly<Values>) => Value | undefined = (values) => values[key],
  ): Binding => ({
    column,
    key,
    type,
    bound: (values) => encode(read(values), type, dialect),
    put: (values, value) => {
      values[key] = value;
    },
    isPlain: true,
  });
  switch (field.kind) {
    case 'reference':
      return [plain(idType)];
    case 'choice':
      return field.branches.map(({ value, reference }) => ({
        column: reference.column,
        key: reference.key,
        type: idType,
        bound: (values) => (values[field.by] === value ? encode(values[key], idType, dialect) : null),
        put: (values, id) => {
          if (id !== null) values[key] = id;
        },
        isPlain: false,
      }));
    case 'list': {
      const scalar = columnTypeOf(field.item);
      return [
        {
          ...plain({ kind: 'json' }, (values) => listText(values[key], scalar)),
          put: (values, value) => Object.assign(values, { [key]: listValue(value, scalar) }),
          isPlain: false,
        },
      ];
    }
    case 'object':
      return objectBindings(field, dialect);
    case 'references':
      return [];
    case 'objects': {
      const text = (values: Readonly<Values>): Value => JSON.stringify(values[key] ?? []);
      return [
        {
          ...plain({ kind: 'json' }, text),
          put: (values, value) => Object.assign(values, { [key]: JSON.parse(String(value)) }),
          isPlain: false,
        },
      ];
    }
    default: {
      const bindings = [plain(columnTypeOf(field))];
      const made = (name: string, type: ColumnType, make: (text: string) => Bound): Binding => ({
        column: name,
        key,
        type,
        bound: (values) => (typeof values[key] === 'string' ? make(values[key]) : null),
        put: undefined,
        isPlain: false,
      });
      if (isFolded(field)) {
        const type = foldedType(field);
        bindings.push(made(foldedColumn(column), type, (text) => encode(fold(text), type, dialect)));
      }
      if (hashed.has(field)) bindings.push(made(keyColumn(column), { kind: 'key' }, keyHash));
      return bindings;
    }
  }
}

/** The columns of an object: whether there is one, and its fields. */
function objectBindings({ fields, key, column }: ObjectField, dialect: Dialect): Binding[] {
  const objectOf = (values: Readonly<Values>): Values | undefined => {
    const value = values[key];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
  };
  const presence: Binding = {
    column,
    key,
    type: { kind: 'boolean' },
    bound: (values) => (objectOf(values) === undefined ? 0 : 1),
    put: (values, value) => {
      values[key] = value === true ? {} : null;
    },
    isPlain: false,
  };
  const inside = fields.flatMap((field) =>
    fieldBindings(field, new Set(), dialect).map((binding): Binding => {
      const put = binding.put;
      return {
        ...binding,
        key,
        bound: (values) => binding.bound(objectOf(values) ?? {}),
        put:
          put &&
          ((values, value) => {
            const object = objectOf(values);
            if (object !== undefined) put(object, value);
          }),
        isPlain: false,
      };
    }),
  );
  return [presence, ...inside];
}

/** JSON of a list of plain values; decimals are text in the engine and numbers in JSON. */
function listText(value: Value | undefined, scalar: ColumnType): string {
  if (!Array.isArray(value)) return '[]';
  return scalar.kind === 'decimal' ? `[${value.join(',')}]` : JSON.stringify(value);
}

function listValue(value: Value, scalar: ColumnType): Value {
  const items = JSON.parse(String(value ?? '[]')) as Value[];
  return scalar.kind === 'decimal' ? items.map(String) : items;
}

/** The columns of a select that a decoder reads. */
export const selected = (bindings: readonly Binding[], dialect: Dialect) =>
  sql.join(
    bindings.map(({ column, type }) =>
      isReadAsText(type, dialect) ? sql`cast(${sql.ref(column)} as text)` : sql.ref(column),
    ),
  );
