// Removes or corrects unknown keywords, so that the other faults of a descriptor are found in the same run.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JSONPath } from 'jsonc-parser';
import { nearest } from '../../text/nearest.ts';
import { findNewAmong } from '../upgrade/renames.ts';

export interface Mended {
  readonly data: unknown;
  /** Whether a fault there is the author's own, and none that the unknown keyword has brought about. */
  readonly isTold: (path: JSONPath) => boolean;
}

/**
 * A copy in which each unknown keyword has the name of the nearest known one, where there is one and it is free, or is gone.
 * @returns undefined where something else is wrong with the structure.
 */
export function mended(data: unknown, errors: readonly ErrorObject[]): Mended | undefined {
  if (errors.some(({ keyword }) => keyword !== 'additionalProperties')) return undefined;
  const copy: unknown = structuredClone(data);
  const hidden: (readonly (string | number)[])[] = [];
  for (const { instancePath, params, parentSchema } of errors) {
    const path = stepsOf(instancePath);
    const word = String(params['additionalProperty']);
    const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const object = at(copy, path);
    if (object === undefined) return undefined;
    const renamed = findNewAmong(known, word, object[word]);
    const meant = renamed?.name ?? nearest(word, known);
    if (meant !== undefined && !Object.hasOwn(object, meant)) object[meant] = renamed?.value ?? object[word];
    delete object[word];
    // A field without its keyword may seem to lack more; of the whole record only the keyword itself is in doubt.
    const isField = path.includes('properties');
    if (isField) hidden.push(path);
    else if (meant !== undefined) hidden.push([...path, meant]);
  }
  return { data: copy, isTold: (path) => !hidden.some((place) => place.every((step, depth) => path[depth] === step)) };
}

/** `/properties/a~1b/items` → its steps; those that are whole numbers are places in lists. */
export const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

function at(data: unknown, path: readonly (string | number)[]): Record<string, unknown> | undefined {
  let here = data;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return typeof here === 'object' && here !== null ? (here as Record<string, unknown>) : undefined;
}
