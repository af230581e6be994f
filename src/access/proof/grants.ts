// What roles grant, as plain data, and how it differs from what they granted before.
import { type AccessOperation, accessOperations, type Role, type Roles, type Rule } from '../model.ts';

/** A rule on one group. */
interface RuleFacts {
  readonly effect: Rule['effect'];
  readonly to: readonly AccessOperation[];
  readonly when?: string;
  readonly after?: string;
  readonly fields?: NonNullable<Rule['fields']>;
  readonly names?: 'all';
}

interface RoleFacts {
  readonly heldBy: string | null;
  readonly may: readonly string[];
  /** By groups. */
  readonly rules: Readonly<Record<string, readonly RuleFacts[]>>;
}

/** By the names of roles. */
export type GrantFacts = Readonly<Record<string, RoleFacts>>;

/** What can have become of what is granted. */
type GrantCode =
  | 'role-added'
  | 'role-removed'
  | 'holders-changed'
  | 'may-changed'
  | 'grant-widened'
  | 'grant-narrowed'
  | 'grant-changed';

export interface GrantChange {
  readonly code: GrantCode;
  readonly role: string;
  readonly group: string | undefined;
  /** Of a grant. */
  readonly operations: readonly AccessOperation[];
  readonly text: string;
}

/** What roles grant, with what they include. */
export const grantFactsOf = (roles: Roles): GrantFacts =>
  Object.fromEntries([...roles.byName.values()].map((role) => [role.name, roleFacts(role)]));

/** The same as parts of which each is a line: `on project` for its rules on a group. */
export const grantTexts = (facts: GrantFacts): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  Object.fromEntries(
    Object.entries(facts).map(([role, { rules, ...own }]) => [
      role,
      { ...own, ...Object.fromEntries(Object.entries(rules).map(([group, all]) => [`${onGroup}${group}`, all])) },
    ]),
  );

const onGroup = 'on ';

/** The facts of such parts. */
export const grantsOfTexts = (texts: Readonly<Record<string, Readonly<Record<string, unknown>>>>): GrantFacts =>
  Object.fromEntries(
    Object.entries(texts).map(([role, parts]) => {
      const rules = Object.entries(parts).filter(([part]) => part.startsWith(onGroup));
      const { heldBy = null, may = [] } = parts as Partial<RoleFacts>; // as it was written
      const byGroup = rules.map(([part, all]) => [part.slice(onGroup.length), all as readonly RuleFacts[]] as const);
      return [role, { heldBy, may, rules: Object.fromEntries(byGroup) }];
    }),
  );

function roleFacts({ heldBy, may, rules }: Role): RoleFacts {
  const byGroup = Map.groupBy(rules, ({ group }) => group);
  return {
    heldBy: heldBy?.source ?? null,
    may: [...may].sort(),
    rules: Object.fromEntries([...byGroup].map(([group, all]) => [group, all.map(ruleFacts)])),
  };
}

const ruleFacts = ({ effect, operations, when, after, fields, namesAll }: Rule): RuleFacts => ({
  ...{ effect, to: accessOperations.filter((each) => operations.has(each)) },
  ...(when && { when: when.source }),
  ...(after && { after: after.source }),
  ...(fields && { fields }),
  ...(namesAll && { names: 'all' }),
});

/** Every difference, by role and group. */
export function compareGrants(before: GrantFacts, now: GrantFacts): readonly GrantChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((role): GrantChange[] => {
    const [old, own] = [before[role], now[role]];
    const note = (code: GrantCode, text: string): GrantChange => ({
      ...{ code, role, group: undefined, operations: [], text },
    });
    if (old === undefined) return [note('role-added', 'new')];
    if (own === undefined) return [note('role-removed', 'gone')];
    const [givenMay, takenMay] = [
      own.may.filter((may) => !old.may.includes(may)),
      old.may.filter((may) => !own.may.includes(may)),
    ];
    return [
      ...(old.heldBy === own.heldBy
        ? []
        : [note('holders-changed', `held by ${old.heldBy ?? 'tokens'} → ${own.heldBy ?? 'tokens'}`)]),
      ...(givenMay.length + takenMay.length === 0
        ? []
        : [
            note(
              'may-changed',
              [...givenMay.map((may) => `may ${may}`), ...takenMay.map((may) => `may not ${may} any more`)].join(', '),
            ),
          ]),
      ...grantChanges(role, old, own),
    ];
  });
}

