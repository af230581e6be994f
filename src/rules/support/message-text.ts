// Message templates of rules, filled with values.
import type { Tree } from '../../formulas/language/tree.ts';
import type { Known } from '../../formulas/language/value.ts';
import type { Message, RuleUse, Value } from '../../registry/model/model.ts';

/** A value as messages show it: numbers plain, what is null as nothing. */
export const valueText = (value: Known | Value | undefined): string =>
  value === null || value === undefined || typeof value === 'object' ? '' : String(value);

/** What gives the value of a formula in a text. */
export type ValueOf = (tree: Tree) => Promise<Known>;

/** What a use says of a field in words of its own. */
export async function ownText({ messages }: RuleUse, valueOfPart: ValueOf): Promise<string> {
  const { must, text } = messages;
  if (text !== undefined) return messageText(text, valueOfPart);
  return `must be ${await messageText(must ?? { parts: [] }, valueOfPart)}`;
}

/** A text with the values of its formulas. */
async function messageText({ parts }: Message, valueOfPart: ValueOf): Promise<string> {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : valueText(await valueOfPart(part));
  return text;
}
