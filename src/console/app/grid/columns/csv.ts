// Records as CSV for programs: ids, names of fields and values as the API has them.
import { saveFile } from '../../browser/save-file.ts';
import { commonMessages } from '../../messages/common.ts';
import { say } from '../../parts/say.tsx';
import { exported, type Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import type { Column } from './columns.ts';

/** Fields of a reference: its id, and the name for people. */
const isReference = (value: unknown): value is { readonly id: string; readonly name?: string } =>
  typeof value === 'object' && value !== null && 'id' in value;

/** A line of names, then one for each record: the id first, a reference as two columns. */
export function csvOf(group: GroupModel, columns: readonly Column[], records: readonly Shown[]): string {
  const fields = fieldsOf(group, columns);
  const head = [
    'id',
    ...fields.flatMap(({ name, kind }) => (kind === 'reference' ? [`${name}.id`, `${name}.name`] : [name])),
  ];
  const rows = records.map((record) => [
    String(record.id ?? ''),
    ...fields.flatMap(({ name, kind }) => {
      const value = record[name];
      if (kind !== 'reference') return [plain(value)];
      return isReference(value) ? [value.id, value.name ?? ''] : [plain(value), ''];
    }),
  ]);
  return [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n');
}

const fieldsOf = (group: GroupModel, columns: readonly Column[]): readonly FieldModel[] =>
  columns.flatMap(({ field }) => field ?? namesIn(group, columns));

/** Fields of the record by which it is shown, where they have no column of their own. */
const namesIn = ({ fields, shownAs }: GroupModel, columns: readonly Column[]): readonly FieldModel[] => {
  const paths = shownAs.flatMap((part) => (part.kind === 'value' ? part.paths : []));
  return fields.filter(({ name, shown }) => shown && paths.includes(name) && !columns.some(({ key }) => key === name));
};

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => (isReference(one) ? one.id : plain(one))).join('; ');
  if (isReference(value)) return value.id;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** RFC 4180; what spreadsheets would take for a formula is a text. */
function csvCell(text: string): string {
  const safe = /^[=@\t\r]|^[+-](?![\d.,\s]*$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface Saved {
  readonly filters: URLSearchParams;
  readonly format: 'csv' | 'json';
}

/** Saves all records that the filters leave as a file, with these columns alone: the service makes the table. */
export async function saveAll(
  group: GroupModel,
  columns: readonly Column[],
  { filters, format }: Saved,
): Promise<void> {
  const isTable = format === 'csv';
  const query = new URLSearchParams(filters);
  query.set('format', isTable ? 'csv' : 'ndjson');
  if (isTable) query.set('safe', 'true');
  query.set('fields', ['id', ...fieldsOf(group, columns).map(({ name }) => name)].join(','));
  try {
    const answer = await exported(group.path, query);
    const parts = [isTable ? answer : arrayOf(await answer.text())];
    saveFile(new Blob(parts, { type: isTable ? 'text/csv' : 'application/json' }), `${group.path.slice(1)}.${format}`);
    say(commonMessages.saved(format.toUpperCase()));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

/** The records of lines as one array, digit by digit as they are; the last line says that it is the last. */
const arrayOf = (lines: string): string => `[\n${lines.trimEnd().split('\n').slice(0, -1).join(',\n')}\n]\n`;
