// What of an explanation a caller with rights is told: values of the record's own fields that it shows, sources that are seen, and
// one line for all others.
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Shape, Tree, TreeOf } from '../../formulas/language/tree.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import type { Value } from '../../registry/model/model.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { bind } from '../../storage/schema/compiler.ts';
import type { Session } from '../../storage/schema/session.ts';
import { paddedCount } from '../../storage/statements/query.ts';
import { exactly } from '../../values/decimal.ts';
import type { Viewer } from '../sight/caller-sight.ts';
import type { ExplainedPart, Told, ValueSource } from './explained.ts';

/** Ids that one statement asks for. */
const idsAtOnce = 500;

/** A record behind a part, as its caller sees it: whether its name is shown. */
interface SeenSource {
  readonly isNamed: boolean;
}

/** Who looks, and where. */
interface Looking {
  readonly viewer: Viewer;
  readonly session: Pick<Session, 'all'>;
}

/** The record that is explained, as its caller gets it. */
interface ShownRecord {
  readonly group: string;
  readonly id: string;
  /** Names of the fields that it shows. */
  readonly names: ReadonlySet<string>;
  readonly isNamed: boolean;
}

export class Eyes {
  readonly #viewer: Viewer;
  readonly #session: Pick<Session, 'all'>;
  readonly #record: string;
  readonly #group: string;
  /** Names of the fields that the record shows, and their keys. */
  readonly #names: ReadonlySet<string>;
  readonly #shown: ReadonlySet<string>;
  readonly #isNamed: boolean;

  constructor({ viewer, session }: Looking, { group, id, names, isNamed }: ShownRecord) {
    const { resource } = viewer.sight.group(group, 'get');
    this.#names = names;
    this.#shown = new Set(resource.fields.filter(({ name }) => names.has(name)).map(({ key }) => key));
    this.#isNamed = isNamed;
    this.#viewer = viewer;
    this.#session = session;
    this.#group = group;
    this.#record = id;
  }

  /** Whether the record shows a field, or the field in which it stands. @param path Names, with dots between them. */
  shows(path: string): boolean {
    return this.#names.has(path.split('.')[0] ?? '');
  }

  /** Whether the record's own name is shown. */
  get isNamed(): boolean {
    return this.#isNamed;
  }

