// The command of a caller, parsed and validated as far as the descriptor alone can tell. Knows neither HTTP nor SQL.
import type { Endpoint, FilterParameter, Order } from '../endpoints/routes/endpoint.ts';
import type { Values } from '../registry/model/model.ts';
import type { EntityTags } from '../values/entity-tag.ts';

/** Who is asking. */
export interface Caller {
  /** Names the token in logs; never the token itself. */
  readonly tokenId: string;
  /** The acting member, when the token belongs to one. */
  readonly memberId: string | null;
}

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

/** One text for `errors`. */
export interface BodyFault {
  /** Of its field in the record, as `placeOf` gives it. */
  readonly place: readonly number[];
  /** In the caller's words: `lines[0].amount`. */
  readonly at: string;
  readonly text: string;
  /** Key of the field, so that rules leave alone what is already known to be wrong. */
  readonly key: string;
}

export interface Intent {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  /** Lower case, and as the caller wrote it (for messages). '' for lists, creates and single records. */
  readonly id: string;
  readonly idAsSent: string;
  readonly limit: number;
  readonly cursor: Cursor | undefined;
  /** Sorted by name, so that one set of filters is one statement. */
  readonly filters: readonly UsedFilter[];
  /** Undefined: newest first. */
  readonly order?: Order | undefined;
  /** Values of the parameters of a computed record, by key; those left out are not among them. */
  readonly given: Readonly<Values>;
  readonly body: BodyInput | undefined;
  readonly options?: RequestOptions;
}

/** Preconditions, idempotency key and preferences of a request. */
export interface RequestOptions {
  /** Tags of one of which the record that is written must have the version. */
  readonly ifMatch?: EntityTags | undefined;
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
}

/** What has gone wrong as nobody had foreseen. */
export interface Failure {
  readonly error: unknown;
}

/** What an endpoint answers with: JSON, as bytes where it is long and as text where it is one record, or nothing (204). */
export interface Outcome {
  readonly status: 200 | 204;
  readonly body: Buffer | string | undefined;
  /** Of one record, with its quotes. */
  readonly etag?: string | undefined;
  /** Whether it is the answer of an earlier request with the same key. */
  readonly isReplayed?: boolean;
  /** Of one of several operations, for the log: the others have answers nevertheless. */
  readonly failure?: Failure | undefined;
}
