// Which fields of its own record a derived field depends on: those that its arguments name, the first steps of its paths, and
// those that its conditions compare.
import type { RuleSignature } from '../model/model.ts';
import { leavesOf } from '../model/parameters.ts';
import { own } from '../model/vocabulary.ts';

/**
 * Names or keys of fields, as the arguments have them.
 * @param wordsOf The fields and the beginnings of paths that a condition looks at.
 */
export function wordsRead(
  { parameters }: Pick<RuleSignature, 'parameters'>,
  given: Readonly<Record<string, unknown>>,
  wordsOf: (condition: string) => readonly string[],
): readonly string[] {
  const leaves = Object.entries(given).flatMap(([name, value]) => leavesOf(own(parameters, name) ?? 'text', value));
  return leaves.flatMap(({ type, text }) => {
    if (type === 'condition' || type === 'judgement') return wordsOf(text);
    if (type === 'field' || type === 'reference' || type === 'parameter') return [text];
    if (typeof type !== 'object' || ('in' in type && type.in !== undefined)) return [];
    if ('field' in type) return [text];
    return 'path' in type ? [rootOf(text)] : [];
  });
}

/** Where a path begins: `client` of `client.currency`. */
export const rootOf = (path: string): string => path.split('.')[0] ?? '';
