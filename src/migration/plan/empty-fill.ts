// Values of existing rows in a new column of a computed field, until the field is computed.
import { typeOf } from './column-type.ts';
import type { SchemaColumn } from './schema.ts';
import type { FillValue } from './steps.ts';

/** Returns the value of a column without nulls until its field is computed. */
export function emptyFill(column: SchemaColumn): FillValue | undefined {
  const { kind } = typeOf(column);
  switch (kind) {
    case 'boolean':
      return false;
    case 'integer':
      return 0;
    case 'decimal':
      return '0';
    case 'date':
      return '1970-01-01';
    case 'dateTime':
      return '1970-01-01T00:00:00.000Z';
    case 'id':
      return '00000000-0000-0000-0000-000000000000';
    case 'json':
      return '[]';
    case 'word':
      return column.values?.[0] ?? '';
    default:
      return '';
  }
}
