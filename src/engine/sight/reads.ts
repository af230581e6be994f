// What callers read: records, pages, computed records, in whole or in parts, as each of them sees it.
import type { NoteLongWay } from '../../metrics/units-of-work.ts';
import { problems } from '../../problems.ts';
import type { Caller, Intent, Outcome } from '../../request/intent.ts';
import type { Session } from '../../storage/schema/session.ts';
import { unreachable } from '../../unreachable.ts';
import { tagOf } from '../../values/entity-tag.ts';
import type { Group, Groups } from '../plan/groups.ts';
import { computeRecord } from '../read/computed-record.ts';
import type { ShapedReading } from '../read/expand.ts';
import { readPage, readPortions, readRecord, readShaped, readShapedPage, type ShownRecord } from '../read/read.ts';
import type { Reading } from '../read/read-lists.ts';
import { Shapes } from '../read/shapes.ts';
import type { Scope } from '../transaction/scope.ts';
import { Sights, type Viewer } from './caller-sight.ts';
import { namedAmong } from './visible.ts';

interface ReadsOptions {
  readonly groups: Groups;
  /** The date in the workspace's time zone, as far as this process knows it. */
  readonly today: () => string;
  readonly noteLongWay: NoteLongWay;
  /** What formulas look at that are taken when records are read. */
  readonly scopeOf: (session: Session) => Scope;
}

/** A record that somebody wrote. */
interface Found {
  readonly id: string;
  readonly viewer?: Viewer | undefined;
}

/** How parts of records are shown. */
interface Shaping {
  readonly shapes: Shapes;
  readonly group: Group;
}

export class Reads {
  readonly sights: Sights;
  readonly #groups: Groups;
  readonly #today: () => string;
  readonly #noteLongWay: NoteLongWay;
  readonly #scopeOf: ReadsOptions['scopeOf'];
  readonly #shapes: Shapes;

  constructor({ groups, today, noteLongWay, scopeOf }: ReadsOptions) {
    this.#groups = groups;
    this.#today = today;
    this.#noteLongWay = noteLongWay;
    this.#scopeOf = scopeOf;
    this.#shapes = new Shapes(groups);
    this.sights = new Sights(groups);
  }

