// Keywords of earlier versions: the table from which `praxis upgrade descriptors` rewrites files and `check` names the new keyword.
// A keyword stays in the table for ever: a project may upgrade from any version.

/** Parts of descriptors and roles in which keywords were renamed. */
export type Part = 'descriptor' | 'field' | 'defaultSource' | 'resource';

interface Rename {
  readonly part: Part;
  readonly old: string;
  readonly new: string;
  /** New value by old value, if values were renamed too. */
  readonly values?: Readonly<Record<string, string>>;
  /** The one value for which the rename applies, and the value of the new keyword. */
  readonly only?: { readonly old: string; readonly new: boolean };
}

/** In order: the first entry that fits the value applies. */
const renames: readonly Rename[] = [
  { part: 'field', old: 'taken', new: 'compute', values: { atWrite: 'onWrite', atRead: 'onRead' } },
  { part: 'field', old: 'again', new: 'recomputeIfChanged' },
  { part: 'defaultSource', old: 'again', new: 'recomputeIfChanged' },
  { part: 'field', old: 'accepts', new: 'acceptIfEqual', only: { old: 'equal', new: true } },
  { part: 'field', old: 'accepts', new: 'mediaTypes' },
  { part: 'field', old: 'in', new: 'currency' },
  { part: 'field', old: 'shownIn', new: 'displayAs' },
  { part: 'field', old: 'logged', new: 'logValues' },
  { part: 'field', old: 'derived', new: 'computedBy' },
  { part: 'field', old: 'distinct', new: 'uniqueBy' },
  { part: 'field', old: 'sortedBy', new: 'orderBy' },
  { part: 'field', old: 'as', new: 'referenceFormat' },
  { part: 'field', old: 'from', new: 'lookup' },
];

/** The parts that a keyword holds: one, a list of them, or an object of them by names that the project chooses. */
export interface NestedPart {
  readonly part: Part;
  readonly isByName?: true;
}

/** Parts inside other parts, by the keyword that holds them. */
export const nestedParts: Readonly<Record<Part, Readonly<Record<string, NestedPart>>>> = {
  descriptor: { properties: { part: 'field', isByName: true }, resource: { part: 'resource' } },
  field: {
    properties: { part: 'field', isByName: true },
    items: { part: 'field' },
    defaultFrom: { part: 'defaultSource' },
  },
  defaultSource: {},
  resource: {},
};

export interface NewKeyword {
  readonly name: string;
  /** Value of the new keyword; undefined if the value stays. */
  readonly value: string | boolean | undefined;
}

/** Returns the keyword that replaced an old one, with its value; undefined if the keyword was not renamed in this part. */
export const findNewKeyword = (part: Part, old: string, value: unknown): NewKeyword | undefined =>
  toNewKeyword(
    renames.find((each) => each.part === part && matches(each, old, value)),
    value,
  );

/** Returns the keyword that replaced an old one, in the part that has these keywords. */
export const findNewAmong = (known: readonly string[], old: string, value: unknown): NewKeyword | undefined =>
  toNewKeyword(
    renames.find(
      (each) => known.includes(distinctKeywords[each.part]) && known.includes(each.new) && matches(each, old, value),
    ),
    value,
  );

/** Keywords that distinguish the parts from each other. */
const distinctKeywords: Readonly<Record<Part, string>> = {
  descriptor: 'title',
  field: 'reference',
  defaultSource: 'recomputeIfChanged',
  resource: 'path',
};

/** Returns the hint for a keyword of an earlier version; '' for any other. */
export function renamedHint(word: string, known: readonly string[], value?: unknown): string {
  const keyword = findNewAmong(known, word, value);
  return keyword === undefined
    ? ''
    : `, which is "${keyword.name}" now; "praxis upgrade descriptors" rewrites descriptors and roles`;
}

/** Lists the former names of a keyword. */
export const listFormerNames = (keyword: string): readonly string[] => [
  ...new Set(renames.flatMap((each) => (each.new === keyword ? [each.old] : []))),
];

const matches = ({ old: name, only }: Rename, old: string, value: unknown): boolean =>
  name === old && (only === undefined || only.old === value);

function toNewKeyword(rename: Rename | undefined, value: unknown): NewKeyword | undefined {
  if (rename === undefined) return undefined;
  const { new: name, only, values = {} } = rename;
  const renamed = typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : undefined;
  return { name, value: only?.new ?? renamed };
}
