// A keyword of descriptors as text: places, types, meaning, values, an example, related keywords.
import { ConfigurationFault } from '../../configuration-fault.ts';
import { getKeywords, type KeywordEntry, type KeywordUse } from '../../registry/guide/keywords.ts';
import { nearestThree } from '../../text/nearest.ts';
import { jsonLines } from '../output/json-text.ts';
import { type JsonFlag, paintOut, tell } from '../output/terminal.ts';

const heading = (text: string): string => paintOut('bold', text);

/**
 * Prints a keyword, or all keywords if no name is given.
 * @throws ConfigurationFault with the three nearest names if there is no such keyword
 */
export function explainKeyword(name: string | undefined, options: JsonFlag, wrap: Wrap): void {
  const keywords = getKeywords();
  if (name === undefined) {
    const entries = [...keywords.values()];
    tell(options, entries, wrap(formatKeywords(entries)));
    return;
  }
  const entry = keywords.get(name);
  if (entry === undefined)
    throw new ConfigurationFault(
      `"${name}" is not a keyword; ${nearestThree(name, [...keywords.keys()])} To list all: praxis explain keyword`,
    );
  tell(options, entry, wrap(formatKeyword(entry)));
}

type Wrap = (text: string) => string;

function formatKeywords(entries: readonly KeywordEntry[]): string {
  const widest = Math.max(...entries.map(({ name }) => name.length));
  const lines = entries.map(
    ({ name, uses: [first] }) =>
      `  ${paintOut('cyan', name.padEnd(widest))}  ${firstSentence(first?.description ?? '')}`,
  );
  return [
    heading(`${entries.length} keywords of descriptors`),
    ...lines,
    '',
    'More about one: praxis explain keyword filter',
  ].join('\n');
}

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';

/** Formats all places of a keyword. */
export function formatKeyword({ name, uses, related }: KeywordEntry): string {
  return [
    `${heading(name)}, a keyword of descriptors`,
    ...uses.flatMap((use) => ['', ...formatUse(name, use)]),
    '',
    `${heading('Related')}  ${related.join(', ')}`,
  ].join('\n');
}

function formatUse(name: string, { place, fields, type, description, values, example }: KeywordUse): readonly string[] {
  const widest = Math.max(0, ...values.map(({ value }) => JSON.stringify(value).length));
  return [
    heading(`In ${place}`),
    ...(fields === undefined || fields.length === 0 ? [] : [`  ${paintOut('dim', 'Fields')}   ${fields.join(', ')}`]),
    `  ${paintOut('dim', 'Type')}     ${type}`,
    '',
    ...description.split('\n').map((line) => (line === '' ? '' : `  ${line}`)),
    ...(values.length === 0 ? [] : ['']),
    ...values.map((one) => `  ${paintOut('cyan', JSON.stringify(one.value).padEnd(widest))}  ${one.description}`),
    ...(example === undefined
      ? []
      : ['', `  ${paintOut('dim', 'Example')}`, ...jsonLines({ [name]: example }).map((line) => `  ${line}`)]),
  ];
}
