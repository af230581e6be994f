// JSON that RFC 8259 allows and the service refuses, with the path of the refused value. The path is computed after the refusal, so
// that the reader of a valid text does not track it.

/** The bytes are not the JSON that the service accepts. The message is for logs, not for callers. */
export class JsonFault extends Error {
  override readonly name: string = 'JsonFault';
}

/** The JSON is valid, and the service does not accept a value or a name in it. */
export class RefusedJson extends JsonFault {
  override readonly name = 'RefusedJson';
  /** Names of members and indexes of items, from the outermost value on; empty for that value. */
  readonly path: readonly (string | number)[];
  /** Predicate for callers, after the path: `must be without U+0000`. */
  readonly reason: string;

  constructor(path: readonly (string | number)[], reason: string) {
    super(`'${pathText(path)}' ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** Returns a path as callers write it: `lines[0].amount`. */
export const pathText = (path: readonly (string | number)[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

/** A string of JSON that ends, or the rest of the text. */
const stringPattern = /"(?:[^"\\]|\\.)*"?/sy;

/**
 * Returns the path of the value or the member that a text has at an offset.
 * @param text JSON that is valid up to `end`.
 */
export function findPath(text: string, end: number): readonly (string | number)[] {
  /** Step into each open object or list; undefined before the first name of an object. */
  const steps: (string | number | undefined)[] = [];
  let isNameNext = false;
  for (let at = 0; at < end; ) {
    const sign = text[at];
    if (sign === '"') {
      stringPattern.lastIndex = at;
      const [token = '"'] = stringPattern.exec(text) ?? [];
      if (isNameNext) steps[steps.length - 1] = readName(token);
      isNameNext = false;
      at += token.length;
      continue;
    }
    if (sign === '{') steps.push(undefined);
    else if (sign === '[') steps.push(0);
    else if (sign === '}' || sign === ']') steps.pop();
    const step = steps.at(-1);
    if (sign === ',' && typeof step === 'number') steps[steps.length - 1] = step + 1;
    if (sign === '{' || sign === ',') isNameNext = typeof steps.at(-1) !== 'number';
    at += 1;
  }
  return steps.filter((step) => step !== undefined);
}

/** Returns a name as its string means it; as it is written if it holds U+0000. */
const readName = (token: string): string =>
  token.includes('\\u0000') ? token.slice(1, -1) : (JSON.parse(token) as string).toWellFormed();
