// A part of a view: the same rows, of which fewer fields are shown, and other records in place of references.
import type { Field } from '../../registry/model/model.ts';
import type { Shows, ShowsInside } from '../../request/shows.ts';
import { unreachable } from '../../unreachable.ts';
import type { FigureView, ListView, Member, Node, View } from './view.ts';

/** Records of a group that stand in place of references. */
export interface Expansion {
  readonly group: string;
  readonly shows: Shows;
}

/** A cell with the id of a record that is shown, and the number of what is shown there. */
export interface ExpandedCell {
  readonly cell: number;
  readonly expansion: number;
}

/** What is shown of rows. */
interface ShownRows {
  readonly node: Node;
  readonly expanded: readonly ExpandedCell[];
  readonly lists: readonly ShownList[];
}

export interface ShownList extends ShownRows {
  readonly view: ListView;
}

export interface ShownFigure {
  /** Its number. */
  readonly place: number;
  readonly view: FigureView;
  /** By the fields that refer to records which are shown whole. */
  readonly expansions: ReadonlyMap<Field, number>;
}

export interface ShownView extends ShownRows {
  readonly figures: readonly ShownFigure[];
  /** By their numbers. */
  readonly expansions: ReadonlyMap<number, Expansion>;
}

/** What of a view is shown. Lists are numbered by themselves, figures and expansions together. */
export function shownView(view: View, shows: Shows): ShownView {
  const shaper = new Shaper(view);
  const rows = shaper.rows({ node: view.node, fields: view.resource.fields, lists: view.lists }, withId(shows));
  return { ...rows, figures: shaper.figures, expansions: shaper.expansions };
}

/** Records show their id in any case. */
const withId = (shows: Shows): Shows =>
  shows.names === undefined ? shows : { ...shows, names: new Set([...shows.names, 'id']) };

type ObjectNode = Extract<Node, { readonly kind: 'object' }>;

interface Rows {
  readonly node: Node;
  readonly fields: readonly Field[];
  readonly lists: readonly ListView[];
}

class Shaper {
  readonly figures: ShownFigure[] = [];
  readonly expansions = new Map<number, Expansion>();
  readonly #view: View;

  constructor(view: View) {
    this.#view = view;
  }

  rows({ node, fields, lists }: Rows, shows: Shows | undefined): ShownRows {
    const expanded: ExpandedCell[] = [];
    const shownLists: ShownList[] = [];
    const nodeOf = (one: Node, field: Field | undefined, inside: ShowsInside | undefined): Node => {
      if (field === undefined) return one;
      switch (one.kind) {
        case 'list': {
          const list = lists[one.list];
          return list === undefined ? one : { ...one, list: shownLists.push(this.#list(list, field, inside)) - 1 };
        }
        case 'figure':
          return this.#figure(one.figure, inside);
        case 'object':
          return 'fields' in field ? objectOf(one, field.fields, inside) : this.#reference(one, inside, expanded);
        case 'cell':
          if (field.kind === 'objects' && inside?.names !== undefined) return { ...one, picks: [...inside.names] };
          return this.#reference(one, inside, expanded);
        default:
          return one;
      }
    };
    const objectOf = (object: ObjectNode, inner: readonly Field[], of: Shows | undefined): Node => ({
      ...object,
      members: object.members
        .filter(({ name }) => of?.names === undefined || of.names.has(name))
        .map((member): Member => {
          const { name, node: one } = member;
          const field = inner.find((each) => each.name === name);
          return { ...member, node: nodeOf(one, field, of?.inside.get(name)) };
        }),
    });
    const shown = node.kind === 'object' ? objectOf(node, fields, shows) : node;
    return { node: shown, expanded, lists: shownLists };
  }

  #list(view: ListView, field: Field, inside: ShowsInside | undefined): ShownList {
    if (field.kind !== 'references')
      return { view, ...this.rows({ node: view.node, fields: fieldsOf(field), lists: view.lists }, inside) };
    const expanded: ExpandedCell[] = [];
    return { view, node: this.#reference(view.node, inside, expanded), expanded, lists: [] };
  }

  /** A reference by id, or by id and name: the record behind it, or as much of it as is asked for. */
  #reference(node: Node, inside: ShowsInside | undefined, expanded: ExpandedCell[]): Node {
    const cell = idCell(node);
    if (inside === undefined || cell === undefined) return node;
    const { behind, names } = inside;
    if (behind !== undefined) {
      const expansion = this.#expand(behind.name, inside);
      expanded.push({ cell, expansion });
      return { kind: 'expanded', cell, expansion, otherwise: node };
    }
    if (node.kind !== 'object' || names === undefined) return node;
    return { ...node, members: node.members.filter(({ name }) => name === 'id' || names.has(name)) };
  }

  #expand(group: string, shows: Shows): number {
    const place = this.#next();
    this.expansions.set(place, { group, shows });
    return place;
  }

  #next(): number {
    return this.figures.length + this.expansions.size;
  }

  #figure(known: number, inside: ShowsInside | undefined): Node {
    const view = this.#view.figures[known];
    if (view === undefined) unreachable(`there is no figure ${known}`);
    const shown = this.#shownFigure(view, inside);
    const place = this.#next();
    this.figures.push({ ...shown, place });
    return { kind: 'figure', figure: place };
  }

  #shownFigure(view: FigureView, inside: ShowsInside | undefined): Omit<ShownFigure, 'place'> {
    const { field } = view;
    const expansions = new Map<Field, number>();
    if (inside === undefined) return { view, expansions };
    const expand = (one: Field, { behind, ...shows }: ShowsInside): void => {
      if (behind !== undefined) expansions.set(one, this.#expand(behind.name, shows));
    };
    if (field.kind !== 'objects') {
      expand(field, inside);
      return { view, expansions };
    }
    const fields = field.fields.filter(({ name }) => inside.names === undefined || inside.names.has(name));
    for (const one of fields) {
      const within = inside.inside.get(one.name);
      if (within !== undefined) expand(one, within);
    }
    return { view: { ...view, field: { ...field, fields } }, expansions };
  }
}

const fieldsOf = (field: Field): readonly Field[] => ('fields' in field ? field.fields : []);

/** The cell with the id of the record that a reference shows. */
function idCell(node: Node): number | undefined {
  if (node.kind === 'cell') return node.cell;
  const id = node.kind === 'object' ? node.members.find(({ name }) => name === 'id')?.node : undefined;
  return id?.kind === 'cell' ? id.cell : undefined;
}
