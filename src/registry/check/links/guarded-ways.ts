// The ways that "noCircle" guards: along a reference of a group to itself, a list of such, or a group of links, records come to an end.
import type { ColumnPath, ReversePath } from '../../../formulas/analyse/reverse-paths.ts';
import { keyOf } from '../../model/field-names.ts';
import type { RawField } from '../../model/vocabulary.ts';
import { type Linked, stepField } from '../fields/paths.ts';

/** What one use of the rule guards. */
type Guard =
  /** A reference of a group to itself, of the record or of the items of a list. */
  | { readonly kind: 'reference'; readonly group: string; readonly list: string | undefined; readonly key: string }
  /** Two references of a group of links to one other group. */
  | {
      readonly kind: 'links';
      readonly group: string;
      readonly target: string;
      readonly from: string;
      readonly to: string;
    };

/** All that is guarded, by the groups whose records it leads to or through. */
export class GuardedWays {
  readonly #guards: readonly Guard[];

  constructor(groups: readonly Linked[]) {
    this.#guards = groups.flatMap(guardsOf);
  }

  /** Whether anything that is guarded leads between records of two groups. */
  lead(one: string, other: string): boolean {
    return this.#between(one).some((guard) => groupsOf(guard).includes(other));
  }

  /**
   * Along what a way leads from a record of `first` to the formula, all the way, and in which direction; undefined for a way that
   * leaves it.
   */
  along(way: ReversePath, first: string): string | undefined {
    const steps = new Set<string | undefined>();
    let here = first;
    for (const { group, pairs, order } of way) {
      // One that stands before another stands before all behind that.
      steps.add(order?.label ?? this.#step(here, group, pairs));
      here = group;
    }
    const [only] = steps;
    return steps.size === 1 ? only : undefined;
  }

  #between = (group: string): readonly Guard[] => this.#guards.filter((guard) => groupsOf(guard).includes(group));

  #step(first: string, next: string, pairs: ReversePath[number]['pairs']): string | undefined {
    for (const guard of this.#between(first))
      for (const pair of pairs) {
        const direction = directionOf(guard, { first, next, ...pair });
        if (direction !== undefined)
          return `${direction} ${guard.group} ${guard.kind === 'links' ? guard.from : guard.key}`;
      }
    return undefined;
  }
}

const groupsOf = (guard: Guard): readonly string[] =>
  guard.kind === 'links' ? [guard.group, guard.target] : [guard.group];

interface Pair {
  readonly first: string;
  readonly next: string;
  readonly from: ColumnPath;
  readonly to: ColumnPath;
}

function directionOf(guard: Guard, { first, next, from, to }: Pair): 'up' | 'down' | undefined {
  if (guard.kind === 'reference') {
    if (next !== guard.group || first !== guard.group) return undefined;
    const isGuarded = ({ lists, up, key }: ColumnPath): boolean =>
      up === 0 && key === guard.key && lists.length === (guard.list === undefined ? 0 : 1) && lists[0] === guard.list;
    if (isId(from) && isGuarded(to)) return 'up';
    return isGuarded(from) && isId(to) ? 'down' : undefined;
  }
  const isAt = ({ lists, up, key }: ColumnPath, sought: string): boolean =>
    lists.length === 0 && up === 0 && key === sought;
  // From a record to the links that name it, and from these to the record at their other end: each is half of the way.
  const [id, link] = first === guard.target && next === guard.group ? [from, to] : [to, from];
  const isToLink = first === guard.target && next === guard.group;
  if (!isToLink && !(first === guard.group && next === guard.target)) return undefined;
  if (!isId(id)) return undefined;
  if (isAt(link, guard.to)) return isToLink ? 'up' : 'down';
  if (isAt(link, guard.from)) return isToLink ? 'down' : 'up';
  return undefined;
}

const isId = ({ lists, key }: ColumnPath): boolean => lists.length === 0 && key === 'id';

function guardsOf({ name: group, raw: { properties, resource } }: Linked): readonly Guard[] {
  return (resource.rules ?? []).flatMap((rule): readonly Guard[] => {
    if (rule.use !== 'noCircle') return [];
    const named = (argument: string): string | undefined => {
      const value: unknown = Object.hasOwn(rule, argument) ? rule[argument] : undefined;
      return typeof value === 'string' ? value : undefined;
    };
    const [field, from, to] = [named('field'), named('from'), named('to')];
    if (field !== undefined) return referenceGuard(group, properties, field);
    const [upper, lower] = [from, to].map((name) => (name === undefined ? undefined : stepField(properties, name)));
    const target = lower?.field.reference;
    if (upper === undefined || lower === undefined || target === undefined) return [];
    return [{ kind: 'links', group, target, from: keyOf(upper.name, upper.field), to: keyOf(lower.name, lower.field) }];
  });
}

function referenceGuard(group: string, properties: Linked['raw']['properties'], word: string): readonly Guard[] {
  const [first = '', inner] = word.split('.');
  const found = stepField(properties, first);
  if (found === undefined) return [];
  if (inner === undefined) return [{ kind: 'reference', group, list: undefined, key: keyOf(found.name, found.field) }];
  const items: Readonly<Record<string, RawField>> = found.field.items?.properties ?? {};
  const item = Object.entries(items).find(([name, field]) => name === inner || keyOf(name, field) === inner);
  return item === undefined
    ? []
    : [{ kind: 'reference', group, list: keyOf(found.name, found.field), key: keyOf(...item) }];
}
