// How names follow from each other: singular words, body fields, columns, collections.

/** `companies` → `company`, `tags` → `tag`, `addresses` → `address`, `news` stays. */
export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** `costPerHour` → `cost_per_hour`, `cost-period` → `cost_period`. */
export const snakeCase = (name: string): string =>
  name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Column that keeps the ids of one group, of a field whose ids may be of several. */
export const choiceColumn = (group: string): string => `${snakeCase(group)}_id`;

/** What formulas call all records of a group, from its path: `/time-entries` → `timeEntries`. */
export const collectionName = (path: string): string =>
  path.replace(/^\//, '').replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** What people call the records of a group, from its path: `/cost-periods` → `Cost Periods`. */
export const pluralTitle = (path: string): string =>
  path
    .slice(1)
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ');

/** Under which a record is told to keep a value of its own while it shows what it inherits: `notes.own`, which no field is called. */
export const nameOfOwn = (name: string): string => `${name}.own`;