  /** Whether a part is the value of a field of the record, or of an item of it, that is shown. */
  isOwn(tree: Tree, self: RecordValue): boolean {
    if (tree.op === 'known') return tree.name === 'today';
    if (tree.op !== 'field' || tree.of.op !== 'self' || tree.member.kind !== 'value') return false;
    let root = self;
    for (; root.owner !== undefined; root = root.owner);
    const shape: Shape | undefined = tree.of.type.kind === 'record' ? tree.of.type.shape : undefined;
    if (root.id !== this.#record || shape?.group !== this.#group) return false;
    const key = shape.objectKey ?? shape.lists[0] ?? tree.member.key;
    // A step from an item to its record.
    return this.#shown.has(tree.of.up === 0 ? key : tree.member.key);
  }

  /** Which of some records of a group are seen, and show these fields. @param keys Of the fields; undefined: more than is told. */
  async #sources(
    group: string,
    ids: readonly string[],
    keys: readonly string[] | undefined,
  ): Promise<ReadonlyMap<string, SeenSource>> {
    const seen = new Map<string, SeenSource>();
    if (keys === undefined) return seen;
    const { sight, values } = this.#viewer;
    const { queries, resource } = sight.group(group, 'get');
    const names = keys.map((key) => resource.byKey.get(key)?.name ?? key);
    for (let first = 0; first < ids.length; first += idsAtOnce) {
      const some = ids.slice(first, first + idsAtOnce);
      const count = paddedCount(some.length);
      const statement = queries.sources(count, [...new Set(names)].sort());
      const bound: Record<string, Bound> = { ...values };
      for (let place = 0; place < count; place += 1) bound[`id${place}`] = some[place] ?? some[0] ?? '';
      for (const [id, isNamed] of await this.#session.all(statement.sql, bind(statement, bound)))
        seen.set(String(id), { isNamed: Number(isNamed) === 1 });
    }
    return seen;
  }

  /** A list of records, as far as it is seen. */
  async list(list: Tree, { sources, count }: Listed): Promise<Pick<ExplainedPart, 'value' | 'sources'>> {
    const seen = await this.#seen(list, sources, []);
    return seen.length === count
      ? { value: count, sources: seen }
      : { value: null, sources: [...seen, { hidden: true }] };
  }

  /** What a macro gives over a list. @param isAll Whether it is the value that is explained. */
  async macro(
    tree: TreeOf<'macro'>,
    { told, sources, count, isAll }: Listed & { readonly told: Told; readonly isAll: boolean },
  ): Promise<Pick<ExplainedPart, 'value' | 'unread' | 'hidden' | 'sources'>> {
    const keys = tree.body === undefined ? [] : onlyKeysOf(tree.body, tree.slot);
    const seen = await this.#seen(tree.of, sources, keys);
    if (seen.length === count) return { ...told, sources: seen };
    // Beside other parts it would tell what the value by itself does not.
    if (!isAll) return { value: null, hidden: true, sources: [...seen, { hidden: true }] };
    const rest = restOf(tree, told.value, seen);
    return { ...told, sources: [...seen, { hidden: true, ...(rest !== undefined && { value: rest }) }] };
  }

  /** The sources that are seen, without what is inside of them. @param keys Of the fields that are read of each. */
  async #seen(
    list: Tree,
    sources: readonly ValueSource[],
    keys: readonly string[] | undefined,
  ): Promise<readonly ValueSource[]> {
    const shape = list.type.kind === 'list' && list.type.item.kind === 'record' ? list.type.item.shape : undefined;
    if (shape === undefined) return [];
    // Of items the list as a whole is shown, or is not.
    const [whole] = shape.lists;
    const ids = [...new Set(sources.map(({ id }) => id))];
    const seen = await this.#sources(shape.group, ids, whole === undefined ? keys : keys && [whole]);
    return sources.flatMap((source) => {
      const found = seen.get(source.id);
      return found === undefined ? [] : [{ ...source, name: found.isNamed ? source.name : '', parts: [] }];
    });
  }
}

/** Sources that are told, and how many there are in all. */
interface Listed {
  readonly sources: readonly ValueSource[];
  readonly count: number;
}

/** What is read of the item itself. */
export function keysOf(tree: Tree, slot: number): readonly { readonly key: string; readonly words: string }[] {
  if (tree.op === 'field' && tree.of.op === 'variable' && tree.of.slot === slot && tree.member.kind === 'value')
    return [{ key: tree.member.key, words: tree.member.name }];
  return partsOf(tree).flatMap((part) => keysOf(part, slot));
}

/** The same where nothing else is read; undefined where anything is. */
function onlyKeysOf(tree: Tree, slot: number): readonly string[] | undefined {
  const reads = (part: Tree): boolean => {
    if (part.op === 'field') return part.of.op === 'variable' && part.of.slot === slot && part.member.kind === 'value';
    return part.op !== 'named' && part.op !== 'gather' && part.op !== 'macro' && partsOf(part).every(reads);
  };
  return reads(tree) ? keysOf(tree, slot).map(({ key }) => key) : undefined;
}

/** What the sources come to that are not told: of sums alone it can be said. */
function restOf({ name }: TreeOf<'macro'>, value: Value, seen: readonly ValueSource[]): Value | undefined {
  if (name !== 'sum' || typeof value !== 'string') return undefined;
  return seen.reduce((rest, each) => (typeof each.value === 'string' ? exactly['-'](rest, each.value) : rest), value);
}
