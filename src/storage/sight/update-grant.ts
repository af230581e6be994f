// Conditions on a stored row under which an update is granted, so that one statement decides and writes.
import { sql } from 'kysely';
import type { Registry, Resource } from '../../registry/model/model.ts';
import type { Bound } from '../schema/cells.ts';
import { compile } from '../schema/compiler.ts';
import type { Dialect } from '../schema/dialect.ts';
import { param, type Sql, words } from '../schema/sql.ts';
import { tableName } from '../schema/tables.ts';
import { actorValue } from './rule-rows.ts';
import { allOf, type Seen, type Sight, seenSql } from './sight.ts';

/** A condition on a row under `t`, with its values. */
export interface RowGrant {
  /** Equal for equal conditions. */
  readonly key: string;
  readonly sql: Sql;
  readonly values: Readonly<Record<string, Bound>>;
}

/** The visibility rules by which an update is granted. */
interface GrantRules {
  readonly visibility: Sight;
  readonly registry: Registry;
  readonly dialect: Dialect;
  /** Whether the caller may refer to every record of a group. */
  readonly isAllReferable: (group: string) => boolean;
}

/** Fields of an update. */
interface UpdatedFields {
  readonly resource: Resource;
  readonly keys: readonly string[];
  /** Keys of references that the update sets to a record. */
  readonly references: readonly string[];
  /** Key of the time of change; undefined without one. */
  readonly modified: string | undefined;
}

/** Name of the value that a reference is set to. */
export const referenceValue = (key: string): string => `#to ${key}`;

/** Returns when an update of these fields is granted; false if new values or other rows of the table have a say. */
export function createUpdateGrant(rules: GrantRules, fields: UpdatedFields): Seen {
  const { resource, keys, references, modified } = fields;
  const names = new Map(keys.map((key) => [key, resource.byKey.get(key)?.name ?? key]));
  const changed = modified === undefined ? keys : [...keys, modified];
  const granted = allOf([
    rules.visibility.updates({ resource, alias: 't' }, names, changed),
    ...references.map((key) => targetIsReferable(rules, resource, key)),
  ]);
  return isAllowedInUpdate(rules, resource, granted) ? allOf([granted, actorExists(rules)]) : false;
}

/** Completes a condition with its values; undefined if it never holds. */
export function bindGrant(granted: Seen, values: RowGrant['values']): RowGrant | undefined {
  if (granted === false) return undefined;
  return granted === true ? { key: 'granted', sql: words('1 = 1'), values } : { ...granted, values };
}

function targetIsReferable(rules: GrantRules, { byKey }: Resource, key: string): Seen {
  const { visibility, registry, isAllReferable } = rules;
  const field = byKey.get(key);
  if (field?.kind !== 'reference' || isAllReferable(field.target)) return true;
  const target = registry.resources.get(field.target);
  // A file is visible with the records that name it.
  if (target === undefined || target === registry.files) return false;
  const visible = visibility.visible({ resource: target, alias: 'r' });
  if (typeof visible === 'boolean') return visible;
  const rows = sql`select 1 from ${sql.table(tableName(target.name))} as r where r.id = ${param(referenceValue(key))}`;
  return { key: `${key} ${visible.key}`, sql: sql`exists (${rows} and ${visible.sql})` };
}

/** Reports whether an update may have a condition: on some engines, it reads no other rows of the table that it changes. */
function isAllowedInUpdate({ dialect }: GrantRules, { name }: Resource, granted: Seen): boolean {
  if (typeof granted === 'boolean') return granted;
  if (dialect.readsUpdatedTable) return true;
  return !compile(granted.sql, dialect).sql.includes(`from ${dialect.quote(tableName(name))}`);
}

/** The member of a token may have been deleted since it was authenticated. */
function actorExists({ registry: { actors } }: GrantRules): Seen {
  if (actors === undefined) return true;
  const actor = param(actorValue);
  // The limit makes the server read the member before the update, so that it may be a row of the same table.
  const rows = sql`select id from ${sql.table(tableName(actors))} where id = ${actor} limit 1`;
  return { key: 'actor', sql: sql`(${actor} is null or exists (select 1 from (${rows}) as a))` };
}

/** A record whose visibility a statement reads. */
export interface CheckedRecord {
  readonly resource: Resource;
  /** Name of the value of its id. */
  readonly id: string;
}

/** Selects 1 or 0 for the acting member, if its group is given, and for each record: whether it exists and is visible. */
export function visibilitySql(visibility: Sight, actors: string | undefined, records: readonly CheckedRecord[]): Sql {
  const existing = (rows: Sql): Sql => sql`case when exists (${rows}) then 1 else 0 end`;
  const actor = actors && sql`select 1 from ${sql.table(tableName(actors))} as t where t.id = ${param(actorValue)}`;
  const rows = records.map(({ resource, id }) => {
    const visible = seenSql(visibility.visible({ resource, alias: 't' })) ?? words('1 = 1');
    return sql`select 1 from ${sql.table(tableName(resource.name))} as t where t.id = ${param(id)} and ${visible}`;
  });
  return sql`select ${sql.join([...(actor ? [actor] : []), ...rows].map(existing))}`;
}
