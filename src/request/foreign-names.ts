// Query parameters as callers of other APIs spell them → the names that are probably meant here. Only for messages: no spelling
// but the documented one is accepted.
import { nearest } from '../text/nearest.ts';

/** Names of other APIs, in lower case without punctuation, and the parameter that does the same here. */
const synonyms: ReadonlyMap<string, string> = byWord([
  ['limit', 'perpage pagesize size top count first take maxresults results'],
  ['startingAfter', 'cursor page offset skip pagetoken nexttoken pageafter after startafter'],
  ['endingBefore', 'before pagebefore previoustoken'],
  ['sort', 'order orderby sortby ordering sortorder sorting'],
  ['fields', 'select only attributes columns'],
  ['expand', 'include embed populate with'],
  ['count', 'total totalcount withcount'],
]);

/** Operators of other APIs, and the ends of the names of filters here, in the order of preference. */
const operators: ReadonlyMap<string, readonly string[]> = byWord([
  [['OnAfter', 'AtLeast'], 'gte ge min from since'],
  [['After', 'Above'], 'gt after'],
  [['OnBefore', 'AtMost'], 'lte le max to until'],
  [['Before', 'Below'], 'lt before'],
  [['Contains'], 'contains icontains like ilike match search'],
  [['StartsWith'], 'startswith istartswith starts prefix'],
  [['EndsWith'], 'endswith iendswith ends suffix'],
  [[''], 'eq exact iexact is equals in id'],
]);

function byWord<T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)));
}

/** A name beyond this length is not a slip of the pen. */
const maxLength = 100;

/** Finds the parameter that an unknown one probably means: `dateOnAfter` for `date[gte]`, `filter[date_gte]` or `date>`. */
export function suggestParameter(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxLength) return undefined;
  const byFolded = new Map(names.map((each) => [each.toLowerCase(), each]));
  const parts = splitName(name);
  const synonym = synonyms.get(parts.join(''));
  return (
    byFolded.get(parts.join('')) ??
    findFilter(parts, byFolded) ??
    (synonym !== undefined && names.includes(synonym) ? synonym : undefined) ??
    nearest(name, names)
  );
}

/** Finds the filter of a field and an operator; without one of that operator, the one that compares whole values. */
function findFilter(parts: readonly string[], byFolded: ReadonlyMap<string, string>): string | undefined {
  for (const length of [1, 2]) {
    const ends = operators.get(parts.slice(-length).join(''));
    const field = parts.slice(0, -length).join('');
    if (ends === undefined || field === '') continue;
    for (const end of [...ends, '', 'id']) {
      // The filters of `startsAt` are named `startsAfter` and `startsBefore`.
      const tail = end.toLowerCase();
      const filter = byFolded.get(field + tail) ?? byFolded.get(`${field}@`.replace(/(?:at)?@$/, tail));
      if (filter !== undefined) return filter;
    }
  }
  return byFolded.get(`${parts.join('')}id`);
}

/** Returns the words of a name in lower case: `filter[dueDate][gte]` → `due`, `date`, `gte`. */
function splitName(name: string): readonly string[] {
  const compared = name.replace(/>$/, '.gte').replace(/<$/, '.lte').replace(/>.*$/, '.gt').replace(/<.*$/, '.lt');
  const parts = compared
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  return parts.length > 1 && (parts[0] === 'filter' || parts[0] === 'where') ? parts.slice(1) : parts;
}
