// What startup knows of each group: its statements, rows, JSON writer, rules by step, computed fields in order. Made at first use,
// so that starting costs the same with eight groups as with eight hundred.

import type { WriteOperation } from '../../facts/context.ts';
import { dependenciesOf, type Read } from '../../formulas/analyse/dependencies.ts';
import type { Together } from '../../formulas/generate/generate.ts';
import { hasDays, type Moves, movesIn } from '../../registry/formulas/days.ts';
import type { Field, PathStart, Referrer, Registry, Resource } from '../../registry/model/model.ts';
import type { Rule } from '../../rules/support/rule.ts';
import { RowReader } from '../../storage/rows/row-reader.ts';
import type { Statement } from '../../storage/schema/compiler.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { LruCache } from '../../storage/schema/lru-cache.ts';
import { isList } from '../../storage/schema/tables.ts';
import { viewOf } from '../../storage/statements/group-view.ts';
import { compileWriter, type RecordWriter } from '../../storage/statements/json-writer.ts';
import { Queries } from '../../storage/statements/query.ts';
import type { FigureView, ListView } from '../../storage/statements/view.ts';
import { unreachable } from '../../unreachable.ts';
import { Writer } from '../changes/writer.ts';
import { type ConcernedBy, concernedBy } from './concerned.ts';
import {
  type DefaultOrder,
  defaultOrderOf,
  getPathStarts,
  type InsideOrder,
  insideOrdersOf,
  lackableFields,
} from './default-order.ts';
import type { Derivation } from './figure-order.ts';
import { behindTaken, derivationsInOrder, isRead, isTold } from './figure-order.ts';
import {
  type FigureField,
  figuresIn,
  keysBehindIn,
  keysRead,
  type Line,
  linesIn,
  listKeys,
  rootKey,
} from './figures.ts';
import { goingTogether, letGoFirst, takenAlong, writeSetOf } from './impact.ts';
import { comparedBy, judgedPaths } from './judged.ts';
import type { FoundBy } from './lookers.ts';
import { foundByIn } from './lookers.ts';
import { type FigureGuards, figureGuardsOf, type LockKeys, lockKeysOf } from './predicate-locks.ts';
import {
  type Deferral,
  deferralsOf,
  type EffectBefore,
  effectBeforesOf,
  type JudgedWrite,
  type RuleParts,
  rulePartsOf,
} from './rule-parts.ts';
import { isSelfContained, keysWithDependents, type PlainCreation, plainCreationOf } from './single-statement.ts';
import { movedKeys, waitingGroups } from './waiting-states.ts';
import type { Dependent } from './watchers.ts';
import { dependentsIn, withKeysOfDependents } from './watchers.ts';

/** One list-valued field of a group, and how its items are written. */
export interface GroupList {
  readonly view: ListView;
  readonly write: RecordWriter;
  /** Lists of the items. */
  readonly lists: readonly GroupList[];
}

/** Records of another group that a figure refers to, and how they are written. */
export interface GroupRecords {
  readonly view: ListView;
  readonly write: RecordWriter;
}

/** A field that is taken when its record is read. */
export interface GroupFigure {
  readonly view: FigureView;
  /** By the fields that refer to them. */
  readonly records: readonly GroupRecords[];
}

