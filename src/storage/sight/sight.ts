// What callers with certain rights see of records, as SQL: which records there are for them, and which fields of each.
import { sql } from 'kysely';
import { type AccessOperation, type Rule, shows, writes } from '../../access/model.ts';
import type { Grants, Rights } from '../../access/rights.ts';
import type { RoleCondition } from '../../access/truth.ts';
import type { Inherited, Registry, Resource, ShownPart } from '../../registry/model/model.ts';
import type { Dialect } from '../schema/dialect.ts';
import { type Sql, testSql, words } from '../schema/sql.ts';
import { tableName } from '../schema/tables.ts';
import type { RuleGround } from './rule-rows.ts';
import { surelySql } from './rule-sql.ts';
import { type SightWays, waysOf } from './ways.ts';

/** A truth value of a row, by a text that is the same for the same value. */
interface Truth {
  readonly key: string;
  readonly sql: Sql;
}

/** A condition of a rule, and the truth value that it must have. */
interface TruthOptions {
  readonly alias: string;
  readonly truth: boolean;
  readonly keyword?: 'when' | 'after';
}

/** Whether something is seen: always, never, or by what the row is. */
export type Seen = boolean | Truth;

/** All of these. */
export function allOf(parts: readonly Seen[]): Seen {
  return joined(parts, { neutral: true, sign: ' and ' });
}

/** Any of these. */
function anyOf(parts: readonly Seen[]): Seen {
  return joined(parts, { neutral: false, sign: ' or ' });
}

function joined(parts: readonly Seen[], { neutral, sign }: { readonly neutral: boolean; readonly sign: string }): Seen {
  if (parts.includes(!neutral)) return !neutral;
  const truths = new Map(parts.flatMap((part) => (typeof part === 'boolean' ? [] : [[part.key, part] as const])));
  const [only, ...others] = truths.values();
  if (only === undefined) return neutral;
  if (others.length === 0) return only;
  const texts = [only, ...others].map((each) => sql`(${each.sql})`);
  return { key: `(${[...truths.keys()].join(sign)})`, sql: sql`(${sql.join(texts, words(sign))})` };
}

/** As a condition of a statement; undefined where nothing is left out. */
export const seenSql = (seen: Seen): Sql | undefined =>
  typeof seen === 'boolean' ? (seen ? undefined : words('1 = 0')) : seen.sql;

/** Records under an alias. */
export interface Rows {
  readonly resource: Resource;
  readonly alias: string;
}

export type ReadOperation = 'list' | 'get';

/** What one set of rights shows. */
export class Sight {
  readonly rights: Rights;
  readonly #ground: RuleGround;

  constructor(rights: Rights, registry: Registry, dialect: Dialect) {
    this.rights = rights;
    this.#ground = { registry, dialect };
  }

