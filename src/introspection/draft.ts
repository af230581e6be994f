// Foreign tables → draft descriptors. What cannot be expressed is left out and noted, never guessed silently.

import { rowOf } from '../registry/model/kinds.ts';
import { singular } from '../registry/model/naming.ts';
import { type RawDescriptor, type RawField, reservedFault } from '../registry/model/vocabulary.ts';
import { wordsIn } from '../text/words-in.ts';
import { draftField, wordsOf } from './field.ts';
import type { ForeignColumn, ForeignReference, ForeignTable } from './read.ts';

export interface Draft {
  /** Name of the group, and of its file. */
  readonly name: string;
  readonly table: string;
  readonly descriptor: RawDescriptor;
  /** What a reader should look at, as `column: text`. */
  readonly notes: readonly string[];
}

/** One draft a table; tables that only link two others become a list of references of the first of them. */
export function draftDescriptors(tables: readonly ForeignTable[]): Draft[] {
  const known = new Set(tables.map(({ name }) => name));
  const links = tables.filter((table) => isLink(table, known));
  return tables.filter((table) => !links.includes(table)).map((table) => draftTable(table, links, known));
}

/** `order_items` and `OrderItems` → `order-item`. */
function groupName(table: string): string {
  const words = wordsIn(table).map((word) => word.toLowerCase());
  const name = [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('-');
  return /^[a-z]/.test(name) ? name : `group-${name}`;
}

/** Two references and nothing else but its own number and times. */
function isLink(table: ForeignTable, known: ReadonlySet<string>): boolean {
  const keys = table.references.filter(({ columns, target }) => columns.length === 1 && known.has(target));
  const linking = new Set(keys.flatMap(({ columns }) => columns));
  const rest = table.columns.filter(({ name }) => !linking.has(name) && !isOurs(name, table));
  return keys.length === 2 && linking.size === 2 && rest.length === 0;
}

/** Columns that every record has: its id and its times. */
const isOurs = (column: string, table: ForeignTable): boolean =>
  /^(?:created_?at|created_?on|date_?created|updated_?at|modified_?at)$/i.test(column) ||
  (table.primaryKey.length === 1 && table.primaryKey[0] === column && !isReference(column, table)) ||
  column.toLowerCase() === 'position';

const isReference = (column: string, { references }: ForeignTable): boolean =>
  references.some(({ columns }) => columns.includes(column));

function draftTable(table: ForeignTable, links: readonly ForeignTable[], known: ReadonlySet<string>): Draft {
  const notes: string[] = [];
  const fields = new Map<string, { readonly field: RawField | true; readonly column: string | undefined }>();
  const required: string[] = [];
  const add = (wanted: string, field: RawField, column: string | undefined): string => {
    const name = freeName(wanted, fields);
    fields.set(name, { field, column });
    return name;
  };
  for (const column of table.columns) {
    if (isOurs(column.name, table)) continue;
    const reference = table.references.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
    if (reference !== undefined && known.has(reference.target)) {
      const name = add(referenceName(column.name), referenceField(reference, column), column.name);
      if (!column.nullable) required.push(name);
      continue;
    }
    const { field, note } = draftField(column, table.indexed.has(column.name));
    if (note !== undefined) notes.push(`${column.name}: ${note}`);
    if (field === undefined) continue;
    const name = add(camel(column.name), field, column.name);
    if (!column.nullable && field.default === undefined) required.push(name);
  }
  fields.set('createdAt', { field: true, column: undefined });
  for (const link of links) {
    const [own, other] = link.references;
    if (own?.target !== table.name || other === undefined) continue;
    add(`${camel(groupName(other.target))}s`, linkField(other, link), undefined);
  }
  for (const reference of table.references)
    if (reference.columns.length > 1)
      notes.push(`${reference.columns.join(', ')}: a reference over several columns is left out`);
  const group = groupName(table.name);
  const title = group
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const unique = uniqueKeys(table, fields);
  return {
    name: group,
    table: table.name,
    notes,
    descriptor: {
      title,
      description: `${wordsOf(table.name)}.`,
      properties: Object.fromEntries([...fields].map(([name, { field }]) => [name, field])),
      required,
      resource: {
        path: `/${wordsIn(table.name).join('-').toLowerCase()}`,
        shownAs: `{${shownField(fields)}}`,
        operations: ['list', 'get', 'create', 'update', 'delete'],
        ...(unique.length === 0 ? {} : { unique }),
      },
    },
  };
}

function referenceField({ target, onDelete }: ForeignReference, column: ForeignColumn): RawField {
  return {
    reference: groupName(target),
    ...(column.nullable ? { nullable: true } : {}),
    filter: 'exact',
    // A reference that must be set cannot be cleared.
    onDelete: onDelete === 'clear' && !column.nullable ? 'restrict' : onDelete,
    description: column.comment === '' ? wordsOf(referenceName(column.name)) : column.comment,
  };
}

const linkField = ({ target, onDelete }: ForeignReference, link: ForeignTable): RawField => ({
  references: groupName(target),
  filter: 'exact',
  onDelete: onDelete === 'restrict' ? 'restrict' : 'clear',
  description: wordsOf(link.name),
});

/** `author_id` → `author`; the name of a reference is that of the record. */
const referenceName = (column: string): string => camel(column.replace(/_?id$/i, '')) || 'record';

/** `first_name` → `firstName`. */
function camel(name: string): string {
  const words = wordsIn(name).map((word) => word.toLowerCase());
  const joined = words
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return /^[a-z]/.test(joined) ? joined : `field${joined}`;
}

/** Names that mean something to every record get another ending. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const isFree = (name: string): boolean => !taken.has(name) && reservedFault(name) === undefined;
  if (isFree(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (isFree(`${wanted}${number}`)) return `${wanted}${number}`;
}

type Fields = ReadonlyMap<string, { readonly field: RawField | true; readonly column: string | undefined }>;

/** What a reference to the record shows: its name or title, else the first text that is always there, else its time. */
function shownField(fields: Fields): string {
  const texts = [...fields].filter(
    ([, { field }]) =>
      field !== true && field.type === 'string' && field.enum === undefined && field.format === undefined,
  );
  const named = texts.find(([name]) => /^(?:name|title|label|code|email)$/.test(name));
  return (named ?? texts[0])?.[0] ?? 'createdAt';
}

function uniqueKeys(table: ForeignTable, fields: Fields): string[][] {
  const byColumn = new Map(
    [...fields].flatMap(([name, { field, column }]) =>
      column === undefined ? [] : [[column, { name, field }] as const],
    ),
  );
  const all = table.primaryKey.length > 1 ? [table.primaryKey, ...table.unique] : table.unique;
  const keys = [...new Map(all.map((columns) => [columns.join(' '), columns])).values()];
  return keys.flatMap((columns) => {
    const members = columns.map((column) => byColumn.get(column));
    const fit = members.every((member) => member !== undefined && member.field !== true && canBeKey(member.field));
    return fit ? [members.flatMap((member) => (member === undefined ? [] : [member.name]))] : [];
  });
}

const longestOfKey = 255;
const canBeKey = (field: RawField): boolean =>
  rowOf(field)?.isSought === true && (field.maxLength ?? 0) <= longestOfKey;
