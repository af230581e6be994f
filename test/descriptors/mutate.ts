// Small slips in a good descriptor, as people and tools make them.

export type Numbers = () => number;

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
export function numbersFrom(seed: number): Numbers {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Node = unknown[] | Record<string, unknown>;
interface Place {
  readonly parent: Node;
  readonly key: string;
  readonly value: unknown;
}

const pick = <T>(list: readonly T[], numbers: Numbers): T | undefined => list[Math.floor(numbers() * list.length)];

function placesOf(value: unknown, into: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return into;
  const parent = value as Node;
  for (const [key, inside] of Object.entries(parent)) {
    into.push({ parent, key, value: inside });
    placesOf(inside, into);
  }
  return into;
}

function put({ parent, key }: Place, value: unknown): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
}

function remove({ parent, key }: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

function rename({ parent, key, value }: Place, name: string): void {
  if (Array.isArray(parent)) return;
  const entries = Object.entries(parent).map(([word, inside]) => [
    word === key ? name : word,
    word === key ? value : inside,
  ]);
  for (const word of Object.keys(parent)) delete parent[word];
  Object.assign(parent, Object.fromEntries(entries));
}

function misspelt(word: string, numbers: Numbers): string {
  const at = Math.floor(numbers() * word.length);
  const [a = '', b = ''] = [word[at], word[at + 1]];
  return (
    pick(
      [word.slice(0, at) + word.slice(at + 1), word.slice(0, at) + b + a + word.slice(at + 2), `${word}s`],
      numbers,
    ) ?? word
  );
}

const oddities: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  'constructor',
  'toString',
  '__proto__',
  [],
  {},
  [[]],
  'a == ',
  'workspace',
  'id',
  '{name',
];

type Slip = (place: Place, all: readonly Place[], numbers: Numbers) => void;
const slips: readonly Slip[] = [
  (place) => remove(place),
  (place, _all, numbers) => rename(place, misspelt(place.key, numbers)),
  (place, all, numbers) => rename(place, pick(all, numbers)?.key ?? 'x'),
  (place, _all, numbers) => put(place, pick(oddities, numbers)),
  (place, all, numbers) => put(place, pick(all, numbers)?.value),
  (place, all, numbers) => {
    const other = pick(all, numbers);
    if (other !== undefined && !Array.isArray(other.parent)) other.parent[place.key] = place.value;
  },
  (place, all, numbers) => {
    const words = all.filter(({ value }) => typeof value === 'string');
    if (typeof place.value === 'string') put(place, pick(words, numbers)?.value);
    else if (typeof place.value === 'number') put(place, -place.value * 10 ** Math.floor(numbers() * 8));
    else if (typeof place.value === 'boolean') put(place, !place.value);
  },
  (place, _all, numbers) => {
    if (typeof place.value === 'string' && place.value !== '') put(place, misspelt(place.value, numbers));
  },
  (place) => {
    if (Array.isArray(place.parent)) place.parent.push(structuredClone(place.value));
  },
];

/**
 * The text of a descriptor with slips in it; one in fifty has lost a character and is no JSON.
 * @param slipCount one to three when it is left out
 */
export function mutate(data: unknown, numbers: Numbers, slipCount?: number): string {
  const copy = structuredClone(data);
  for (let count = slipCount ?? 1 + Math.floor(numbers() * 3); count > 0; count--) {
    const all = placesOf(copy);
    const place = pick(all, numbers);
    // A value that would contain itself is left alone: JSON has no way to write it.
    if (place !== undefined)
      pick(slips, numbers)?.({ ...place, value: structuredClone(place.value) }, cloned(all), numbers);
  }
  const text = JSON.stringify(copy, null, 2);
  if (numbers() > 0.02) return text;
  const at = Math.floor(numbers() * text.length);
  return text.slice(0, at) + text.slice(at + 1);
}

const cloned = (all: readonly Place[]): Place[] =>
  all.map((place) => ({ ...place, value: structuredClone(place.value) }));
