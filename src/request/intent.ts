// The command of a caller, parsed and validated as far as the descriptor alone can tell. Knows neither HTTP nor SQL.

import type { Limits } from '../access/limits.ts';
import type { Rights } from '../access/rights.ts';
import type { Endpoint, FilterParameter, Order } from '../endpoints/routes/endpoint.ts';
import type { FieldFault } from '../problems/field-fault.ts';
import type { Field, Value, Values } from '../registry/model/model.ts';
import type { EntityTags } from '../values/entity-tag.ts';
import type { Shows } from './shows.ts';

/** Who is asking. */
export interface Caller {
  /** Names the token in logs; never the token itself. */
  readonly tokenId: string;
  /** The acting member, when the token belongs to one. */
  readonly memberId: string | null;
  /** What the token is kept to; undefined: nothing. */
  readonly limits?: Limits | undefined;
  /** What the caller may do, by its limits and the roles that count; undefined: everything. */
  readonly rights?: Rights | undefined;
  /** Names of the roles that the token was made with; undefined: none. */
  readonly roles?: readonly string[] | undefined;
  /** The member who signed in, also while the session acts for another member; undefined for an access token. */
  readonly sessionMemberId?: string | undefined;
}

/** Returns the key that limits count by: the member of a session, whose sessions share them, otherwise the token. */
export const limitKey = ({ sessionMemberId, tokenId }: Caller): string => sessionMemberId ?? tokenId;

/** Whoever has no token, and may do everything. */
export const nobody: Caller = Object.freeze({ tokenId: '', memberId: null });

/** The place in a list where a page starts. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly id: string;
}

export interface UsedFilter {
  readonly filter: FilterParameter;
  readonly value: string | number | boolean;
}

/** A body, taken apart: what may be stored, what is to be unset, and what is wrong with the rest. */
export interface BodyInput {
  /** Well-formed values by field key. Unset fields hold null. */
  readonly values: Readonly<Values>;
  /** Absent where nothing is. */
  readonly wrong?: WrongParts;
}

/** The faults found so far, so that those of later stages can join them. */
export interface BodyFaults {
  /** Those that an answer would show, by place in the record. */
  readonly first: readonly BodyFault[];
  /** Keys of all fields that are wrong, or hold something wrong. */
  readonly keys: ReadonlySet<string>;
  /** Where faults stand, in the caller's words. Of what comes after the first of them, not all. */
  readonly places: ReadonlySet<string>;
}

interface WrongParts extends BodyFaults {
  /**
   * What is well-formed of the lists and objects that have faults, by field key: their other items and fields are judged
   * too. An item that is none at all is null; items that no shown fault can come from are left out.
   */
  readonly partial: Readonly<Values>;
}

/** A fault of a body. */
export interface BodyFault extends FieldFault {
  /** Of its field in the record, as `placeOf` gives it. */
  readonly place: readonly number[];
  /** In the caller's words: `lines[0].amount`. */
  readonly at: string;
  /** Key of the field, so that rules leave alone what is already known to be wrong. */
  readonly key: string;
}

export interface Intent {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** Lower case, and as the caller wrote it (for messages). '' for lists, single records, and creates that give a new one. */
  readonly id: string;
  readonly idAsSent: string;
  readonly limit: number;
  readonly cursor: Cursor | undefined;
  /** Sorted by name, so that one set of filters is one statement. */
  readonly filters: readonly UsedFilter[];
  /** Undefined: newest first. */
  readonly order?: Order | undefined;
  /** What of each record is shown; undefined: all of it, and references as they are. */
  readonly shows?: Shows | undefined;
  /** Whether a page tells how many records pass its filters. */
  readonly counts?: boolean;
  /** Values of the parameters of a computed record, by key; those left out are not among them. */
  readonly given: Readonly<Values>;
  readonly body: BodyInput | undefined;
  /** The body of a write by a unique key, instead. */
  readonly upsert?: Upsert | undefined;
  readonly options?: RequestOptions;
}

/** Preconditions, idempotency key and preferences of a request. */
export interface RequestOptions {
  /** Tags of one of which the record that is written must have the version. */
  readonly ifMatch?: EntityTags | undefined;
  /** Tags of none of which the record may have the version; `*`: the record must not exist. */
  readonly ifNoneMatch?: EntityTags | undefined;
  /** Whether the answer is the id alone. */
  readonly isMinimal?: boolean;
  /** By what it is known when it comes again. */
  readonly key?: RequestKey | undefined;
  /** Whether everything is taken back once the answer is known. */
  readonly isTrial?: boolean;
}

/** What names a write, and tells it from another one under the same key. */
export interface RequestKey {
  readonly tokenId: string;
  /** 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** 32 bytes: a digest of all that the request asks for. */
  readonly fingerprint: Uint8Array;
  /** Caller whose stored responses count together, as `limitKey` gives it. */
  readonly owner: string;
  /** Whether the body of the response is not stored, because the caller's stored responses are too long in all. */
  readonly omitsBody?: boolean;
}

/** What has gone wrong as nobody had foreseen. */
export interface Failure {
  readonly error: unknown;
}

/** The body of a write by a unique key: what it says where there is no such record yet, and where there is one. */
export interface Upsert {
  /** What the address says of the record, by the keys of the fields of a unique key. */
  readonly where: Readonly<Values>;
  /** Whether a record has the key. */
  isOf(record: Readonly<Values>): boolean;
  /** The body of a create, with the key of the address where it does not say it itself. */
  forCreate(): BodyInput;
  /**
   * The body of an update. Fields that a create alone takes may be sent again as they are.
   * @param isKept Whether the record has this value in a field.
   */
  forUpdate(isKept: (field: Field, value: Value) => boolean): BodyInput;
}

/** What a write by a unique key has done. */
export type PutOutcome = 'created' | 'updated' | 'unchanged';

/** What an endpoint answers with: JSON, as bytes where it is long and as text where it is short, or nothing (204). */
export interface Outcome {
  readonly status: 200 | 204;
  readonly body: Buffer | string | undefined;
  /** Of one record, with its quotes. */
  readonly etag?: string | undefined;
  /** What a write by a unique key has done. */
  readonly put?: PutOutcome | undefined;
  /** Whether it is short, as its caller wanted. */
  readonly isMinimal?: boolean | undefined;
  /** Whether no operation of a batch has written; then its response is not stored. */
  readonly isUnwritten?: boolean | undefined;
  /** Whether it is the answer of an earlier request with the same key. */
  readonly isReplayed?: boolean;
  /** Of one of several operations, for the log: the others have answers nevertheless. */
  readonly failure?: Failure | undefined;
}
