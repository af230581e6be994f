// Lets a caller act for a member: what is done counts as that member's, and both must be allowed it.
import { checkMay } from '../../access/limits.ts';
import type { Service } from '../../http/request/service.ts';
import { problems } from '../../problems.ts';
import { isUuid } from '../../values/format.ts';
import type { Workspace } from '../workspace.ts';
import type { CallerRights } from './rights-of-callers.ts';

/** Makes the function that judges the header `Praxis-Member`. */
export function createActing({ registry, engine }: Workspace, rights: CallerRights): Service['act'] {
  const { actors, resources } = registry;
  const group = actors === undefined ? undefined : resources.get(actors);
  return async (caller, said) => {
    checkMay(caller, 'act');
    const wrong = problems.headerInvalid(
      'Praxis-Member',
      group === undefined ? 'the id of a member' : `the id of a ${group.title}`,
    );
    if (group === undefined || !isUuid(said)) throw wrong;
    const id = said.toLowerCase();
    const record = await engine.inspect(({ records }) => records.find(group.name, id));
    const mayAct = [group.mayAct, group.signIn?.when].every((condition) => condition?.test(record ?? {}) !== false);
    if (record === undefined || !mayAct) throw wrong;
    return rights.acting(caller, id);
  };
}