  /** Whether an operation is allowed on a record as it is. */
  allows(operation: AccessOperation, { resource, alias }: Rows): Seen {
    const grants = this.rights.on(resource.name, operation);
    if (grants === undefined) return false;
    return allOf(grants.map((each) => this.#allowed(each, alias)));
  }

  /**
   * Whether the stored record grants an update of these fields, which are shown, whatever their new values are. False also if
   * the new values, or `old` and `sent`, have a say.
   * @param names Names of the fields, by the keys of their values in a body. @param changed Keys of all that the update changes
   */
  updates(rows: Rows, names: ReadonlyMap<string, string>, changed: readonly string[]): Seen {
    const { resource, alias } = rows;
    const grants = this.rights.on(resource.name, 'update');
    if (grants === undefined) return false;
    const isUnchanged = (condition: RoleCondition | undefined): boolean =>
      changed.every((key) => condition?.readsField(resource.name, key) !== true);
    const newTruth = (rule: Rule, truth: boolean): Seen =>
      isUnchanged(rule.after) && this.#truth(rule, { alias, truth, keyword: 'after' });
    const isAllowed = (rule: Rule): Seen => {
      const { when, after } = rule;
      if (after === undefined && !isUnchanged(when)) return false;
      const stored = this.#truth(rule, { alias, truth: true });
      return after === undefined ? stored : allOf([stored, newTruth(rule, true)]);
    };
    const isNotForbidden = (rule: Rule): Seen => {
      const stored = this.#truth(rule, { alias, truth: false });
      return rule.after === undefined ? isUnchanged(rule.when) && stored : anyOf([stored, newTruth(rule, false)]);
    };
    return allOf([
      this.allows('get', rows),
      ...[...names.values()].map((name) => this.shows('get', rows, name)),
      ...grants.flatMap(({ allows, forbids }) => [
        ...forbids.map(isNotForbidden),
        ...[...names.keys()].map((key) => anyOf(allows.filter((rule) => writes(rule, key)).map(isAllowed))),
      ]),
    ]);
  }

  /** Whether a field is shown of a record that the operation shows. @param name As the record has it. */
  shows(operation: ReadOperation, { resource, alias }: Rows, name: string): Seen {
    if (name === 'id') return true;
    const grants = this.rights.on(resource.name, operation);
    if (grants === undefined) return false;
    const isShown = (rule: Rule): boolean => shows(rule, name);
    // Of what is seen one rule at least holds.
    const own = grants.map(({ allows }) => (allows.every(isShown) ? true : this.#anyHolds(allows, alias, isShown)));
    const inherited = resource.byName.get(name)?.inherits ?? [];
    return allOf([...own, ...inherited.map((each) => this.#seenBehind({ resource, alias }, each))]);
  }

  /** Whether a value that is another record's, where it is, is shown of that one. */
  #seenBehind({ resource, alias }: Rows, { when: { key, operator, literal }, from }: Inherited): Seen {
    const [step = '', further = ''] = from.split('.');
    const holder = resource.byKey.get(key);
    if (holder === undefined) return false;
    const isThere = testSql({ alias, column: holder.column, operator, literal });
    const elsewhere = {
      key: `not ${alias}.${key} ${operator} ${literal}`,
      sql: sql`case when ${isThere} then 0 else 1 end = 1`,
    };
    return anyOf([elsewhere, this.#behind({ resource, alias }, step, further)]);
  }

  /** The same of a path: a field, or one of the record to which it refers. Where there is none, nothing is hidden. */
  showsPath(operation: ReadOperation, { resource, alias }: Rows, [name = '', further]: readonly string[]): Seen {
    const own = this.shows(operation, { resource, alias }, name);
    return further === undefined ? own : allOf([own, this.#behind({ resource, alias }, name, further)]);
  }

  /** Whether a field is shown of the record to which a step leads. Where there is none, nothing is hidden. */
  #behind({ resource, alias }: Rows, step: string, name: string): Seen {
    const target = this.#targetOf(resource, step);
    if (target === undefined) return false;
    const behind = `${alias}b`;
    const seen = this.visibleField(
      { resource: target.resource, alias: behind },
      stepOf(target.resource, name)?.name ?? name,
    );
    if (typeof seen === 'boolean') return seen;
    const rows = sql`select 1 from ${sql.table(tableName(target.resource.name))} as ${sql.ref(behind)}`;
    const key = `${alias} ${step}.${name} ${seen.key}`;
    if (target.column === undefined) return { key, sql: sql`exists (${rows} where ${seen.sql})` };
    const id = sql.ref(`${alias}.${target.column}`);
    const found = sql`exists (${rows} where ${sql.ref(`${behind}.id`)} = ${id} and ${seen.sql})`;
    return { key, sql: sql`(${id} is null or ${found})` };
  }

  /** The group to which a step leads, and the column that names its record: the workspace's settings are one for all. */
  #targetOf(from: Resource, step: string): { readonly resource: Resource; readonly column?: string } | undefined {
    const { resources, workspace } = this.#ground.registry;
    if (step === 'workspace' && workspace !== undefined) return { resource: workspace };
    const field = stepOf(from, step);
    if (field?.kind !== 'reference' || !field.stored || field.inherits.length > 0) return undefined;
    const resource = resources.get(field.target);
    return resource && { resource, column: field.column };
  }

  /** What leads to the records of a list; undefined where that is the list itself. */
  ways(resource: Resource): SightWays | undefined {
    const grants = this.rights.on(resource.name, 'list') ?? [];
    for (const { allows, forbids } of grants) {
      const found = waysOf(allows, resource, this.#ground);
      // Where several sets must allow it, one of them leads to more than is seen.
      if (found !== undefined)
        return { ...found, isExact: found.isExact && forbids.length === 0 && grants.length === 1 };
    }
    return undefined;
  }

  /** Whether a record may be listed, or got. */
  visible(rows: Rows): Seen {
    return anyOf([this.allows('get', rows), this.allows('list', rows)]);
  }

  /** Whether a field is shown of a record that something else refers to. A file is shown with what names it. */
  visibleField(rows: Rows, name: string): Seen {
    if (rows.resource.name === this.#ground.registry.files?.name) return true;
    const by = (operation: ReadOperation): Seen =>
      allOf([this.allows(operation, rows), this.shows(operation, rows, name)]);
    return anyOf([by('get'), by('list')]);
  }

  /** Whether references show what a record is called. */
  named(rows: Rows): Seen {
    const { name } = rows.resource;
    if (this.rights.namesAll(name) || name === this.#ground.registry.files?.name) return true;
    const by = (operation: ReadOperation): Seen =>
      allOf([
        this.allows(operation, rows),
        ...pathsOfName(rows.resource).map((path) => this.#calls(operation, rows, path)),
      ]);
    return anyOf([by('get'), by('list')]);
  }

  /** Whether a part of what references call a record is shown: of its own, or of the record to which it refers. */
  #calls(operation: ReadOperation, rows: Rows, [name = '', step]: readonly string[]): Seen {
    const own = this.shows(operation, rows, name);
    const field = rows.resource.byName.get(name);
    const target = field?.kind === 'reference' ? this.#ground.registry.resources.get(field.target) : undefined;
    if (step === undefined || target === undefined) return own;
    const further = stepOf(target, step)?.name ?? step;
    const [only, ...others] = pathsOfName(target);
    const isItsName = others.length === 0 && only?.join('.') === further;
    if (isItsName && this.rights.namesAll(target.name)) return own;
    return this.showsPath(operation, rows, [name, further]);
  }

  #allowed({ allows, forbids }: Grants, alias: string): Seen {
    const forbidden = forbids.map((rule): Seen => this.#truth(rule, { alias, truth: false }));
    return allOf([this.#anyHolds(allows, alias, () => true), ...forbidden]);
  }

  #anyHolds(allows: readonly Rule[], alias: string, isMeant: (rule: Rule) => boolean): Seen {
    return anyOf(allows.filter(isMeant).map((rule) => this.#truth(rule, { alias, truth: true })));
  }

  /** Whether the condition of a rule is surely what is wanted; where it cannot be said, it is not. */
  #truth(rule: Rule, { alias, truth, keyword = 'when' }: TruthOptions): Seen {
    const condition = rule[keyword];
    if (condition === undefined) return truth;
    const text = surelySql(condition.tree, truth, { group: rule.group, alias, ground: this.#ground });
    return text === undefined ? false : { key: `${rule.id} ${keyword} ${alias} ${truth}`, sql: text };
  }
}

/** The field that a step of a path names: by its name, its key, or as the record behind its id. */
const stepOf = ({ byName, byKey }: Resource, step: string) =>
  byName.get(step) ?? byKey.get(step) ?? byKey.get(`${step}Id`);

/** The paths of fields by which references call records, each from a field of the record on. */
function pathsOfName(resource: Resource): readonly (readonly string[])[] {
  const paths = resource.shownAs.flatMap((part: ShownPart) => (part.kind === 'literal' ? [] : part.paths));
  return paths.flatMap((path) => {
    const [step = '', ...further] = path.split('.');
    const field = stepOf(resource, step);
    // Beyond the next record nothing is known to be shown.
    return field === undefined ? [] : [[field.name, ...(further.length === 0 ? [] : [further.join('.')])]];
  });
}
