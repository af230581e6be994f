// What callers with certain rights see: the views, shapes and parameters of every group as they have them, made when they are
// first asked for and kept by the rights, never by the caller.
import type { AccessOperation } from '../../access/model.ts';
import type { Rights } from '../../access/rights.ts';
import {
  type Endpoint,
  type EndpointOperation,
  type FilterParameter,
  isTimeOfMaking,
} from '../../endpoints/routes/endpoint.ts';
import type { GroupsByName } from '../../endpoints/routes/expandable.ts';
import { partsOf } from '../../formulas/language/index-keys.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Field, Resource, Values } from '../../registry/model/model.ts';
import type { Caller, Intent, UsedFilter } from '../../request/intent.ts';
import type { SummaryIntent } from '../../request/long-reads/summary.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { encode } from '../../storage/schema/columns.ts';
import { LruCache } from '../../storage/schema/lru-cache.ts';
import { actorValue, dayValue } from '../../storage/sight/rule-rows.ts';
import { type ReadOperation, type Rows, type Seen, Sight } from '../../storage/sight/sight.ts';
import { createUpdateGrant } from '../../storage/sight/update-grant.ts';
import { viewOf } from '../../storage/statements/group-view.ts';
import { compileWriter } from '../../storage/statements/json-writer.ts';
import { Queries } from '../../storage/statements/query.ts';
import type { View } from '../../storage/statements/view.ts';
import { unreachable } from '../../unreachable.ts';
import { type Group, type Groups, listsOf, readFiguresOf } from '../plan/groups.ts';
import { Shapes } from '../read/shapes.ts';

/** Whoever looks at records: what they see by their rights, and the values of conditions that hang on who they are. */
export interface Viewer {
  readonly sight: CallerSight;
  readonly values: Readonly<Record<string, Bound>>;
}

/** The day of the workspace, as `YYYY-MM-DD`. */
type Day = () => string;

export class Sights {
  readonly #groups: Groups;
  /** There are as many as sets of roles and limits that callers have. */
  readonly #made = new Map<Rights, CallerSight>();

  constructor(groups: Groups) {
    this.#groups = groups;
  }

  of(rights: Rights): CallerSight {
    const known = this.#made.get(rights) ?? new CallerSight(this.#groups, rights);
    this.#made.set(rights, known);
    return known;
  }

  /** A way to read as a caller knows it: without parameters of fields that no rule shows. */
  endpoint(endpoint: Endpoint, rights: Rights): Endpoint {
    return this.of(rights).endpoint(endpoint);
  }

  /** Undefined for callers who may do everything. */
  viewer({ rights, memberId }: Caller, today: Day): Viewer | undefined {
    if (rights === undefined) return undefined;
    const sight = this.of(rights);
    return { sight, values: sight.values(memberId, today) };
  }
}

/** Reading, as the operations of the interface name it: the answer to a write shows what a get would. */
const readingOf = (operation: EndpointOperation): ReadOperation => (operation === 'list' ? 'list' : 'get');

export class CallerSight {
  readonly rights: Rights;
  readonly #groups: Groups;
  /** What of records is seen, as SQL. */
  readonly sql: Sight;
  readonly #made = new Map<string, Group>();
  readonly #resources = new Map<string, Resource>();
  readonly #endpoints = new Map<Endpoint, Endpoint>();
  readonly #filters = new Map<string, FilterParameter>();
  readonly #shapes = new Map<ReadOperation, Shapes>();
  readonly #plain = new Map<string, boolean>();
  readonly #allVisible = new Map<string, boolean>();
  readonly #updateGrants = new LruCache<Seen>(256);
  #byName: GroupsByName | undefined;
  readonly #looksAtDay: boolean;

