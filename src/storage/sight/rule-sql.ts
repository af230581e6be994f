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

  /** With the acting member a plain equality does, which an index serves: null is equal to nothing. */
  #surelyEqual(tree: TreeOf<'equal'> & Tree, wanted: boolean): Sql {
    const positive = { ...tree, isNot: false };
    const pair = this.#ids(tree);
    if (wanted && pair !== undefined && (isOfActor(tree.left) || isOfActor(tree.right))) {
      const [own, other] = isOfActor(tree.left) ? pair.toReversed() : pair;
      return sql`${own} = ${other}`;
    }
    return this.#leaf(positive, wanted, () => truth(this.#writer.part(positive)));
  }

  /** What is known only where nothing is null that is asked of the acting member. */
  #leaf(tree: Tree, wanted: boolean, value: () => Sql): Sql {
    const known = usesOfActor(tree, partsOf).map((use) => sql`${this.valueOf(use)} is not null`);
    const held = wanted ? value() : sql`not (${value()})`;
    return known.length === 0 ? held : sql`(${and([...known, held])})`;
  }

  /** A path as a plain value: that of a record is its id. */
  valueOf(tree: Tree): Sql {
    if (tree.type.kind === 'record') return this.#idOf(tree);
    if (tree.op === 'field' && tree.type.kind === 'list') return this.#idOf(tree.of);
    return this.#writer.part(tree).sql;
  }

  #ids(tree: { readonly left: Tree; readonly right: Tree }): readonly [Sql, Sql] | undefined {
    const isId = ({ type }: Tree): boolean => type.kind === 'id' || type.kind === 'record';
    if (!isId(tree.left) || !isId(tree.right)) return undefined;
    return [this.valueOf(tree.left), this.valueOf(tree.right)];
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
    return bool(sql`(${this.valueOf(asked)} ${words(isNot ? 'is not null' : 'is null')})`, []);
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
      const found = this.valueOf(left);
      const same = words(this.#ground.dialect.nullSafeEqual);
      const items = right.items.map((item) => sql`${found} ${same} ${this.valueOf(item)}`);
      return bool(items.length === 0 ? words('0') : sql`(${sql.join(items, words(' or '))})`, []);
    }
    if (right.member.isAmong !== true) throw new Unsayable();
    const table = this.linkTable(right.of, right.member.key);
    const alias = this.#alias();
    const [owner, target] = ['owner_id', 'target_id'].map((name) => sql.ref(`${alias}.${name}`));
    const where = sql`${owner} = ${this.#idOf(right.of)} and ${target} = ${this.valueOf(left)}`;
    return bool(sql`exists (select 1 from ${sql.table(table)} as ${sql.ref(alias)} where ${where})`, []);
  }

  /** The table of a list of ids that a record holds. */
  linkTable(of: Tree, key: string): string {
    return recordRow(this.#ground, shapeOf(of).group, 'l').links(key) ?? fails();
  }

  #exists({ of, slot, where }: Existence): Sql {
    const { row, from, inner, link } = this.collection(of, slot);
    const asked = [...(link === undefined ? [] : [link()]), ...(where === undefined ? [] : [inner.condition(where)])];
    return sql`exists (select 1 from ${from} as ${sql.ref(row.alias)} where ${and(asked)})`;
  }

  /** A row of a group under a new alias. */
  newRow(group: string): RuleRow {
    return recordRow(this.#ground, group, this.#alias());
  }

  /** A text as a literal. */
  quoted(text: string): Sql {
    return words(this.#ground.dialect.quoteText(text));
  }

  /** Of the rows of a collection: those that give null are left out. */
  condition(tree: Tree): Sql {
    if (tree.op === 'and') return sql`${this.condition(tree.left)} and ${this.condition(tree.right)}`;
    const isOfIds = tree.op === 'equal' && this.#ids(tree) !== undefined;
    return isOfIds || existenceIn(tree) !== undefined ? truth(this.#writer.part(tree)) : condition(this.#writer, tree);
  }

  /** The rows of a collection under a new alias. @throws Unsayable */
  collection(of: Tree, slot: number): CollectionRows {
    if (this.#at.depth >= deepest) throw new Unsayable();
    const { row, ...rows } = this.#toRows(of, this.#alias());
    const variables = new Map(this.#at.variables).set(slot, row);
    const inner = new RuleSql(this.#ground, { ...this.#at, variables, depth: this.#at.depth + 1 }, this.#names);
    return { row, inner, ...rows };
  }

  #toRows(of: Tree, alias: string): Omit<CollectionRows, 'inner'> {
    if (of.op === 'gather') {
      const { group, lists, shape } = of.collection;
      if (lists.length === 0) return { row: recordRow(this.#ground, group, alias), from: tableOf(group) };
      const item = itemRow(this.#ground, shape, alias);
      return { row: item, from: sql`${sql.table(item.table)}` };
    }
    if (of.op !== 'field') throw new Unsayable();
    const { member } = of;
    if (member.kind === 'items') {
      const row = itemRow(this.#ground, member.shape(), alias);
      const link = (): Sql => sql`${row.id} = ${this.#idOf(of.of)}`;
      return { row, from: sql`${sql.table(row.table)}`, link, owners: (rows) => rows(row.id) };
    }
    if (member.kind !== 'others' && member.kind !== 'references') throw new Unsayable();
    const { group } = member.shape();
    const row = recordRow(this.#ground, group, alias);
    const from = tableOf(group);
    if (member.kind === 'others') {
      const by = row.column(member.field)?.sql ?? fails();
      return { row, from, link: () => sql`${by} = ${this.#idOf(of.of)}`, owners: (rows) => rows(by) };
    }
    const links = sql`${sql.table(this.linkTable(of.of, member.key))} as l`;
    const link = (): Sql =>
      sql`${row.id} in (select l.target_id from ${links} where l.owner_id = ${this.#idOf(of.of)})`;
    const owners: CollectionRows['owners'] = (rows) =>
      sql`select distinct l.owner_id from ${links} where l.target_id in (${rows(row.id)})`;
    return { row, from, link, owners };
  }

  #alias(): string {
    this.#names.next += 1;
    return `q${this.#names.next}`;
  }
}

/** The rows of a collection. */
interface CollectionRows {
  readonly row: RuleRow;
  readonly from: Sql;
  /** Condition that they are the rows of one record; undefined for all records of a group. */
  readonly link?: () => Sql;
  /** Selects the ids of the records whose rows these are. @param rows Selects a column of the rows. */
  readonly owners?: (rows: (column: Sql) => Sql) => Sql;
  /** Writes conditions on one of them. */
  readonly inner: RuleSql;
}

/** The parts that all must hold. */
export const conjunctsOf = (tree: Tree): readonly Tree[] =>
  tree.op === 'and' ? [...conjunctsOf(tree.left), ...conjunctsOf(tree.right)] : [tree];

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
