// Statements over many ids: a thousand at a time, and in few lengths, so that the texts that are kept stay few.
import { type RawBuilder, sql } from 'kysely';
import { Param } from '../schema/sql.ts';
import { paddedCount } from '../statements/query.ts';

interface IdPart<T> {
  /** How many places the statement has: what tells its text from others. */
  readonly count: number;
  /** The places, for `in (…)`. */
  readonly places: () => RawBuilder<unknown>;
  readonly values: Readonly<Record<string, T>>;
}

const most = 1000;
const allNames = Array.from({ length: most }, (_value, place) => `id${place}`);

/** What parts of a question find, put together. */
export const inParts = <T>(parts: readonly Promise<readonly T[]>[]): Promise<readonly T[]> => {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Promise.all(parts).then((found) => found.flat());
};

/** Cuts ids, or other cells, into parts; places without one of their own hold the first one again. */
export function idParts<T>(ids: readonly T[]): IdPart<T>[] {
  const parts: IdPart<T>[] = [];
  for (let start = 0; start < ids.length; start += most) {
    const part = ids.slice(start, start + most);
    const names = allNames.slice(0, paddedCount(part.length));
    const values: Record<string, T> = {};
    for (const [place, name] of names.entries()) values[name] = part[place < part.length ? place : 0] as T;
    parts.push({
      count: names.length,
      places: () => sql.join(names.map((name) => sql`${new Param(name)}`)),
      values,
    });
  }
  return parts;
}
