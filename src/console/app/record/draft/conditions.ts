// The conditions of groups, read when one begins to look at a record.
import type { GroupConditions } from '../../../conditions.ts';
import type { GroupModel } from '../../service/model.ts';

const none: GroupConditions = { fields: [], defaults: [], musts: [], update: [], delete: [] };
const known = new Map<string, Promise<GroupConditions>>();

/** Those of a group; none where they cannot be read now. */
export function conditionsOf({ name }: GroupModel): Promise<GroupConditions> {
  const read = known.get(name) ?? fetch(`/console/conditions/${name}.json`).then(conditionsIn);
  known.set(name, read);
  return read.catch(() => {
    known.delete(name);
    return none;
  });
}

async function conditionsIn(response: Response): Promise<GroupConditions> {
  if (!response.ok) throw new Error(response.statusText);
  return response.json() as Promise<GroupConditions>;
}
