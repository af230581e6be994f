// Rules and formula functions as text: parameters, meaning, an example, who uses them.
import type { CatalogueKind } from '../../app/explain-group.ts';
import type { GuideEntry } from '../../registry/guide/guide.ts';
import { counted } from '../output/counted.ts';
import { jsonLines } from '../output/json-text.ts';
import { paintOut } from '../output/terminal.ts';

const heading = (text: string): string => paintOut('bold', text);

/** What a rule says has braces around its arguments, and brackets around parts that stand only with them. */
const sentence = (says: string): string => says.replaceAll(/\{(\w+)(?::\w+)?\}/g, '<$1>');

/** The same in a line: of the parts in brackets the first. */
function inShort(says: string): string {
  const [before = '', first = '', ...rest] = says.split(/(\[[^\]]*\])/);
  return sentence(`${before}${first.slice(1, -1)}${rest.filter((part) => !part.startsWith('[')).join('')}`);
}

const kindWords: Readonly<Record<CatalogueKind, string>> = {
  rule: 'rules of descriptors',
  function: 'functions, macros, operators and names of formulas',
};

/** All entries, a line each. */
export function catalogueText(kind: CatalogueKind, entries: readonly GuideEntry[]): string {
  const written = entries.map(({ name, usage }) => usage ?? name);
  const widest = Math.max(...written.map(({ length }) => length));
  const lines = entries.map(
    ({ says }, index) => `  ${paintOut('cyan', (written[index] ?? '').padEnd(widest))}  ${inShort(says)}`,
  );
  return `${heading(`${entries.length} ${kindWords[kind]}`)}\n${lines.join('\n')}\n\nMore about one: praxis explain ${kind} ${entries[0]?.name}`;
}

/** So many users are named. */
const mostUsers = 12;

/** One entry. */
export function entryText({ name, kind, usage, parameters, says, gives, usedBy, example }: GuideEntry): string {
  const widest = Math.max(0, ...parameters.map((parameter) => parameter.name.length));
  const users = usedBy.map(({ group, field }) => (field === undefined ? group : `${group}.${field}`));
  const more =
    users.length > mostUsers ? [`  and ${counted(users.length - mostUsers, 'more place', 'more places')}`] : [];
  return [
    `${heading(usage ?? name)}, ${kind === 'rule' ? 'a rule' : `${kind === 'operator' ? 'an' : 'a'} ${kind} of formulas`}`,
    '',
    `  ${sentence(says)}`,
    ...(gives === undefined ? [] : ['', `${heading('Gives')}  ${gives}`]),
    ...(parameters.length === 0 ? [] : ['', heading('Takes')]),
    ...parameters.map(
      (parameter) =>
        `  ${paintOut('cyan', parameter.name.padEnd(widest))}  ${parameter.type}${parameter.isOptional ? paintOut('dim', ' (optional)') : ''}`,
    ),
    ...(example === undefined ? [] : ['', heading('Example'), ...exampleLines(example)]),
    '',
    ...(users.length === 0 ? ['No descriptor uses it.'] : [heading('Used by')]),
    ...users.slice(0, mostUsers).map((user) => `  ${user}`),
    ...more,
  ].join('\n');
}

function exampleLines(example: NonNullable<GuideEntry['example']>): readonly string[] {
  if (example.kind === 'formula') {
    const { formula, over = {}, gives } = example;
    const given = Object.entries(over).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);
    return [`  ${formula} → ${gives}`, ...(given.length === 0 ? [] : [`    where ${given.join(', ')}`])];
  }
  const { beside, ...own } = example.descriptor;
  const others = Object.entries(beside ?? {}).flatMap(([group, fields]) => [
    `  beside, in "${group}":`,
    ...jsonLines(fields),
  ]);
  return [...jsonLines(own), ...others];
}
