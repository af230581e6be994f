// Conditions of roles as SQL: over the row that is judged, and over what it leads to. A condition is surely true, surely false or
// unknown, and each of the first two is a condition of its own, so that unknown passes through `!`, `&&` and `||` by itself.
import { sql } from 'kysely';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree, TreeOf } from '../../formulas/language/tree.ts';
import { condition, truth } from '../formulas/conditions.ts';
import { writerOf } from '../formulas/formula-sql.ts';
import { type AnyPart, bool, Unsayable, type Writer } from '../formulas/parts.ts';
import { and, param, type Sql, words } from '../schema/sql.ts';
import {
  actorSql,
  dayValue,
  type Existence,
  existenceIn,
  type FieldTree,
  isOfActor,
  itemRow,
  type RuleGround,
  type RuleRow,
  recordRow,
  tableOf,
  usesOfActor,
} from './rule-rows.ts';

/** So deep may questions for others stand in each other. */
const deepest = 2;

/** What the names of a condition stand for at a place of it. */
interface Around {
  readonly self: RuleRow;
  readonly variables: ReadonlyMap<number, RuleRow>;
  readonly depth: number;
}

/** One condition, over rows of a group under an alias. */
export class RuleSql {
  readonly #ground: RuleGround;
  readonly #at: Around;
  readonly #names: { next: number };
  readonly #writer: Writer;

  constructor(ground: RuleGround, at: Around, names = { next: 1 }) {
    this.#ground = ground;
    this.#at = at;
    this.#names = names;
    const columns = (key: string, up: number) => (up === 0 ? at.self.column(key) : undefined);
    this.#writer = writerOf(columns, ground.dialect, (tree) => this.#beyond(tree));
  }

  /** True of rows of which the condition is surely what is wanted, and of no others. @throws Unsayable */
  surely(tree: Tree, wanted: boolean): Sql {
    switch (tree.op) {
      case 'not':
        return this.surely(tree.of, !wanted);
      case 'and':
      case 'or': {
        const parts = [this.surely(tree.left, wanted), this.surely(tree.right, wanted)];
        const sign = (tree.op === 'and') === wanted ? ' and ' : ' or ';
        return sql`(${sql.join(parts, words(sign))})`;
      }
      case 'equal':
        return this.#surelyEqual(tree, tree.isNot ? !wanted : wanted);
      default:
        return this.#leaf(tree, wanted, () => truth(this.#writer.part(tree)));
    }
  }

