// What of roles is no fault, and is hardly meant: rules that do nothing, rights that lead further than they say.
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { accessOperations, type Role, type Roles, type Rule } from '../model.ts';
import { type Rights, RightsBook } from '../rights.ts';
import { mostTruths, tooManyTruths, truthsOf } from '../truths.ts';
import { operationsIn } from '../words.ts';
import type { Finding, FindingCode } from './finding.ts';
import { neverHolds } from './never.ts';
import { steeredStates } from './steered-states.ts';

/** A part of a condition that no index serves. */
interface Unserved {
  readonly source: string;
  /** Names of the fields whose index would serve it. */
  readonly fields: readonly string[];
  /** Whether it reads the acting member, and not the record. */
  readonly readsOnlyActor: boolean;
}

/** Finds the part of a rule's condition that no index serves; undefined if indexes serve all of it. */
export type FindUnserved = (rule: Rule) => Unserved | undefined;

/** Returns all findings, those of a role in the order of its file. */
export function listFindings(roles: Roles, registry: Registry, findUnserved: FindUnserved): readonly Finding[] {
  const book = new RightsBook(roles);
  const all = [...roles.byName.values()];
  const rightsOf = new Map(all.map(({ name }) => [name, book.of({ roles: [name] })]));
  return [
    ...all.flatMap((role) => ruleFindings(role)),
    ...all.flatMap((role) => roleFindings(role, rightsOf.get(role.name), registry)),
    ...all.flatMap((role) => listUnindexed(role, findUnserved)),
    ...grantFindings(all, rightsOf, registry),
    ...unreachable(all, rightsOf, registry),
    ...manyTruths(all, registry),
  ];
}

/** A rule whole: its parts, one for each group. */
function wholeRules(role: Role): readonly (readonly [Rule, ...Rule[]])[] {
  const own = role.rules.filter((rule) => rule.role === role.name);
  return [...Map.groupBy(own, ({ id }) => id).values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  ) as readonly (readonly [Rule, ...Rule[]])[]; // by the line before
}

const isOpen = ({ when, after, shows, writes }: Rule): boolean =>
  when === undefined && after === undefined && shows === undefined && writes === undefined;

const coversAll = (one: Rule, other: Rule): boolean =>
  one.group === other.group && [...other.operations].every((operation) => one.operations.has(operation));

function ruleFindings(role: Role): readonly Finding[] {
  const rules = wholeRules(role);
  return rules.flatMap((parts, index): Finding[] => {
    const [first] = parts;
    const { place, effect, id } = first;
    const found: Finding[] = [];
    const tell = (code: FindingCode, text: string): void => void found.push({ code, text, place });
    const before = rules.slice(0, index).flat();
    if (effect === 'allow') {
      const covering = parts.map((part) =>
        before.find((rule) => rule.effect === 'allow' && isOpen(rule) && !part.namesAll && coversAll(rule, part)),
      );
      if (!covering.includes(undefined))
        tell('allow-covered', `${id} adds nothing: ${covering[0]?.id} allows all of it already`);
      const forbids = role.rules.filter((rule) => rule.effect === 'forbid' && isOpen(rule));
      if (parts.every((part) => forbids.some((rule) => coversAll(rule, part))))
        tell('allow-always-forbidden', `${id} allows operations that the role always forbids`);
    }
    for (const keyword of ['when', 'after'] as const)
      if (parts.every((part) => part[keyword] !== undefined && neverHolds(part[keyword].tree)))
        tell('condition-never', `${id} can never hold, because "${keyword}" contradicts itself for one field`);
    tellFields(first, tell);
    return found;
  });
}

/** Fields that a rule hides or keeps where its operations neither show nor take any. */
function tellFields({ id, operations, shows, writes }: Rule, tell: (code: FindingCode, text: string) => void): void {
  const has = (...names: readonly string[]): boolean => [...operations].some((each) => names.includes(each));
  if (shows !== undefined && !has('list', 'get', 'history'))
    tell('field-nowhere', `${id} says which fields are shown, and allows to read nothing`);
  if (writes !== undefined && !has('create', 'update'))
    tell('field-nowhere', `${id} says which fields may be written, and allows to write nothing`);
}

function roleFindings(role: Role, rights: Rights | undefined, registry: Registry): readonly Finding[] {
  const found: Finding[] = [];
  const canRead = (group: string): boolean =>
    rights?.on(group, 'list') !== undefined || rights?.on(group, 'get') !== undefined;
  for (const { name } of registry.resources.values()) {
    const writes = (['create', 'update', 'delete'] as const).filter((each) => rights?.on(name, each) !== undefined);
    if (writes.length > 0 && !canRead(name))
      found.push({
        code: 'write-unseen',
        text: `"${role.name}" may ${writes.join(' and ')} ${name}, and read none of it`,
        place: role.rules.find((rule) => rule.group === name && rule.operations.has(writes[0] ?? 'create'))?.place,
      });
  }
  for (const resource of registry.resources.values())
    if (canRead(resource.name)) found.push(...figuresShown(role, resource, { rights, registry }));
  if (rights !== undefined) found.push(...steeredStates(role, rights, registry));
  return found;
}

interface Reading {
  readonly rights: Rights | undefined;
  readonly registry: Registry;
}