export interface Group {
  readonly resource: Resource;
  readonly rows: RowReader;
  readonly queries: Queries;
  readonly write: RecordWriter;
  readonly lists: readonly GroupList[];
  /** What is taken when its records are read, in the order of the view. */
  readonly readFigures: readonly GroupFigure[];
  /** Key of the field that holds the time of the last change. */
  readonly modified: string | undefined;
  /** What the rules do at each step of a write. */
  readonly parts: RuleParts;
  /** Conditions of rules that are judged by themselves, as one: most writes keep all of them. */
  readonly conditions: Together;
  /** Which of its writes put off anything that judges them. */
  readonly deferrals: Readonly<Record<WriteOperation, Deferral>>;
  /** What its effects ask of the time before a write. */
  readonly effectBefores: readonly EffectBefore[];
  /** What an update calls for. */
  readonly concernedBy: ConcernedBy;
  /** Fields that are computed: by a derivation that is not that of a rule, or by a formula. In the order of what they look at. */
  readonly derivations: readonly Derivation[];
  /** Those of them that are formulas. */
  readonly figures: readonly FigureField[];
  /** The orders along which they look at the record before. */
  readonly lines: readonly Line[];
  /** Those that are always true and at which others look that are taken once. */
  readonly behindTaken: ReadonlySet<FigureField>;
  /** Whether callers may send a computed field, of the record or inside it. */
  readonly acceptsFigures: boolean;
  /** Those whose conditions look at nothing but plain fields beside them. */
  readonly toldFigures: readonly FigureField[];
  /** Keys of the figures that follow other records, and of those that hang on these. */
  readonly movedKeys: ReadonlySet<string>;
  /** What is guarded for figures over other records. */
  readonly figureGuards: FigureGuards;
  /** Keys by which it is known what a write of a record locks. */
  readonly lockKeys: LockKeys;
  /** How conditions of others look for records of this group. */
  readonly foundBy: readonly FoundBy[];
  /** The groups of what its records have in common by which conditions compare them with each other. */
  readonly comparedBy: ReadonlySet<string>;
  /** Paths of the figures at which conditions look. */
  readonly judgedFigures: ReadonlySet<string>;
  /** Keys of its records at which a formula looks. */
  readonly keysBehind: ReturnType<typeof keysBehindIn>;
  /** Lists with rows of their own. */
  readonly ownLists: readonly Field[];
  /** Fields that the begin of a day may move. */
  readonly moves: Moves;
  /** Fields whose values follow from the rest of the record. */
  readonly states: readonly Field[];
  /** Keys of the lists at which the conditions of these look. */
  readonly stateLists: readonly string[];
  /** Whether they follow other records only when all figures are right. */
  readonly statesWait: boolean;
  /** Fields that may have no value and must have one, at least in some states of the record. */
  readonly lackable: readonly Field[];
  /** References that are not kept. */
  readonly passingReferences: readonly Field[];
  /** Fields by how a missing value is filled in. */
  readonly defaultOrder: DefaultOrder;
  /** The same of the fields of each object and list. */
  readonly insideOrders: ReadonlyMap<readonly Field[], InsideOrder>;
  /** The fields at which paths of each field in an object or in a list begin. */
  readonly pathStarts: ReadonlyMap<Field, PathStart>;
  /** Whether nothing that judges or computes a record reaches beyond it. */
  readonly isSelfContained: boolean;
  /** How its records are made where nothing but the body decides on them. */
  readonly plainCreation: PlainCreation | undefined;
  /** Keys whose change needs the stored record; undefined when every change does. */
  readonly keysWithDependents: ReadonlySet<string> | undefined;
}

/** Lists, and how each is written. */
export const listsOf = (views: readonly ListView[], dialect: Dialect): GroupList[] =>
  views.map((view) => ({ view, write: compileWriter(view.node, dialect), lists: listsOf(view.lists, dialect) }));

/** What is taken when records are read, and how the records are written that it shows. */
export const readFiguresOf = (views: readonly FigureView[], dialect: Dialect): GroupFigure[] =>
  views.map((view) => ({
    view,
    records: [...view.records.values()].map((each) => ({ view: each, write: compileWriter(each.node, dialect) })),
  }));

/** Whether any of these reads may change with a write. */
const comesTo = (reach: ReturnType<typeof writeSetOf>, reads: readonly Read[]): boolean =>
  reads.some(({ shape, key }) => reach.get(shape.group)?.has(shape.lists[0] ?? key) === true);

