// Types by which statements bind the values that an aggregate is given.
import type { Type } from '../../../formulas/language/tree.ts';
import type { ColumnType } from '../../schema/column-types.ts';

/** Returns the type that binds a given value; undefined for a value that databases compare in another way. */
export function toBindingType(type: Type | undefined, value: string | boolean | null): ColumnType | undefined {
  switch (type?.kind) {
    case 'bool':
      return { kind: 'boolean' };
    case 'number': {
      const [whole = '', decimals = ''] = String(value ?? '')
        .replace('-', '')
        .split('.');
      // Few precisions: each of them makes another statement.
      return {
        kind: 'decimal',
        precision: Math.ceil((whole.length + 1) / 6) * 6 + decimals.length,
        scale: decimals.length,
      };
    }
    case 'date':
      return { kind: 'date' };
    case 'instant':
      return { kind: 'dateTime' };
    case 'time':
    case 'id':
    case 'text':
      return isSayable(String(value ?? '')) ? { kind: 'text', length: 255 } : undefined;
    default:
      return undefined;
  }
}

const isSayable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

export const bindingTypesText = (types: readonly (ColumnType | undefined)[]): string =>
  types.map((type) => (type?.kind === 'decimal' ? `${type.precision}.${type.scale}` : (type?.kind ?? '-'))).join();
