// The display name of a record: text with fields in braces.
import type { ShownPart } from './model.ts';

/** Splits `{vendor|expenseCategory.name}` and the text around it. @returns undefined when the braces do not match. */
export function parseShownAs(template = ''): ShownPart[] | undefined {
  const parts: ShownPart[] = [];
  let rest = template;
  while (rest !== '') {
    const match = /^(?:([^{}]+)|\{([^{}]+)\})/.exec(rest);
    if (match === null) return undefined;
    rest = rest.slice(match[0].length);
    if (match[1] !== undefined) parts.push({ kind: 'literal', text: match[1] });
    else {
      const choices = (match[2] ?? '').split('|').map((choice) => choice.trim());
      const last = choices.at(-1) ?? '';
      const literal = /^'(.*)'$/.exec(last)?.[1];
      const paths = literal === undefined ? choices : choices.slice(0, -1);
      parts.push({ kind: 'value', paths, written: paths, otherwise: literal ?? '' });
    }
  }
  return parts;
}

/** Returns the paths of a display name that consists of one value, such as `{short|name}`; undefined for any other name. */
export function solePaths(parts: readonly ShownPart[]): readonly string[] | undefined {
  const [part] = parts;
  return parts.length === 1 && part?.kind === 'value' && part.otherwise === '' ? part.paths : undefined;
}
