// The rows that conditions of roles look at beside the one that is judged: records behind references, the acting member, the
// workspace's settings, records and items that a condition looks for.
import { sql } from 'kysely';
import type { Shape, Tree, TreeOf } from '../../formulas/language/tree.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { type FormulaSql, Unsayable } from '../formulas/parts.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnTypeOf } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { param, type Sql } from '../schema/sql.ts';
import { listTablesOf, tableName } from '../schema/tables.ts';

/** The values that such statements are given: the id of the acting member, or null, and the day. */
export const actorValue = '#actor';
export const dayValue = '#today';

/** What conditions are written with. */
export interface RuleGround {
  readonly registry: Registry;
  readonly dialect: Dialect;
}

/** A row under an alias. */
export interface RuleRow {
  readonly alias: string;
  readonly id: Sql;
  /** The column of a plain value; undefined for what is kept in several, or in none. */
  column(key: string): FormulaSql | undefined;
  /** The table of a list of ids that the record holds. */
  links(key: string): string | undefined;
}

const idType: ColumnType = { kind: 'id' };
const plainKinds = new Set(['text', 'enum', 'uuid', 'date', 'dateTime', 'integer', 'decimal', 'boolean', 'reference']);

type Fields = Resource['fields'];

function columnIn(fields: Fields, alias: string, key: string): FormulaSql | undefined {
  const field = fields.find((one) => one.key === key);
  if (field === undefined || !field.stored || !plainKinds.has(field.kind)) return undefined;
  const type = field.kind === 'reference' ? idType : columnTypeOf(field as Parameters<typeof columnTypeOf>[0]);
  return { sql: sql`${sql.ref(`${alias}.${field.column}`)}`, type, isColumn: true };
}

/** A record of a group. */
export function recordRow({ registry }: RuleGround, group: string, alias: string): RuleRow {
  const resource = registry.resources.get(group);
  if (resource === undefined || resource.computed !== undefined) throw new Unsayable();
  const id = sql`${sql.ref(`${alias}.id`)}`;
  return {
    alias,
    id,
    column: (key) => (key === 'id' ? { sql: id, type: idType, isColumn: true } : columnIn(resource.fields, alias, key)),
    links: (key) => listTablesOf(resource).find(({ field }) => field.kind === 'references' && field.key === key)?.name,
  };
}

/** An item of a list that records of a group own. */
export function itemRow({ registry }: RuleGround, { group, lists }: Shape, alias: string): RuleRow & { table: string } {
  const resource = registry.resources.get(group);
  const list = resource && listTablesOf(resource).find(({ field }) => field.key === lists[0]);
  if (list === undefined || list.field.kind !== 'objects' || lists.length !== 1) throw new Unsayable();
  const { fields } = list.field;
  return {
    alias,
    table: list.name,
    id: sql`${sql.ref(`${alias}.owner_id`)}`,
    column: (key) => columnIn(fields, alias, key),
    links: () => undefined,
  };
}

/** The table of the records of a group. */
export const tableOf = (group: string): Sql => sql`${sql.table(tableName(group))}`;

/** Whether a tree is the acting member, or a path that begins at it. */
export function isOfActor(tree: Tree): boolean {
  if (tree.op === 'known') return tree.name === 'actor' || tree.name === 'me';
  return (tree.op === 'field' || tree.op === 'named') && isOfActor(tree.of);
}

/** What a condition looks at of the acting member, that where a null makes it unknown: the paths in full. */
export function usesOfActor(tree: Tree, partsOf: (tree: Tree) => readonly Tree[]): readonly Tree[] {
  if (isOfActor(tree)) return [tree];
  if (tree.op === 'equal') {
    const isNull = (side: Tree): boolean => side.op === 'literal' && side.literal.kind === 'null';
    const [asked] = isNull(tree.left) ? [tree.right] : isNull(tree.right) ? [tree.left] : [];
    // Whether it is null is known in any case.
    if (asked !== undefined && isOfActor(asked)) return [];
  }
  return partsOf(tree).flatMap((part) => usesOfActor(part, partsOf));
}

/** Whether any of a collection has what is asked: `group.exists(x, …)`, `lines.exists(l, …)`. */
export interface Existence {
  readonly of: Tree;
  readonly slot: number;
  readonly where: Tree | undefined;
}

/** A condition that asks whether there is any, as it is compiled; undefined for any other. */
export function existenceIn(tree: Tree): Existence | undefined {
  if (tree.op === 'macro' && tree.name === 'exists') return { of: tree.of, slot: tree.slot, where: tree.body };
  if (tree.op !== 'compare' || tree.sign !== '>' || tree.left.op !== 'macro' || tree.left.name !== 'count')
    return undefined;
  const { of, body } = tree.left;
  const isNone = tree.right.op === 'literal' && tree.right.literal.value === '0';
  if (!isNone || body !== undefined || of.op !== 'gather') return undefined;
  return { of, slot: of.slot, where: of.where };
}

/** The acting member's id. */
export const actorSql = (): Sql => param(actorValue);

export type FieldTree = TreeOf<'field'> & Tree;
