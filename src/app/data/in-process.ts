// Requests of a workspace that is open in this process, without HTTP: what commands send that work as clients do.

import { randomUUID } from 'node:crypto';
import { apiInfo, openApiDocument } from '../../endpoints/document/openapi.ts';
import { endpointsOf } from '../../endpoints/routes/endpoint.ts';
import { freeJsonNames } from '../../endpoints/routes/free-json.ts';
import { Problem } from '../../problems.ts';
import { nobody } from '../../request/intent.ts';
import { isObject, readJson } from '../../values/json.ts';
import { unlimited } from '../../values/json-limits.ts';
import { jsonText } from '../../values/json-text.ts';
import { createBatchAnswer } from '../answer.ts';
import type { Workspace } from '../workspace.ts';

interface BatchRequest {
  readonly body: unknown;
  readonly key?: string | undefined;
  readonly isTrial?: boolean;
}

/** What a batch is answered with. */
interface BatchAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Text of the body, if it is that of a batch. */
  readonly text?: string;
}

/**
 * Makes the function that answers batches of nobody in particular, whose writes are answered with their ids alone.
 * @param keepsIds Whether records are made under the `id` of their bodies.
 */
export function batchesOf(workspace: Workspace, keepsIds = false): (request: BatchRequest) => Promise<BatchAnswer> {
  const endpoints = endpointsOf(workspace.registry);
  const answer = createBatchAnswer(workspace, endpoints, { keepsIds });
  const limits = { ...unlimited, freeNames: freeJsonNames(endpoints) };
  return async ({ body, key, isTrial = false }) => {
    const bytes = Buffer.from(jsonText(body));
    const readBody = async () => {
      const json = readJson(bytes, limits);
      if (!isObject(json)) throw new TypeError('a batch is an object');
      return { json, bytes };
    };
    try {
      const outcome = await answer({
        caller: nobody,
        target: 'POST /api/batch',
        requestId: randomUUID(),
        traceId: undefined,
        options: { key, isTrial, isMinimal: true },
        problemFormat: 'plain',
        readBody,
        deadline: { since: performance.now(), isDisconnected: () => false },
        count: () => undefined,
      });
      const text = String(outcome.body);
      return { status: outcome.status, body: JSON.parse(text), text };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, message, errors } = error;
      return { status, body: { status, message, errors } };
    }
  };
}

/** What the workspace offers, as its clients read it. */
export const documentOf = ({ registry }: Workspace): unknown =>
  JSON.parse(JSON.stringify(openApiDocument(registry, endpointsOf(registry), apiInfo)));
