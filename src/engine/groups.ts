// What the engine keeps for each group: its statements, its rows, the function that writes its JSON. Made at first use,
// so that starting costs the same with eight groups as with eight hundred.
import type { Rule } from '../behaviours/rule.ts';
import { dependenciesOf, type Read } from '../formulas/analyse/dependencies.ts';
import { readsBehind } from '../registry/figures.ts';
import type { Field, Figure, Registry, Resource, RuleUse } from '../registry/model.ts';
import { wordsRead } from '../registry/reads.ts';
import type { Statement } from '../storage/compiler.ts';
import type { Dialect } from '../storage/dialect.ts';
import { viewOf } from '../storage/group-view.ts';
import { Kept } from '../storage/kept.ts';
import { Queries } from '../storage/query.ts';
import { RowReader } from '../storage/row-reader.ts';
import type { FigureView, ListView } from '../storage/view.ts';
import { compileWriter, type RecordWriter } from '../storage/writer.ts';
import { type FigureField, figuresIn, keysRead, listKeys } from './figures.ts';
import { type Filled, filledOf } from './filled.ts';
import { type FigureGuards, figureGuardsOf } from './plan/figure-locks.ts';
import type { FoundBy } from './plan/found-by.ts';
import { comparedBy, judgedPaths } from './plan/judged.ts';
import { foundByIn } from './plan/lookers.ts';
import { goingTogether, reachOf, takenAlong } from './reach.ts';
import { type JudgedWrite, type RuleParts, rulePartsOf } from './rule-parts.ts';
import { entangledKeys, isAlone } from './shortcuts.ts';
import type { Watcher } from './upkeep.ts';
import { waitingGroups } from './waiting-states.ts';
import { Writer } from './writer.ts';

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

/** A derivation by name. */
interface Derived {
  readonly key: string;
  readonly rule: Rule;
  readonly use: RuleUse;
  readonly derive: NonNullable<Rule['derive']>;
}

type Derivation = Derived | { readonly key: string; readonly figure: FigureField };

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
  /** Fields that are computed: by a derivation that is not that of a rule, or by a formula. In the order of what they look at. */
  readonly derivations: readonly Derivation[];
  /** Those of them that are formulas. */
  readonly figures: readonly FigureField[];
  /** Those whose conditions look at nothing but plain fields beside them. */
  readonly toldFigures: readonly FigureField[];
  /** What is guarded for figures over other records. */
  readonly figureGuards: FigureGuards;
  /** How conditions of others look for records of this group. */
  readonly foundBy: readonly FoundBy[];
  /** The groups of what its records have in common by which conditions compare them with each other. */
  readonly comparedBy: ReadonlySet<string>;
  /** Paths of the figures at which conditions look. */
  readonly judgedFigures: ReadonlySet<string>;
  /** Fields whose values follow from the rest of the record. */
  readonly states: readonly Field[];
  /** Keys of the lists at which the conditions of these look. */
  readonly stateLists: readonly string[];
  /** Whether they follow other records only when all figures are right. */
  readonly statesWait: boolean;
  /** Fields by how a missing value is filled in. */
  readonly filled: Filled;
  /** Whether nothing that judges or computes a record reaches beyond it. */
  readonly isAlone: boolean;
  /** Keys whose change needs the stored record; undefined when every change does. */
  readonly entangled: ReadonlySet<string> | undefined;
}

const listsOf = (views: readonly ListView[], dialect: Dialect): GroupList[] =>
  views.map((view) => ({ view, write: compileWriter(view.node, dialect), lists: listsOf(view.lists, dialect) }));

const readFiguresOf = (views: readonly FigureView[], dialect: Dialect): GroupFigure[] =>
  views.map((view) => ({
    view,
    records: [...view.records.values()].map((each) => ({ view: each, write: compileWriter(each.node, dialect) })),
  }));

/** Whether any of these reads may change with a write. */
const comesTo = (reach: ReturnType<typeof reachOf>, reads: readonly Read[]): boolean =>
  reads.some(({ shape, key }) => reach.get(shape.group)?.has(shape.lists[0] ?? key) === true);

export class Groups {
  readonly registry: Registry;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly dialect: Dialect;
  /** Those of all groups; several hundred are in use where each group is read and written in a few ways. */
  readonly statements = new Kept<Statement>(2000);
  readonly writer: Writer;
  readonly #made = new Map<string, Group>();
  readonly #steps = new Map<string, readonly string[]>();
  readonly #reaches = new Map<string, ReturnType<typeof reachOf>>();
  #watchers: ReadonlyMap<string, readonly Watcher[]> | undefined;
  #foundBy: ReadonlyMap<string, readonly FoundBy[]> | undefined;
  #waiting: ReadonlySet<string> | undefined;

