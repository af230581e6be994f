// Gives each caller its rights: those of the roles that its token was made with, or that its member holds, cut by its limits.
import type { Limits } from '../../access/limits.ts';
import type { Roles } from '../../access/model.ts';
import { type Cut, type Rights, RightsBook } from '../../access/rights.ts';
import type { Holders } from '../../engine/access/holders.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { Caller } from '../../request/intent.ts';

interface CallerRightsParts {
  readonly registry: Registry;
  /** Undefined where there are none. */
  readonly roles: Roles | undefined;
  readonly holders: Holders | undefined;
}

export class CallerRights {
  readonly #registry: Registry;
  readonly #book: RightsBook;
  readonly #holders: Holders | undefined;
  /** What limits cut, by how they were said. */
  readonly #cuts = new Map<string, Cut>();

  constructor({ registry, roles, holders }: CallerRightsParts) {
    this.#registry = registry;
    this.#book = new RightsBook(roles);
    this.#holders = holders;
  }

  /**
   * A caller as its token names it → the same with what it may do: at once, unless records tell which roles its member holds.
   * @throws Problem as a rejection where that cannot be told
   */
  of(caller: Caller): Caller | Promise<Caller> {
    const { memberId, roles } = caller;
    if (roles === undefined && memberId !== null && this.#holders !== undefined)
      return this.#holders.of(memberId).then((held) => this.#with(caller, held));
    // Who signs in has the rights of roles, and where there are none no rights.
    const held = caller.sessionMemberId !== undefined ? (roles ?? []) : roles;
    return held === undefined && caller.limits === undefined ? caller : this.#with(caller, held);
  }

  /**
   * The same of a caller who acts for a member: both must be allowed what is done.
   * @throws Problem as a rejection where that cannot be told
   */
  async acting(caller: Caller, memberId: string): Promise<Caller> {
    const others = await this.#holders?.of(memberId);
    const own = caller.rights === undefined ? undefined : (caller.roles ?? (await this.#ownOf(caller)));
    const rights = this.#book.of({ roles: own, others, cut: this.#cutOf(caller.limits) });
    return Object.freeze({ ...caller, memberId, rights });
  }

  /** Rights of roles, for who looks at what they may do. */
  ofRoles(names: readonly string[]): Rights | undefined {
    return this.#book.of({ roles: names });
  }

  async #ownOf({ memberId }: Caller): Promise<readonly string[] | undefined> {
    return memberId === null ? undefined : this.#holders?.of(memberId);
  }

  #with(caller: Caller, roles: readonly string[] | undefined): Caller {
    const rights = this.#book.of({ roles, cut: this.#cutOf(caller.limits) });
    return rights === undefined ? caller : Object.freeze({ ...caller, rights });
  }

  #cutOf(limits: Limits | undefined): Cut | undefined {
    if (limits === undefined) return undefined;
    const said = JSON.stringify(limits.said);
    const { resources } = this.#registry;
    const cut = this.#cuts.get(said) ?? {
      allows: (group, operation) => {
        const resource = resources.get(group);
        return resource !== undefined && limits.permits(resource, operation);
      },
      may: (what) => limits.may(what),
    };
    this.#cuts.set(said, cut);
    return cut;
  }
}
