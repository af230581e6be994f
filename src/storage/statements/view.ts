// What a row is read from, as plain data: joins, cells, and the shape of the JSON. `query.ts` makes statements of it,
// `json-writer.ts` a function from row to text.
import type { Field, Inherited, PathStart, Registry, Resource, ShownPart } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { columnTypeOf } from '../schema/columns.ts';
import type { Sql, Test } from '../schema/sql.ts';
import { tableName } from '../schema/tables.ts';
import type { ReadOperation, Seen, Sight } from '../sight/sight.ts';
import type { SightWays } from '../sight/ways.ts';

/** Where a cell comes from. */
export type Expr =
  | { readonly kind: 'column'; readonly alias: string; readonly column: string }
  /** The column of these that is not null. */
  | { readonly kind: 'oneOf'; readonly alias: string; readonly columns: readonly string[] }
  | {
      readonly kind: 'case';
      readonly branches: readonly { readonly when: Test; readonly value: Expr }[];
      readonly otherwise: Expr;
    }
  /** Whether a condition surely holds, by a text that is the same for the same one. */
  | { readonly kind: 'truth'; readonly key: string; readonly sql: Sql };

/** A left join on the id of another record; without `on`, the one record of a singleton. */
export interface Join {
  readonly alias: string;
  readonly table: string;
  readonly on: Expr | undefined;
}

export interface Cell {
  readonly expr: Expr;
  readonly type: ColumnType;
}

/** JSON made of the cells of a row. Numbers are places in the row. */
export type Node =
  | {
      readonly kind: 'cell';
      readonly cell: number;
      readonly type: ColumnType;
      /** Of JSON that is a list of objects: which of their members are shown. */
      readonly picks?: readonly string[];
    }
  /** Null when the cell `present` is null or 0. */
  | { readonly kind: 'object'; readonly present: number | undefined; readonly members: readonly Member[] }
  /** A text put together from parts: what a reference is called. */
  | { readonly kind: 'name'; readonly parts: readonly NamePart[] }
  /** JSON of the list with this number, by what tells whose it is: the first cells of the row. */
  | { readonly kind: 'list'; readonly list: number; readonly depth: number }
  /** JSON of what is taken when the record is read, by its id. */
  | { readonly kind: 'figure'; readonly figure: number }
  /** JSON of the record whose id the cell holds, from those with this number; as it is `otherwise` where it is not among them. */
  | { readonly kind: 'expanded'; readonly cell: number; readonly expansion: number; readonly otherwise: Node };
export interface Member {
  readonly name: string;
  readonly node: Node;
  /** The cell that tells whether it is there at all; always without one. */
  readonly when?: number;
}
export type NamePart =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'first';
      readonly cells: readonly number[];
      readonly types: readonly ColumnType[];
      readonly otherwise: string;
    };

/** What a list-valued field is read from: rows that begin with what tells whose they are. */
export interface ListView {
  readonly field: Field;
  /** How many cells tell whose item a row is: the id of the record, and the place of the item whose list this is. */
  readonly depth: number;
  /** Lists of the items. */
  readonly lists: readonly ListView[];
  readonly table: string;
  readonly alias: string;
  readonly ownerColumn: string;
  readonly order: readonly string[];
  /** Links: the other group's record is always there, so the join need not be a left one, and goes first. */
  readonly joins: readonly Join[];
  readonly cells: readonly Cell[];
  readonly node: Node;
  /** Which of its rows the caller sees; all without. */
  readonly seen?: Sql | undefined;
}

/** A field whose value is taken when its record is read. */
export interface FigureView {
  readonly field: Field;
  /** The key of the object in which it stands. */
  readonly inside: string | undefined;
  /** How the records are shown that it refers to, or that its items do: by the fields that refer to them. */
  readonly records: ReadonlyMap<Field, ListView>;
}

export interface View {
  readonly resource: Resource;
  /** What its statements are kept by: those of equal views are the same. */
  readonly key: string;
  /** What callers with certain rights see; undefined: everything. */
  readonly sight: ViewSight | undefined;
  readonly table: string;
  readonly alias: string;
  readonly joins: readonly Join[];
  readonly cells: readonly Cell[];
  readonly node: Node;
  readonly lists: readonly ListView[];
  readonly figures: readonly FigureView[];
  /** Where the cells of the record's own columns are, by column; none where nothing is taken when it is read. */
  readonly own: ReadonlyMap<string, number>;
  /** What filters compare where that is not the field's own column: the value that the record shows. */
  readonly shownElsewhere: ReadonlyMap<Field, Expr>;
}

