// Whether somebody sees a file: in a record that names it, in the field that does. One statement a place where files are named. What no
// record names yet is for those who know its id: it was just uploaded.
import { sql } from 'kysely';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { Bound } from '../schema/cells.ts';
import { bind, compile, type Statement } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import type { LruCache } from '../schema/lru-cache.ts';
import { and, param, type Sql } from '../schema/sql.ts';
import { type ListTable, listTablesOf, tableName } from '../schema/tables.ts';
import { type Sight, seenSql } from '../sight/sight.ts';
import type { Statements } from './parts.ts';
import { type Place, placesOf } from './records.ts';

interface Seeing {
  readonly registry: Registry;
  readonly dialect: Dialect;
  /** Statements that others keep, too. */
  readonly kept: LruCache<Statement>;
  readonly sight: Sight;
  /** Whether records of a group are shown at all. */
  readonly isOpen: (resource: Resource) => boolean;
}

/** @param values Of the file, `file`, and of who looks. */
export async function isFileSeen(
  unit: Pick<Statements, 'read'>,
  seeing: Seeing,
  values: Readonly<Record<string, Bound>>,
): Promise<boolean> {
  for (const place of placesOf(seeing.registry)) {
    const statement = statementOf(seeing, place);
    if (statement === undefined) continue;
    if ((await unit.read(statement.sql, bind(statement, values))).length > 0) return true;
  }
  return false;
}

/**
 * Those of some files that somebody may name in a record: that no record names yet, and that are seen in one.
 * @param values Of who looks.
 */
export async function filesToName(
  unit: Pick<Statements, 'read'>,
  seeing: Seeing,
  { ids, values }: { readonly ids: readonly string[]; readonly values: Readonly<Record<string, Bound>> },
): Promise<ReadonlySet<string>> {
  const free = freeStatement(seeing);
  const found = new Set<string>();
  for (const file of ids) {
    const isFree = (await unit.read(free.sql, bind(free, { file }))).length > 0;
    if (isFree || (await isFileSeen(unit, seeing, { ...values, file }))) found.add(file);
  }
  return found;
}

/** Finds a file by its id, unless a record names it. */
function freeStatement({ registry, dialect, kept }: Seeing): Statement {
  const files = registry.files ?? unreachable('there are no files');
  return kept.get('file free', () => {
    const id = param('file');
    const named = placesOf(registry).map(
      ({ table, column }) =>
        sql`not exists (select 1 from ${sql.table(table)} as n where ${sql.ref(`n.${column}`)} = ${id})`,
    );
    const conditions = and([sql`f.id = ${id}`, ...named]);
    return compile(sql`select 1 from ${sql.table(tableName(files.name))} as f where ${conditions}`, dialect);
  });
}

/** Undefined where the place shows nothing to them. */
function statementOf({ registry, dialect, kept, sight, isOpen }: Seeing, place: Place): Statement | undefined {
  const resource = registry.resources.get(place.group) ?? unreachable(`there is no group ${place.group}`);
  if (!isOpen(resource)) return undefined;
  const seen = sight.visibleField({ resource, alias: 't' }, fieldOf(resource, place));
  if (seen === false) return undefined;
  const condition = seenSql(seen);
  const key = `file ${place.table}.${place.column} ${typeof seen === 'boolean' ? '' : seen.key}`;
  return kept.get(key, () => {
    const conditions: readonly Sql[] = [namesFile(place), ...(condition === undefined ? [] : [condition])];
    return compile(
      sql`select 1 from ${sql.table(tableName(place.group))} as t where ${and(conditions)} limit 1`,
      dialect,
    );
  });
}

function namesFile({ table, column, list }: Place): Sql {
  if (list === undefined) return sql`${sql.ref(`t.${column}`)} = ${param('file')}`;
  return sql`t.id in (select n.owner_id from ${sql.table(table)} as n where ${sql.ref(`n.${column}`)} = ${param('file')})`;
}

/** The field of the record in which a place stands. */
function fieldOf(resource: Resource, { table, column, list }: Place): string {
  const own = list === undefined ? resource.fields.find((field) => field.column === column) : undefined;
  const outer = listTablesOf(resource).find((each) => isWithin(each, table));
  return (own ?? outer?.field)?.name ?? unreachable(`${table}.${column} is kept of no field`);
}

const isWithin = ({ name, inner }: ListTable, table: string): boolean =>
  name === table || inner.some((each) => isWithin(each, table));
