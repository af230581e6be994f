// The format of errors: the plain body, or a problem document (RFC 9457) for callers that ask for one.
import type { ProblemFormat } from '../../problems.ts';

export const documentType = 'application/problem+json';
const plainType = 'application/json';

/**
 * Chooses the format by `Accept` (RFC 9110, 12.5.1). A caller gets a problem document only if it names the media type, and
 * does not prefer plain JSON by a greater weight.
 */
export function chooseProblemFormat(accept: string | undefined): ProblemFormat {
  if (accept?.toLowerCase().includes(documentType) !== true) return 'plain';
  const weight = readWeight(accept, documentType) ?? 0;
  return weight > 0 && weight >= (readWeight(accept, plainType) ?? 0) ? 'document' : 'plain';
}

/** Returns the weight of a media type that `Accept` names; undefined if it does not. */
function readWeight(accept: string, type: string): number | undefined {
  let weight: number | undefined;
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name === type) weight = Math.max(weight ?? 0, readQuality(parameters));
  }
  return weight;
}

/** Returns the `q` among the parameters of a media range, which is 1 if it is absent, and 0 if it is malformed. */
function readQuality(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
}
