// The members who may sign in: found by the name that they type, or by their id.
import type { Groups } from '../engine/plan/groups.ts';
import type { Resource, Values } from '../registry/model/model.ts';
import { credentialTableName, hasPassword } from '../storage/credentials.ts';
import type { Session } from '../storage/schema/session.ts';
import { keyColumn, tableName } from '../storage/schema/tables.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { keyHash } from '../values/fold.ts';

/** Who signs in, as the descriptor of the acting members says it. */
export type SigningIn = Resource & { readonly signIn: NonNullable<Resource['signIn']> };

/** The group of acting members, where its descriptor says how they sign in. */
export function signingIn(groups: Pick<Groups, 'registry'>): SigningIn | undefined {
  const { actors, resources } = groups.registry;
  const group = actors === undefined ? undefined : resources.get(actors);
  return group?.signIn === undefined ? undefined : { ...group, signIn: group.signIn };
}

/** Somebody of that name, and the hash of the password, as far as there are any. */
interface Named {
  readonly id: string | undefined;
  readonly kept: string | undefined;
}

export class Members {
  readonly #unit: UnitOfWork;
  readonly #groups: Groups;
  readonly #group: SigningIn;
  readonly #byName: string;
  readonly #withPassword: string;

  constructor(groups: Groups, unit: UnitOfWork, group: SigningIn) {
    this.#groups = groups;
    this.#unit = unit;
    this.#group = group;
    const { quote } = groups.dialect;
    const table = quote(tableName(group.name));
    const key = quote(keyColumn(group.signIn.name.column));
    this.#byName = `select id from ${table} where ${key} = ?`;
    this.#withPassword = `select m.id, c.secret from ${table} m
      left join ${quote(credentialTableName)} c on c.kind = 'password' and c.member_id = m.id where m.${key} = ?`;
  }

  /** Title of the group: `Member`. */
  get title(): string {
    return this.#group.title;
  }

  /** Whether the name that members type is an address of e-mail. */
  get isNamedByEmail(): boolean {
    const { name } = this.#group.signIn;
    return name.kind === 'text' && name.format === 'email';
  }

  /** One statement, whoever there is. */
  async named(name: string): Promise<Named> {
    const [[id, kept] = []] = await this.#unit.read(this.#withPassword, [keyHash(name)]);
    return { id: id === undefined ? undefined : String(id), kept: typeof kept === 'string' ? kept : undefined };
  }

  /** Whether a member still has the password that is kept so, until the end of a transaction. */
  hasPassword(session: Pick<Session, 'all'>, memberId: string, kept: string): Promise<boolean> {
    return hasPassword(session, { memberId, kept, forUpdate: this.#groups.dialect.forUpdate });
  }

  /** @returns the id of who has this name, without case */
  async find(name: string): Promise<string | undefined> {
    const [[id] = []] = await this.#unit.read(this.#byName, [keyHash(name)]);
    return id === undefined ? undefined : String(id);
  }

  async isThere(id: string): Promise<boolean> {
    const { rows } = this.#groups.get(this.#group.name);
    return (await rows.existing(this.#unit.direct, [id])).has(id);
  }

  /** Which of these members there are, and may sign in. */
  async among(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { rows } = this.#groups.get(this.#group.name);
    const records = await rows.records(this.#unit.direct, ids);
    return new Set([...records].flatMap(([id, record]) => (this.#maySignIn(record) ? [id] : [])));
  }

  #maySignIn(record: Values): boolean {
    const { when } = this.#group.signIn;
    return when === undefined || when.test(record);
  }
}
