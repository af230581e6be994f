// What tests ask of answers, in the words of the interface.
import { expect } from 'vitest';
import type { Answer, Json } from './client.ts';

export type Shown = Json & { readonly id: string };

/** A version 7 id that no record has, and one of another version. */
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const foreignId = '9b2f1f0e-6c55-4c39-9a8e-2f6f3c1d7a10';

/** The record of an answer that must be a success. */
export function recordOf({ status, text, body }: Answer): Shown {
  expect(status, text).toBe(200);
  return body as Shown;
}

/** The page of an answer that must be a success. */
export function pageOf({ status, text, body }: Answer): {
  readonly results: readonly Shown[];
  readonly hasMore: boolean;
} {
  expect(status, text).toBe(200);
  return body as { results: Shown[]; hasMore: boolean };
}

/** A refusal without `errors`. */
export function expectProblem({ status, body, text }: Answer, expected: number, message: string): void {
  // By what a record is in use stands beside it; the client of the tests knows what else may.
  expect(body, text).toMatchObject({ status: expected, message });
  expect(status).toBe(expected);
}

/** A body that is refused for exactly these reasons, in this order. */
export function expectFaults({ status, body, text }: Answer, ...errors: readonly string[]): void {
  const message = 'There was a problem processing your request. See errors for more details.';
  expect(body, text).toEqual({ status: 400, message, errors });
  expect(status).toBe(400);
}

export function expectGone({ status, text }: Answer): void {
  expect(status, text).toBe(204);
}

export const unknownRecord = (id: string): string => `Object with id '${id}' not found.`;
