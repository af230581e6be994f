// What a write takes before it judges: read off where its formulas look, whichever step has given the reference by which they do.
// A record that is read by its id is read under lock; of records that are looked for, what all of them have in common is locked
// first. Whoever makes, moves, changes or deletes such a record locks the same (`found-by.ts`).
import type { Guarded, Keeping } from '../../behaviours/rule.ts';
import type { Wanted } from '../../formulas/evaluate/facts.ts';
import type { Collection } from '../../formulas/language/tree.ts';
import type { Field, Resource } from '../../registry/model.ts';
import type { Draft } from '../draft.ts';
import { sameValue } from '../same-value.ts';
import { fieldAt, idsAt, isById } from './figure-locks.ts';
import type { LockKind } from './holdings.ts';

/**
 * @param made The group whose records an effect makes or changes, where it is one that looks.
 * @returns undefined where there is one writer: nobody changes anything meanwhile
 */
export function keepingOf(draft: Draft, made?: string): Keeping | undefined {
  const { scope, group, operation, values } = draft;
  if (scope.groups.dialect.hasOneWriter) return undefined;
  const { name: own } = group.resource;
  const seen = new Set<string>();
  const isItself = (other: string, id: string): boolean => other === own && (id === values['id'] || id === '');
  return {
    record: (other, id) => {
      const record = `${other}/${id}`;
      if (seen.has(record) || isItself(other, id)) return;
      seen.add(record);
      scope.keep({ group: other, id }, { lock: isKeptUp(draft, other, id) ? 'own' : 'shared', isAsked: true });
    },
    collection: ({ group: other, lists }, wanted) => {
      const isAny = wanted.length === 0;
      const name = nameIn(scope.groups.get(other).resource, lists, wanted) ?? commonRow({ own, other, isAny });
      // Whoever changes the settings has locked the row that stands for all.
      const target = name?.group ?? scope.records.workspaceGroup() ?? '';
      if (name === undefined || name.ids.every((id) => isItself(target, id))) return;
      const kind = lookingKind({ own: group, other, operation, made, target: name.group, isAny });
      if (scope.want(kind, [name])) scope.forgetFound(other);
    },
  };
}

interface Looking {
  /** Who looks. */
  readonly own: { readonly resource: Pick<Resource, 'name'>; readonly comparedBy: ReadonlySet<string> };
  readonly other: string;
  readonly operation: Draft['operation'];
  readonly made: string | undefined;
  /** The group of what those have in common that are looked for. */
  readonly target: string | undefined;
  /** Whether any of them counts. */
  readonly isAny: boolean;
}

/**
 * How who looks at records locks what they have in common. Either those who look shut out those who write such records, who only
 * hold it then; or they hold it, and those who write shut them out. The first where those who look shut each other out there anyway,
 * of deletes, which are seldom, and where any record counts; else the second: what is looked for (who is on a project) changes less often than one looks.
 */
export const lookingKind = ({ own, other, operation, made, target, isAny }: Looking): LockKind =>
  isAny || other === own.resource.name || other === made || operation === 'delete' || own.comparedBy.has(target ?? '')
    ? 'counter'
    : 'shared';

/** The first reference by which records are looked for: what all that are found have in common. */
function nameIn(
  { name: group, fields }: Resource,
  lists: Collection['lists'],
  wanted: readonly Wanted[],
): Guarded | undefined {
  for (const { key, up, group: said, value } of wanted) {
    if (typeof value !== 'string') continue;
    const around = lists.slice(0, lists.length - up);
    if (key === 'id' && around.length === 0) return { group, ids: [value] };
    const target = targetOf(fieldAt(fields, around, key)) ?? said;
    if (target !== undefined) return { group: target, ids: [value] };
  }
  return undefined;
}

/** What has nothing in common goes by the common row, within a group and where any record counts. */
const commonRow = ({ own, other, isAny }: Record<'own' | 'other', string> & { isAny: boolean }): Guarded | undefined =>
  isAny || other === own ? { group: undefined, ids: [''] } : undefined;

const targetOf = (field: Field | undefined): string | undefined =>
  field?.kind === 'reference' || field?.kind === 'references' ? field.target : undefined;

/**
 * Whether this write brings figures of a record up to date, so that it will change it: two that both hold it, and then both want
 * to change it, would wait for each other.
 */
export function isKeptUp({ scope, group, before, values, operation }: Draft, other: string, id: string): boolean {
  const isMoved = (keys: ReadonlySet<string>): boolean =>
    operation !== 'update' || [...keys].some((key) => !sameValue(before?.[key], values[key]));
  return scope.groups.watchersOf(group.resource.name).some(
    ({ group: owner, watch: { ways, keys, isFound } }) =>
      owner === other &&
      isFound &&
      isMoved(keys) &&
      ways.some(([link, ...more]) => {
        const [pair] = link?.pairs ?? [];
        if (link === undefined || pair === undefined || more.length > 0 || !isById(link)) return false;
        return [before ?? {}, values].some((state) => idsAt(state, pair.from).includes(id));
      }),
  );
}