function grantChanges(role: string, before: RoleFacts, now: RoleFacts): GrantChange[] {
  const groups = [...new Set([...Object.keys(before.rules), ...Object.keys(now.rules)])].sort();
  return groups.flatMap((group): GrantChange[] => {
    const byCode = Map.groupBy(accessOperations, (operation) =>
      changeOf(aboutIn(before, group, operation), aboutIn(now, group, operation), operation),
    );
    return [...byCode].flatMap(([code, operations]): GrantChange[] => {
      if (code === undefined) return [];
      const text = `${wordOf(operations)} of ${group} ${code.slice('grant-'.length)}`;
      return [{ code, role, group, operations, text }];
    });
  });
}

const aboutIn = ({ rules }: RoleFacts, group: string, operation: AccessOperation): readonly RuleFacts[] =>
  (rules[group] ?? []).filter(({ to }) => to.includes(operation));

/** Operations in one word, where there is one. */
function wordOf(operations: readonly AccessOperation[]): string {
  if (operations.join() === 'list,get') return 'read';
  if (operations.join() === 'create,update,delete') return 'write';
  return operations.join(', ');
}

function changeOf(
  before: readonly RuleFacts[],
  now: readonly RuleFacts[],
  operation: AccessOperation,
): Extract<GrantCode, `grant-${string}`> | undefined {
  const [isMore, isLess] = [isWithin(before, now, operation), isWithin(now, before, operation)];
  if (isMore && isLess) return undefined;
  return isMore ? 'grant-widened' : isLess ? 'grant-narrowed' : 'grant-changed';
}

/** Whether some rules surely grant no more than others: each allow is covered by one of these, each of their forbids by one. */
function isWithin(some: readonly RuleFacts[], others: readonly RuleFacts[], operation: AccessOperation): boolean {
  const of = (rules: readonly RuleFacts[], effect: Rule['effect']): readonly RuleFacts[] =>
    rules.filter((rule) => rule.effect === effect);
  const isCovered = (rule: RuleFacts, by: readonly RuleFacts[]): boolean =>
    by.some((each) => covers(each, rule, operation));
  const [allows, forbids] = [of(some, 'allow'), of(others, 'forbid')];
  return (
    allows.every((rule) => isCovered(rule, of(others, 'allow'))) &&
    forbids.every((rule) => isCovered(rule, of(some, 'forbid')))
  );
}

/** Whether a rule surely holds wherever another does, over as many fields. Conditions are compared as they are written. */
function covers(wide: RuleFacts, narrow: RuleFacts, operation: AccessOperation): boolean {
  const isSame = (keyword: 'when' | 'after'): boolean =>
    wide[keyword] === undefined || wide[keyword] === narrow[keyword];
  if (!isSame('when') || !isSame('after') || (narrow.names === 'all' && wide.names === undefined)) return false;
  // Without one of its own an update is judged by the condition in the new state, too.
  const judgesNew = operation === 'update' && wide.effect === 'allow' && wide.when !== undefined;
  if (judgesNew && wide.after !== narrow.after) return false;
  const isWrite = operation === 'create' || operation === 'update';
  const isRead = operation === 'list' || operation === 'get' || operation === 'history';
  return (
    (!isRead || coversFields(wide.fields, narrow.fields, ['show', 'hide'])) &&
    (!isWrite || coversFields(wide.fields, narrow.fields, ['write', 'keep']))
  );
}

type Fields = RuleFacts['fields'];

function coversFields(
  wide: Fields,
  narrow: Fields,
  [only, but]: readonly ['show', 'hide'] | readonly ['write', 'keep'],
): boolean {
  const [allowed, kept] = [wide?.[only], wide?.[but]];
  if (allowed !== undefined) return narrow?.[only]?.every((name) => allowed.includes(name)) === true;
  if (kept === undefined) return true;
  const inside = narrow?.[only];
  return inside === undefined
    ? kept.every((name) => narrow?.[but]?.includes(name) === true)
    : !inside.some((name) => kept.includes(name));
}
