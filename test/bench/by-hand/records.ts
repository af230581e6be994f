// What records of all groups have: ids and times, references, and refusals in the words of the interface.
import { v7 } from 'uuid';
import { Refusal } from './app.ts';
import type { Cell, Session } from './store.ts';

/** A new id and the moment in it, so that both give one order. */
export function newRecord(): { id: string; createdAt: string } {
  const id = v7();
  return { id, createdAt: new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString() };
}

/** A record that another shows. */
export const shown = (id: string | null | undefined, name: string | null) => (id == null ? null : { id, name });

/** A project with its client, as records show it. */
export const shownProject = (project: Named & { client_id: string; client: string }) => ({
  ...shown(project.id, project.name),
  client: shown(project.client_id, project.client),
});
interface Named {
  readonly id: string;
  readonly name: string;
}

/** The refusal of a body with these problems. */
export const invalid = (errors: readonly string[]): Refusal =>
  new Refusal(400, 'There was a problem processing your request. See errors for more details.', errors);

/** @throws Refusal 400 where there is any problem with the body */
export function refuse(errors: readonly string[]): void {
  if (errors.length > 0) throw invalid(errors);
}

/** Texts of those problems that there are: `[whether it is one, its text]`. */
export const problems = (judged: readonly (readonly [boolean, string])[]): string[] =>
  judged.filter(([isOne]) => isOne).map(([, text]) => text);

/** The text for a reference that was sent and leads nowhere. */
export const missing = (field: string, title: string, sent: unknown, found: unknown): readonly [boolean, string] => [
  sent != null && found == null,
  `'${field}' does not refer to an existing ${title}`,
];

const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** The text of `in (?, ?)`. */
export const among = (values: readonly unknown[]): string => `in (${places(values.length)})`;

/** A statement that inserts a row, made once. */
export function inserting(table: string, columns: readonly string[]) {
  const sql = `insert into ${table} (${quoted(columns)}) values (${places(columns.length)})`;
  return (session: Session, row: Readonly<Record<string, Cell>>): Promise<void> =>
    session.run(
      sql,
      columns.map((column) => row[column] ?? null),
    );
}

/** Inserts some rows with one statement. */
export async function insertRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const row = `(${places(columns.length)})`;
  await session.run(`insert into ${table} (${quoted(columns)}) values ${rows.map(() => row).join(', ')}`, rows.flat());
}

const quoted = (columns: readonly string[]): string => columns.map((column) => `\`${column}\``).join(', ');

// Shapes of bodies.
export const id = { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' } as const;
export const day = { type: 'string', format: 'date' } as const;
export const flag = { type: 'boolean' } as const;
export const line = { type: 'string', maxLength: 255 } as const;
export const text = { type: 'string', maxLength: 5000 } as const;
/** A number with at most so many decimals. */
export const decimal = (scale: number, maximum: number, minimum = 0) =>
  ({ type: 'number', minimum, maximum, multipleOf: 10 ** -scale }) as const;
export const money = decimal(4, 99_999_999_999);
/** A body of these fields and no others. */
export const body = (required: readonly string[], properties: object) =>
  ({ type: 'object', additionalProperties: false, required, properties }) as const;
