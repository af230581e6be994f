// What rights show of the past of records: judged by what these are now, by their last values where they are gone, or by what they
// were before a write.
import type { Rights } from '../../access/rights.ts';
import { judgedBy, type RoleCondition } from '../../access/truth.ts';
import { areAllowed, areShowing, type Case, verdictsOf } from '../../access/verdict.ts';
import { storedRecord } from '../../facts/found-values.ts';
import { ReadFacts } from '../../facts/read-facts.ts';
import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Field, Resource, Values } from '../../registry/model/model.ts';
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
  return judgedBy(facts, ({ truth }) =>
    states.map(({ resource, values, isThere }) => {
      const self = isThere ? storedRecord(resource.name, values) : recordValue(values);
      return sightOf(resource, rights, (condition) =>
        // What it hangs on besides may be another by now.
        isThere || hangsOnItself(condition) ? truth(condition, self) : 'undecided',
      );
    }),
  );
}

/** Keys of the fields that decide which records of a group are seen: no other change takes one out of sight. */
export function keysJudged(rights: Rights, { name }: Resource): ReadonlySet<string> {
  const grants = (['get', 'history'] as const).flatMap((operation) => rights.on(name, operation) ?? []);
  const rules = grants.flatMap(({ allows, forbids }) => [...allows, ...forbids]);
  return new Set(rules.flatMap(({ when }) => (when === undefined ? [] : [...dependenciesOf(when.tree).keys])));
}

const hangsOnItself = ({ tree }: RoleCondition): boolean =>
  dependenciesOf(tree).beyond.every(({ what }) => what === 'known');

/** History is seen of what is got, and of it what both show. */
function sightOf(resource: Resource, rights: Rights, truth: Case['truth']): PastSight | undefined {
  const asked = { changed: [], knowsNew: false, truth };
  // Both are asked, so that all that they look at is read together.
  const verdicts = (['get', 'history'] as const).flatMap((operation) =>
    verdictsOf(rights.on(resource.name, operation), { operation, ...asked }),
  );
  if (!areAllowed(verdicts)) return undefined;
  const isSeen = ({ name }: Field): boolean => areShowing(verdicts, name);
  return { isSeen, isNamed: rights.namesAll(resource.name) || isNameSeen(resource, isSeen) };
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
