// The locks that a write of a group may take, as data: read off the descriptors alone, for people and for tests.

import type { WriteOperation } from '../../facts/context.ts';
import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Registry } from '../../registry/model/model.ts';
import { keyArgument, ruleOf } from '../../rules/support/rule.ts';
import type { Group, Groups } from '../plan/groups.ts';
import { judgedIn } from '../plan/judged.ts';
import type { LockKind } from '../plan/lock-kinds.ts';
import { commonRowsOf, lookingKind } from '../plan/lock-kinds.ts';
import { isById } from '../plan/predicate-locks.ts';

/** One kind of lock that a write may take. */
export interface LockSpec {
  /**
   * `first`: before anything is read, in one order of groups and of ids. `read`: with the reading of the record itself. `last`: when
   * all is judged, before it is written.
   */
  readonly at: 'first' | 'read' | 'last';
  /** `own`: as `shared`, but nobody else may hold it. */
  readonly kind: LockKind | 'own';
  /** The group whose rows are locked, or the table of the service's own. */
  readonly group: string;
  /** What names them: a path from the record, or from those that are looked for. */
  readonly by: string;
  /** Why. */
  readonly because: readonly string[];
}

type OneReason = Omit<LockSpec, 'because'> & { readonly because: string };

/** All locks that a write may take, by the names of groups. */
export function lockPlanOf(groups: Groups, name: string, operation: WriteOperation): readonly LockSpec[] {
  const group = groups.get(name);
  const specs = [
    ...ownRow(group, operation),
    ...byRules(groups, group, operation),
    ...byFigures(groups, group),
    ...byLooks(groups, group, operation),
    ...byReading(groups, group, operation),
    ...byLookers(groups, group, operation),
  ];
  return merged(specs).toSorted((a, b) => compare(a.group, b.group) || compare(a.by, b.by));
}

/** Those that are the same lock as one, with all reasons. */
const merged = (specs: readonly OneReason[]): readonly LockSpec[] =>
  [...Map.groupBy(specs, ({ at, kind, group, by }) => [at, kind, group, by].join()).values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, because: [...new Set(same.map(({ because }) => because))] }];
  });

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const ownRow = ({ resource: { name } }: Group, operation: WriteOperation): readonly OneReason[] =>
  operation === 'create' ? [] : [{ at: 'read', kind: 'own', group: name, by: 'id', because: 'it is written' }];

/** What rules in code guard; where they do not tell, the row that is common to all. */
const byRules = (
  { rules, registry }: Groups,
  { parts, resource }: Group,
  operation: WriteOperation,
): readonly OneReason[] =>
  parts.guard[operation].flatMap(({ use }): readonly OneReason[] => {
    const lock = { at: 'first', kind: 'counter', because: `rule ${use.use} compares records` } as const;
    const parameter = ruleOf(rules, use).guards?.find((name) => use.arguments[name] !== undefined);
    if (parameter === undefined) return common(registry, lock);
    const key = keyArgument(resource, use, parameter);
    const field = resource.byKey.get(key);
    return field?.kind === 'reference' ? [{ ...lock, group: field.target, by: key }] : [];
  });

const byFigures = ({ registry }: Groups, { figureGuards }: Group): readonly OneReason[] =>
  figureGuards.spots.flatMap(({ spot, target }): readonly OneReason[] => {
    const lock = { at: 'first', kind: 'counter', because: 'figures over other records' } as const;
    return spot === undefined || target === undefined
      ? common(registry, lock)
      : [{ ...lock, group: target, by: pathOf(spot) }];
  });

/** A lock of what stands for records that name nothing together. */
const common = (registry: Registry, lock: Omit<OneReason, 'group' | 'by'>): readonly OneReason[] =>
  commonRowsOf(registry).map((group) => ({ ...lock, group, by: 'workspace' }));

/** What records that its formulas look for have in common. */
function byLooks(groups: Groups, group: Group, operation: WriteOperation): readonly OneReason[] {
  const { resource } = group;
  return judgedIn(resource)
    .filter(({ on }) => on.includes(operation))
    .flatMap(({ tree, made, what }) =>
      lookupsOf(tree).flatMap(({ group: other, lists, names: [name], isAny, isWide }): readonly OneReason[] => {
        if (name?.isOwn === true || (isAny && resource === groups.registry.workspace)) return [];
        if (name === undefined && other !== resource.name && !isAny && !isWide) return [];
        const kind = lookingKind({
          own: group,
          other,
          operation,
          made,
          target: name?.target,
          isAny: isAny || isWide,
        });
        const because = `${what} looks for ${[groups.get(other).resource.name, ...lists].join('.')}`;
        if (name === undefined) return common(groups.registry, { at: 'first', kind, because });
        const by = `${[other, ...lists].join('.')}: ${pathOf(name)}`;
        return [{ at: 'first', kind, group: name.target ?? other, by, because }];
      }),
    );
}

const pathOf = ({ lists, key }: { readonly lists: readonly string[]; readonly key: string }): string =>
  [...lists, key].join('.');

/** Records that its formulas read by their ids, as others may at the same time. */
function byReading(groups: Groups, { resource }: Group, operation: WriteOperation): readonly OneReason[] {
  const keptUp = new Set(
    groups
      .dependentsOf(resource.name)
      .filter(({ watch: { ways, isFound } }) => isFound && ways.some(([link]) => link !== undefined && isById(link)))
      .map(({ group }) => group),
  );
  return judgedIn(resource)
    .filter(({ on, made }) => made === undefined && on.includes(operation))
    .flatMap(({ tree, what }) =>
      [...referencesIn(tree)].map(([by, group]): OneReason => {
        const row = group === '' ? (groups.registry.workspace?.name ?? 'workspace') : group;
        const kind = keptUp.has(row) ? 'own' : 'shared';
        return { at: 'read', kind, group: row, by, because: `${what} reads it` };
      }),
    );
}

/** Groups of the records that a formula reads through references, by the words that lead to them; '' for the settings. */
function referencesIn(tree: Tree): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<Tree>();
  const visit = (part: Tree): void => {
    if (seen.has(part)) return;
    seen.add(part);
    if (part.op === 'field' && (part.member.kind === 'reference' || part.member.kind === 'references'))
      found.set(part.member.name, part.member.shape().group);
    if (part.op === 'known' && part.name === 'workspace') found.set('workspace', '');
    for (const inner of partsOf(part)) visit(inner);
    if (part.op === 'named') visit(part.formula.tree());
  };
  visit(tree);
  return found;
}

/** What its record has in common with others that may be looked for, for those who look. */
const byLookers = (
  { registry }: Groups,
  { foundBy, isSelfContained }: Group,
  operation: WriteOperation,
): readonly OneReason[] =>
  isSelfContained
    ? []
    : foundBy.flatMap((one): readonly OneReason[] => {
        const {
          names: [name],
          kind: given,
          by,
          isAny,
        } = one;
        if (isAny && operation === 'update') return [];
        const kind = name?.isOwn === true ? 'shared' : given;
        const because = `${[...by].sort().join(', ')} may look for it`;
        if (one.isOfSettings)
          return operation === 'delete'
            ? []
            : [{ at: 'read', kind, group: registry.workspace?.name ?? '', by: 'workspace', because }];
        const at = kind === 'counter' ? 'first' : 'last';
        if (name === undefined) return common(registry, { at, kind, because });
        return [{ at, kind, group: name.target ?? 'any of several', by: pathOf(name), because }];
      });