  constructor(groups: Groups, rights: Rights) {
    this.rights = rights;
    this.#groups = groups;
    this.sql = new Sight(rights, groups.registry, groups.dialect);
    this.#looksAtDay = [...groups.registry.resources.keys()].some((name) =>
      rights.rulesOf(name).some(({ when }) => when !== undefined && looksAtDay(when.tree)),
    );
  }

  /** What is bound for the conditions of one caller. */
  values(memberId: string | null, today: Day): Readonly<Record<string, Bound>> {
    if (!this.#looksAtDay) return { [actorValue]: memberId };
    return { [actorValue]: memberId, [dayValue]: encode(today(), { kind: 'date' }, this.#groups.dialect) };
  }

  /** A group as an operation shows its records: the group itself where nothing of them is hidden. */
  group(name: string, operation: EndpointOperation): Group {
    const by = readingOf(operation);
    const word = `${by} ${name}`;
    const known = this.#made.get(word) ?? this.#groupSeen(this.#groups.get(name), by);
    this.#made.set(word, known);
    return known;
  }

  #groupSeen(group: Group, operation: ReadOperation): Group {
    const { registry, dialect, statements } = this.#groups;
    const view = viewOf(registry, group.resource, { seeing: { sight: this.sql, operation } });
    if (isWhole(view, group.queries.view)) return group;
    return Object.freeze({
      ...group,
      queries: new Queries(view, dialect, statements),
      write: compileWriter(view.node, dialect),
      lists: listsOf(view.lists, dialect),
      readFigures: readFiguresOf(view.figures, dialect),
    });
  }

  /** Whether an operation shows every record of a group, with all its fields and all that they refer to. */
  isWhole(name: string, operation: EndpointOperation): boolean {
    return this.group(name, operation) === this.#groups.get(name);
  }

  /** How records are shown of which callers ask for parts. */
  shapes(operation: EndpointOperation): Shapes {
    const by = readingOf(operation);
    const known = this.#shapes.get(by) ?? this.#shapesBy(by);
    this.#shapes.set(by, known);
    return known;
  }

  #shapesBy(operation: ReadOperation): Shapes {
    return new Shapes(this.#groups, {
      groupOf: (name) => this.group(name, 'get'),
      viewOf: (resource) =>
        viewOf(this.#groups.registry, resource, { isNamed: true, seeing: { sight: this.sql, operation: 'get' } }),
      ownViewOf: (resource) => viewOf(this.#groups.registry, resource, { seeing: { sight: this.sql, operation } }),
    });
  }

  /** A way to read as its callers know it: parameters of fields that no rule shows are not there. */
  endpoint(endpoint: Endpoint): Endpoint {
    const known = this.#endpoints.get(endpoint) ?? this.#endpointSeen(endpoint);
    this.#endpoints.set(endpoint, known);
    return known;
  }

  #endpointSeen(endpoint: Endpoint): Endpoint {
    const { operation } = endpoint;
    if (operation !== 'list' && operation !== 'get') return endpoint;
    const { resource } = endpoint;
    const isSeen = (names: readonly string[] | undefined): boolean =>
      names?.every((name) => this.#shows(resource, operation, name) !== false) === true;
    return Object.freeze({
      ...endpoint,
      resource: this.#resource(resource, operation),
      groups: this.#groupsByName(),
      filters: new Map([...endpoint.filters].filter(([, filter]) => isSeen(this.#namesOf(resource, filter)))),
      sorts: new Map([...endpoint.sorts].filter(([, { field }]) => isSeen([field.name]))),
    });
  }

  #groupsByName(): GroupsByName {
    this.#byName ??= new Map(
      [...this.#groups.registry.resources].map(([name, resource]) => [name, this.#resource(resource, 'get')]),
    );
    return this.#byName;
  }

  /** A group of which the fields that no rule shows are kept, and not shown. */
  #resource(resource: Resource, operation: ReadOperation): Resource {
    const word = `${operation} ${resource.name}`;
    const known = this.#resources.get(word);
    if (known !== undefined) return known;
    // Neither shown nor, where it is written alone, a column of an export.
    const hidden = { shown: false, onCreate: false };
    const fields = resource.fields.map(
      (field): Field => (this.#shows(resource, operation, field.name) === false ? { ...field, ...hidden } : field),
    );
    const seen: Resource = Object.freeze({
      ...resource,
      fields,
      byName: new Map(fields.map((field) => [field.name, field])),
      byKey: new Map(fields.map((field) => [field.key, field])),
    });
    this.#resources.set(word, seen);
    return seen;
  }

  /** Whether a field is shown of any record that is got. */
  shows(resource: Resource, { name, shown }: Field): boolean {
    return shown && this.#shows(resource, 'get', name) !== false;
  }

  #shows(resource: Resource, operation: ReadOperation, name: string) {
    return this.sql.shows(operation, { resource, alias: 't' }, name);
  }

  /** The fields that records must show where a filter is used; undefined where nobody may use it who does not see everything. */
  #namesOf(resource: Resource, { field, list }: FilterParameter): readonly string[] | undefined {
    const own = list ?? field;
    if (own.shown) return [own.name];
    // Kept for the filter alone: what it is derived from must be shown.
    const { figure } = own;
    if (figure?.isLocal === true)
      return figure.keys.flatMap(
        (key) => resource.byKey.get(key)?.name ?? unreachable(`${resource.name} has no ${key}`),
      );
    return resource.fields.filter((each) => each.shown || each === own).map(({ name }) => name);
  }

  /** What is asked of records with the filters and the order of a caller, besides these. */
  filtersOf(
    intent: Pick<Intent, 'filters' | 'order' | 'endpoint'>,
    names: readonly string[] = [],
  ): readonly UsedFilter[] {
    const resource = this.#groups.get(intent.endpoint.resource.name).resource;
    const asked = [
      ...intent.filters.flatMap(({ filter }) => this.#namesOf(resource, filter) ?? []),
      // In the order of their making records are shown in any case.
      ...(intent.order === undefined || isTimeOfMaking(intent.order.field) ? [] : [intent.order.field.name]),
      ...names,
    ];
    return this.#sees(resource, asked);
  }

  /** The same of what a summary tells: of which records, by what, and what is added up. */
  summed({ resource: { name }, filters, by, measures, list }: SummaryIntent): {
    readonly filters: readonly UsedFilter[];
  } {
    const { resource } = this.#groups.get(name);
    const names = [
      ...filters.flatMap(({ filter }) => this.#namesOf(resource, filter) ?? []),
      ...by.map(({ path }) => path.map((field) => field.name).join('.')),
      ...by.flatMap(({ path: [first] }) => first?.name ?? []),
      ...(list === undefined ? measures.map(({ field }) => field.name) : [list.name]),
    ];
    return { filters: this.#sees(resource, names) };
  }

  #sees(resource: Resource, names: readonly string[]): readonly UsedFilter[] {
    const { sight } = this.group(resource.name, 'list').queries.view;
    if (sight === undefined) return [];
    const isMasked = (name: string): boolean =>
      this.sql.showsPath('list', { resource, alias: 't' }, name.split('.')) !== true;
    const masked = [...new Set(names)].filter(isMasked).sort();
    if (sight.records === undefined && masked.length === 0) return [];
    const word = `${resource.name} ${masked.join()}`;
    const field = resource.byName.get('id') ?? unreachable(`${resource.name} has no id`);
    const known: FilterParameter = this.#filters.get(word) ?? {
      name: `#sees ${masked.join()}`,
      ...{ field, comparison: 'sees', list: undefined, accepts: { kind: 'uuid' }, shows: masked },
    };
    this.#filters.set(word, known);
    return [{ filter: known, value: '' }];
  }

  /** Whether a write is judged by nothing but whether it is allowed at all, and its answer shows everything. */
  isPlainWrite(name: string, operation: EndpointOperation): boolean {
    const word = `${operation} ${name}`;
    const known = this.#plain.get(word) ?? this.#isPlain(name, operation);
    this.#plain.set(word, known);
    return known;
  }

  #isPlain(name: string, operation: EndpointOperation): boolean {
    const operations: readonly AccessOperation[] = operation === 'put' ? ['create', 'update'] : [operation];
    const isAllowed = operations.every((each) => this.rights.on(name, each)?.every(({ isPlain }) => isPlain) === true);
    if (!isAllowed || !this.isWhole(name, 'get')) return false;
    const { resource } = this.#groups.get(name);
    const { referrers } = this.#groups.registry;
    // What messages tell of other records, and what a record is in use by, is told as far as it is seen.
    const targets = referredBy(resource.fields);
    const holders = operation === 'delete' ? (referrers.get(name) ?? []) : [];
    return (
      !tellsOfOthers(resource) &&
      this.isAllVisible(name) &&
      targets.every((target) => this.isAllReferable(target)) &&
      holders.every((holder) => this.isWhole(holder.resource.name, 'list'))
    );
  }

  /** Returns when an update of these fields is granted, as a condition on the stored row. */
  updateGrant({ resource, modified }: Group, values: Readonly<Values>): Seen {
    const keys = Object.keys(values).sort();
    const word = [resource.name, ...keys.map((key) => (values[key] === null ? `!${key}` : key))].join(' ');
    return this.#updateGrants.get(word, () => {
      const { registry, dialect } = this.#groups;
      const isAllReferable = (group: string): boolean => this.isAllReferable(group);
      const rules = { visibility: this.sql, registry, dialect, isAllReferable };
      return createUpdateGrant(rules, {
        ...{ resource, keys, modified },
        references: keys.filter((key) => values[key] !== null),
      });
    });
  }

  /** Whether a list holds every record of a group, whatever it shows of them. */
  listsAll(name: string): boolean {
    return this.sql.allows('list', this.#rowsOf(name)) === true;
  }

  /** Whether every record of a group may be referred to. */
  isAllVisible(name: string): boolean {
    const isAll = this.#allVisible.get(name) ?? this.sql.visible(this.#rowsOf(name)) === true;
    this.#allVisible.set(name, isAll);
    return isAll;
  }

  /** Whether every record of a group may be named in others: files are where each record that may name them is seen. */
  isAllReferable(name: string): boolean {
    const { files, referrers } = this.#groups.registry;
    if (name !== files?.name) return this.isAllVisible(name);
    return (referrers.get(name) ?? []).every(({ resource }) => this.isWhole(resource.name, 'get'));
  }

  /** Whether references show what every record of a group is called. */
  names(name: string): boolean {
    return this.sql.named(this.#rowsOf(name)) === true;
  }

  #rowsOf(name: string): Rows {
    return { resource: this.#groups.get(name).resource, alias: 't' };
  }
}

/** Whether conditions of a group say values of formulas. */
const tellsOfOthers = ({ rules }: Resource): boolean =>
  rules.some(({ messages }) =>
    Object.values(messages).some(({ parts }) => parts.some((part) => typeof part !== 'string')),
  );

/** Groups to whose records fields refer. */
function referredBy(fields: readonly Field[]): readonly string[] {
  return fields.flatMap((field) => {
    if (field.kind === 'reference' || field.kind === 'references') return [field.target];
    if (field.kind === 'choice') return field.branches.map(({ reference }) => reference.target);
    return field.kind === 'objects' ? referredBy(field.fields) : [];
  });
}

/** Whether a view shows what it shows to those who see everything. */
function isWhole(view: View, whole: View): boolean {
  if (view.sight?.records !== undefined) return false;
  const nodesOf = ({ node, lists, figures }: View): string =>
    JSON.stringify([
      node,
      lists.map((list) => inside(list)),
      figures.map(({ field, records }) => [field.name, [...records.values()].map((each) => inside(each))]),
    ]);
  return nodesOf(view) === nodesOf(whole);
}

const inside = ({ node, seen, lists }: View['lists'][number]): unknown => [
  node,
  seen !== undefined,
  lists.map((each) => inside(each)),
];

const looksAtDay = (tree: Tree): boolean =>
  (tree.op === 'known' && tree.name === 'today') ||
  (tree.op === 'named' && looksAtDay(tree.formula.tree())) ||
  partsOf(tree).some((part) => looksAtDay(part));
