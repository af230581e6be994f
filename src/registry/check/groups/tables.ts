// Checks the tables of a descriptor against the limits of MySQL, before any statement is made.
import type { JSONPath } from 'jsonc-parser';
import type { Report } from '../../model/faults.ts';
import { keyOf } from '../../model/field-names.ts';
import type { Kind } from '../../model/kind-name.ts';
import { isScalarKind, kindOf, kinds, rowOf, type Size } from '../../model/kinds.ts';
import type { ScalarKind } from '../../model/model.ts';
import { choiceColumn, snakeCase } from '../../model/naming.ts';
import { digitsOf } from '../../model/numbers.ts';
import { isKept, type RawDescriptor, type RawField } from '../../model/vocabulary.ts';

/** Limits of MySQL and InnoDB, with room for what tables carry beside their fields. */
/** SQLite keeps a decimal as an integer of 64 bits. */
const maxDigits = { precision: 18, scale: 8 } as const;

const limits = { rowBytes: 65_535, pageBytes: 8_000, columns: 1_000, indexes: 64, nameLetters: 64 } as const;

interface RawColumn extends Size {
  readonly name: string;
  /** The field that it keeps. */
  readonly path: JSONPath;
  /** Precision and scale of a decimal. */
  readonly digits?: Digits | undefined;
}

type Digits = ReturnType<typeof digitsOf>;

export interface RawTable {
  readonly name: string;
  readonly path: JSONPath;
  readonly columns: readonly RawColumn[];
  readonly indexes: number;
}

/** The table of a group, and those of its lists; none of a computed record. */
export function rawTables(name: string, raw: RawDescriptor): RawTable[] {
  if (raw.resource.computed !== undefined) return [];
  const table = snakeCase(name);
  const always = ['id', 'created_at', 'version', 'guard'].map((column) => fixed(column, ['properties'], 36));
  const hashed = new Set((raw.resource.unique ?? []).flat());
  const leaders = new Set((raw.resource.unique ?? []).map(([first]) => first));
  const fields = Object.entries(raw.properties).filter(isField);
  const columns = fields.flatMap(([name, field]) =>
    columnsOf({ name, field, path: ['properties', name], prefix: '', isHashed: hashed.has(name) }),
  );
  const indexes = fields.reduce((sum, [field, definition]) => sum + indexesOf(definition, leaders.has(field)), 0);
  const main: RawTable = {
    name: table,
    path: ['properties'],
    columns: [...always, ...columns],
    indexes: indexes + (raw.resource.unique?.length ?? 0) + (raw.resource.indexes?.length ?? 0) + 1,
  };
  return [main, ...fields.flatMap(([name, field]) => listTables(table, { name, field, path: ['properties', name] }))];
}

interface Placed {
  readonly name: string;
  readonly field: RawField;
  readonly path: JSONPath;
}

const isField = (entry: [string, RawField | true]): entry is [string, RawField] => typeof entry[1] === 'object';

const fixed = (name: string, path: JSONPath, bytes: number): RawColumn => ({ name, path, bytes, isLong: false });

/** The table of a list, and those of the lists of its items. */
function listTables(owner: string, { name, field, path }: Placed): RawTable[] {
  const kind = kindOf(field);
  if ((kind !== 'objects' && kind !== 'references') || !isKept(field)) return [];
  const table = `${owner}_${snakeCase(name)}`;
  const items = Object.entries(field.items?.properties ?? {}).filter(isField);
  const placeOf = (item: string): JSONPath => [...path, 'items', 'properties', item];
  // "item" is the place of the item that a list is part of.
  const places = path.includes('items') ? ['item', 'position'] : ['position'];
  const always = ['owner_id', ...places, 'created_at', ...(kind === 'references' ? ['target_id'] : [])];
  const columns = items.flatMap(([name, field]) =>
    columnsOf({ name, field, path: placeOf(name), prefix: '', isHashed: false }),
  );
  const main: RawTable = {
    name: table,
    path,
    columns: [...always.map((column) => fixed(column, path, 36)), ...columns],
    indexes: kind === 'references' ? 1 : items.reduce((sum, [, item]) => sum + referencesIn(item), 0),
  };
  return [
    main,
    ...items.flatMap(([item, definition]) => listTables(table, { name: item, field: definition, path: placeOf(item) })),
  ];
}

/** How many references a field of an item keeps, each with an index. */
function referencesIn(item: RawField): number {
  if (!isKept(item)) return 0;
  return item.reference === undefined ? Object.keys(item.groups ?? {}).length : 1;
}

interface Kept extends Placed {
  /** What goes before the column's name: the object that the field is part of. */
  readonly prefix: string;
  /** Whether a unique key compares it. */
  readonly isHashed: boolean;
}

