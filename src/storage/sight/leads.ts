// Leads: values of one column that every record has of which a condition of a role holds, so that an index finds these records.
import { sql } from 'kysely';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import { and, type Sql, words } from '../schema/sql.ts';
import { existenceIn, isOfActor, type RuleRow, tableOf, usesOfActor } from './rule-rows.ts';
import { conjunctsOf, type RuleSql } from './rule-sql.ts';

export interface Lead {
  /** Key of the record's field, or `id`. */
  readonly key: string;
  /** Value of the column; if it is read first, the select of its values. */
  readonly value: Sql;
  readonly isReadFirst: boolean;
  /** Whether the condition holds of every record with such a value. */
  readonly isAll: boolean;
  /** Whether many records are likely to have the value, because it does not depend on the acting member. */
  readonly isCoarse: boolean;
}

/** The condition's writer, and the indexes that may serve it. */
interface LeadSearch {
  readonly rule: RuleSql;
  /** Whether an index finds records by a field. @param key The field's, or `id` */
  readonly isIndexed: (key: string) => boolean;
}

/** Returns leads that together reach every record of which the condition holds; undefined if some are not reached. @throws Unsayable */
export function listLeads(search: LeadSearch, tree: Tree): readonly Lead[] | undefined {
  switch (tree.op) {
    case 'or': {
      const [left, right] = [listLeads(search, tree.left), listLeads(search, tree.right)];
      return left && right && [...left, ...right];
    }
    case 'and': {
      const [left, right] = [listLeads(search, tree.left), listLeads(search, tree.right)];
      const isRight = left === undefined || (right !== undefined && cost(right) < cost(left));
      return (isRight ? right : left)?.map((lead) => ({ ...lead, isAll: false }));
    }
    case 'named':
      return isSelf(tree.of) && tree.args.length === 0 ? listLeads(search, tree.formula.tree()) : undefined;
    default: {
      const { rule, isIndexed } = search;
      const leads = tree.op === 'in' ? leadsAmong(rule, tree) : findLead(rule, tree);
      return leads?.every(({ key }) => isIndexed(key)) === true ? leads : undefined;
    }
  }
}

/** A statement more, for values that are read first, costs less than many records. */
const cost = (leads: readonly Lead[]): number =>
  leads.reduce((sum, { isReadFirst, isCoarse }) => sum + (isCoarse ? 100 : isReadFirst ? 2 : 1), 0);

/** `memberId in [actor, me.managerId]`, `statusId in ['open', 'late']`, `actor in memberIds` */
function leadsAmong(rule: RuleSql, tree: TreeOf<'in'> & Tree): readonly Lead[] | undefined {
  const { left, right } = tree;
  if (right.op === 'list') {
    const leads = right.items.flatMap((item) => leadOfValue(rule, left, item) ?? []);
    return leads.length === right.items.length ? leads : undefined;
  }
  if (right.op !== 'field' || right.member.kind !== 'value' || right.member.isAmong !== true || !isOfActor(left))
    return undefined;
  const step = stepTo(right.of);
  if (step === undefined) return undefined;
  const links = sql`${sql.table(rule.linkTable(right.of, right.member.key))}`;
  const value = sql`select distinct l.owner_id from ${links} as l where l.target_id = ${rule.valueOf(left)}`;
  return [{ key: step.key, value, isReadFirst: true, isAll: true, isCoarse: false }];
}

function findLead(rule: RuleSql, tree: Tree): readonly Lead[] | undefined {
  const lead =
    tree.op === 'equal' && !tree.isNot
      ? (leadOfValue(rule, tree.left, tree.right) ?? leadOfValue(rule, tree.right, tree.left))
      : (leadOfFlag(tree) ?? leadOfExistence(rule, tree));
  return lead && [lead];
}

/** `isPublic`, `!isPublic` */
function leadOfFlag(tree: Tree): Lead | undefined {
  const flag = tree.op === 'not' ? tree.of : tree;
  const key = flag.type.kind === 'bool' ? ownKey(flag) : undefined;
  // Null counts as false.
  if (key === undefined || (tree.op === 'not' && flag.nullable)) return undefined;
  return coarse(key, words(tree.op === 'not' ? '0' : '1'));
}

const coarse = (key: string, value: Sql): Lead => ({
  ...{ key, value, isReadFirst: false, isAll: true, isCoarse: true },
});

