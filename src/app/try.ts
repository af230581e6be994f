// Tries a write and takes it back: what `praxis try` tells of it.
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { endpointsOf } from '../endpoints/routes/endpoint.ts';
import { type FilledIn, Trial, type TriedCondition } from '../engine/explain/trial.ts';
import { Problem } from '../problems.ts';
import { parseBody } from '../request/body.ts';
import { nobody } from '../request/intent.ts';
import { writeIntent } from '../request/write-intent.ts';
import { didYouMean } from '../text/nearest.ts';
import { isUuid } from '../values/format.ts';
import type { JsonObject } from '../values/json.ts';
import { openWorkspace } from './workspace.ts';

/** A write as it is asked for. */
interface Attempted {
  readonly group: string;
  /** Of an update or a delete. */
  readonly id: string | undefined;
  /** Undefined of a delete. */
  readonly body: JsonObject | undefined;
}

export interface Tried {
  readonly group: string;
  readonly operation: 'create' | 'update' | 'delete';
  /** What the service would answer where it refuses. */
  readonly refused: { readonly status: number; readonly message: string; readonly errors: readonly string[] } | null;
  /** Fields that follow from formulas; of no write whose body is wrong by itself. */
  readonly filled: readonly FilledIn[];
  readonly conditions: readonly TriedCondition[];
}

/** Carries a write out as the service itself, and takes it back. @throws ConfigurationFault for what cannot be asked */
export async function tryWrite(config: Config, { group, id, body }: Attempted): Promise<Tried> {
  const workspace = await openWorkspace(config);
  try {
    const { registry, engine } = workspace;
    const resource = registry.resources.get(group);
    if (resource === undefined)
      throw new ConfigurationFault(`"${group}" is not a group${didYouMean(group, registry.resources.keys())}`);
    if (id !== undefined && !isUuid(id)) throw new ConfigurationFault(`--id must be the id of a record, not '${id}'`);
    const operation = body === undefined ? 'delete' : id === undefined ? 'create' : 'update';
    const endpoint = endpointsOf(registry).find((each) => each.resource === resource && each.operation === operation);
    if (endpoint === undefined) throw new ConfigurationFault(`"${group}" has no ${operation}`);
    const trial = new Trial();
    let refused: Tried['refused'] = null;
    try {
      await engine.execute(
        writeIntent({
          ...{ endpoint, caller: nobody, id, options: { isTrial: true } },
          body: body === undefined || operation === 'delete' ? undefined : parseBody(resource, operation, body),
        }),
        trial,
      );
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused = { status: error.status, message: error.message, errors: error.errors ?? [] };
    }
    return { group, operation, refused, filled: trial.filled, conditions: trial.conditions };
  } finally {
    await workspace.close();
  }
}
