// Which indexes lead to the records that callers with certain rights see, so that a page of theirs need not look at all others.
import type { Rule } from '../../access/model.ts';
import type { Resource } from '../../registry/model/model.ts';
import { Unsayable } from '../formulas/parts.ts';
import type { Sql } from '../schema/sql.ts';
import { listIndex, tableName } from '../schema/tables.ts';
import { type RuleGround, recordRow } from './rule-rows.ts';
import { conjunctsOf, disjunctsOf, RuleSql, type Sought } from './rule-sql.ts';

/** Records whose column has a value. */
interface SightWay {
  readonly column: string;
  /** Holds them in the order of the list; undefined for ids. */
  readonly index: string | undefined;
  /** What the column is equal to; of one that is read first, the statement that finds all that it may be equal to. */
  readonly value: Sql;
  readonly isReadFirst: boolean;
  /** Whether each record with such a value is seen, unless more is asked of it. */
  readonly isAll: boolean;
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
    if (when === undefined) return undefined;
    for (const part of disjunctsOf(when.tree)) {
      const parts = conjunctsOf(part);
      const way = parts.map((each) => wayOf(each, resource, ground)).find((found) => found !== undefined);
      if (way === undefined) return undefined;
      isExact &&= parts.length === 1 && way.isAll;
      ways.push(way);
    }
  }
  return { ways, isExact };
}

function wayOf(tree: Parameters<typeof conjunctsOf>[0], resource: Resource, ground: RuleGround): SightWay | undefined {
  try {
    const rule = new RuleSql(ground, {
      self: recordRow(ground, resource.name, 't'),
      variables: new Map(),
      depth: 0,
    });
    const sought = rule.sought(tree);
    if (sought !== undefined) return columnWay(sought, resource, { isReadFirst: false, isAll: true });
    const first = rule.readFirst(tree);
    return first && columnWay(first, resource, { isReadFirst: true, isAll: first.isAll });
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}

function columnWay(
  { key, value }: Sought,
  resource: Resource,
  known: Pick<SightWay, 'isReadFirst' | 'isAll'>,
): SightWay | undefined {
  if (key === 'id') return { column: 'id', index: undefined, value, ...known };
  const field = resource.byKey.get(key);
  if (field?.kind !== 'reference' || !field.stored || field.filter === undefined) return undefined;
  return { column: field.column, index: listIndex(tableName(resource.name), field.column), value, ...known };
}
