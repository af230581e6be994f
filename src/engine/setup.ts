// Creates the first records of each group, once its table is there. A group that comes later brings its own.
import { ConfigurationFault } from '../configuration-fault.ts';
import { Problem } from '../problems.ts';
import { kinds } from '../registry/model/kinds.ts';
import type { Field, Resource, Value, Values } from '../registry/model/model.ts';
import { encode } from '../storage/schema/columns.ts';
import type { Database } from '../storage/schema/session.ts';
import { isStored } from '../storage/schema/tables.ts';
import { ConstraintError, type UnitOfWork } from '../storage/unit-of-work.ts';
import { today } from '../values/date.ts';
import { numberToText } from '../values/decimal.ts';
import { now } from '../values/id.ts';
import { causeOf } from './log/entries.ts';
import { type ChangeLog, type Origin, ownOrigin } from './log/write-log.ts';
import type { Groups } from './plan/groups.ts';
import { Scope } from './transaction/scope.ts';
import { createRecord, effectsOf } from './write/write.ts';

/** Values that set-up takes from the configuration, by name. */
type SetupValues = Readonly<Record<string, string | undefined>>;

interface SetupOptions {
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly groups: Groups;
  readonly values: SetupValues;
  /** The log of changes, where it is switched on. */
  readonly log?: ChangeLog | undefined;
}

const setupOrigin: Origin = {
  ...ownOrigin,
  toCause: (cause, name) => (cause.kind === 'caller' ? { kind: 'setup' } : causeOf(cause, name)),
};

/** Makes the first records of groups that have none yet; their tables are there. @throws ConfigurationFault */
export async function setUp({ database, unit, groups, values, log: changeLog }: SetupOptions): Promise<void> {
  const done = await groupsDone(database);
  for (const resource of groups.registry.resources.values()) {
    if (!isStored(resource) || done.has(resource.name)) continue;
    try {
      await unit.transactRecords((session) => {
        const log = changeLog?.begin(setupOrigin);
        return setUpGroup(resource, {
          scope: new Scope({ groups, session, actingMember: null, effectsOf, log }),
          values,
        });
      });
    } catch (error) {
      // Another process was quicker: its records are there, and ours have been undone.
      const isTwin = error instanceof ConstraintError && (await groupsDone(database)).has(resource.name);
      if (!isTwin) throw setUpFault(resource, error);
    }
  }
}

/** Groups whose first records have been made. */
async function groupsDone(database: Database): Promise<ReadonlySet<string>> {
  return new Set((await database.all('select name from praxis_setup', [])).map(([name]) => String(name)));
}

/** First records that their own group refuses are for the operator to mend, in the descriptor or the configuration. */
function setUpFault({ name }: Resource, error: unknown): unknown {
  if (!(error instanceof Problem) && !(error instanceof ConstraintError)) return error;
  const reasons = error instanceof Problem ? (error.errors ?? [error.message]) : [error.message];
  return new ConfigurationFault(`the first records of "${name}" cannot be made: ${reasons.join('; ')}`, error);
}

/** What makes the records of one group. */
interface Making {
  readonly scope: Scope;
  readonly values: SetupValues;
}

async function setUpGroup(resource: Resource, making: Making): Promise<void> {
  const { scope, values } = making;
  // First, so that a second process stops here, before it makes anything.
  const doneAt = encode(now().toISOString(), { kind: 'dateTime' }, scope.groups.dialect);
  await scope.session.run('insert into praxis_setup (name, done_at) values (?, ?)', [resource.name, doneAt]);
  for (const raw of resource.setup) {
    const when = raw['$when'];
    if (typeof when === 'string' && values[when] === undefined) continue;
    const record: Values = {};
    for (const [name, value] of Object.entries(raw)) {
      const field = resource.byName.get(name) ?? resource.byKey.get(name);
      if (field !== undefined) record[field.key] = await setupValue(field, value, making);
    }
    await createRecord(scope, { group: scope.groups.get(resource.name), input: { values: record } });
  }
  scope.launch();
  await scope.keepLog();
  await scope.done();
}

/** A value of a set-up record: as it stands, from the configuration, a list of days, or a record by its name. */
async function setupValue(field: Field, raw: unknown, { scope, values }: Making): Promise<Value> {
  if (field.kind === 'reference') return recordNamed(scope, field.target, raw);
  if (field.kind === 'references')
    return Promise.all((raw as unknown[]).map((name) => recordNamed(scope, field.target, name)));
  if (Array.isArray(raw)) return Promise.all(raw.map((item: unknown) => plainValue(field, item, values)));
  return plainValue(field, raw, values);
}

function plainValue(field: Field, raw: unknown, values: SetupValues): Value {
  if (typeof raw === 'number' && kinds[field.kind === 'list' ? field.item.kind : field.kind].isExact)
    return numberToText(raw);
  if (typeof raw !== 'object' || raw === null) return raw as Value;
  const made = raw as { config?: string; yearly?: string; years?: number };
  if (made.config !== undefined) return values[made.config] ?? null;
  const thisYear = Number(today('UTC', now()).slice(0, 4));
  return Array.from({ length: made.years ?? 0 }, (_value, index) => `${thisYear + index}-${made.yearly}`);
}

/** Id of the record that a set-up names: the one whose shown name it is. */
async function recordNamed(scope: Scope, target: string, name: unknown): Promise<string> {
  const { resource } = scope.groups.get(target);
  const [part] = resource.shownAs;
  const key = part?.kind === 'value' ? resource.byName.get(part.paths[0] ?? '')?.key : undefined;
  const [found] = key === undefined ? [] : await scope.records.list(target, { [key]: String(name) });
  if (found === undefined)
    throw new ConfigurationFault(`set-up names the ${resource.title} "${String(name)}", which is not there`);
  return String(found['id']);
}
