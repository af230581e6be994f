// What roles are: rules over groups, as files say them, with every condition compiled and every name resolved.
import type { Condition } from '../registry/model/model.ts';
import type { RoleCondition } from './truth.ts';

/** What a rule can be about: an operation of a group, or the history of its records. */
export type AccessOperation = (typeof accessOperations)[number];
export const accessOperations = ['list', 'get', 'create', 'update', 'delete', 'history'] as const;

/** What is no operation of a group, and is granted by itself. */
export type May = (typeof mays)[number];
export const mays = ['metrics', 'changes', 'webhooks', 'access', 'act'] as const;

/** Words that mean several operations. */
export const operationWords: Readonly<Record<string, readonly AccessOperation[]>> = {
  read: ['list', 'get'],
  write: ['create', 'update', 'delete'],
  '*': accessOperations,
};

/** The operations of a word: of `read` two, of `create` one; none for a word that there is not. */
export const operationsOf = (word: string): readonly AccessOperation[] =>
  Object.hasOwn(operationWords, word)
    ? (operationWords[word] ?? [])
    : accessOperations.filter((operation) => operation === word);

/** A rule of a role as it applies to one group: one on three groups is three of these, of the same id. */
export interface Rule {
  /** `member/own-time`; of a rule without an id `member/allow[0]`. */
  readonly id: string;
  /** The role in whose file it stands. */
  readonly role: string;
  readonly effect: 'allow' | 'forbid';
  readonly group: string;
  /** Those alone that the group has. */
  readonly operations: ReadonlySet<AccessOperation>;
  /** Of the record as it is stored; of a create as it will be. Undefined: always. */
  readonly when: RoleCondition | undefined;
  /** Of the record as it will be; knows `old` and `sent`. */
  readonly after: RoleCondition | undefined;
  /** Names of the fields that are shown, `id` always among them; undefined: all. */
  readonly shows: ReadonlySet<string> | undefined;
  /** Keys of the fields that may be written; undefined: all. */
  readonly writes: ReadonlySet<string> | undefined;
  /** The same as the file says it. */
  readonly fields: Readonly<Partial<Record<'show' | 'hide' | 'write' | 'keep', readonly string[]>>> | undefined;
  /** Whether references show the names of the group's records, visible or not. */
  readonly namesAll: boolean;
  /** Of a forbid: what the caller is told. */
  readonly because: string | undefined;
  readonly place: Place;
}

/** Whether a rule shows a field of the record. @param name As the record has it */
export const shows = (rule: Pick<Rule, 'shows'>, name: string): boolean => rule.shows?.has(name) !== false;

/** Whether a rule lets a field be written. @param key As the body has it */
export const writes = (rule: Pick<Rule, 'writes'>, key: string): boolean => rule.writes?.has(key) !== false;

/** Where something stands in the file of a role. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** JSON pointer. */
  readonly pointer: string;
}

/** Reports a fault at a path of a role's file. */
export type Report = (path: (string | number)[], text: string, rule: string) => void;

/** A case of which a role says how it ends. */
export interface Example {
  /** The record of the acting member; undefined: nobody acts. */
  readonly as: Readonly<Record<string, unknown>> | undefined;
  readonly to: AccessOperation;
  readonly on: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Other records, by group and id. */
  readonly records: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly isAllowed: boolean;
  /** The rule that decides, by its id in the role or in full. */
  readonly by: string | undefined;
  readonly place: Place;
}

export interface Role {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly file: string;
  /** Over `me`, `workspace` and collections; undefined: tokens alone hold it. */
  readonly heldBy: Condition | undefined;
  readonly includes: readonly string[];
  /** Its own in the order of the file, then those of the roles that it includes. */
  readonly rules: readonly Rule[];
  /** Those of the roles that it includes, too. */
  readonly may: ReadonlySet<May>;
  readonly examples: readonly Example[];
}

/** All roles of a folder. */
export interface Roles {
  /** In the order of their names. */
  readonly byName: ReadonlyMap<string, Role>;
}