  constructor(registry: Registry, rules: Readonly<Record<string, Rule>>, dialect: Dialect) {
    this.registry = registry;
    this.rules = rules;
    this.dialect = dialect;
    this.writer = new Writer({ groupOf: (name) => this.get(name), dialect, statements: this.statements });
  }

  /** A path of a descriptor, taken apart once. */
  stepsOf(path: string): readonly string[] {
    const known = this.#steps.get(path);
    if (known !== undefined) return known;
    const steps = Object.freeze(path.split('.'));
    this.#steps.set(path, steps);
    return steps;
  }

  get(name: string): Group {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const resource = this.registry.resources.get(name);
    if (resource === undefined) throw new Error(`unknown group ${name}`);
    const view = viewOf(this.registry, resource);
    const derivations = this.#derivationsOf(resource);
    const figures = derivations.flatMap((each) => ('figure' in each ? [each.figure] : []));
    const watchers = this.watchersOf(name);
    const foundBy = this.#foundByOf(name);
    const group: Group = Object.freeze({
      resource,
      rows: new RowReader(resource, this.dialect, this.statements),
      queries: new Queries(view, this.dialect, this.statements),
      write: compileWriter(view.node, this.dialect),
      lists: listsOf(view.lists, this.dialect),
      readFigures: readFiguresOf(view.figures, this.dialect),
      modified: resource.fields.find(({ derived }) => derived?.use === 'modified')?.key,
      parts: rulePartsOf({
        resource,
        rules: this.rules,
        isFinal: (reads, write) => this.#isFinal(name, write, reads),
        isFinalByEffect: (reads) => this.#isFinalByEffect(name, reads),
        looksAtFigures: (reads) => {
          const own = reads.filter(({ isOwn }) => isOwn);
          return figures.some((figure) => isRead(figure, own));
        },
      }),
      derivations,
      figures,
      toldFigures: figures.filter((figure) => isTold(figure, figures)),
      figureGuards: figureGuardsOf(resource, { figures, watchers }),
      foundBy,
      comparedBy: comparedBy(resource),
      judgedFigures: judgedPaths(resource),
      states: resource.fields.filter(({ becomes }) => becomes.length > 0),
      stateLists: stateListsOf(resource),
      statesWait: this.#waits(name),
      filled: filledOf(resource),
      entangled: withWatched(entangledKeys(resource, this.rules), watchers),
      isAlone: isAlone(resource, this.rules) && watchers.length === 0 && !foundBy.some(({ isAny }) => isAny),
    });
    this.#made.set(name, group);
    return group;
  }

  /** Whether conditions of a use read what a write of the group may change elsewhere, or what may go with it. */
  #isFinal(group: string, write: JudgedWrite, reads: readonly Read[]): boolean {
    if (reads.length === 0) return false;
    const isDelete = write === 'delete' || write === 'cascade';
    if (isDelete) {
      const along = (write === 'delete' ? takenAlong : goingTogether)(group, this.registry);
      if (reads.some(({ shape, isOwn }) => !isOwn && along.has(shape.group))) return true;
    }
    return comesTo(this.#reachOf(group, isDelete ? 'delete' : 'save'), reads);
  }

