// Column types as text: `text(255)`, `decimal(12,4)`, `id`. Short to read in a migration, and compared by equality.
import type { ColumnType } from '../../storage/schema/column-types.ts';
import { unreachable } from '../../unreachable.ts';

const plain = ['id', 'key', 'integer', 'boolean', 'date', 'dateTime', 'json'] as const;
const sized = ['text', 'word', 'folded'] as const;
const longestText = 4_000_000;

/** How a migration writes a type. */
export function typeToText(type: ColumnType): string {
  if (type.kind === 'decimal') return `decimal(${type.precision},${type.scale})`;
  return 'length' in type ? `${type.kind}(${type.length})` : type.kind;
}

/** What a migration means by a type; undefined when it is none. */
export function textToType(text: string): ColumnType | undefined {
  const kind = plain.find((word) => word === text);
  if (kind !== undefined) return { kind };
  const [, word = '', first = '', second] = /^([a-z]+)\((\d{1,7})(?:,(\d{1,2}))?\)$/.exec(text) ?? [];
  const length = Number(first);
  if (word === 'decimal' && second !== undefined) {
    const scale = Number(second);
    return length >= 1 && length <= 18 && scale <= length ? { kind: 'decimal', precision: length, scale } : undefined;
  }
  const long = sized.find((name) => name === word);
  return long === undefined || second !== undefined || length < 1 || length > longestText
    ? undefined
    : { kind: long, length };
}

/** The same, of a type that has been read before. @throws Error when it was not */
export function typeOf({ type }: { readonly type: string }): ColumnType {
  const found = textToType(type);
  if (found === undefined) unreachable(`"${type}" is no type of a column`);
  return found;
}
