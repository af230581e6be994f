// What rights show of the past of records: judged by what these are now, by their last values where they are gone, or by what they
// were before a write.
import type { AccessOperation, Rule } from '../../access/model.ts';
import type { Rights } from '../../access/rights.ts';
import { type Truth, truthOf } from '../../access/truth.ts';
import { storedRecord } from '../../facts/found-values.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { notKnown, type Unknown } from '../../formulas/language/value.ts';
import type { Condition, Field, Resource, Values } from '../../registry/model/model.ts';
import type { Scope } from '../transaction/scope.ts';

/** A record in a state that it has or had. */
export interface PastState {
  readonly resource: Resource;
  readonly values: Readonly<Values>;
  /** Whether the record is still there. */
  readonly isThere: boolean;
}

/** What is seen of a record. */
export interface PastSight {
  isSeen(field: Field): boolean;
  /** Whether what references call it is. */
  readonly isNamed: boolean;
}

interface Looking {
  readonly rights: Rights;
  /** The member who acts. */
  readonly actor: string | null;
  readonly today: () => string;
}

/** What is seen of each state; undefined where nothing is. All that conditions look at is read together. */
export function pastSights(
  { records }: Pick<Scope, 'records'>,
  states: readonly PastState[],
  { rights, actor, today }: Looking,
): Promise<readonly (PastSight | undefined)[]> {
  const facts = new ReadFacts({ records, actor, today: () => Promise.resolve(today()) });
  return facts.known((): readonly (PastSight | undefined)[] | Unknown => {
    let isKnown = true;
    const seen = states.map((state) => {
      const { resource, values, isThere } = state;
      const self = isThere ? storedRecord(resource.name, values) : recordValue(values);
      const truth = ({ tree }: Condition): Truth => {
        // What it hangs on besides may be another by now.
        if (!isThere && !hangsOnItself(tree)) return 'undecided';
        const found = truthOf(tree, self, facts);
        if (found !== notKnown) return found;
        isKnown = false;
        return 'undecided';
      };
      return sightOf(resource, rights, truth);
    });
    return isKnown ? seen : notKnown;
  });
}

/** Keys of the fields that decide which records of a group are seen: no other change takes one out of sight. */
export function keysJudged(rights: Rights, { name }: Resource): ReadonlySet<string> {
  const grants = (['get', 'history'] as const).flatMap((operation) => rights.on(name, operation) ?? []);
  const rules = grants.flatMap(({ allows, forbids }) => [...allows, ...forbids]);
  return new Set(rules.flatMap(({ when }) => (when === undefined ? [] : [...dependenciesOf(when.tree).keys])));
}

function hangsOnItself(tree: Condition['tree']): boolean {
  return dependenciesOf(tree).beyond.every(({ what }) => what === 'known');
}

/** History is seen of what is got, and of it what both show. */
function sightOf(resource: Resource, rights: Rights, truth: (condition: Condition) => Truth): PastSight | undefined {
  const [got, past] = (['get', 'history'] as const).map((each) => holding(resource.name, each, { rights, truth }));
  if (got === undefined || past === undefined) return undefined;
  const sets = [...got, ...past];
  const isSeen = ({ name }: Field): boolean =>
    sets.every((allows) => allows.some(({ shows }) => shows?.has(name) !== false));
  return { isSeen, isNamed: rights.namesAll(resource.name) || isNameSeen(resource, isSeen) };
}

/** The rules that allow it, of each set that must; undefined where it is not allowed. */
function holding(
  group: string,
  operation: AccessOperation,
  { rights, truth }: { readonly rights: Rights; readonly truth: (condition: Condition) => Truth },
): readonly (readonly Rule[])[] | undefined {
  const sets = rights.on(group, operation);
  if (sets === undefined) return undefined;
  // All are asked, so that all that they look at is read together.
  const judged = sets.map(({ allows, forbids }) => {
    const by = allows.filter(({ when }) => when === undefined || truth(when) === true);
    const against = forbids.filter(({ when }) => when === undefined || truth(when) !== false);
    return against.length > 0 ? [] : by;
  });
  return judged.every((by) => by.length > 0) ? judged : undefined;
}

/** Names that another record has a part of are in no entry. */
const isNameSeen = ({ shownAs, byName, byKey }: Resource, isSeen: (field: Field) => boolean): boolean =>
  shownAs.every(
    (part) =>
      part.kind === 'literal' ||
      part.paths.every((path) => {
        const [first = ''] = path.split('.');
        const field = byName.get(first) ?? byKey.get(first);
        return field !== undefined && isSeen(field);
      }),
  );