export class Groups {
  readonly registry: Registry;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly dialect: Dialect;
  /** Those of all groups; several hundred are in use where each group is read and written in a few ways. */
  readonly statements = new LruCache<Statement>(2000);
  readonly writer: Writer;
  /** Whether anything that is kept, or done, hangs on the day. */
  readonly hasDays: boolean;
  /** References of records that can only go behind those that they go with. */
  readonly letGoFirst: ReadonlySet<Referrer>;
  readonly #made = new Map<string, Group>();
  readonly #reaches = new Map<string, ReturnType<typeof writeSetOf>>();
  #watchers: ReadonlyMap<string, readonly Dependent[]> | undefined;
  #foundBy: ReadonlyMap<string, readonly FoundBy[]> | undefined;
  #waiting: ReadonlySet<string> | undefined;

  constructor(registry: Registry, rules: Readonly<Record<string, Rule>>, dialect: Dialect) {
    this.registry = registry;
    this.rules = rules;
    this.dialect = dialect;
    this.hasDays = hasDays(registry);
    this.letGoFirst = letGoFirst(registry);
    this.writer = new Writer({ groupOf: (name) => this.get(name), dialect, statements: this.statements });
  }

  get(name: string): Group {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const resource = this.registry.resources.get(name);
    if (resource === undefined) unreachable(`unknown group ${name}`);
    const view = viewOf(this.registry, resource);
    const derivations = this.#derivationsOf(resource);
    const figures = derivations.flatMap((each) => ('figure' in each ? [each.figure] : []));
    const watchers = this.dependentsOf(name);
    const foundBy = this.#foundByOf(name);
    const figureGuards = figureGuardsOf(resource, { figures, watchers });
    const { parts, conditions } = this.#partsOf(resource, { watchers, figures });
    const states = resource.fields.filter(({ becomes }) => becomes.length > 0);
    const defaultOrder = defaultOrderOf(resource, this.rules);
    const isOwn = isSelfContained(resource, this.rules) && watchers.length === 0 && !foundBy.some(({ isAny }) => isAny);
    const ownLists = resource.fields.filter(isList);
    const single = { resource, ownLists, parts, derivations, states, defaultOrder, isSelfContained: isOwn };
    const group: Group = Object.freeze({
      resource,
      rows: new RowReader(resource, this.dialect, this.statements),
      queries: new Queries(view, this.dialect, this.statements),
      write: compileWriter(view.node, this.dialect),
      lists: listsOf(view.lists, this.dialect),
      readFigures: readFiguresOf(view.figures, this.dialect),
      modified: resource.fields.find(({ derived }) => derived?.use === 'modified')?.key,
      parts,
      conditions,
      deferrals: deferralsOf(parts),
      effectBefores: effectBeforesOf(resource),
      concernedBy: concernedBy({ parts, foundBy, figureGuards }),
      derivations,
      figures,
      lines: linesIn(resource, figures),
      behindTaken: behindTaken(figures),
      acceptsFigures: acceptsFigures(resource.fields),
      toldFigures: figures.filter((figure) => isTold(figure, figures)),
      movedKeys: movedKeys(figures),
      figureGuards,
      lockKeys: lockKeysOf(resource, { parts, figureGuards, foundBy, watchers }),
      foundBy,
      comparedBy: comparedBy(resource),
      judgedFigures: judgedPaths(resource),
      keysBehind: keysBehindIn(name),
      ownLists,
      moves: movesIn(resource.fields),
      states,
      stateLists: stateListsOf(resource),
      statesWait: this.#waits(name),
      lackable: lackableFields(resource),
      passingReferences: resource.fields.filter(({ kind, stored }) => kind === 'reference' && !stored),
      defaultOrder,
      insideOrders: insideOrdersOf(resource),
      pathStarts: getPathStarts(resource),
      keysWithDependents: withKeysOfDependents(keysWithDependents(resource, this.rules), watchers),
      isSelfContained: isOwn,
      plainCreation: plainCreationOf({ ...single, acceptsFigures: acceptsFigures(resource.fields) }),
    });
    this.#made.set(name, group);
    return group;
  }

