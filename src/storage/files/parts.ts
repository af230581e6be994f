// The bytes of uploaded files, where the database keeps them. A file is its digest here, so that equal ones are kept once.
import { toDatabaseTime } from '../../values/date.ts';
import type { Bound, Row } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import type { Session } from '../schema/session.ts';
import type { Column, Table } from '../schema/tables.ts';

/** What statements are sent by: a unit of work. */
export interface Statements {
  read(sql: string, values: readonly Bound[]): Promise<Row[]>;
  write(sql: string, values: readonly Bound[]): Promise<number>;
  transact<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: false });

/** Bytes in slices, as long as any server takes. */
export const partTable: Table = {
  name: 'praxis_file',
  group: '',
  columns: [
    column('sha256', { kind: 'word', length: 64 }),
    column('part', { kind: 'integer' }),
    column('kept_at', { kind: 'dateTime' }),
    column('bytes', { kind: 'bytes' }),
  ],
  primaryKey: ['sha256', 'part'],
  indexes: [],
  foreignKeys: [],
};

const databaseTime = (date: Date): string => toDatabaseTime(date.toISOString());

/** Keeps bytes that are there already for longer. @returns whether they are */
export const keepFileLonger = async (unit: Statements, sha256: string, now: Date): Promise<boolean> =>
  (await unit.write('update praxis_file set kept_at = ? where sha256 = ?', [databaseTime(now), sha256])) > 0;

/** Keeps all bytes of a file. @param parts Slices of them, in their order */
export async function keepFileParts(
  unit: Statements,
  sha256: string,
  {
    parts,
    now,
    ignore,
  }: { readonly parts: () => AsyncIterable<Uint8Array>; readonly now: Date; readonly ignore: string },
): Promise<void> {
  await unit.transact(async (session) => {
    let part = 0;
    for await (const bytes of parts()) {
      const values = [sha256, part, databaseTime(now), bytes];
      await session.run(`${ignore} into praxis_file (sha256, part, kept_at, bytes) values (?, ?, ?, ?)`, values);
      part += 1;
    }
  });
}

/** One slice; undefined where it is not there. */
export async function readFilePart(unit: Statements, sha256: string, part: number): Promise<Uint8Array | undefined> {
  const [row] = await unit.read('select bytes from praxis_file where sha256 = ? and part = ?', [sha256, part]);
  const bytes = row?.[0];
  return bytes instanceof Uint8Array ? bytes : undefined;
}

/** Forgets bytes that were kept before then, and that no record has. */
export async function sweepFileParts(unit: Statements, before: Date): Promise<void> {
  const lost = await unit.read(
    'select p.sha256 from praxis_file as p where p.part = 0 and p.kept_at < ? and not exists (select 1 from file as f where f.sha256 = p.sha256)',
    [databaseTime(before)],
  );
  // What is uploaded again meanwhile is kept longer, and is not among them then.
  for (const [sha256] of lost)
    await unit.write('delete from praxis_file where sha256 = ? and kept_at < ?', [
      String(sha256),
      databaseTime(before),
    ]);
}
