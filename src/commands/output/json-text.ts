// JSON formatted as people write it: short values on one line.

/** As one would write it: what is short stands on one line. */
export const jsonLines = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, part]) => partLines(`${JSON.stringify(name)}: `, part, '  '));

const widestLine = 100;

function partLines(before: string, value: unknown, indent: string): readonly string[] {
  const line = `${indent}${before}${spaced(value)}`;
  if (line.length <= widestLine || typeof value !== 'object' || value === null) return [line];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value).map(([name, part]) =>
    partLines(Array.isArray(value) ? '' : `${JSON.stringify(name)}: `, part, `${indent}  `),
  );
  const inside = parts.flatMap((lines, index) =>
    index === parts.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1)},`],
  );
  return [`${indent}${before}${open}`, ...inside, `${indent}${close}`];
}

/** JSON on one line, with spaces. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${spaced(part)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
