// Dependencies of a formula: the fields of its own record that it reads, paths through references, and collections.
import { partsOf } from '../language/index-keys.ts';
import { isZoned } from '../language/names.ts';
import type { Collection, Member, Narrowing, Shape, Tree } from '../language/tree.ts';

/** A value of a record, an object or an item. */
export interface Read {
  readonly shape: Shape;
  readonly key: string;
  /** Whether it may be of the record itself, or of what is inside it: not of the one before, nor of one behind a reference. */
  readonly isOwn: boolean;
}

export interface Dependencies {
  /** All that it reads, of whatever record. */
  readonly reads: readonly Read[];
  /** Keys of the record's own fields; of a path the one that it begins with. */
  readonly keys: ReadonlySet<string>;
  /** Paths through references of the record, by the names on them: `project.client.isInternal`. */
  readonly paths: ReadonlySet<string>;
  /** What is not a matter of the record alone: each with the place where the formula says so. */
  readonly beyond: readonly {
    readonly what: 'record' | 'collection' | 'list' | 'known' | 'around' | 'atRead';
    readonly words: string;
    readonly offset: number;
  }[];
  readonly collections: readonly { readonly collection: Collection; readonly narrowing: readonly Narrowing[] }[];
}

interface Found {
  /** Slots of what goes through records or items that were looked for, which may be any. */
  readonly far: ReadonlySet<number>;
  readonly reads: Once<Read>;
  readonly keys: Set<string>;
  readonly paths: Set<string>;
  readonly beyond: Once<Dependencies['beyond'][number]>;
  readonly collections: Once<Dependencies['collections'][number]>;
}

/** What was found, each once: formulas that name others more than once would find it ever more often. */
class Once<T> {
  readonly all: T[] = [];
  readonly #known = new Map<object | string, Set<string>>();

  /** @param of What it is about. @param rest What else tells it from others about the same. */
  add(one: T, of: object | string, rest: string): void {
    const known = this.#known.get(of) ?? new Set();
    this.#known.set(of, known);
    if (known.has(rest)) return;
    known.add(rest);
    this.all.push(one);
  }
}

const addRead = ({ reads }: Found, read: Read): void => reads.add(read, read.shape, `${read.isOwn} ${read.key}`);
const addBeyond = ({ beyond }: Pick<Found, 'beyond'>, one: Dependencies['beyond'][number]): void =>
  beyond.add(one, one.words, `${one.what} ${one.offset}`);
const addCollection = ({ collections }: Found, one: Dependencies['collections'][number]): void =>
  collections.add(one, one.narrowing, '');

const known = new WeakMap<Tree, Dependencies>();

export function dependenciesOf(tree: Tree): Dependencies {
  const looks = known.get(tree) ?? lookAt(tree);
  known.set(tree, looks);
  return looks;
}

function lookAt(tree: Tree): Dependencies {
  const [keys, paths] = [new Set<string>(), new Set<string>()];
  const found: Found = { far: new Set(), reads: new Once(), keys, paths, beyond: new Once(), collections: new Once() };
  visit(tree, found);
  return { reads: found.reads.all, keys, paths, beyond: found.beyond.all, collections: found.collections.all };
}

function visit(tree: Tree, found: Found): void {
  if (tree.op === 'field') {
    noteReads(tree, found);
    const steps = stepsOf(tree);
    if (steps !== undefined) {
      lookAlong(steps, tree.start, found);
      return;
    }
    const { of, member, start } = tree;
    if (of.op === 'self') {
      addBeyond(found, { what: 'around', words: member.name, offset: start });
      if (!leads(member)) return;
    }
    if (leads(member)) addBeyond(found, { what: 'record', words: member.name, offset: start });
    // Lists are kept apart from the rows of other records.
    if (isManyOf(member) && !isOwn(of, found.far))
      addBeyond(found, { what: 'list', words: member.name, offset: start });
    if (of.op === 'self') return;
  }
  if (tree.op === 'gather') {
    const { collection, narrowing, start } = tree;
    addCollection(found, { collection, narrowing });
    addBeyond(found, { what: 'collection', words: collection.group, offset: start });
  }
  if (tree.op === 'known') addBeyond(found, { what: 'known', words: tree.name, offset: tree.start });
  if (tree.op === 'call' && isZoned(tree.name))
    addBeyond(found, { what: 'known', words: tree.name, offset: tree.start });
  if (tree.op === 'before') addBeyond(found, { what: 'known', words: 'before', offset: tree.start });
  if (tree.op === 'sent') addBeyond(found, { what: 'known', words: 'sent', offset: tree.start });
  if (tree.op === 'self' && tree.up > 0) addBeyond(found, { what: 'around', words: 'record', offset: tree.start });
  if (tree.op === 'named') {
    const inside = dependenciesOf(tree.formula.tree());
    const isOfOwn = isOwn(tree.of, found.far);
    if (tree.formula.isAtRead === true)
      addBeyond(found, { what: 'atRead', words: tree.formula.name, offset: tree.start });
    for (const read of inside.reads) addRead(found, { ...read, isOwn: read.isOwn && isOfOwn });
    for (const one of inside.collections) addCollection(found, one);
    for (const one of inside.beyond) addBeyond(found, { ...one, offset: tree.start });
    const steps = stepsOf(tree.of);
    if (steps?.length === 0) {
      for (const key of inside.keys) found.keys.add(key);
      for (const path of inside.paths) found.paths.add(path);
    } else if (steps !== undefined) {
      const end = { name: tree.formula.name, key: undefined, leads: false, isMany: false };
      lookAlong([...steps, end], tree.start, found);
    }
  }
  const inside = isFar(tree, found.far) ? { ...found, far: new Set([...found.far, tree.slot]) } : found;
  const body = tree.op === 'gather' ? tree.where : tree.op === 'macro' ? tree.body : undefined;
  for (const part of partsOf(tree)) visit(part, part === body ? inside : found);
}

