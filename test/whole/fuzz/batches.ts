// Several operations in one request, each made like one of its own; later ones use what earlier ones answer.
import type { Random } from '../../../src/demo/plan/random.ts';
import { isNode, type Json, type Operation } from './document.ts';

/** One of the operations of a batch. */
export interface Part {
  readonly operation: Operation;
  readonly method: string;
  /** Below the base, with the query. */
  readonly path: string;
  readonly id: string | undefined;
  readonly body: Json | undefined;
  /** The tag that its record had. */
  readonly tag: string | undefined;
}

/** The body of a batch. */
export function batchOf(parts: readonly Part[], random: Random): Json {
  /** Names of creates before, by the group of their records. */
  const names = new Map<string, string>();
  const operations = parts.map(({ operation, method, path, body, tag }, place) => {
    const { kind, group } = operation;
    const earlier = names.get(group);
    const isSame = earlier !== undefined && operation.hasId && random.chance(0.6);
    const item: Json = { method, path: isSame ? operation.path.replace('{id}', `{${earlier}.id}`) : path };
    if (body !== undefined) item['body'] = withResults(body, names, random);
    if (random.chance(0.5)) item['as'] = `part${place}`;
    if (isSame && kind !== 'get' && random.chance(0.5)) item['ifMatch'] = { $from: `${earlier}.etag` };
    else if (tag !== undefined && kind !== 'get' && random.chance(0.2)) item['ifMatch'] = tag;
    if (kind === 'create' && item['as'] !== undefined) names.set(group, `part${place}`);
    return item;
  });
  return random.chance(0.5) ? { operations } : { operations, atomic: random.chance(0.4) };
}

/** Some references by what an earlier operation has made. */
function withResults(body: Json, names: ReadonlyMap<string, string>, random: Random): Json {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const name = names.get(key.replace(/Ids?$/, '').toLowerCase());
      if (name === undefined || !random.chance(0.7)) return [key, value];
      return [key, Array.isArray(value) ? [{ $from: `${name}.id` }] : { $from: `${name}.id` }];
    }),
  );
}

/** The answers to the parts of a batch, each as if it had been asked for alone. */
export function resultsIn(
  body: unknown,
): readonly { readonly status: number; readonly text: string; readonly etag: string | undefined }[] {
  if (!isNode(body) || !Array.isArray(body['results'])) return [];
  return body['results'].filter(isNode).map(({ status, body: part, etag }) => ({
    status: Number(status),
    text: isNode(part) ? JSON.stringify(part) : '',
    etag: typeof etag === 'string' ? etag : undefined,
  }));
}
