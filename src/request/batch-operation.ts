// One operation of a batch request.
import type { JsonObject, JsonValue } from '../values/json.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type BatchMethod = (typeof methods)[number];

export interface BatchOperation {
  readonly method: BatchMethod;
  readonly path: string;
  readonly body: JsonObject | undefined;
  /** What later operations call its answer. */
  readonly as: string | undefined;
  readonly ifMatch: JsonValue | undefined;
}
