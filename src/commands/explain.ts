// Tells where a value comes from: as text for people, or as JSON.
import { explain as explainName, type Numbers } from '../app/explain.ts';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Role } from '../registry/graph.ts';

interface ExplainOptions {
  readonly record?: string;
  /** A number, as it is written. */
  readonly depth: string;
  readonly json?: boolean;
}

type Explained = Awaited<ReturnType<typeof explainName>>;
type Said = Explained['says'][number];
type Part = Numbers['parts'][number];
type Source = Part['sources'][number];

/** So many records behind a number are printed. */
const mostSources = 20;
const mostDepth = 9;

/** Prints where a field, or a named formula, gets its value from. @throws ConfigurationFault */
export async function explain(config: Config, name: string, { record, depth, json }: ExplainOptions): Promise<void> {
  if (!/^[1-9]$/.test(depth))
    throw new ConfigurationFault(`--depth must be a whole number from 1 to ${mostDepth}, not '${depth}'.`);
  const explained = await explainName(config, { name, record, depth: Number(depth) });
  process.stdout.write(json === true ? `${JSON.stringify(explained, null, 2)}\n` : `${textOf(explained).join('\n')}\n`);
}

function textOf({
  group,
  name,
  description,
  otherwise,
  says,
  setBy,
  lookedAtBy,
  record,
}: Explained): readonly string[] {
  const title = `${group}.${name}${description === '' ? '' : `: ${description}`}`;
  const elsewhere =
    otherwise === undefined ? 'Its value is what is written to it.' : `Its value comes from ${otherwise}.`;
  const hasValue = says.some(({ role }) => role === 'figure' || role === 'state' || role === 'formula');
  return [
    title,
    ...says.flatMap((said) => ['', ...saidText(said, group)]),
    ...(hasValue ? [] : ['', elsewhere]),
    ...(setBy.length === 0 ? [] : ['', 'Set by', ...setBy.map((reader) => `  ${readerText(reader)}`)]),
    '',
    ...(lookedAtBy.length === 0 ? ['Nothing looks at it.'] : ['Looked at by']),
    ...lookedAtBy.map((reader) => `  ${readerText(reader)}`),
    ...(record === undefined ? [] : ['', `${group} ${nameText(record)}`, ...record.numbers.flatMap(numbersText)]),
  ];
}

const headings: Readonly<Record<Role, string>> = {
  figure: 'Figure',
  state: 'State that follows',
  default: 'Default',
  formula: 'Named formula',
  applies: 'Applies only when',
  required: 'Required when',
  condition: 'Condition on writes',
  lock: 'Lock',
  effect: 'Effect',
};

const takenWords: Readonly<Record<string, string>> = {
  atRead: 'as of each reading of the record',
  always: 'always true',
  atWrite: 'as of the last write of the record',
  onCreate: 'as of the making of the record',
};

function saidText({ role, about, taken, again, formulas, looksAt, upToDateBy }: Said, own: string): readonly string[] {
  const when = taken === undefined ? '' : `, ${takenWords[taken] ?? taken}`;
  const more = again.length === 0 ? '' : `, and again when ${again.join(' or ')} changes`;
  return [
    `${headings[role]}${about === '' ? '' : ` (${about})`}${when}${more}`,
    ...formulas.flatMap(({ part, source, words }) => [
      ...source.split('\n').map((line, index) => `  ${index === 0 && part !== '' ? `${part}: ` : ''}${line}`),
      ...(words === source ? [] : [`    ${words}`]),
    ]),
    ...(looksAt.length === 0 ? [] : ['  looks at']),
    ...looksAt.flatMap(({ group, fields, ways }) => [
      `    ${group === own && ways.length === 0 ? 'its own' : group}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`,
      ...ways.map((way) => `      by ${way}`),
    ]),
    ...(upToDateBy.length === 0 ? [] : ['  brought up to date by']),
    ...upToDateBy.map(({ group, on, fields }) => {
      const changes =
        fields.length === 0 ? '' : `: when ${fields.join(', ')} ${fields.length === 1 ? 'changes' : 'change'}`;
      return `    ${on.join(', ')} of ${group}${changes}`;
    }),
  ];
}

function readerText({ group, name, role, about }: Explained['lookedAtBy'][number]): string {
  const what = name === undefined ? group : `${group}.${name}`;
  return `${what}: ${headings[role].toLowerCase()}${about === '' ? '' : ` (${about})`}`;
}

const nameText = ({ id, name }: Pick<Source, 'id' | 'name'>): string => (name === '' ? id : `"${name}" ${id}`);

function numbersText({ part, place, kept, value, parts }: Numbers): readonly string[] {
  const now = `${shown(value)} by the formula`;
  const line =
    part === '' && kept !== undefined ? `${shown(kept)} is kept, ${now}` : `${part === '' ? '' : `${part}: `}${now}`;
  return [`  ${place}: ${line}`, ...parts.flatMap((one) => partText(one, '    '))];
}

function partText({ words, value, parts, sources }: Part, indent: string): readonly string[] {
  const inside = `${indent}  `;
  const rest = sources.length - mostSources;
  return [
    `${indent}${words} = ${shown(value)}`,
    ...parts.flatMap((part) => partText(part, inside)),
    ...sources.slice(0, mostSources).flatMap((source) => sourceText(source, inside)),
    ...(rest > 0 ? [`${inside}and ${rest.toLocaleString('en')} more`] : []),
  ];
}

function sourceText(source: Source, indent: string): readonly string[] {
  const { group, place, value, parts } = source;
  const taken = value === undefined ? '' : `${shown(value)}  `;
  return [
    `${indent}${taken}${group} ${nameText(source)}${place === '' ? '' : ` ${place}`}`,
    ...parts.flatMap((part) => partText(part, `${indent}  `)),
  ];
}

const shown = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
