// The records of a workspace through the engine, several writes a transaction: bodies are taken apart and checked as
// those of requests are.
import type { Workspace } from '../app.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { Problem } from '../problems.ts';
import { parseBody } from '../request/body.ts';
import type { Body, Records, Shown } from './records.ts';

/** What one transaction can do. */
type Batch = Parameters<Parameters<Workspace['engine']['together']>[0]>[0];

/** @param count Called for each record that is made. */
export function recordsOf({ registry }: Workspace, batch: Batch, count: (group: string) => void): Records {
  const bodyOf = (group: string, mode: 'create' | 'update', body: Body) => {
    const resource = registry.resources.get(group);
    if (resource === undefined) throw new Error(`there is no group "${group}"`);
    return parseBody(resource, mode, body);
  };
  const explained = async <T>(group: string, body: Body, write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const reasons = error.errors?.join('; ') ?? error.message;
      throw new ConfigurationFault(
        `The demo does not fit these descriptors: the ${group} ${JSON.stringify(body)} is refused: ${reasons}. What was made before it is kept; for another try set DATABASE_URL to a new database.`,
        error,
      );
    }
  };
  return {
    make: (group, body, by) =>
      explained(group, body, async () => {
        const { id } = await batch.create(group, bodyOf(group, 'create', body), by);
        count(group);
        return { id: String(id) };
      }),
    change: (group, id, body, by) =>
      explained(group, body, () => batch.update(group, id, bodyOf(group, 'update', body), by)),
    // The engine's own JSON of a record.
    read: async (group, id) => JSON.parse(await batch.read(group, id)) as Shown,
    find: async (group, where) => {
      const [found] = await batch.list(group, where);
      if (found === undefined) throw new Error(`there is no ${group} ${JSON.stringify(where)}`);
      return { id: String(found['id']) };
    },
  };
}
