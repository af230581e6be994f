// What groups and fields were called before, by `renamedFrom`: what only follows their new names is no difference.
import { collectionName, singular } from '../registry/model/naming.ts';
import type { Facts, GroupFacts, Json } from './facts.ts';

/** A field's path before, by its path now. */
type Paths = ReadonlyMap<string, string>;

export class Renames {
  /** By the names now, of those that were there before. */
  readonly #groups = new Map<string, string>();
  readonly #fields = new Map<string, Paths>();
  /** Words that stand for the same: `court pitch`. */
  readonly #pairs: ReadonlySet<string>;

  constructor(before: Facts, now: Facts) {
    const pairs = new Set<string>();
    const unclear = new Set<string>();
    for (const [name, group] of Object.entries(now)) {
      const old = olderName(name, group.group.renamedFrom, before);
      const older = old === undefined ? undefined : before[old];
      if (old === undefined || older === undefined) continue;
      this.#groups.set(name, old);
      if (old !== name) {
        pairs.add(`${old} ${name}`);
        pairs.add(`${camelCase(old)} ${camelCase(name)}`);
      }
      pairs.add(`${collectionOf(older)} ${collectionOf(group)}`);
      this.#fields.set(name, pathsOf(older, group));
    }
    for (const paths of this.#fields.values())
      for (const [path, old] of paths)
        if (lastWord(path) !== lastWord(old)) pairs.add(`${lastWord(old)} ${lastWord(path)}`);
    for (const [name, paths] of this.#fields)
      for (const pair of pairs) if (this.#isUnclear(pair, { name, paths, before, now })) unclear.add(pair);
    this.#pairs = new Set([...pairs].filter((pair) => !unclear.has(pair)).flatMap(formsOf));
  }

  /** What a group was called; undefined for a new one. */
  group(name: string): string | undefined {
    return this.#groups.get(name);
  }

  /** The path that a field had; undefined for a new one. */
  field(group: string, path: string): string | undefined {
    return this.#fields.get(group)?.get(path);
  }

  /** Whether two facts say the same, but for names that have changed between them. */
  isSame(before: Json | undefined, now: Json | undefined): boolean {
    if (before === undefined || now === undefined) return before === now;
    const [old, current] = [wordsOf(before), wordsOf(now)];
    return old.length === current.length && old.every((word, place) => this.#isHeir(word, current[place] ?? ''));
  }

  #isHeir(old: string, now: string): boolean {
    if (old === now || this.#pairs.has(`${old} ${now}`)) return true;
    // `price-cost` may be a group, or a difference.
    const [parts, others] = [old.split('-'), now.split('-')];
    return (
      parts.length > 1 &&
      parts.length === others.length &&
      parts.every((part, place) => this.#isHeir(part, others[place] ?? ''))
    );
  }

  /** Whether fields of other scopes had and have these names: a formula with the other one may look at another field. */
  #isUnclear(pair: string, { name, paths, before, now }: Scope): boolean {
    const [old = '', current = ''] = pair.split(' ');
    const had = before[this.#groups.get(name) ?? name]?.fields ?? {};
    return Object.keys(now[name]?.fields ?? {}).some((path) => {
      if (lastWord(path) !== current) return false;
      const parent = parentOf(path);
      const other = `${parent === '' ? '' : `${paths.get(parent) ?? parent}.`}${old}`;
      return had[other] !== undefined && paths.get(path) !== other;
    });
  }
}

interface Scope {
  readonly name: string;
  readonly paths: Paths;
  readonly before: Facts;
  readonly now: Facts;
}

/** Holders stand before what is inside them. */
function pathsOf(before: GroupFacts, now: GroupFacts): Paths {
  const paths = new Map<string, string>();
  for (const [path, { renamedFrom }] of Object.entries(now.fields)) {
    const parent = parentOf(path);
    const prefix = parent === '' ? '' : `${paths.get(parent) ?? parent}.`;
    const was = typeof renamedFrom === 'string' ? `${prefix}${renamedFrom}` : undefined;
    const old = olderName(`${prefix}${lastWord(path)}`, was, before.fields);
    if (old !== undefined) paths.set(path, old);
  }
  return paths;
}

/** The name under which something was known before: its own, or the one that it says it had. */
function olderName(
  name: string,
  renamedFrom: Json | undefined,
  before: Readonly<Record<string, unknown>>,
): string | undefined {
  if (before[name] !== undefined) return name;
  return typeof renamedFrom === 'string' && before[renamedFrom] !== undefined ? renamedFrom : undefined;
}

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('.'), 0));
export const lastWord = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const collectionOf = ({ group }: GroupFacts): string => collectionName(String(group.path ?? ''));
const camelCase = (name: string): string =>
  name.replaceAll(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** A name, and what keeps the id or ids of records goes by. */
function formsOf(pair: string): string[] {
  const names = pair.split(' ');
  return [names, names.map((name) => `${name}Id`), names.map((name) => `${singular(name)}Ids`)].map((each) =>
    each.join(' '),
  );
}

/** Names, signs, and texts in quotation marks as a whole; what is between them says nothing. */
const wordsOf = (fact: Json): readonly string[] =>
  (typeof fact === 'string' ? fact : JSON.stringify(fact)).match(
    /'(?:[^'\\]|\\.)*'|[a-z][a-z0-9]*(?:-[a-z0-9]+)+|\w+|\S/g,
  ) ?? [];