  /** The same of all writes whose effects write records of the group: each of these is judged when all of them are written. */
  #isFinalByEffect(group: string, reads: readonly Read[]): boolean {
    if (reads.length === 0) return false;
    return [...this.registry.resources.values()]
      .filter(({ effects }) => effects.some((effect) => effect.group === group))
      .flatMap(({ name }) => [this.#reachOf(name, 'save'), this.#reachOf(name, 'delete')])
      .some((reach) => comesTo(reach, reads));
  }

  #reachOf(group: string, write: 'save' | 'delete'): ReturnType<typeof reachOf> {
    const name = `${write} ${group}`;
    const known = this.#reaches.get(name);
    if (known !== undefined) return known;
    const { registry } = this;
    const reach = reachOf(group, write, {
      registry,
      figuresOf: (other) => this.#figuresOf(other),
      watchersOf: (other) => this.watchersOf(other),
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
  watchersOf(name: string): readonly Watcher[] {
    this.#watchers ??= watchersIn(this.registry);
    return this.#watchers.get(name) ?? [];
  }

  #derivationsOf(resource: Resource): Group['derivations'] {
    const { fields, rules } = resource;
    const derivations = fields.flatMap(({ key, derived: use }) => {
      const rule = use === undefined || rules.some((other) => other.use === use.use) ? undefined : this.rules[use.use];
      const derive = rule?.derive;
      return use === undefined || rule === undefined || derive === undefined ? [] : [{ key, rule, use, derive }];
    });
    const figures = figuresIn(resource).map((figure) => ({ key: figure.inside[0] ?? figure.field.key, figure }));
    return inOrder([...derivations, ...figures], resource);
  }
}

function stateListsOf(resource: Resource): readonly string[] {
  const reads = resource.fields.flatMap(({ becomes }) =>
    becomes.flatMap(({ when }) => dependenciesOf(when.tree).reads),
  );
  const looked = new Set(keysRead(resource.name, reads));
  return listKeys(resource).filter((key) => looked.has(key));
}

/** Who looks at the records of each group. */
function watchersIn({ resources }: Registry): ReadonlyMap<string, readonly Watcher[]> {
  const watchers = new Map<string, Watcher[]>();
  const add = (watcher: Watcher): void => {
    const { group } = watcher.watch;
    watchers.set(group, [...(watchers.get(group) ?? []), watcher]);
  };
  for (const resource of resources.values()) {
    const { name: group, fields } = resource;
    for (const figure of figuresIn(resource)) for (const watch of figure.figure.watches) add({ group, figure, watch });
    for (const { becomes } of fields)
      for (const { watches } of becomes) for (const watch of watches) add({ group, figure: undefined, watch });
  }
  return watchers;
}

/** Keys that figures of other records look at need the stored record as well. */
const withWatched = (keys: ReadonlySet<string> | undefined, watchers: readonly Watcher[]): typeof keys =>
  keys && new Set([...keys, ...watchers.flatMap(({ watch }) => [...watch.keys])]);

/** Derivations after those whose fields they look at. The checks of descriptors have seen that there is no circle. */
function inOrder(derivations: readonly Derivation[], { byName }: Resource): readonly Derivation[] {
  const seen = new Set<Derivation>();
  const ordered: Derivation[] = [];
  const isBefore = (other: Derivation, each: Derivation): boolean => {
    if ('figure' in other && 'figure' in each)
      return isRead(
        other.figure,
        readsBehind(each.figure.figure).filter(({ isOwn }) => isOwn),
      );
    return wordsOf(each).some((word) => (byName.get(word)?.key ?? word) === other.key);
  };
  const before = new Map(
    derivations.map((each) => [each, derivations.filter((other) => other !== each && isBefore(other, each))]),
  );
  // Behind those whose change takes it again, and of the record among others of its group too, as far as that goes: each of two
  // may look for the other one's last value.
  for (const each of derivations)
    for (const other of derivations)
      if (other !== each && (isAlike(other, each) || isAgain(other, each)) && !leadsTo(before, other, each))
        before.get(each)?.push(other);
  const visit = (each: Derivation): void => {
    if (seen.has(each)) return;
    seen.add(each);
    for (const other of before.get(each) ?? []) visit(other);
    ordered.push(each);
  };
  for (const each of derivations) visit(each);
  return ordered;
}

const isRead = ({ figure, field }: FigureField, reads: Figure['reads']): boolean =>
  reads.some(({ shape, key }) => shape === figure.on && key === field.key);

/** Whether a body alone tells that a figure is computed. */
function isTold({ figure: { when, on } }: FigureField, figures: readonly FigureField[]): boolean {
  if (when === undefined) return false;
  const { reads, beyond } = dependenciesOf(when.tree);
  return (
    beyond.length === 0 && reads.every(({ shape }) => shape === on) && !figures.some((figure) => isRead(figure, reads))
  );
}

const isAgain = (other: Derivation, each: Derivation): boolean =>
  'figure' in each && each.figure.figure.again.includes(other.key);

const isAlike = (other: Derivation, each: Derivation): boolean =>
  'figure' in each &&
  each.figure.figure.alike.some(({ key }) => key === other.key) &&
  (!('figure' in other) || isRead(other.figure, each.figure.figure.alike));

/** Whether a derivation needs another one, however many are between them. */
function leadsTo(before: ReadonlyMap<Derivation, readonly Derivation[]>, from: Derivation, to: Derivation): boolean {
  const seen = new Set([from]);
  for (const each of seen) for (const next of before.get(each) ?? []) seen.add(next);
  return seen.has(to);
}

/** Names or keys of the fields of the record that a derivation looks at. */
function wordsOf(each: Derivation): readonly string[] {
  if ('figure' in each) return each.figure.figure.keys;
  const { rule, use } = each;
  return [...wordsRead(rule, use.arguments, () => []), ...Object.values(use.conditions).flatMap(({ keys }) => keys)];
}
