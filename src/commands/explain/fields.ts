// A group, or a field with its nested fields, as text in the manner of `kubectl explain`.
import type { DescribedField, DescribedGroup } from '../../pages/described.ts';
import type { Role } from '../../registry/guide/graph.ts';
import { paintOut } from '../output/terminal.ts';

const heading = (text: string): string => paintOut('bold', text);

/** A group: what can be done, its fields, its rules. */
export function groupText(described: DescribedGroup): string {
  const { group, title, description, operations, feature, fields, rules, unique, refersTo, referredToBy } = described;
  const widest = Math.max(0, ...operations.map(({ method }) => method.length));
  const sample = fields.find((field) => field.fields.length > 0) ?? fields.at(-1);
  return [
    `${heading(group)}: ${title}. ${description}`,
    ...section(
      'Operations',
      operations.map(({ method, path }) => `${method.padEnd(widest)}  ${path}`),
    ),
    ...(feature === null ? [] : ['', `Needs the feature ${feature}.`]),
    ...section('Fields', fields.flatMap(fieldLines)),
    ...section(
      'Rules',
      rules.map(({ text, use }) => `- ${text}${use === null ? '' : paintOut('dim', ` (${use})`)}`),
    ),
    ...section(
      'Unique',
      unique.map((names) => names.join(', ')),
    ),
    ...section('Refers to', refersTo.length === 0 ? [] : [refersTo.join(', ')]),
    ...section('Referred to by', referredToBy.length === 0 ? [] : [referredToBy.join(', ')]),
    ...(sample === undefined ? [] : ['', `More about a field: praxis explain ${group}.${sample.name}`]),
  ].join('\n');
}

/** Of a section without lines nothing. */
const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', heading(title), ...lines.map((line) => `  ${line}`)];

const shortName = ({ name }: DescribedField): string => name.slice(name.lastIndexOf('.') + 1);

/** Name, type, whether a create must bring it; below it what it means. */
function fieldLines(field: DescribedField): readonly string[] {
  const needed = field.isRequired ? paintOut('yellow', ' (required)') : '';
  const words = field.description === '' ? [] : [`    ${paintOut('dim', field.description)}`];
  return [`${paintOut('cyan', shortName(field))}  ${field.type}${needed}`, ...words];
}

/** How a note begins that a formula of that role tells of at more length. */
const toldByFormula: Readonly<Partial<Record<Role, string>>> = {
  figure: 'Computed',
  state: 'Set automatically',
  default: 'Default',
  applies: 'Only if',
  required: 'Required if',
};

/** What a field holds, who may send it, what there is to know, and what is inside. @param told Roles that are told by themselves. */
export function factsText(field: DescribedField, told: ReadonlySet<Role>): readonly string[] {
  const { type, written, inBodies, unset, notes, filters, fields } = field;
  const beginnings = [...told].flatMap((role) => toldByFormula[role] ?? []);
  const own = notes.filter((note) => !beginnings.some((beginning) => note.startsWith(beginning)));
  const takes = Map.groupBy(filters, (filter) => filter.takes);
  const facts: readonly (readonly [string, string])[] = [
    ['Type', unset === null ? type : `${type}; ${unset}`],
    ['Request body', inBodies === null ? written : `${written}, as ${inBodies}`],
    ...[...takes].map(
      ([words, some]) => ['Filters', `${some.map(({ parameter }) => parameter).join(', ')}: ${words}`] as const,
    ),
  ];
  const widest = Math.max(...facts.map(([name]) => name.length));
  return [
    ...facts.map(([name, value]) => `${heading(name)}${' '.repeat(widest - name.length)}  ${value}`),
    ...own.map((note) => `- ${note}`),
    ...section('Inside', fields.flatMap(fieldLines)),
  ];
}