function columnsOf(kept: Kept): RawColumn[] {
  const { name, field, path, prefix, isHashed } = kept;
  const kind = kindOf(field);
  if (kind === undefined || !isKept(field)) return [];
  const column = `${prefix}${snakeCase(keyOf(name, field))}`;
  if (!isScalarKind(kind)) return compositeColumns[kind](column, kept);
  const { size, isFolded } = kinds[kind];
  const digits = kind === 'decimal' ? digitsOf(field) : undefined;
  const own: RawColumn = { name: column, path, ...size(field), digits };
  const folded = { name: `${column}_folded`, path, bytes: own.bytes, isLong: true };
  return [
    own,
    ...(isFolded && (field.filter === 'text' || field.sort === true) && prefix === '' ? [folded] : []),
    ...(isFolded && isHashed ? [fixed(`${column}_key`, path, 32)] : []),
  ];
}

/** The columns of fields that are no plain values; lists of records have none here. */
const compositeColumns: Readonly<Record<Exclude<Kind, ScalarKind>, (column: string, kept: Kept) => RawColumn[]>> = {
  reference: (column, { path }) => [fixed(column, path, 36)],
  list: (name, { path }) => [{ name, path, bytes: 12, isLong: true }],
  choice: (_column, { field: { groups = {} }, path }) =>
    [...new Set(Object.values(groups))].map((group) => fixed(choiceColumn(group), path, 36)),
  object: (column, { field: { properties = {} }, path }) => [
    fixed(column, path, 1),
    ...Object.entries(properties)
      .filter(isField)
      .flatMap(([name, field]) =>
        columnsOf({ name, field, path: [...path, 'properties', name], prefix: `${column}_`, isHashed: false }),
      ),
  ],
  objects: () => [],
  references: () => [],
};

function indexesOf(field: RawField, isLeader: boolean): number {
  const row = rowOf(field);
  if (row?.isOneColumn !== true || !isKept(field)) return 0;
  if (row.shape === 'reference') return 1;
  const isSorted = field.sort === true;
  if (field.filter === 'text') return 2;
  if (field.filter === undefined || isLeader) return isSorted ? 1 : 0;
  // A text has one by itself, and one without case.
  return isSorted && row.isFolded ? 2 : 1;
}

/** Reports what MySQL or SQLite would refuse in a table. */
export function checkTable(table: RawTable, report: Report): void {
  const { name, path, columns, indexes } = table;
  if (name.length > limits.nameLetters)
    report(path, `needs the table "${name}", whose name is longer than ${limits.nameLetters} letters`, 'key');
  if (/^(?:praxis|sqlite)_/.test(name))
    report([], `needs the table "${name}"; such names are those of the service and of SQLite itself`);
  const owners = new Map<string, RawColumn>();
  for (const column of columns) {
    const other = owners.get(column.name);
    if (other !== undefined) {
      const whose = other.path.length < 2 || other.path === path ? 'every record' : `"${String(other.path.at(-1))}"`;
      report(column.path, `needs the column "${column.name}", which is that of ${whose}`, 'key');
    }
    owners.set(column.name, column);
    for (const word of ['precision', 'scale'] as const)
      if ((column.digits?.[word] ?? 0) > maxDigits[word])
        report(
          [...column.path, word],
          `is ${column.digits?.[word]}, and a stored field has at most ${maxDigits[word]}`,
        );
    if (column.name.length > limits.nameLetters)
      report(column.path, `needs the column "${column.name}", longer than ${limits.nameLetters} letters`, 'key');
  }
  const row = columns.reduce((sum, { bytes }) => sum + bytes, Math.ceil(columns.length / 8));
  if (row > limits.rowBytes)
    report(
      path,
      `a row takes up to ${row} bytes, and MySQL allows ${limits.rowBytes}; shorten texts, or give long ones a "maxLength" above 255 (kept apart)`,
      'key',
    );
  // Of what can be moved out, 40 bytes stay.
  const page = columns.reduce((sum, { bytes, isLong }) => sum + (isLong ? Math.min(bytes, 40) : bytes), 0);
  if (page > limits.pageBytes)
    report(
      path,
      `a row keeps ${page} bytes in its page, and InnoDB has room for ${limits.pageBytes}; have fewer fields`,
      'key',
    );
  if (columns.length > limits.columns)
    report(path, `needs ${columns.length} columns, and InnoDB allows about ${limits.columns}`, 'key');
  if (indexes > limits.indexes)
    report(path, `needs ${indexes} indexes, and MySQL allows ${limits.indexes}; have fewer filters`, 'key');
}
