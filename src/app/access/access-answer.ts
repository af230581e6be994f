// Answers callers who ask what they may do: with each group, or with one record, and why.
import { checkMay } from '../../access/limits.ts';
import { reasonsFor } from '../../engine/access/reasons.ts';
import { visibleAmong } from '../../engine/sight/visible.ts';
import type { Service } from '../../http/request/service.ts';
import { problems } from '../../problems.ts';
import type { Caller, Outcome } from '../../request/intent.ts';
import { isUuid } from '../../values/format.ts';
import type { Workspace } from '../workspace.ts';
import { overviewOf } from './overview.ts';
import type { CallerRights } from './rights-of-callers.ts';

/** Makes the function that answers `/access`, and `/access/<group>/<id>`. */
export function createAccessAnswer(workspace: Workspace, rights: CallerRights): Service['access'] {
  const { registry, engine, unit, book } = workspace;
  const byPath = new Map([...registry.resources.values()].map((resource) => [resource.path.slice(1), resource]));
  return async ({ caller, path, query, deadline }): Promise<Outcome> => {
    if (path === '') {
      const [name = ''] = query.split(/[=&]/);
      if (name !== '') throw problems.parameterUnknown(name);
      return overviewOf(workspace, caller);
    }
    const [group = '', id = '', ...rest] = path.split('/');
    const resource = byPath.get(group);
    if (resource === undefined || rest.length > 0 || resource.computed !== undefined || resource.singleton)
      throw problems.pathUnknown();
    const { feature, name } = resource;
    if (feature !== undefined && !book.isEnabled(feature)) throw problems.featureDisabled(feature.name);
    const member = memberIn(query);
    if (member !== undefined) checkMay(caller, 'access');
    if (!isUuid(id)) throw problems.uuidMalformed('id');
    return unit.attend('read', deadline, (own) =>
      engine.on(own).inspect(async (scope) => {
        const viewer = engine.sights.viewer(caller, () => book.today());
        // Before conditions are looked into: what is not seen takes no more than what there is not.
        const ids = [id.toLowerCase()];
        if (viewer !== undefined && (await visibleAmong(scope.session, viewer, { group: name, ids })).size === 0)
          throw problems.recordUnknown(id);
        const record = await scope.records.whole(name, id.toLowerCase());
        // Who asks for another sees by that what there is: nothing that it may not read itself.
        const asks = (by: Caller) =>
          record &&
          reasonsFor(scope, { resource, record, rights: by.rights, actor: by.memberId, today: () => book.today() });
        const own = await asks(caller);
        if (own?.isVisible !== true) throw problems.recordUnknown(id);
        const other = member === undefined ? undefined : await otherOf(workspace, rights, member);
        const told = other === undefined ? own : await asks(other);
        const { operations, hidden, kept, rules } = told ?? own;
        const body = { operations, hidden, kept, ...(other !== undefined && { rules }) };
        return { status: 200, body: JSON.stringify(body) };
      }),
    );
  };
}

/** The member whom the query asks about. @throws Problem 400 */
function memberIn(query: string): string | undefined {
  let member: string | undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'member') throw problems.parameterUnknown(name);
    if (member !== undefined) throw problems.parameterTwice(name);
    if (!isUuid(value)) throw problems.uuidMalformed(name);
    member = value.toLowerCase();
  }
  return member;
}

/** A member as a caller: what it may do by the roles that it holds. @throws Problem 404 for one that there is not */
async function otherOf({ registry, engine }: Workspace, rights: CallerRights, memberId: string): Promise<Caller> {
  const { actors } = registry;
  const record =
    actors === undefined ? undefined : await engine.inspect(({ records }) => records.find(actors, memberId));
  if (record === undefined) throw problems.recordUnknown(memberId);
  return rights.of({ tokenId: '', memberId });
}
