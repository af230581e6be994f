// Which indexes lead to the records that callers with certain rights see, so that a page of theirs need not look at all others.
import type { Rule } from '../../access/model.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Resource } from '../../registry/model/model.ts';
import { Unsayable } from '../formulas/parts.ts';
import type { Sql } from '../schema/sql.ts';
import { listIndexOf } from '../schema/tables.ts';
import { type Lead, listLeads } from './leads.ts';
import { type RuleGround, recordRow } from './rule-rows.ts';
import { RuleSql } from './rule-sql.ts';

/** Records whose column has a value. */
interface SightWay {
  readonly column: string;
  /** Holds them in the order of the list; undefined for ids. */
  readonly index: string | undefined;
  /** What the column is equal to; of one that is read first, the statement that finds all that it may be equal to. */
  readonly value: Sql;
  readonly isReadFirst: boolean;
}

export interface SightWays {
  readonly ways: readonly SightWay[];
  /** Whether each record that they lead to is seen. */
  readonly isExact: boolean;
}

/** The ways that lead to all records of which one of these rules holds; undefined where some are led to by none. */
export function waysOf(rules: readonly Rule[], resource: Resource, ground: RuleGround): SightWays | undefined {
  const ways: SightWay[] = [];
  let isExact = true;
  for (const { when } of rules) {
    const leads = when && findLeads(when.tree, { resource, context: ground });
    if (leads === undefined) return undefined;
    for (const lead of leads) {
      const column = findIndexedColumn(lead.key, resource);
      if (column === undefined) return undefined;
      isExact &&= lead.isAll;
      ways.push({ ...column, value: lead.value, isReadFirst: lead.isReadFirst });
    }
  }
  // Ids that are read first for one column say nothing of another column.
  const columnsReadFirst = new Set(ways.flatMap(({ column, isReadFirst }) => (isReadFirst ? [column] : [])));
  return { ways, isExact: isExact && columnsReadFirst.size <= 1 };
}

/** The group of a condition, and the indexes that may serve it. */
interface LeadsOptions {
  readonly resource: Resource;
  readonly context: RuleGround;
  /** Whether an index finds records by a field; by default, whether one does. */
  readonly isIndexed?: (key: string) => boolean;
}

/** Finds leads to all records of which a condition holds; undefined if no indexed column leads to some of them. */
export function findLeads(tree: Tree, { resource, context, isIndexed }: LeadsOptions): readonly Lead[] | undefined {
  const hasIndex = (key: string): boolean => findIndexedColumn(key, resource) !== undefined;
  try {
    const self = recordRow(context, resource.name, 't');
    const rule = new RuleSql(context, { self, variables: new Map(), depth: 0 });
    return listLeads({ rule, isIndexed: isIndexed ?? hasIndex }, tree);
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

/** Returns the column of a field by whose index records are found, in the order of the list; undefined without one. */
export function findIndexedColumn(key: string, resource: Resource): Pick<SightWay, 'column' | 'index'> | undefined {
  if (key === 'id') return { column: 'id', index: undefined };
  const field = resource.byKey.get(key);
  const index = field === undefined ? undefined : listIndexOf(resource, field);
  return field === undefined || index === undefined ? undefined : { column: field.column, index };
}