  #partsOf(
    resource: Resource,
    { watchers, figures }: { readonly watchers: readonly Dependent[]; readonly figures: readonly FigureField[] },
  ): ReturnType<typeof rulePartsOf> {
    return rulePartsOf({
      resource,
      rules: this.rules,
      isDeferred: (reads, write) => this.#isDeferred(resource.name, write, reads),
      isDeferredInEffect: (reads) => this.#isDeferredInEffect(resource.name, reads),
      moves: (key, reads) => comesTo(this.#reachOf(resource.name, { key }), reads),
      movingKeys: resource.effects.some(({ on }) => on.has('update') || on.has('becomes'))
        ? undefined
        : watchers.flatMap(({ watch }) => [...watch.keys]),
      looksAtFigures: (reads) => {
        const own = reads.filter(({ isOwn }) => isOwn);
        return figures.some((figure) => isRead(figure, own));
      },
    });
  }

  /** Whether conditions of a use read what a write of the group may change elsewhere, or what may go with it. */
  #isDeferred(group: string, write: JudgedWrite, reads: readonly Read[]): boolean {
    if (reads.length === 0) return false;
    const isDelete = write === 'delete' || write === 'cascade';
    if (isDelete) {
      const along = (write === 'delete' ? takenAlong : goingTogether)(group, this.registry);
      if (reads.some(({ shape, isOwn }) => !isOwn && along.has(shape.group))) return true;
    }
    return comesTo(this.#reachOf(group, isDelete ? 'delete' : 'save'), reads);
  }

  /** The same of all writes whose effects write records of the group: each of these is judged when all of them are written. */
  #isDeferredInEffect(group: string, reads: readonly Read[]): boolean {
    if (reads.length === 0) return false;
    return [...this.registry.resources.values()]
      .filter(({ effects }) => effects.some((effect) => effect.group === group))
      .flatMap(({ name }) => [this.#reachOf(name, 'save'), this.#reachOf(name, 'delete')])
      .some((reach) => comesTo(reach, reads));
  }

  #reachOf(group: string, write: Parameters<typeof writeSetOf>[1]): ReturnType<typeof writeSetOf> {
    const name = `${typeof write === 'string' ? write : `change ${write.key}`} ${group}`;
    const known = this.#reaches.get(name);
    if (known !== undefined) return known;
    const { registry } = this;
    const reach = writeSetOf(group, write, {
      registry,
      figuresOf: (other) => this.#figuresOf(other),
      watchersOf: (other) => this.dependentsOf(other),
    });
    this.#reaches.set(name, reach);
    return reach;
  }

  #foundByOf(name: string): readonly FoundBy[] {
    this.#foundBy ??= foundByIn(this.registry);
    return this.#foundBy.get(name) ?? [];
  }

  #waits(name: string): boolean {
    this.#waiting ??= waitingGroups(this.registry);
    return this.#waiting.has(name);
  }

  #figuresOf(name: string): readonly FigureField[] {
    const resource = this.registry.resources.get(name);
    return resource === undefined ? [] : figuresIn(resource);
  }

  /** Figures that look at the records of a group from elsewhere. */
  dependentsOf(name: string): readonly Dependent[] {
    this.#watchers ??= dependentsIn(this.registry);
    return this.#watchers.get(name) ?? [];
  }

  #derivationsOf(resource: Resource): Group['derivations'] {
    const { fields, rules } = resource;
    const derivations = fields.flatMap(({ key, derived: use }) => {
      const rule = use === undefined || rules.some((other) => other.use === use.use) ? undefined : this.rules[use.use];
      const derive = rule?.derive;
      return use === undefined || rule === undefined || derive === undefined ? [] : [{ key, rule, use, derive }];
    });
    const figures = figuresIn(resource).map((figure) => ({ key: rootKey(figure), figure }));
    return derivationsInOrder([...derivations, ...figures], resource);
  }
}

const acceptsFigures = (fields: readonly Field[]): boolean =>
  fields.some((field) => field.accepts !== undefined || ('fields' in field && acceptsFigures(field.fields)));

function stateListsOf(resource: Resource): readonly string[] {
  const reads = resource.fields.flatMap(({ becomes }) =>
    becomes.flatMap(({ when }) => dependenciesOf(when.tree).reads),
  );
  const looked = new Set(keysRead(resource.name, reads));
  return listKeys(resource).filter((key) => looked.has(key));
}