  /** What an equality asks of a column of the row that hangs on the acting member, or on nothing; undefined for all else. */
  sought(tree: Tree): Sought | undefined {
    if (tree.op !== 'equal' || tree.isNot) return undefined;
    for (const [own, other] of [
      [tree.left, tree.right],
      [tree.right, tree.left],
    ] as const) {
      const key = ownKey(own);
      if (key !== undefined && isOfActor(other)) return { key, value: this.#valueOf(other) };
    }
    return undefined;
  }

  /**
   * Which values of a column are those of which an existence may hold, where it asks something of the acting member: what else it
   * asks of the row itself is passed over.
   */
  readFirst(tree: Tree): SoughtFirst | undefined {
    const existence = existenceIn(tree);
    const { of, where } = existence ?? {};
    if (existence === undefined || of?.op !== 'gather' || of.collection.lists.length > 0 || where === undefined)
      return undefined;
    const parts = conjunctsOf(where);
    const row = recordRow(this.#ground, of.collection.group, this.#alias());
    const variables = new Map(this.#at.variables).set(existence.slot, row);
    const inner = new RuleSql(this.#ground, { ...this.#at, variables, depth: this.#at.depth + 1 }, this.#names);
    const free = parts.filter((part) => !namesSelf(part));
    if (!free.some((part) => part.op === 'equal' && !part.isNot && (isOfActor(part.left) || isOfActor(part.right))))
      return undefined;
    for (const part of parts) {
      if (part.op !== 'equal' || part.isNot) continue;
      for (const [own, other] of [
        [part.left, part.right],
        [part.right, part.left],
      ] as const) {
        const key = ownKey(own);
        if (key === undefined || other.op !== 'field' || other.of.op !== 'variable' || other.of.slot !== existence.slot)
          continue;
        const column = row.column(other.member.kind === 'value' ? other.member.key : '');
        if (column === undefined) continue;
        const asked = and(free.map((each) => inner.#condition(each)));
        const value = sql`select distinct ${column.sql} from ${tableOf(of.collection.group)} as ${sql.ref(row.alias)} where ${asked}`;
        return {
          key,
          value,
          isAll: parts.every((each) => each === part || (free.includes(each) && isKnownByItself(each))),
        };
      }
    }
    return undefined;
  }

  /** With the acting member a plain equality does, which an index serves: null is equal to nothing. */
  #surelyEqual(tree: TreeOf<'equal'> & Tree, wanted: boolean): Sql {
    const positive = { ...tree, isNot: false };
    const pair = this.#ids(tree);
    if (wanted && pair !== undefined && (isOfActor(tree.left) || isOfActor(tree.right)))
      return sql`${pair[0]} = ${pair[1]}`;
    return this.#leaf(positive, wanted, () => truth(this.#writer.part(positive)));
  }

  /** What is known only where nothing is null that is asked of the acting member. */
  #leaf(tree: Tree, wanted: boolean, value: () => Sql): Sql {
    const known = usesOfActor(tree, partsOf).map((use) => sql`${this.#valueOf(use)} is not null`);
    const held = wanted ? value() : sql`not (${value()})`;
    return known.length === 0 ? held : sql`(${and([...known, held])})`;
  }

  /** A path as a plain value: that of a record is its id. */
  #valueOf(tree: Tree): Sql {
    if (tree.type.kind === 'record') return this.#idOf(tree);
    if (tree.op === 'field' && tree.type.kind === 'list') return this.#idOf(tree.of);
    return this.#writer.part(tree).sql;
  }

  #ids(tree: { readonly left: Tree; readonly right: Tree }): readonly [Sql, Sql] | undefined {
    const isId = ({ type }: Tree): boolean => type.kind === 'id' || type.kind === 'record';
    if (!isId(tree.left) || !isId(tree.right)) return undefined;
    return [this.#valueOf(tree.left), this.#valueOf(tree.right)];
  }

  /** Parts that lie beyond the row. */
  #beyond(tree: Tree): AnyPart | undefined {
    const existence = existenceIn(tree);
    if (existence !== undefined) return bool(this.#exists(existence), []);
    switch (tree.op) {
      case 'known':
        return this.#known(tree);
      case 'field':
        return this.#field(tree);
      case 'named':
        return this.#named(tree);
      case 'equal': {
        const pair = this.#ids(tree);
        if (pair === undefined) return this.#equalToNull(tree);
        const same = sql`(${pair[0]} ${words(this.#ground.dialect.nullSafeEqual)} ${pair[1]})`;
        return bool(tree.isNot ? sql`(not ${same})` : same, []);
      }
      case 'in':
        return this.#amongLinks(tree);
      default:
        return undefined;
    }
  }

  #equalToNull({ left, right, isNot }: TreeOf<'equal'>): AnyPart | undefined {
    const isNull = (side: Tree): boolean => side.op === 'literal' && side.literal.kind === 'null';
    const asked = isNull(left) ? right : isNull(right) ? left : undefined;
    if (asked?.type.kind !== 'record' && asked?.type.kind !== 'id') return undefined;
    return bool(sql`(${this.#valueOf(asked)} ${words(isNot ? 'is not null' : 'is null')})`, []);
  }

  #known({ name }: TreeOf<'known'>): AnyPart {
    if (name === 'actor') return { kind: 'text', sql: actorSql(), size: 1, isSure: false };
    if (name !== 'today') throw new Unsayable();
    const day = this.#writer.says.moment('date', param(dayValue));
    return { kind: 'date', sql: day, size: 1, isSure: true };
  }

  #field(tree: FieldTree): AnyPart | undefined {
    const { of, member, type } = tree;
    if (member.kind !== 'value') return undefined;
    // An id is compared as it stands, which an index serves.
    if (of.op === 'self' && type.kind !== 'id') return undefined;
    return this.#inRow(of, (row, writer) => {
      const column = row.column(member.key);
      if (column === undefined) throw new Unsayable();
      if (type.kind === 'id') return { kind: 'text', sql: column.sql, size: 1, isSure: false };
      // As the column of a row of its own.
      return writer.part({ ...tree, of: { ...of, op: 'self', up: 0 } } as Tree);
    });
  }

  #named(tree: TreeOf<'named'>): AnyPart {
    const { of, args, formula } = tree;
    if (args.length > 0) throw new Unsayable();
    return this.#inRow(of, (_row, writer) => writer.part(formula.tree()));
  }

  /** Reads something of a record: from its row, or from the row of the record to which a path leads. */
  #inRow(of: Tree, read: (row: RuleRow, writer: Writer) => AnyPart): AnyPart {
    const known = this.#rowOf(of);
    if (known !== undefined) return read(known, this.#inside(known));
    const { group } = shapeOf(of);
    const row = recordRow(this.#ground, group, this.#alias());
    const part = read(row, this.#inside(row));
    const isWorkspace = of.op === 'known' && of.name === 'workspace';
    const where = isWorkspace ? words('') : sql`where ${row.id} = ${this.#idOf(of)}`;
    const text = sql`(select ${part.sql} from ${tableOf(group)} as ${sql.ref(row.alias)} ${where} limit 1)`;
    return part.kind === 'number' ? { ...part, sql: text } : { ...part, sql: text, isSure: false };
  }

  /** What writes formulas that stand on a row. */
  #inside(row: RuleRow): Writer {
    if (row === this.#at.self) return this.#writer;
    const at: Around = { self: row, variables: new Map(), depth: this.#at.depth };
    return new RuleSql(this.#ground, at, this.#names).#writer;
  }

  #rowOf(tree: Tree): RuleRow | undefined {
    if (tree.op === 'self' && tree.up === 0) return this.#at.self;
    if (tree.op === 'variable') return this.#at.variables.get(tree.slot);
    return undefined;
  }

  /** The id of the record to which a path leads. */
  #idOf(tree: Tree): Sql {
    const row = this.#rowOf(tree);
    if (row !== undefined) return row.id;
    if (tree.op === 'known' && tree.name === 'me') return actorSql();
    if (tree.op === 'owner' && tree.of.op === 'variable') return this.#rowOf(tree.of)?.id ?? fails();
    if (tree.op !== 'field' || tree.member.kind !== 'reference' || tree.member.by !== undefined) throw new Unsayable();
    const { key } = tree.member;
    return this.#inRow(tree.of, (from) => {
      const column = from.column(key);
      if (column?.type.kind !== 'id') throw new Unsayable();
      return { kind: 'text', sql: column.sql, size: 1, isSure: false };
    }).sql;
  }

  /** `x in tagIds`: a list of ids is a table of links. */
  #amongLinks({ left, right }: TreeOf<'in'>): AnyPart | undefined {
    if (right.op !== 'field' || right.member.kind !== 'value') {
      // Ids beside each other.
      if (right.op !== 'list' || left.type.kind !== 'id') return undefined;
      const found = this.#valueOf(left);
      const same = words(this.#ground.dialect.nullSafeEqual);
      const items = right.items.map((item) => sql`${found} ${same} ${this.#valueOf(item)}`);
      return bool(items.length === 0 ? words('0') : sql`(${sql.join(items, words(' or '))})`, []);
    }
    if (right.member.isAmong !== true) throw new Unsayable();
    const table = this.#linksOf(right.of, right.member.key);
    const alias = this.#alias();
    const [owner, target] = ['owner_id', 'target_id'].map((name) => sql.ref(`${alias}.${name}`));
    const where = sql`${owner} = ${this.#idOf(right.of)} and ${target} = ${this.#valueOf(left)}`;
    return bool(sql`exists (select 1 from ${sql.table(table)} as ${sql.ref(alias)} where ${where})`, []);
  }

  /** The table of a list of ids that a record holds. */
  #linksOf(of: Tree, key: string): string {
    return recordRow(this.#ground, shapeOf(of).group, 'l').links(key) ?? fails();
  }

  #exists({ of, slot, where }: Existence): Sql {
    if (this.#at.depth >= deepest) throw new Unsayable();
    const alias = this.#alias();
    const { row, from, of: own } = this.#collection(of, alias);
    const variables = new Map(this.#at.variables).set(slot, row);
    const inner = new RuleSql(this.#ground, { ...this.#at, variables, depth: this.#at.depth + 1 }, this.#names);
    const asked = where === undefined ? [] : [inner.#condition(where)];
    return sql`exists (select 1 from ${from} as ${sql.ref(alias)} where ${and([...own, ...asked])})`;
  }

  /** Of the rows of a collection: those that give null are left out. */
  #condition(tree: Tree): Sql {
    if (tree.op === 'and') return sql`${this.#condition(tree.left)} and ${this.#condition(tree.right)}`;
    const isOfIds = tree.op === 'equal' && this.#ids(tree) !== undefined;
    return isOfIds || existenceIn(tree) !== undefined ? truth(this.#writer.part(tree)) : condition(this.#writer, tree);
  }

  /** The rows of a collection, and what makes them those of the record. */
  #collection(of: Tree, alias: string): { readonly row: RuleRow; readonly from: Sql; readonly of: readonly Sql[] } {
    if (of.op === 'gather') {
      const { group, lists, shape } = of.collection;
      if (lists.length === 0) return { row: recordRow(this.#ground, group, alias), from: tableOf(group), of: [] };
      const item = itemRow(this.#ground, shape, alias);
      return { row: item, from: sql`${sql.table(item.table)}`, of: [] };
    }
    if (of.op !== 'field') throw new Unsayable();
    const { member } = of;
    if (member.kind === 'items') {
      const item = itemRow(this.#ground, member.shape(), alias);
      return { row: item, from: sql`${sql.table(item.table)}`, of: [sql`${item.id} = ${this.#idOf(of.of)}`] };
    }
    if (member.kind !== 'others' && member.kind !== 'references') throw new Unsayable();
    const { group } = member.shape();
    const row = recordRow(this.#ground, group, alias);
    if (member.kind === 'references') {
      const links = this.#linksOf(of.of, member.key);
      const owner = sql`l.owner_id = ${this.#idOf(of.of)}`;
      const held = sql`${row.id} in (select l.target_id from ${sql.table(links)} as l where ${owner})`;
      return { row, from: tableOf(group), of: [held] };
    }
    const by = row.column(member.field);
    if (by === undefined) throw new Unsayable();
    return { row, from: tableOf(group), of: [sql`${by.sql} = ${this.#idOf(of.of)}`] };
  }

  #alias(): string {
    this.#names.next += 1;
    return `q${this.#names.next}`;
  }
}

/** A column of the row, by the key of its field, and what it is equal to. */
export interface Sought {
  readonly key: string;
  readonly value: Sql;
}

/** The same of values that are read first, and whether they say all that is asked. */
interface SoughtFirst extends Sought {
  readonly isAll: boolean;
}

/** Whether a part gives no row where it is unknown: it asks nothing of the acting member but that something is equal to it. */
const isKnownByItself = (part: Tree): boolean =>
  usesOfActor(part, partsOf).length === 0 ||
  (part.op === 'equal' && !part.isNot && (isOfActor(part.left) || isOfActor(part.right)));

/** The parts that all must hold. */
export const conjunctsOf = (tree: Tree): readonly Tree[] =>
  tree.op === 'and' ? [...conjunctsOf(tree.left), ...conjunctsOf(tree.right)] : [tree];
/** The parts of which one must hold. */
export const disjunctsOf = (tree: Tree): readonly Tree[] =>
  tree.op === 'or' ? [...disjunctsOf(tree.left), ...disjunctsOf(tree.right)] : [tree];

/** The key of an id that the row holds. */
const ownKey = (tree: Tree): string | undefined =>
  tree.op === 'field' &&
  tree.of.op === 'self' &&
  tree.of.up === 0 &&
  tree.member.kind === 'value' &&
  tree.type.kind === 'id'
    ? tree.member.key
    : undefined;

const namesSelf = (tree: Tree): boolean =>
  tree.op === 'self' || (tree.op === 'named' && namesSelf(tree.of)) || partsOf(tree).some(namesSelf);

const fails = (): never => {
  throw new Unsayable();
};

const shapeOf = ({ type }: Tree) => (type.kind === 'record' ? type.shape : fails());

/**
 * True of rows of a group, under an alias, of which a condition is surely what is wanted.
 * @returns undefined where SQL cannot say it
 */
export function surelySql(
  tree: Tree,
  wanted: boolean,
  { group, alias, ground }: { readonly group: string; readonly alias: string; readonly ground: RuleGround },
): Sql | undefined {
  return saidOf(() => surelyOver(recordRow(ground, group, alias), { tree, wanted, ground }));
}

/** True where a condition that stands on no record surely holds; undefined where SQL cannot say it. */
export const surelyOfNobody = (tree: Tree, ground: RuleGround): Sql | undefined =>
  saidOf(() => surelyOver(nobody, { tree, wanted: true, ground }));

const nobody: RuleRow = { alias: '', id: words('null'), column: () => undefined, links: () => undefined };

interface Asked {
  readonly tree: Tree;
  readonly wanted: boolean;
  readonly ground: RuleGround;
}

const surelyOver = (self: RuleRow, { tree, wanted, ground }: Asked): Sql =>
  new RuleSql(ground, { self, variables: new Map(), depth: 0 }).surely(tree, wanted);

function saidOf(say: () => Sql): Sql | undefined {
  try {
    return say();
  } catch (error) {
    if (error instanceof Unsayable) return undefined;
    throw error;
  }
}