/** Whether a macro goes through what is not of the record itself. */
const isFar = (tree: Tree, far: ReadonlySet<number>): tree is Tree & { readonly slot: number } =>
  tree.op === 'gather' || (tree.op === 'macro' && !isOwn(tree.of, far));

/** Notes what each step of a path reads. */
function noteReads(tree: Tree, found: Found): void {
  if (tree.op !== 'field') return;
  const { of, member } = tree;
  if (of.type.kind === 'record' && member.kind !== 'formula')
    addRead(found, { shape: of.type.shape, key: member.key, isOwn: isOwn(of, found.far) });
  noteReads(of, found);
}

/** Whether a record, or a list, is of that on which the formula stands. What a macro goes through may be, if it is an item. */
function isOwn(tree: Tree, far: ReadonlySet<number>): boolean {
  const type = tree.type.kind === 'list' ? tree.type.item : tree.type;
  const isPart = type.kind === 'record' && type.shape.kind !== 'record';
  switch (tree.op) {
    case 'self':
      return true;
    case 'variable':
      return isPart && !far.has(tree.slot);
    case 'owner':
      return isOwn(tree.of, far);
    case 'field':
      return (tree.member.kind === 'object' || tree.member.kind === 'items') && isOwn(tree.of, far);
    case 'macro':
    case 'index':
      return isPart && isOwn(tree.of, far);
    case 'if':
      return isPart && (isOwn(tree.yes, far) || isOwn(tree.no, far));
    default:
      return false;
  }
}

/** Notes a path from the record, or from the settings. */
function lookAlong(steps: readonly Step[], offset: number, found: Found): void {
  const { keys, paths } = found;
  const [first] = steps;
  const last = steps.at(-1);
  const path = steps.map(({ name }) => name).join('.');
  if (first?.key !== undefined) keys.add(first.key);
  const isFar = steps.slice(0, -1).some((step) => step.leads);
  if (isFar) {
    paths.add(path);
    addBeyond(found, { what: 'record', words: path, offset });
  }
  if (last?.isMany === true && (isFar || last.leads)) addBeyond(found, { what: 'list', words: path, offset });
}

interface Step {
  readonly name: string;
  /** That of a field of the record itself, or of another one behind it; none of the settings. */
  readonly key: string | undefined;
  /** Whether what it leads to is another record. */
  readonly leads: boolean;
  /** Whether it leads to what is kept apart from the row of the record. */
  readonly isMany: boolean;
}

const leads = ({ kind }: Member): boolean => kind === 'reference' || kind === 'references' || kind === 'others';

/** Whether a member is kept in a table of its own, or is other records. */
const isManyOf = (member: Member): boolean =>
  member.kind === 'references' ||
  member.kind === 'others' ||
  member.kind === 'items' ||
  (member.kind === 'value' && member.isAmong === true);

/** The names of a path from the record; undefined for what begins elsewhere. */
function stepsOf(tree: Tree): Step[] | undefined {
  if (tree.op === 'self') return tree.up === 0 ? [] : undefined;
  if (tree.op === 'known' && (tree.name === 'workspace' || tree.name === 'me'))
    return [{ name: tree.name, key: undefined, leads: true, isMany: false }];
  if (tree.op !== 'field' || tree.member.kind === 'formula') return undefined;
  const before = stepsOf(tree.of);
  const { member } = tree;
  const { name, key } = tree.member;
  return before && [...before, { name, key, leads: leads(member), isMany: isManyOf(member) }];
}

/** Whether a formula reads through a reference of the record, whatever else is so. */
export function readsThrough(tree: Tree, key: string): boolean {
  switch (tree.op) {
    case 'field': {
      const { of } = tree;
      const isThere =
        of.op === 'field' && of.of.op === 'self' && of.member.kind === 'reference' && of.member.key === key;
      return isThere || readsThrough(of, key);
    }
    // What comes second need not be read.
    case 'and':
    case 'or':
      return readsThrough(tree.left, key);
    case 'if':
      return readsThrough(tree.test, key);
    case 'macro':
      return readsThrough(tree.of, key);
    case 'gather':
    case 'named':
      return false;
    default:
      return partsOf(tree).some((part) => readsThrough(part, key));
  }
}