/** What of the records of a view is seen. */
export interface ViewSight {
  readonly sight: Sight;
  readonly operation: ReadOperation;
  /** Which records there are; undefined: all. */
  readonly records: Sql | undefined;
  /** What leads to them in a list. */
  readonly ways: SightWays | undefined;
  /** Those of them that show certain fields. */
  showing(names: readonly string[]): Sql;
}

/** Records of a group as a statement reads them: under an alias. */
export interface AliasedGroup {
  readonly resource: Resource;
  readonly alias: string;
}

/** Builds the cells of one statement, sharing joins that lead to the same record. */
export class Builder {
  readonly joins: Join[] = [];
  readonly cells: Cell[] = [];
  /** Fields that are taken when the record is read. */
  readonly figures: { readonly field: Field; readonly inside: string | undefined }[] = [];
  readonly registry: Registry;
  /** What is seen of records; undefined: everything. */
  readonly sight: Sight | undefined;
  readonly #places = new Map<string, number>();
  readonly #aliases = new Map<string, string>();
  readonly #prefix: string;

  /** @param prefix What the aliases of joins begin with. */
  constructor(registry: Registry, { sight, prefix = 'j' }: { sight?: Sight | undefined; prefix?: string } = {}) {
    this.registry = registry;
    this.sight = sight;
    this.#prefix = prefix;
  }

  /** A member of an object that is there as far as it is seen: none, or one. */
  member(name: string, seen: Seen, node: () => Node): readonly Member[] {
    if (seen === false) return [];
    const made = node();
    if (seen === true) return [{ name, node: made }];
    return [{ name, node: made, when: this.cell({ kind: 'truth', ...seen }, { kind: 'boolean' }) }];
  }

  cell(expr: Expr, type: ColumnType): number {
    const key = expr.kind === 'truth' ? `truth ${expr.key}` : JSON.stringify(expr);
    const place = this.#places.get(key) ?? this.cells.push({ expr, type }) - 1;
    this.#places.set(key, place);
    return place;
  }

  join(resource: Resource, on: Expr | undefined): AliasedGroup {
    const key = `${resource.name}:${JSON.stringify(on ?? null)}`;
    const known = this.#aliases.get(key);
    if (known !== undefined) return { resource, alias: known };
    const alias = `${this.#prefix}${this.joins.length + 1}`;
    this.#aliases.set(key, alias);
    this.joins.push({ alias, table: tableName(resource.name), on });
    return { resource, alias };
  }

  resource(name: string): Resource {
    const resource = this.registry.resources.get(name);
    if (resource === undefined) unreachable(`unknown group ${name}`);
    return resource;
  }
}

/** A field's own value, or that of the record it is inherited from or read through. */
export function fieldExpr(builder: Builder, source: AliasedGroup, field: Field): Expr {
  const { alias } = source;
  if (field.from !== undefined) return pathExpr(builder, source, field.from).expr;
  const own: Expr = { kind: 'column', alias, column: field.column };
  if (field.inherits.length === 0) return own;
  const branches = field.inherits.map((inherited) => branchOf(builder, source, inherited));
  return { kind: 'case', branches, otherwise: own };
}

function branchOf(builder: Builder, source: AliasedGroup, { when, from }: Inherited): { when: Test; value: Expr } {
  const column = source.resource.byKey.get(when.key)?.column ?? '';
  return {
    when: { alias: source.alias, column, operator: when.operator, literal: when.literal },
    value: pathExpr(builder, source, from).expr,
  };
}

/** Follows a path over references, joining as it goes. */
function pathExpr(builder: Builder, source: AliasedGroup, path: string): { expr: Expr; field: Field } {
  const steps = path.split('.');
  let here = source;
  const { workspace } = builder.registry;
  if (steps[0] === 'workspace' && workspace !== undefined) {
    steps.shift();
    here = builder.join(workspace, undefined);
  }
  for (const step of steps.slice(0, -1)) {
    const field = stepField(here.resource, step);
    if (field.kind !== 'reference') unreachable(`${path}: ${step} is no reference`);
    here = builder.join(builder.resource(field.target), fieldExpr(builder, here, field));
  }
  const field = stepField(here.resource, steps.at(-1) ?? '');
  return { expr: fieldExpr(builder, here, field), field };
}

/** A step of a path names a field, its key, or the record behind a bare id (`member` for `memberId`). */
export function stepField(resource: PathStart, step: string): Field {
  const field = resource.byName.get(step) ?? resource.byKey.get(step) ?? resource.byKey.get(`${step}Id`);
  if (field === undefined) unreachable(`${resource.name} has no field ${step}`);
  return field;
}

