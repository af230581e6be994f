// One operation of a batch request.
import type { Problem } from '../problems.ts';
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

/** An operation that was checked as far as the batch itself decides. */
export interface CheckedOperation extends BatchOperation {
  /** Whether its path, body or tag takes values from earlier answers. */
  readonly hasPlaceholders: boolean;
  /** Why its caller may not do it, whatever its body says; undefined if nothing is known against it. */
  readonly refusal: Problem | undefined;
}
