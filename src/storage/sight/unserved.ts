// Conditions of roles that no index serves: a list under them reads every record of its group.
import type { Rule } from '../../access/model.ts';
import type { FindUnserved } from '../../access/proof/findings.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { Dialect } from '../schema/dialect.ts';
import { isOfActor } from './rule-rows.ts';
import { findIndexedColumn, findLeads } from './ways.ts';

/** Creates a search for the part of a rule's condition that no index serves. */
export const createUnservedSearch =
  (registry: Registry, [engine]: readonly Dialect[]): FindUnserved =>
  ({ group, when }: Rule) => {
    const resource = registry.resources.get(group);
    if (resource === undefined || when === undefined || engine === undefined) return undefined;
    // Every engine has the same indexes.
    const context = { registry, dialect: engine };
    const part = listAlternatives(when.tree).find((each) => findLeads(each, { resource, context }) === undefined);
    if (part === undefined) return undefined;
    const leads = findLeads(part, { resource, context, isIndexed: () => true }) ?? [];
    const fields = leads.flatMap(({ key }) =>
      findIndexedColumn(key, resource) === undefined ? (resource.byKey.get(key)?.name ?? []) : [],
    );
    return {
      source: when.source.slice(part.start, part.end),
      fields: [...new Set(fields)],
      readsOnlyActor: readsActor(part) && !readsSelf(part),
    };
  };

const listAlternatives = (tree: Tree): readonly Tree[] =>
  tree.op === 'or' ? [...listAlternatives(tree.left), ...listAlternatives(tree.right)] : [tree];

const readsActor = (tree: Tree): boolean => isOfActor(tree) || partsOf(tree).some(readsActor);
const readsSelf = (tree: Tree): boolean => tree.op === 'self' || partsOf(tree).some(readsSelf);
