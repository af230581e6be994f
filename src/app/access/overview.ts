// What a caller may do with each group: all of its records, some, or none, and which fields are kept from it.
import { createHash } from 'node:crypto';
import { mays, shows, writes } from '../../access/model.ts';
import { extentOf, type Grants, type Rights } from '../../access/rights.ts';
import { operationsIn } from '../../access/words.ts';
import { shownName } from '../../engine/transaction/shown-name.ts';
import type { Resource } from '../../registry/model/model.ts';
import type { Caller, Outcome } from '../../request/intent.ts';
import type { Workspace } from '../workspace.ts';

/** What is granted of a group: operations, then `hidden` and `kept`, the fields that no rule shows or lets write. */
type GroupOverview = Readonly<Record<string, ReturnType<typeof extentOf> | readonly string[]>>;

/** Answers `GET /access`: it is small, and the same until roles or their holders change. */
export async function overviewOf({ registry, engine, roles }: Workspace, caller: Caller): Promise<Outcome> {
  const { memberId, rights } = caller;
  const { actors, resources } = registry;
  const member =
    memberId === null || actors === undefined
      ? null
      : await engine.inspect(async (scope) => {
          const record = await scope.records.find(actors, memberId);
          return record === undefined ? null : { id: memberId, name: await shownName(scope, actors, record) };
        });
  const limits = caller.limits?.said ?? { readOnly: false, allow: [] };
  const groups = [...resources.values()]
    .toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1))
    .map((resource) => [resource.name, groupOverview(resource, rights)]);
  const body = JSON.stringify({
    member,
    roles: rights === undefined || roles === undefined ? [] : rights.roles,
    limits: { readOnly: limits.readOnly, allow: limits.allow },
    may: mays.filter((what) => rights?.may(what) !== false),
    groups: Object.fromEntries(groups),
  });
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { status: 200, body, etag };
}

/** What rights come to for a group. */
function groupOverview(resource: Resource, rights: Rights | undefined): GroupOverview {
  const told: Record<string, ReturnType<typeof extentOf> | readonly string[]> = {};
  for (const operation of operationsIn(resource)) {
    told[operation] = extentOf(rights === undefined ? [] : rights.on(resource.name, operation));
  }
  return { ...told, hidden: hiddenOf(resource, rights), kept: keptOf(resource, rights) };
}

/** Names of the fields that no rule shows; of a group of which nothing can be read, none. */
function hiddenOf({ name, fields }: Resource, rights: Rights | undefined): readonly string[] {
  if (rights === undefined) return [];
  const reads = [rights.on(name, 'list'), rights.on(name, 'get')].filter((grants) => grants !== undefined);
  if (reads.length === 0) return [];
  const isShown = (field: string): boolean =>
    reads.some((grants) => grants.every(({ allows }) => allows.some((rule) => shows(rule, field))));
  return fields
    .filter((field) => field.shown && field.name !== 'id' && !isShown(field.name))
    .map((field) => field.name);
}

/** Keys of the fields that no rule lets write; of a group of which nothing can be written, none. */
function keptOf({ name, fields }: Resource, rights: Rights | undefined): readonly string[] {
  if (rights === undefined) return [];
  const [onCreate, onUpdate] = [rights.on(name, 'create'), rights.on(name, 'update')];
  if (onCreate === undefined && onUpdate === undefined) return [];
  const lets = (grants: readonly Grants[] | undefined, key: string): boolean =>
    grants?.every(({ allows }) => allows.some((rule) => writes(rule, key))) === true;
  return fields
    .filter((field) => field.onCreate || field.onUpdate)
    .filter((field) => !(field.onCreate && lets(onCreate, field.key)) && !(field.onUpdate && lets(onUpdate, field.key)))
    .map((field) => field.key);
}
