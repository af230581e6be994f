// `praxis try`: what a write would come to, and why it would be refused, in words.
import { readFileSync } from 'node:fs';
import { type Tried, tryWrite } from '../../app/try.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { nameForPeople, valueForPeople } from '../../formulas/words/people.ts';
import { isObject, type JsonObject, readJson } from '../../values/json.ts';
import { type JsonFlag, paintOut, tell, wrapped } from '../output/terminal.ts';

export interface TryOptions extends JsonFlag {
  readonly id?: string;
  readonly delete?: boolean;
}

/**
 * Tries a write with the body of a file (`-` for standard input), and takes it back. Ends with status 1 where it would be refused.
 * @throws ConfigurationFault
 */
export async function tryCommand(
  config: Config,
  { group, file }: { readonly group: string; readonly file: string | undefined },
  { id, delete: isDelete = false, json }: TryOptions,
): Promise<void> {
  if (isDelete && (id === undefined || file !== undefined))
    throw new ConfigurationFault('praxis try --delete requires --id <id> and no file.');
  if (!isDelete && file === undefined)
    throw new ConfigurationFault('praxis try requires a file with the body, or - for standard input.');
  const body = file === undefined ? undefined : bodyIn(file);
  const tried = await tryWrite(config, { group, id, body });
  tell({ json }, tried, wrapped(textOf(tried).join('\n')));
  if (tried.refused !== null) process.exitCode = 1;
}

function bodyIn(file: string): JsonObject {
  let json: ReturnType<typeof readJson>;
  try {
    json = readJson(readFileSync(file === '-' ? 0 : file));
  } catch (error) {
    throw new ConfigurationFault(`${named(file)} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(json)) throw new ConfigurationFault(`${named(file)} does not contain a JSON object.`);
  return json;
}

const named = (file: string): string => (file === '-' ? 'standard input' : file);

type Condition = Tried['conditions'][number];
type Seen = Condition['seen'][number];

function textOf({ group, operation, refused, filled, conditions }: Tried): readonly string[] {
  const verdict =
    refused === null ? paintOut('green', 'would succeed') : paintOut('red', `would be refused (${refused.status})`);
  const broken = conditions.filter(({ refuses }) => refuses);
  const held = conditions.filter(({ refuses }) => !refuses);
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', paintOut('bold', title), ...lines];
  return [
    `${operation} of ${group}: ${verdict}. Nothing was written.`,
    ...(refused === null
      ? []
      : (refused.errors.length > 0 ? refused.errors : [refused.message]).map((text) => `  ${text}`)),
    ...section(
      'Conditions that fail',
      broken.flatMap((each) => conditionText(each, group)),
    ),
    ...section(
      'Values that it fills in',
      filled.flatMap(({ name, value, shownAs, before, words, formula, seen }) => [
        `  ${nameForPeople(name)}: ${shownAs ?? valueText(value)}${before === undefined ? '' : `, before this write ${valueText(before)}`}`,
        `    ${formula === undefined ? words : `computed as ${words}`}`,
        ...seen.map(seenText),
      ]),
    ),
    ...section(
      'Conditions that hold',
      held.flatMap((each) => conditionText(each, group)),
    ),
  ];
}

function conditionText({ group, field, words, seen }: Condition, own: string): readonly string[] {
  const about = field === undefined ? '' : `${nameForPeople(field)}: `;
  const of = group === own ? '' : ` (of ${group})`;
  return [`  ${about}${words}${of}`, ...seen.map(seenText)];
}

function seenText({ words, value, name, isAfter, before, from, count }: Seen): string {
  const was = before === undefined ? '' : `; before this write ${valueText(before)}`;
  const will = isAfter === true ? ' after this write' : '';
  const more = count > from.length ? ` and ${count - from.length} more` : '';
  const names = from.length === 0 ? '' : ` (${from.join(', ')}${more})`;
  return `    ${words}: ${name ?? valueText(value)}${names}${will}${was}`;
}

/** A value as people say it. */
function valueText(value: Seen['value']): string {
  if (value === null) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => valueText(one)).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : valueForPeople(String(value));
}