/** A field that is equal to something that is known before any record is read. */
function leadOfValue(rule: RuleSql, own: Tree, other: Tree): Lead | undefined {
  if (own.op !== 'field' || own.member.kind !== 'value') return undefined;
  const key = ownKey(own);
  if (other.op === 'literal') {
    const { kind, value } = other.literal;
    if (key === undefined) return undefined;
    if (kind === 'bool') return value || !own.nullable ? coarse(key, words(value ? '1' : '0')) : undefined;
    const isCode = own.type.kind === 'text' && own.type.values !== undefined;
    return kind === 'text' && isCode ? coarse(key, rule.quoted(value)) : undefined;
  }
  if (own.type.kind !== 'id' || !isOfActor(other)) return undefined;
  const value = rule.valueOf(other);
  if (key !== undefined) return { key, value, isReadFirst: false, isAll: true, isCoarse: false };
  return findLeadOfPath(rule, own.of, (row) => equalIn(row, own, value));
}

const equalIn = (row: RuleRow, own: Tree, value: Sql): Sql | undefined => {
  const column = own.op === 'field' && own.member.kind === 'value' ? row.column(own.member.key) : undefined;
  return column && sql`${column.sql} = ${value}`;
};

/** `project.ownerId == actor`: the projects are read first, and lead on. */
function findLeadOfPath(rule: RuleSql, path: Tree, condition: (row: RuleRow) => Sql | undefined): Lead | undefined {
  if (path.op !== 'field' || path.member.kind !== 'reference' || path.member.by !== undefined) return undefined;
  const { key, shape } = path.member;
  const row = rule.newRow(shape().group);
  const test = condition(row);
  if (test === undefined) return undefined;
  const value = sql`select ${row.id} from ${tableOf(shape().group)} as ${sql.ref(row.alias)} where ${test}`;
  if (isSelf(path.of)) return { key, value, isReadFirst: true, isAll: true, isCoarse: false };
  return findLeadOfPath(rule, path.of, (before) => {
    const column = before.column(key);
    return column && sql`${column.sql} in (${value})`;
  });
}

/**
 * `staffings.exists(s, s.projectId == projectId && s.memberId == actor)`: the ids of the projects are read first, without the parts
 * that read the row itself.
 */
function leadOfExistence(rule: RuleSql, tree: Tree): Lead | undefined {
  const existence = existenceIn(tree);
  if (existence?.where === undefined) return undefined;
  const { of, slot, where } = existence;
  const parts = conjunctsOf(where);
  const free = parts.filter((part) => !namesSelf(part));
  if (!free.some(isOfOneActor)) return undefined;
  const isKnown = (part: Tree): boolean => free.includes(part) && isKnownByItself(part);
  const lead = (key: string, value: Sql, isAll: boolean): Lead => ({
    ...{ key, value, isAll, isReadFirst: true, isCoarse: false },
  });
  const { row, from, owners, inner } = rule.collection(of, slot);
  const tests = and(free.map((part) => inner.condition(part)));
  const select = (column: Sql): Sql =>
    sql`select distinct ${column} from ${from} as ${sql.ref(row.alias)} where ${tests}`;
  if (of.op !== 'gather') {
    const step = of.op === 'field' ? stepTo(of.of) : undefined;
    return step && owners && lead(step.key, owners(select), parts.every(isKnown));
  }
  if (of.collection.lists.length > 0) return undefined;
  for (const part of parts) {
    if (part.op !== 'equal' || part.isNot) continue;
    for (const [own, other] of [
      [part.left, part.right],
      [part.right, part.left],
    ] as const) {
      const key = ownKey(own);
      if (key === undefined || own.type.kind !== 'id' || other.op !== 'field' || other.member.kind !== 'value')
        continue;
      if (other.of.op !== 'variable' || other.of.slot !== slot) continue;
      const column = row.column(other.member.key);
      if (column !== undefined)
        return lead(
          key,
          select(column.sql),
          parts.every((each) => each === part || isKnown(each)),
        );
    }
  }
  return undefined;
}

const isOfOneActor = (part: Tree): boolean =>
  part.op === 'equal' && !part.isNot && (isOfActor(part.left) || isOfActor(part.right));

/** Whether a part gives no row if it is unknown: it reads nothing of the acting member but that something is equal to it. */
const isKnownByItself = (part: Tree): boolean => usesOfActor(part, partsOf).length === 0 || isOfOneActor(part);

const isSelf = (tree: Tree): boolean => tree.op === 'self' && tree.up === 0;

/** The column by which the row leads to a record: its own id, or a reference of it. */
function stepTo(tree: Tree): { readonly key: string } | undefined {
  if (isSelf(tree)) return { key: 'id' };
  if (tree.op !== 'field' || tree.member.kind !== 'reference' || tree.member.by !== undefined) return undefined;
  return isSelf(tree.of) ? { key: tree.member.key } : undefined;
}

/** The key of a field that the row holds. */
const ownKey = (tree: Tree): string | undefined =>
  tree.op === 'field' && isSelf(tree.of) && tree.member.kind === 'value' ? tree.member.key : undefined;

const namesSelf = (tree: Tree): boolean =>
  tree.op === 'self' || (tree.op === 'named' && namesSelf(tree.of)) || partsOf(tree).some(namesSelf);
