// What callers may do: the rules of the roles that they hold, by group and operation, cut by the limits of their tokens.
import { type AccessOperation, type May, type Role, type Roles, type Rule, writes } from './model.ts';

/** The rules of one set of roles for one operation of one group: allowed is what some allow covers, and no forbid. */
export interface Grants {
  /** One at least. */
  readonly allows: readonly Rule[];
  readonly forbids: readonly Rule[];
  /** Whether every record is allowed with all its fields: no condition counts, and none forbids. */
  readonly isPlain: boolean;
}

/** What cuts the rights of a token, whatever its roles allow. */
export interface Cut {
  allows(group: string, operation: AccessOperation): boolean;
  may(what: May): boolean;
}

/** The roles that somebody holds. */
class RuleSet {
  readonly roles: readonly string[];
  readonly #rules: ReadonlyMap<string, readonly Rule[]>;
  readonly #may: ReadonlySet<May>;
  readonly #grants = new Map<string, Grants | undefined>();

  constructor(roles: readonly Role[]) {
    this.roles = roles.map(({ name }) => name);
    // A role that two others include is one.
    const rules = new Set(roles.flatMap((role) => role.rules));
    this.#rules = Map.groupBy(rules, ({ group }) => group);
    this.#may = new Set(roles.flatMap(({ may }) => [...may]));
  }

  /** Undefined where no rule allows it. */
  on(group: string, operation: AccessOperation): Grants | undefined {
    const word = `${operation} ${group}`;
    if (!this.#grants.has(word)) this.#grants.set(word, grantsOf(this.of(group), operation));
    return this.#grants.get(word);
  }

  may(what: May): boolean {
    return this.#may.has(what);
  }

  of(group: string): readonly Rule[] {
    return this.#rules.get(group) ?? [];
  }
}

function grantsOf(rules: readonly Rule[], operation: AccessOperation): Grants | undefined {
  const about = rules.filter(({ operations }) => operations.has(operation));
  const allows = about.filter(({ effect }) => effect === 'allow');
  const forbids = about.filter(({ effect }) => effect === 'forbid');
  if (allows.length === 0) return undefined;
  const isWhole = ({ when, after, shows, writes }: Rule): boolean =>
    when === undefined && after === undefined && shows === undefined && writes === undefined;
  return Object.freeze({ allows, forbids, isPlain: forbids.length === 0 && allows.some(isWhole) });
}

/** How much of a group an operation reaches: all records, whatever fields are, some or none. */
export function extentOf(grants: readonly Grants[] | undefined): 'all' | 'some' | 'no' {
  if (grants === undefined) return 'no';
  const isOpen = ({ when, after }: Rule): boolean => when === undefined && after === undefined;
  return grants.every(({ allows, forbids }) => forbids.length === 0 && allows.some(isOpen)) ? 'all' : 'some';
}

/**
 * What a caller may do. One object for each set of roles and limits, so that statements can be kept by it; who acts is no part
 * of it.
 */
export class Rights {
  /** Tells it from all others of the process. */
  readonly number: number;
  /** Names of the roles whose rules count: of the token, and of the member for whom it acts. */
  readonly roles: readonly string[];
  readonly #sets: readonly RuleSet[];
  readonly #cut: Cut | undefined;
  readonly #asked = new Map<string, readonly Grants[] | undefined>();

  constructor(number: number, sets: readonly RuleSet[], cut: Cut | undefined) {
    this.number = number;
    this.roles = [...new Set(sets.flatMap(({ roles }) => roles))].sort();
    this.#sets = sets;
    this.#cut = cut;
  }

  /**
   * What rules say of an operation; undefined where nothing grants it. Every entry must allow it: there is none where no roles
   * count, one for a set of roles, two where somebody acts for another. `history` needs `get` too.
   */
  on(group: string, operation: AccessOperation): readonly Grants[] | undefined {
    const word = `${operation} ${group}`;
    if (!this.#asked.has(word)) this.#asked.set(word, this.#grants(group, operation));
    return this.#asked.get(word);
  }

  #grants(group: string, operation: AccessOperation): readonly Grants[] | undefined {
    if (this.isCut(group, operation)) return undefined;
    if (operation === 'history' && this.on(group, 'get') === undefined) return undefined;
    const found: Grants[] = [];
    for (const set of this.#sets) {
      const grants = set.on(group, operation);
      if (grants === undefined) return undefined;
      found.push(grants);
    }
    return Object.freeze(found);
  }

  /** Whether every record of a group is granted, with all its fields. */
  isWhole(group: string, operation: AccessOperation): boolean {
    return this.on(group, operation)?.every(({ isPlain }) => isPlain) === true;
  }

  /** Whether the rules let a field be written in at least some records. */
  mayWrite(group: string, operation: 'create' | 'update', key: string): boolean {
    const grants = this.on(group, operation);
    return grants?.every(({ allows }) => allows.some((rule) => writes(rule, key))) === true;
  }

  /** Whether it is the limits of the token that do not let it. */
  isCut(group: string, operation: AccessOperation): boolean {
    return this.#cut?.allows(group, operation) === false;
  }

  /** Whether references show the names of a group's records, visible or not. */
  namesAll(group: string): boolean {
    const visible = this.on(group, 'list') ?? this.on(group, 'get');
    return (
      visible !== undefined &&
      this.#sets.every((set) => set.of(group).some(({ effect, namesAll }) => effect === 'allow' && namesAll))
    );
  }

  may(what: May): boolean {
    return this.#cut?.may(what) !== false && this.#sets.every((set) => set.may(what));
  }

  /** Every rule about a group, of whatever effect and operation. */
  rulesOf(group: string): readonly Rule[] {
    return [...new Set(this.#sets.flatMap((set) => set.of(group)))];
  }
}

/** Whose rights they are, by the names of roles; undefined: whatever roles there are, they do not count. */
export interface Held {
  readonly roles: readonly string[] | undefined;
  /** Those of the member for whom somebody acts, if it is another one's token. */
  readonly others?: readonly string[] | undefined;
  readonly cut?: Cut | undefined;
}

/** The rights that follow from roles and limits, each made once. */
export class RightsBook {
  readonly roles: Roles | undefined;
  readonly #sets = new Map<string, RuleSet>();
  readonly #rights = new Map<string, Map<Cut | undefined, Rights>>();
  #made = 0;

  constructor(roles: Roles | undefined) {
    this.roles = roles;
  }

  /** Undefined where nothing is refused. */
  of({ roles, others, cut }: Held): Rights | undefined {
    if (roles === undefined && others === undefined && cut === undefined) return undefined;
    const sets = [roles, others].flatMap((names) => (names === undefined ? [] : [this.#setOf(names)]));
    const word = sets.map((set) => set.roles.join()).join(' ; ');
    const byCut = this.#rights.get(word) ?? new Map<Cut | undefined, Rights>();
    this.#rights.set(word, byCut);
    let found = byCut.get(cut);
    if (found === undefined) {
      this.#made += 1;
      found = new Rights(this.#made, sets, cut);
      byCut.set(cut, found);
    }
    return found;
  }

  /** Names that no file has any more grant nothing. */
  #setOf(names: readonly string[]): RuleSet {
    const roles = [...new Set(names)].sort().flatMap((name) => this.roles?.byName.get(name) ?? []);
    const word = roles.map(({ name }) => name).join();
    const known = this.#sets.get(word) ?? new RuleSet(roles);
    this.#sets.set(word, known);
    return known;
  }
}