  /** What a caller sees; undefined: everything. */
  viewer(caller: Caller): Viewer | undefined {
    return this.sights.viewer(caller, this.#today);
  }

  /** @param viewer Of whom the group is as it is seen. */
  reading(session: Session, group: Group, viewer: Viewer | undefined): Reading {
    const records = () => this.#scopeOf(session).records;
    const { dialect } = this.#groups;
    const seen = viewer === undefined ? {} : { seen: viewer.values };
    return { session, group, dialect, today: this.#today, records, noteLongWay: this.#noteLongWay, ...seen };
  }

  /** What an operation reads. @throws Problem */
  read(session: Session, intent: Intent): Promise<Outcome> {
    const { endpoint, caller } = intent;
    const viewer = caller.rights === undefined ? undefined : this.viewer(caller);
    if (viewer !== undefined) return this.#readAs(viewer, session, intent);
    const { resource, operation } = endpoint;
    if (resource.computed !== undefined) return this.#compute(session, intent, undefined);
    const group = this.#groups.get(resource.name);
    const reading = this.reading(session, group, undefined);
    if (intent.shows !== undefined) return this.#readShaped(reading, intent, { shapes: this.#shapes, group });
    if (operation === 'get') return shownOf(reading, intent);
    return readPage(reading, intent).then((body) => ({ status: 200, body }));
  }

  /** The same as a caller sees it. The endpoint is the one that the caller knows. */
  #readAs(viewer: Viewer, session: Session, intent: Intent): Promise<Outcome> {
    const { endpoint } = intent;
    const { resource, operation } = endpoint;
    const { sight } = viewer;
    if (resource.computed !== undefined) return this.#compute(session, intent, viewer);
    const group = sight.group(resource.name, operation);
    const reading = this.reading(session, group, viewer);
    const asked =
      operation === 'list' ? { ...intent, filters: [...intent.filters, ...sight.filtersOf(intent)] } : intent;
    if (intent.shows !== undefined) return this.#readShaped(reading, asked, { shapes: sight.shapes(operation), group });
    if (operation === 'get') return shownOf(reading, intent);
    return readPage(reading, asked).then((body) => ({ status: 200, body }));
  }

  #compute(session: Session, { endpoint, given }: Intent, viewer: Viewer | undefined): Promise<Outcome> {
    const resource = this.#groups.registry.resources.get(endpoint.resource.name) ?? endpoint.resource;
    const seen = viewer?.sight.endpoint(endpoint).resource.fields.filter((field) => field.shown);
    const shown = seen ?? endpoint.resource.fields;
    const namesOf = viewer && ((group: string, ids: readonly string[]) => namedAmong(session, viewer, { group, ids }));
    return computeRecord(this.#scopeOf(session), resource, { given, shown, namesOf }).then((body) => ({
      status: 200,
      body,
      etag: tagOf(undefined, body),
    }));
  }

  /**
   * All records of a list that a caller sees, in portions as JSON: those of which nothing else is said as they are taken elsewhere.
   * @param isKept Whether with all that is needed to put them back. @throws Problem
   */
  readPortions(session: Session, intent: Intent, isKept = false): AsyncGenerator<readonly string[], void, undefined> {
    const viewer = this.viewer(intent.caller);
    const { name } = intent.endpoint.resource;
    const group = viewer?.sight.group(name, 'list') ?? this.#groups.get(name);
    const shapes = viewer?.sight.shapes('list') ?? this.#shapes;
    const shape = intent.shows === undefined ? shapes.whole(group, isKept) : shapes.of(group, intent.shows);
    const filters = [...intent.filters, ...(viewer?.sight.filtersOf(intent) ?? [])];
    return readPortions({ ...this.reading(session, shape?.group ?? group, viewer), shapes }, shape, {
      ...intent,
      filters,
    });
  }

  /** Records of which certain parts are shown. @throws Problem */
  #readShaped(reading: Reading, intent: Intent, { shapes, group }: Shaping): Promise<Outcome> {
    const { shows } = intent;
    if (shows === undefined) unreachable('nothing says which parts are shown');
    const shape = shapes.of(group, shows);
    const shaped: ShapedReading = { ...reading, group: shape.group, shapes };
    return intent.endpoint.operation === 'list'
      ? readShapedPage(shaped, shape, intent).then((body) => ({ status: 200, body }))
      : readShaped(shaped, shape, intent.id).then((found) => foundOf(found, intent));
  }

  /** @throws Problem where there is no such record */
  get(session: Session, group: Group, named: Pick<Intent, 'id' | 'idAsSent'>): Promise<Outcome> {
    return shownOf(this.reading(session, group, undefined), named);
  }

  /** The one record of a group that has no more, with all that is needed to put it back. */
  single(session: Session, group: Group): Promise<Outcome> {
    const [shapes, reading] = [this.#shapes, this.reading(session, group, undefined)];
    const shape = shapes.whole(group, true);
    const named = { id: '', idAsSent: '' };
    if (shape === undefined) return shownOf(reading, named);
    return readShaped({ ...reading, group: shape.group, shapes }, shape, named.id).then((found) =>
      foundOf(found, named),
    );
  }

  find(session: Session, group: Group, id: string): Promise<Outcome | undefined> {
    return readRecord(this.reading(session, group, undefined), id).then((found) => found && answerOf(found));
  }

  /** A record as a caller gets it; undefined where nothing of it is shown. */
  found(session: Session, group: Group, { id, viewer }: Found): Promise<Outcome | undefined> {
    const seen = viewer?.sight.group(group.resource.name, 'get') ?? group;
    return readRecord(this.reading(session, seen, viewer), id).then((found) => found && answerOf(found));
  }
}

/** @throws Problem where there is no such record */
export const shownOf = (reading: Reading, { id, idAsSent }: Pick<Intent, 'id' | 'idAsSent'>): Promise<Outcome> =>
  readRecord(reading, id).then((found) => foundOf(found, { idAsSent }));

/** @throws Problem where there is no such record */
function foundOf(found: ShownRecord | undefined, { idAsSent }: Pick<Intent, 'idAsSent'>): Outcome {
  if (found === undefined) throw problems.recordUnknown(idAsSent);
  return answerOf(found);
}

/** A record as an outcome. */
export const answerOf = ({ text, version }: ShownRecord): Outcome => ({
  status: 200,
  body: text,
  etag: tagOf(version, text),
});
