// `praxis explain`: a group, a field, a rule, a function, or where a value comes from; as text or as JSON.
import { explain as explainName, type Numbers } from '../../app/explain.ts';
import { catalogueEntries, catalogueKinds, catalogueOf, describeGroup, faultsOf } from '../../app/explain-group.ts';
import { explainPlan } from '../../app/explain-plan.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Role } from '../../registry/guide/graph.ts';
import { type JsonFlag, paintOut, tell, wrapped } from '../output/terminal.ts';
import { catalogueText, entryText } from './catalogue.ts';
import { factsText, groupText } from './fields.ts';
import { explainKeyword } from './keyword.ts';
import { planText, writeText } from './plan.ts';

export interface ExplainOptions extends JsonFlag {
  readonly record?: string;
  /** A number, as it is written. */
  readonly depth: string;
}

type Explained = Awaited<ReturnType<typeof explainName>>;
type Said = Explained['says'][number];
type Part = Numbers['parts'][number];
type Source = Exclude<Part['sources'][number], { readonly hidden: true }>;

/** So many records behind a number are printed. */
const mostSources = 20;
const mostDepth = 9;

/** The words of the command. */
interface Asked {
  readonly what: string;
  readonly name: string | undefined;
  /** Of a plan. */
  readonly write: string | undefined;
  /** That a body sends. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Prints a group (`invoice`), a field or a named formula (`invoice.lines`), a rule (`rule range`), a function of formulas
 * (`function round`) or a keyword of descriptors (`keyword filter`), all rules, functions or keywords if no name is given, or the plan
 * of a write (`plan invoice create`).
 * @throws ConfigurationFault
 */
export async function explain(config: Config, asked: Asked, options: ExplainOptions): Promise<void> {
  const { what, name, write, fields = [] } = asked;
  if (what === 'plan' && name !== undefined && write !== undefined) {
    const plan = explainPlan(config, name, [write, ...fields]);
    tell(options, plan, wrapped(`${writeText(plan)}\n\n${planText(plan)}`));
    return;
  }
  if (what === 'keyword' && write === undefined) {
    explainKeyword(name, options, wrapped);
    return;
  }
  const kind = catalogueKinds.find((known) => known === what);
  if (write !== undefined)
    throw new ConfigurationFault(`praxis explain takes one name, or "plan <group> <write>", not '${name} ${write}'.`);
  if (kind !== undefined) {
    const faults = faultsOf(config);
    if (faults !== undefined) process.stderr.write(`${faults}\n`);
  }
  if (kind !== undefined && name === undefined) {
    const entries = catalogueOf(config, kind);
    tell(options, entries, wrapped(catalogueText(kind, entries)));
  } else if (kind !== undefined && name !== undefined) {
    const entries = catalogueEntries(config, kind, name);
    tell(options, entries, wrapped(entries.map(entryText).join('\n\n')));
  } else if (name !== undefined)
    throw new ConfigurationFault(
      `praxis explain takes a group, a group.field, ${kindsText} or "plan <group> <write>", not '${what} ${name}'.`,
    );
  else if (what.includes('.')) await explainField(config, what, options);
  else {
    const group = describeGroup(config, what);
    tell(options, group, wrapped(groupText(group)));
  }
}

const kindsText = [...catalogueKinds, 'keyword'].map((kind) => `"${kind} <name>"`).join(', ');

async function explainField(config: Config, name: string, { record, depth, json }: ExplainOptions): Promise<void> {
  if (!/^[1-9]$/.test(depth))
    throw new ConfigurationFault(`--depth must be a whole number from 1 to ${mostDepth}, not '${depth}'.`);
  const explained = await explainName(config, { name, record, depth: Number(depth) });
  tell({ json }, explained, wrapped(textOf(explained).join('\n')));
}

const heading = (text: string): string => paintOut('bold', text);

function textOf(explained: Explained): readonly string[] {
  const { group, name, description, field, says, setBy, lookedAtBy, record } = explained;
  const title = `${heading(`${group}.${name}`)}${description === '' ? '' : `: ${description}`}`;
  return [
    title,
    // Who asks for the numbers of a record knows what the field is.
    ...(field === undefined || record !== undefined
      ? []
      : ['', ...factsText(field, new Set(says.map(({ role }) => role)))]),
    ...says.flatMap((said) => ['', ...saidText(said, group)]),
    ...(hasValue(explained) ? [] : ['', elsewhere(explained)]),
    ...(setBy.length === 0 ? [] : ['', heading('Set by'), ...setBy.map((reader) => `  ${readerText(reader)}`)]),
    '',
    ...(lookedAtBy.length === 0 ? ['Not used by other fields or rules.'] : [heading('Used by')]),
    // Several conditions of one rule look as one.
    ...new Set(lookedAtBy.map((reader) => `  ${readerText(reader)}`)),
    ...(record === undefined
      ? []
      : ['', heading(`${group} ${nameText(record)}`), ...record.numbers.flatMap(numbersText)]),
  ];
}

/** Whether a formula gives it its value. */
const hasValue = ({ says }: Explained): boolean =>
  says.some(({ role }) => role === 'figure' || role === 'state' || role === 'formula');

const elsewhere = ({ otherwise }: Explained): string =>
  otherwise === undefined ? 'Callers write its value.' : `Its value comes from ${otherwise}.`;

const headings: Readonly<Record<Role, string>> = {
  figure: 'Computed field',
  state: 'Computed state',
  default: 'Default',
  formula: 'Named formula',
  applies: 'Applies only when',
  required: 'Required when',
  condition: 'Condition on writes',
  lock: 'Lock',
  effect: 'Effect',
};

const takenWords: Readonly<Record<string, string>> = {
  atRead: 'computed on each read of the record',
  always: 'always up to date',
  atWrite: 'computed at each write of the record',
  onCreate: 'computed when the record is created',
};

function saidText({ role, about, taken, again, formulas, looksAt, upToDateBy }: Said, own: string): readonly string[] {
  const when = taken === undefined ? '' : `, ${takenWords[taken] ?? taken}`;
  const more = again.length === 0 ? '' : `, and again when ${again.join(' or ')} changes`;
  return [
    `${heading(headings[role])}${about === '' ? '' : ` (${about})`}${when}${more}`,
    ...formulas.flatMap(({ part, source, words }) => [
      ...source.split('\n').map((line, index) => `  ${index === 0 && part !== '' ? `${part}: ` : ''}${line}`),
      ...(words === source ? [] : [`    ${words}`]),
    ]),
    ...(looksAt.length === 0 ? [] : ['  depends on']),
    ...looksAt.flatMap(({ group, fields, ways }) => [
      `    ${group === own && ways.length === 0 ? 'its own' : group}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`,
      ...ways.map((way) => `      by ${way}`),
    ]),
    ...(upToDateBy.length === 0 ? [] : ['  updated by']),
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
    part === '' && kept !== undefined ? `${shown(kept)} is stored, ${now}` : `${part === '' ? '' : `${part}: `}${now}`;
  return [`  ${place}: ${line}`, ...parts.flatMap((one) => partText(one, '    '))];
}

function partText({ words, value, parts, sources }: Part, indent: string): readonly string[] {
  const inside = `${indent}  `;
  const rest = sources.length - mostSources;
  return [
    `${indent}${words} = ${shown(value)}`,
    ...parts.flatMap((part) => partText(part, inside)),
    ...sources.slice(0, mostSources).flatMap((source) => ('hidden' in source ? [] : sourceText(source, inside))),
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