export const idType: ColumnType = { kind: 'id' };

/** How a field is shown of a record, or of an object in it. */
export function fieldNode(builder: Builder, source: AliasedGroup & { readonly inside?: string }, field: Field): Node {
  const { alias, inside } = source;
  if (field.figure?.taken === 'atRead') return { kind: 'figure', figure: builder.figures.push({ field, inside }) - 1 };
  switch (field.kind) {
    case 'reference': {
      const id = fieldExpr(builder, source, field);
      if (field.as === 'id') return plainNode(builder, id, idType);
      return referenceNode(builder, { target: field.target, id }, field.include);
    }
    case 'choice': {
      const columns = field.branches.map(({ reference }) => reference.column);
      return plainNode(builder, { kind: 'oneOf', alias, columns }, idType);
    }
    case 'list':
    case 'objects':
      return plainNode(builder, { kind: 'column', alias, column: field.column }, { kind: 'json' });
    case 'object': {
      const members = field.fields.map((one) => ({
        name: one.name,
        node: fieldNode(builder, { ...source, inside: field.key }, one),
      }));
      const present = builder.cell({ kind: 'column', alias, column: field.column }, { kind: 'boolean' });
      return { kind: 'object', present, members };
    }
    case 'references':
      return unreachable(`${field.name} is read by a statement of its own`);
    default:
      return plainNode(builder, fieldExpr(builder, source, field), columnTypeOf(field));
  }
}

const plainNode = (builder: Builder, expr: Expr, type: ColumnType): Node => ({
  kind: 'cell',
  cell: builder.cell(expr, type),
  type,
});

/** `{id, name}` of the record of the group `target` with this id, and the fields that the reference includes. */
export function referenceNode(
  builder: Builder,
  { target, id }: { readonly target: string; readonly id: Expr },
  include: readonly string[] = [],
): Node {
  const present = builder.cell(id, idType);
  const source = builder.join(builder.resource(target), id);
  return { kind: 'object', present, members: namedMembers(builder, { source, present }, include) };
}

/** `id`, `name`, and what a reference includes. */
function namedMembers(
  builder: Builder,
  { source, present }: { readonly source: AliasedGroup; readonly present: number },
  include: readonly string[],
): readonly Member[] {
  const { sight } = builder;
  const members: Member[] = [
    { name: 'id', node: { kind: 'cell', cell: present, type: idType } },
    ...builder.member('name', sight?.named(source) ?? true, () => nameNode(builder, source)),
  ];
  for (const word of include) {
    const field = source.resource.byName.get(word);
    if (field === undefined) continue;
    const node = (): Node => {
      if (field.kind !== 'reference' || field.as !== 'object') return fieldNode(builder, source, field);
      // One step further and no more: what it includes in its own group does not follow it here.
      return referenceNode(builder, { target: field.target, id: fieldExpr(builder, source, field) });
    };
    members.push(...builder.member(word, sight?.visibleField(source, word) ?? true, node));
  }
  return members;
}

/** A name is a text, whatever the fields are that it is made of. */
export const nameNode = (builder: Builder, source: AliasedGroup): Node => ({
  kind: 'name',
  parts: source.resource.shownAs.map((part) => namePart(builder, source, part)),
});

function namePart(builder: Builder, source: AliasedGroup, part: ShownPart): NamePart {
  if (part.kind === 'literal') return part;
  const found = part.paths.map((path) => pathExpr(builder, source, path));
  const types = found.map(({ field }) => typeOfField(field));
  return {
    kind: 'first',
    cells: found.map(({ expr }, index) => builder.cell(expr, types[index] ?? idType)),
    types,
    otherwise: part.otherwise,
  };
}

function typeOfField(field: Field): ColumnType {
  if (field.kind === 'reference' || field.kind === 'choice') return idType;
  if (field.kind === 'references' || field.kind === 'objects' || field.kind === 'object' || field.kind === 'list')
    return { kind: 'json' };
  return columnTypeOf(field);
}

/** `{id, name}` of the record that the row itself is, and the fields that a reference to it includes. */
export function ownNode(builder: Builder, source: AliasedGroup, include: readonly string[] = []): Node {
  const present = builder.cell({ kind: 'column', alias: source.alias, column: 'id' }, idType);
  return { kind: 'object', present: undefined, members: namedMembers(builder, { source, present }, include) };
}
