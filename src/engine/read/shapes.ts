// What answers show where callers say so (`expand`, `fields`): a writer of JSON for each set of parts, made when it is first asked for.
import type { Field, ReferenceField, Resource } from '../../registry/model/model.ts';
import type { Shows } from '../../request/shows.ts';
import { LruCache } from '../../storage/schema/lru-cache.ts';
import { type ViewOptions, viewOf } from '../../storage/statements/group-view.ts';
import { compileWriter, type RecordWriter } from '../../storage/statements/json-writer.ts';
import { Queries } from '../../storage/statements/query.ts';
import {
  type ExpandedCell,
  type Expansion,
  type ShownFigure,
  type ShownList,
  shownView,
} from '../../storage/statements/shown-view.ts';
import type { View } from '../../storage/statements/view.ts';
import type { Group, GroupFigure, GroupList, Groups } from '../plan/groups.ts';

/** A list of records of a shape, and how its items are written. */
export interface ShapeList extends GroupList {
  readonly expanded: readonly ExpandedCell[];
  readonly lists: readonly ShapeList[];
}

/** A figure of them, and which of its references show records whole. */
export interface ShapeFigure extends GroupFigure {
  readonly place: number;
  readonly expansions: ShownFigure['expansions'];
}

/** Records of a group, of which certain parts are shown. */
export interface Shape {
  /** Tells it from all others. */
  readonly key: string;
  readonly group: Group;
  readonly queries: Queries;
  readonly write: RecordWriter;
  readonly expanded: readonly ExpandedCell[];
  readonly lists: readonly ShapeList[];
  readonly figures: readonly ShapeFigure[];
  /** By the numbers under which the writer takes them. */
  readonly expansions: ReadonlyMap<number, Expansion>;
  /** Those of `expanded` whose records no list and no figure shows: they need not wait for these. */
  readonly expandedAtOnce: readonly ExpandedCell[];
}

/** How records are read that stand in place of references. */
interface Making {
  groupOf(name: string): Group;
  viewOf(resource: Resource): View;
  /** How they are read by themselves. */
  ownViewOf(resource: Resource, options?: Pick<ViewOptions, 'isKept'>): View;
}

const makingOf = (groups: Groups): Making => ({
  groupOf: (name) => groups.get(name),
  viewOf: (resource) => viewOf(groups.registry, resource, { isNamed: true }),
  ownViewOf: (resource, options) => viewOf(groups.registry, resource, options),
});

/** Shapes that are kept: sets of fields are chosen by callers. */
const shapesKept = 500;
/** Statements of one set of fields. */
const narrowStatements = 20;
/** Statements of a group whose records are shown whole. */
const wholeStatements = 50;

export class Shapes {
  readonly #groups: Groups;
  readonly #made: Making;
  readonly #kept = new LruCache<Shape>(shapesKept);
  /** Those of records that stand in place of references, by group. */
  readonly #named = new Map<string, Queries>();

  /** @param made Groups and views as certain callers have them. */
  constructor(groups: Groups, made: Making = makingOf(groups)) {
    this.#groups = groups;
    this.#made = made;
  }

  /** How records of a group are shown by themselves. */
  of(group: Group, shows: Shows): Shape {
    return this.#kept.get(`${group.resource.name} ${shows.text}`, () => {
      const narrowed = this.#narrowed(group, shows);
      return this.#make(narrowed, narrowed.queries, shows);
    });
  }

  /** With statements of its own where records are left out that would be joined; plain columns cost less than another statement. */
  #narrowed(group: Group, { names }: Shows): Group {
    const { resource } = group;
    const isLeftOut = ({ name, shown }: Field): boolean => shown && names?.has(name) === false && name !== 'id';
    const isJoined = (field: Field): boolean =>
      isLeftOut(field) && (field.kind === 'reference' || field.inherits.length > 0);
    // What roles show is told by the view that they give.
    if (group !== this.#groups.get(resource.name) || !resource.fields.some(isJoined)) return group;
    const fields = resource.fields.filter((field) => !isLeftOut(field));
    const view = this.#made.ownViewOf({ ...resource, fields });
    return { ...group, queries: new Queries(view, this.#groups.dialect, new LruCache(narrowStatements)) };
  }

  /**
   * How they are shown to who takes them elsewhere: with the ids of references that are written and else never shown.
   * @param isKept Whether who takes them puts them back, and needs what they keep of their own where they show what they inherit.
   * @returns undefined where that is how they are always shown
   */
  whole(group: Group, isKept = false): Shape | undefined {
    const { resource } = group;
    const hasOwn = isKept && resource.fields.some(({ inherits }) => inherits.length > 0);
    if (!hasOwn && !resource.fields.some(isHiddenReference)) return undefined;
    const all: Shows = { text: isKept ? '* kept' : '*', names: undefined, inside: new Map() };
    return this.#kept.get(`${resource.name} ${all.text}`, () => {
      const { dialect } = this.#groups;
      const fields = resource.fields.map((field) => (isHiddenReference(field) ? shownById(field) : field));
      // Not among the statements of all, which know a view by its table.
      const view = this.#made.ownViewOf({ ...resource, fields }, { isKept });
      const queries = new Queries(view, dialect, new LruCache(wholeStatements));
      return this.#make({ ...group, queries }, queries, all);
    });
  }

  /** How they are shown in place of references. */
  behind({ group: name, shows }: Expansion): Shape {
    return this.#kept.get(`${name}! ${shows.text}`, () =>
      this.#make(this.#made.groupOf(name), this.#namedOf(name), shows),
    );
  }

  #namedOf(name: string): Queries {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const { dialect, statements } = this.#groups;
    const queries = new Queries(this.#made.viewOf(this.#groups.get(name).resource), dialect, statements);
    this.#named.set(name, queries);
    return queries;
  }

  #make(group: Group, queries: Queries, shows: Shows): Shape {
    const { dialect } = this.#groups;
    const { node, expanded, lists, figures, expansions } = shownView(queries.view, shows);
    const listOf = ({ view, node: item, expanded: cells, lists: inner }: ShownList): ShapeList => {
      return { view, write: compileWriter(item, dialect), expanded: cells, lists: inner.map(listOf) };
    };
    const figureOf = ({ place, view, expansions: records }: ShownFigure): ShapeFigure => {
      const known = group.readFigures.find((figure) => figure.view.field.name === view.field.name);
      return { place, view, records: known?.records ?? [], expansions: records };
    };
    const groupOf = (place: number): string | undefined => expansions.get(place)?.group;
    const later = new Set([...lists.flatMap(placesIn), ...figures.flatMap(placesOf)].map(groupOf));
    return Object.freeze({
      key: `${group.resource.name}${queries === group.queries ? '' : '!'} ${shows.text}`,
      expandedAtOnce: expanded.filter(({ expansion }) => !later.has(groupOf(expansion))),
      ...{ group, queries, expanded, expansions },
      write: compileWriter(node, dialect),
      lists: lists.map(listOf),
      figures: figures.map(figureOf),
    });
  }
}

/** Where a list, and those in it, show records in place of references. */
const placesIn = ({ expanded, lists }: ShownList): readonly number[] => [
  ...expanded.map(({ expansion }) => expansion),
  ...lists.flatMap(placesIn),
];

const placesOf = ({ expansions }: ShownFigure): readonly number[] => [...expansions.values()];

const isHiddenReference = (field: Field): field is ReferenceField =>
  field.kind === 'reference' && !field.shown && field.stored && field.onCreate;

const shownById = (field: ReferenceField): ReferenceField => ({ ...field, shown: true, as: 'id', name: field.key });