/** Figures that a role reads, and whose sources it cannot. */
function figuresShown(role: Role, resource: Resource, { rights, registry }: Reading): readonly Finding[] {
  const isShown = (group: string, name: string): boolean =>
    [rights?.on(group, 'list'), rights?.on(group, 'get')]
      .flatMap((grants) => grants ?? [])
      .some(({ allows }) => allows.some(({ shows }) => shows?.has(name) !== false));
  const isUnseen = ({ shape: { group, objectKey, lists }, key }: Read): boolean => {
    const field = registry.resources.get(group)?.byKey.get(objectKey ?? lists[0] ?? key);
    // What no record shows is asked for no more than that the records are seen.
    const word = field?.shown === true ? field.name : 'id';
    return group !== '' && group !== resource.name && !isShown(group, word);
  };
  return resource.fields.flatMap(({ name, shown, figure }): Finding[] => {
    if (figure === undefined || !shown || !isShown(resource.name, name)) return [];
    const source = figure.reads.find(isUnseen);
    if (source === undefined) return [];
    const text = `${resource.name}.${name} looks at ${source.shape.group}.${source.key}, which "${role.name}" cannot read`;
    return [{ code: 'figure-shows', text, place: undefined }];
  });
}

/** A field that somebody may write. */
interface Written {
  readonly group: string;
  readonly key: string;
}

/** Who may write what decides on who holds a role that may do more. */
function grantFindings(
  roles: readonly Role[],
  rightsOf: ReadonlyMap<string, Rights | undefined>,
  registry: Registry,
): readonly Finding[] {
  const { actors = '', resources } = registry;
  const signsInBy = resources.get(actors)?.signIn?.name;
  return roles.flatMap((given): Finding[] => {
    if (given.heldBy === undefined) return [];
    const { reads } = dependenciesOf(given.heldBy.tree);
    return roles.flatMap((giver): Finding[] => {
      const rights = rightsOf.get(giver.name);
      if (giver === given || rights === undefined || !mayMore(rightsOf.get(given.name), rights, registry)) return [];
      const tell = (what: string): Finding => ({
        code: 'role-grants',
        text: `"${giver.name}" may write ${what} "${given.name}"`,
        place: undefined,
      });
      const written = reads.find(({ shape, key }) => mayWrite(rights, { group: shape.group, key }));
      if (written !== undefined) {
        const { shape, key } = written;
        const name = resources.get(shape.group)?.byKey.get(key)?.name ?? key;
        return [tell(`${shape.group}.${name}, which decides who holds`)];
      }
      // Whose e-mail somebody else can make their own, as that one they can sign in elsewhere.
      return signsInBy !== undefined && rights.mayWrite(actors, 'update', signsInBy.key)
        ? [tell(`${actors}.${signsInBy.name}, by which those sign in who hold`)]
        : [];
    });
  });
}

const mayWrite = (rights: Rights, { group, key }: Written): boolean =>
  rights.mayWrite(group, 'create', key) || rights.mayWrite(group, 'update', key);

/** Whether rights hold an operation that others have not at all. */
const mayMore = (rights: Rights | undefined, others: Rights, { resources }: Registry): boolean =>
  [...resources.keys()].some((group) =>
    accessOperations.some(
      (operation) => rights?.on(group, operation) !== undefined && others.on(group, operation) === undefined,
    ),
  );

/** Reports lists that read every record of their group, because no index serves the condition of a rule. */
function listUnindexed(role: Role, findUnserved: FindUnserved): readonly Finding[] {
  const lists = role.rules.filter(({ effect, operations }) => effect === 'allow' && operations.has('list'));
  return lists.flatMap((rule): readonly Finding[] => {
    // A rule without a condition shows every record.
    const isWhole = lists.some((other) => other.group === rule.group && other.when === undefined);
    const part = rule.role !== role.name || isWhole ? undefined : findUnserved(rule);
    if (part === undefined) return [];
    const text = `${rule.id}: no index finds the ${rule.group} records of which "${part.source}" holds, so a list reads all of them; ${toRemedy(part, rule)}`;
    return [{ code: 'list-unindexed', text, place: rule.place }];
  });
}

function toRemedy({ fields, readsOnlyActor }: Unserved, { group }: Rule): string {
  if (fields.length > 0) return `add "filter": "exact" to ${fields.map((name) => `${group}.${name}`).join(', ')}`;
  if (readsOnlyActor) return 'use it as the "heldBy" of another role';
  return 'add a condition on a reference, such as "ownerId == actor", or on a state with "filter": "exact"';
}

/** What somebody needs who holds all roles that members can hold. */
function manyTruths(roles: readonly Role[], { resources }: Registry): readonly Finding[] {
  const rules = [...new Set(roles.filter(({ heldBy }) => heldBy !== undefined).flatMap((role) => role.rules))];
  return [...resources.values()].flatMap((resource): Finding[] => {
    const count = truthsOf(rules, resource);
    if (count <= mostTruths) return [];
    const text = `who holds all roles ${tooManyTruths(count, resource.name)}`;
    return [{ code: 'truths-many', text, place: undefined }];
  });
}

function unreachable(
  roles: readonly Role[],
  rightsOf: ReadonlyMap<string, Rights | undefined>,
  { resources, files }: Registry,
): readonly Finding[] {
  return [...resources.values()].flatMap((resource): Finding[] => {
    // Files are had by the records that name them.
    if (resource === files) return [];
    const read = operationsIn(resource).has('list') ? 'list' : 'get';
    const isRead = roles.some(({ name }) => rightsOf.get(name)?.on(resource.name, read) !== undefined);
    const text = `no role may ${read} ${resource.name}`;
    return isRead ? [] : [{ code: 'group-unreachable', text, place: undefined }];
  });
}
