// What every generated client runs on: one call, with retries, timeouts and errors. It imports nothing and needs only
// `fetch`, so that it runs in Node, browsers, Deno and Bun, and can be copied into a file that is generated elsewhere.

export interface PraxisOptions {
  /** Where the API is: `https://api.example.com/api`, or `/api` in a page of the same origin. */
  readonly baseUrl: string;
  /** An access token, or what gives one: asked before each request, so that it may change. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long a call may take in all, its repeats and the pauses between them included; 30 seconds by default; `Infinity` for no end. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is sent again; 2 by default, 0 for never: after 429, 502, 503, 504 and lost connections. Creates and
   * batches have a key by which the service knows them again, so that nothing is done twice; an update without one is
   * sent again only when it was not done for certain (429, a 503 of the service itself, no connection).
   */
  readonly maxRetries?: number | undefined;
  /** Instead of the global one: to watch requests, or to pass a proxy. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Answer>) | undefined;
}

/** What of a `Response` is looked at. */
/** `blob` for downloads alone. */
type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'text'> & Partial<Pick<Response, 'blob'>>;

/** Of one call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  readonly timeoutMs?: number | undefined;
}

/** Of one write. */
export interface WriteOptions extends CallOptions {
  /**
   * What the write is known by, 1 to 255 visible ASCII characters: sent again within 24 hours, it is answered as the first
   * time. Creates and batches have one of their own where none is given.
   */
  readonly idempotencyKey?: string | undefined;
  /** Everything is done and answered as it would be, and then taken back. */
  readonly dryRun?: boolean | undefined;
  /** Whether the answer is the id alone, which is quicker. */
  readonly minimal?: boolean | undefined;
}

/** Of a write to a record that is there. */
export interface ChangeOptions extends WriteOptions {
  /** Tags of which the record must have the version: what `etagOf` gives. Else the write is refused with 412. */
  readonly ifMatch?: string | undefined;
}

/** What a delete would do: how many records, by the path of their group without its slash. */
export interface DeleteTrial {
  readonly deletes: Readonly<Record<string, number>>;
  readonly clears: Readonly<Record<string, number>>;
}

/** How many records of a group refer to one that cannot be deleted. */
export interface UsedBy {
  /** Path of the group, without its slash; null of those that the caller may not list. */
  readonly group: string | null;
  /** Up to 10,000; not there where the group is null. */
  readonly count?: number;
  /** There where there are more. */
  readonly countIsLowerBound?: true;
}

const etags = new WeakMap<object, string>();
const outcomes = new WeakMap<object, string>();

/** What `put` has done with a record: `created`, `updated` or `unchanged`. */
export const outcomeOf = (record: object): string | undefined => outcomes.get(record);

/** The tag of a record that was read or written with a client, to be sent as `ifMatch`. */
export const etagOf = (record: object): string | undefined => etags.get(record);

/** A fault of one field of a body. */
export interface FieldFault {
  /** The whole sentence: `'name' is required`. */
  readonly message: string;
  /** A stable code, such as `required`: see the guide on errors. */
  readonly code: string;
  /** The field, such as `lines[0].amount`; undefined if the fault is not of a field of the body. */
  readonly field: string | undefined;
}

/**
 * The service answered that it did not do what was asked. The message is the service's own; as a text it says what was asked and all
 * that is wrong: `ValidationError: clients.create: 400 'name' is required`. What is often told apart has a class of its own.
 */
export class PraxisError extends Error {
  /** Of the class: its own name may have become a letter in a bundle. */
  protected static readonly kind: string = 'PraxisError';
  override readonly name: string;
  /** Of HTTP: 400, 404, 409 … */
  readonly status: number;
  /** A stable code, such as `record-changed`: see the guide on errors. Undefined if a proxy answered. */
  readonly code: string | undefined;
  /** Field of the first fault, such as `lines[0].amount`; undefined if the error is not of a field. */
  readonly field: string | undefined;
  /** Faults of a body, each with its code and its field; empty for other errors. */
  readonly faults: readonly FieldFault[];
  /** What is wrong with a body, one text a problem; empty for other errors. */
  readonly errors: readonly string[];
  /** Of a delete that is refused: what refers to the record; empty for other errors. */
  readonly usedBy: readonly UsedBy[];
  /** Under which the service has logged the request. */
  readonly requestId: string | undefined;
  /** `clients.create` */
  readonly operation: string;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined;
  /** Whether this was a write that may have been done all the same. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, facts: Omit<PraxisError, 'name' | 'message' | 'stack' | 'cause' | 'toString'>) {
    super(message);
    this.name = new.target.kind;
    this.status = facts.status;
    this.code = facts.code;
    this.field = facts.field;
    this.faults = facts.faults;
    this.errors = facts.errors;
    this.usedBy = facts.usedBy;
    this.requestId = facts.requestId;
    this.operation = facts.operation;
    this.retryAfter = facts.retryAfter;
    this.outcomeUnknown = facts.outcomeUnknown;
    // What nobody catches is shown by its stack, which some engines begin with the message, and others do not.
    const end = this.stack?.indexOf(`: ${message}`) ?? -1;
    if (this.stack !== undefined && /^[\w$]+$/.test(this.stack.slice(0, Math.max(0, end))))
      this.stack = `${this}${this.stack.slice(end + 2 + message.length)}`;
  }

  override toString(): string {
    const texts = this.errors.length > 0 ? this.errors.join('; ') : this.message;
    return `${this.name}: ${this.operation}: ${this.status} ${texts}`;
  }
}

/** 400: the request does not fit; `errors` tells what is wrong with a body. */
export class ValidationError extends PraxisError {
  protected static override readonly kind = 'ValidationError';
}

/** 401: there is no token, or it is not valid. */
export class AuthenticationError extends PraxisError {
  protected static override readonly kind = 'AuthenticationError';
}

/** 403: the caller may not do it, or the workspace does not offer it, because a feature is off. */
export class ForbiddenError extends PraxisError {
  protected static override readonly kind = 'ForbiddenError';
}

/** 404: there is no such record. */
export class NotFoundError extends PraxisError {
  protected static override readonly kind = 'NotFoundError';
}

/** 409, and 422 of an `idempotencyKey` that was another request's: it does not go with what is there. */
export class ConflictError extends PraxisError {
  protected static override readonly kind = 'ConflictError';
}

/** 410: the log of changes no longer has what is asked for; after a cursor that is too old, the records are to be read anew. */
export class GoneError extends PraxisError {
  protected static override readonly kind = 'GoneError';
}

/** 412, 428: the record has changed since it was read, or `ifMatch` must say which version is meant. */
export class PreconditionError extends PraxisError {
  protected static override readonly kind = 'PreconditionError';
}

/** 429: there were too many requests; `retryAfter` says when to come back. */
export class RateLimitError extends PraxisError {
  protected static override readonly kind = 'RateLimitError';
}

/** 502, 503, 504: the service, or its database, cannot answer for the moment. */
export class UnavailableError extends PraxisError {
  protected static override readonly kind = 'UnavailableError';
}

/** Any other status is a `PraxisError` and no more. */
const kinds: Readonly<Record<number, typeof PraxisError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionError,
  422: ConflictError,
  428: PreconditionError,
  429: RateLimitError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

class Unanswered extends Error {
  /** `clients.create` */
  readonly operation: string;
  /** Whether this was a write that may have been done all the same. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, facts: { operation: string; outcomeUnknown: boolean; cause?: unknown }) {
    super(`${facts.operation}: ${message}`, facts.cause === undefined ? {} : { cause: facts.cause });
    this.operation = facts.operation;
    this.outcomeUnknown = facts.outcomeUnknown;
  }
}

/** There was no connection, or it was lost before the answer was complete. What `fetch` said is the cause. */
export class PraxisConnectionError extends Unanswered {
  override readonly name = 'PraxisConnectionError';
}

/** The call took longer than it may. */
export class PraxisTimeoutError extends Unanswered {
  override readonly name = 'PraxisTimeoutError';
}

/** What is undefined is left out. */
type Chosen<Query> = { readonly [Name in keyof Query]?: Query[Name] | undefined };

/**
 * What of a record is shown: with `expand`, records in place of references to them; with `fields`, these fields alone. Paths lead
 * further, as in `lines.project.client`.
 */
export interface ShowOptions<Path extends string = string, Name extends string = string> {
  readonly expand?: readonly Path[] | undefined;
  readonly fields?: readonly Name[] | undefined;
}

/** A group, as references lead to it. */
interface GroupNode {
  readonly record: unknown;
  /** The records behind the references of its records, by the names of these. */
  readonly expanded: unknown;
  /** The groups that its references lead to, by their paths: `client`, `lines.project`. */
  readonly leads: object;
}

type LeadOf<Node extends GroupNode> = keyof Node['leads'] & string;

/** The group that a path of one reference leads to. */
type Next<Node extends GroupNode, Path> = Path extends keyof Node['leads']
  ? Node['leads'][Path] extends infer To extends GroupNode
    ? To
    : never
  : never;

/** The path, if it leads to records. Otherwise the valid paths of that place, so that the compiler names the nearest. */
type ExpandPath<Path extends string, Node extends GroupNode, At extends string = ''> =
  Path extends LeadOf<Node>
    ? `${At}${Path}`
    : [FurtherPath<Path, Node, At>] extends [never]
      ? `${At}${LeadOf<Node>}`
      : FurtherPath<Path, Node, At>;

type FurtherPath<Path extends string, Node extends GroupNode, At extends string> = {
  [Lead in LeadOf<Node>]: Path extends `${Lead}.${infer Rest}`
    ? ExpandPath<Rest, Next<Node, Lead>, `${At}${Lead}.`>
    : never;
}[LeadOf<Node>];

/** An object of a field, or the items of a list. */
type Inside<Value> = NonNullable<Value> extends readonly (infer Item)[] ? NonNullable<Item> : NonNullable<Value>;

/** A path of `fields`, as `ExpandPath` has one of `expand`. `In` is the list or object of the record that the path has led into. */
type FieldPath<
  Path extends string,
  Item,
  Node extends GroupNode,
  At extends string = '',
  In extends string = '',
> = Path extends keyof Item
  ? `${At}${Path}`
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Item
      ? `${In}${Head}` extends LeadOf<Node>
        ? FieldPath<
            Rest,
            Inside<Item[Head]> & Next<Node, `${In}${Head}`>['record'] & { readonly name: string },
            Next<Node, `${In}${Head}`>,
            `${At}${Head}.`
          >
        : Inside<Item[Head]> extends object
          ? FieldPath<Rest, Inside<Item[Head]>, Node, `${At}${Head}.`, `${In}${Head}.`>
          : `${At}${keyof Item & string}`
      : `${At}${keyof Item & string}`
    : `${At}${keyof Item & string}`;

/** The type itself if all its literals are among the checked ones; otherwise these, so that the compiler names the nearest. */
type Checked<Literal extends string, Valid> = string extends Literal
  ? Literal
  : Literal extends Valid
    ? Literal
    : Valid;

/** `ShowOptions` for a group: a literal that its records do not have as a path does not compile. */
interface Showing<Path extends string, Name extends string, Item, Node extends GroupNode> {
  readonly expand?: readonly Checked<Path, ExpandPath<Path, Node>>[] | undefined;
  readonly fields?: readonly Checked<Name, FieldPath<Name, Item, Node>>[] | undefined;
}

type HeadOf<Path extends string> = Path extends `${infer Head}.${string}` ? Head : Path;

/** A record with the records of `Behind` in place of some references. Where paths are no literals, the record as it always is. */
type Expanded<Item, Behind, Path extends string> = string extends Path
  ? Item
  : [HeadOf<Path> & keyof Behind] extends [never]
    ? Item
    : Omit<Item, HeadOf<Path> & keyof Behind> & Pick<Behind, HeadOf<Path> & keyof Behind>;

/** What is shown of a record. Lists and objects of which parts are shown have the type of the whole. */
export type Shown<Item, Behind, Path extends string, Name extends string> = [Name] extends [never]
  ? Expanded<Item, Behind, Path>
  : string extends Name
    ? Partial<Expanded<Item, Behind, Path>>
    : Pick<Expanded<Item, Behind, Path>, ('id' | HeadOf<Name>) & keyof Expanded<Item, Behind, Path>>;

/** A part of a list. */
export interface Page<Item> {
  results: Item[];
  hasMore: boolean;
  /** With `count`: how many records pass the filters, up to 10,000. */
  count?: number;
  /** There where there are more. */
  countIsLowerBound?: true;
}

/** @param Node The group, and where its references lead. */
export interface Lists<Item, Query, Node extends GroupNode = GroupNode> {
  /** One page, newest first. */
  list<const Path extends string = never, const Name extends string = never>(
    query?: Chosen<Query> & Showing<Path, Name, Item, Node>,
    options?: CallOptions,
  ): Promise<Page<Shown<Item, Node['expanded'], Path, Name>>>;
  /** Counts, sums, means and extremes of the records that pass the filters. */
  summary<
    const By extends string = never,
    const Sum extends string = never,
    const Avg extends string = never,
    const Least extends string = never,
    const Greatest extends string = never,
  >(
    query?: Chosen<Omit<Query, Paging>> & SummaryOptions<By, Sum, Avg, Least, Greatest>,
    options?: CallOptions,
  ): Promise<Summary<Item, By, Sum, Avg, Least, Greatest>>;
  /** Every record that passes, newest first: page after page, each read when it is needed; `limit` (100) is the size of a page. */
  all<const Path extends string = never, const Name extends string = never>(
    query?: Chosen<Omit<Query, 'endingBefore' | 'count'>> & Showing<Path, Name, Item, Node>,
    options?: CallOptions,
  ): AsyncGenerator<Shown<Item, Node['expanded'], Path, Name>, void, undefined>;
}
/** What tells groups of records apart, and what is added up of each. Names may lead on: `project.client`, `date.month`, `lines.amount`. */
export interface SummaryOptions<
  By extends string,
  Sum extends string,
  Avg extends string,
  Least extends string,
  Greatest extends string,
> {
  readonly by?: readonly By[] | undefined;
  readonly sum?: readonly Sum[] | undefined;
  readonly avg?: readonly Avg[] | undefined;
  readonly min?: readonly Least[] | undefined;
  readonly max?: readonly Greatest[] | undefined;
  readonly count?: boolean | undefined;
  /** `by`, `-count`, `sum.minutes` … */
  readonly order?: string | undefined;
  /** Of groups: 100, at most 1,000. */
  readonly limit?: number | undefined;
}

/** The group of a dimension: as the record shows its field; what leads on is a text, a reference or a switch. */
type GroupOf<Item, Name extends string> = Name extends keyof Item ? Item[Name] : unknown;

/** What records come to. */
export interface Summary<
  Item,
  By extends string,
  Sum extends string,
  Avg extends string,
  Least extends string,
  Greatest extends string,
> {
  readonly results: readonly {
    readonly by: { readonly [Name in By]: GroupOf<Item, Name> };
    readonly count: number;
    readonly sum: { readonly [Name in Sum]: number };
    readonly avg: { readonly [Name in Avg]: number | null };
    readonly min: { readonly [Name in Least]: GroupOf<Item, Name> | null };
    readonly max: { readonly [Name in Greatest]: GroupOf<Item, Name> | null };
  }[];
  readonly hasMore: boolean;
  readonly rows: number;
}

type Paging = 'startingAfter' | 'endingBefore' | 'limit' | 'sort' | 'count';

export interface Gets<Item, Node extends GroupNode = GroupNode> {
  get<const Path extends string = never, const Name extends string = never>(
    id: string,
    options?: CallOptions & Showing<Path, Name, Item, Node>,
  ): Promise<Shown<Item, Node['expanded'], Path, Name>>;
}
export interface Creates<Item, Body> {
  create(body: Body, options: WriteOptions & { readonly minimal: true }): Promise<{ id: string }>;
  create(body: Body, options?: WriteOptions): Promise<Item>;
}
export interface Updates<Item, Body> {
  /** Changes the fields that are in the body and no others. */
  update(id: string, body: Body, options: ChangeOptions & { readonly minimal: true }): Promise<{ id: string }>;
  update(id: string, body: Body, options?: ChangeOptions): Promise<Item>;
}
export interface PutOptions extends ChangeOptions {
  /** Refuses to change: where there is a record with the key, the write is refused with 412. */
  readonly onlyNew?: boolean | undefined;
}
export interface Puts<Item, Key, Body> {
  /** Makes the record with this unique key, or changes the one that has it (an upsert); `outcomeOf` tells which. */
  put(key: Key, body: Body, options: PutOptions & { readonly minimal: true }): Promise<{ id: string }>;
  put(key: Key, body: Body, options?: PutOptions): Promise<Item>;
}
/** Of an upload. */
export interface UploadOptions extends WriteOptions {
  /** What it is called; a `File` of a browser tells by itself. */
  readonly fileName?: string | undefined;
  /** What it is, a media type, which its bytes must fit; a `Blob` tells by itself. */
  readonly contentType?: string | undefined;
}
/** Of the group of files, which a project has whose records hold any. @public */
export interface Files<Item> {
  /** Uploads the bytes of a file; a create or an update then names it by its id. */
  upload(bytes: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>, options?: UploadOptions): Promise<Item>;
  /** The bytes of a file, with its type. */
  download(id: string, options?: CallOptions): Promise<Blob>;
}
export interface Deletes {
  delete(id: string, options: ChangeOptions & { readonly dryRun: true }): Promise<DeleteTrial>;
  delete(id: string, options?: ChangeOptions): Promise<void>;
}
/** Of groups that are one record, as the next two. */
export interface GetsSingle<Item, Node extends GroupNode = GroupNode> {
  get<const Path extends string = never, const Name extends string = never>(
    options?: CallOptions & Showing<Path, Name, Item, Node>,
  ): Promise<Shown<Item, Node['expanded'], Path, Name>>;
}
/** Of groups whose one record is computed of what is asked. @public Not every folder of descriptors has such a group. */
export interface Asks<Item, Query> {
  get(query?: Chosen<Query>, options?: CallOptions): Promise<Item>;
}
export interface UpdatesSingle<Item, Body> {
  update(body: Body, options: ChangeOptions & { readonly minimal: true }): Promise<{ id: string }>;
  update(body: Body, options?: ChangeOptions): Promise<Item>;
}

/** In place of a value: a part of the answer to an earlier operation of a batch, such as `acme.id`. @public Part of the type of a client. */
export interface FromResult {
  readonly $from: string;
}
type Filled<Value> =
  | FromResult
  | (Value extends readonly (infer Item)[]
      ? readonly Filled<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value]: Filled<Value[Key]> }
        : Value);
type FilledBody<Body> = { readonly [Key in keyof Body]: Filled<Body[Key]> };

interface Named {
  /** What later operations call its answer. */
  readonly as?: string;
}
interface Matched extends Named {
  readonly ifMatch?: string | FromResult;
}

/** The operations that a group with this path offers; ids and queries stand in the path. */
type OperationsAt<Path extends string, Group> =
  | (Group extends Creates<unknown, infer Body>
      ? Named & { readonly method: 'POST'; readonly path: Path; readonly body: FilledBody<Body> }
      : never)
  | (Group extends Updates<unknown, infer Body>
      ? Matched & { readonly method: 'PATCH'; readonly path: `${Path}/${string}`; readonly body: FilledBody<Body> }
      : never)
  | (Group extends UpdatesSingle<unknown, infer Body>
      ? Matched & { readonly method: 'PATCH'; readonly path: Path; readonly body: FilledBody<Body> }
      : never)
  | (Group extends Puts<unknown, never, infer Body>
      ? Matched & { readonly method: 'PUT'; readonly path: `${Path}?${string}`; readonly body: FilledBody<Body> }
      : never)
  | (Group extends Deletes ? Matched & { readonly method: 'DELETE'; readonly path: `${Path}/${string}` } : never)
  | (Named & { readonly method: 'GET'; readonly path: Path | `${Path}/${string}` | `${Path}?${string}` });

/** @param Paths What each path offers. */
type BatchOperation<Paths> = {
  readonly [Path in keyof Paths & string]: OperationsAt<Path, Paths[Path]>;
}[keyof Paths & string];

/** What the answer to an operation holds. */
type AnswerAt<Operation, Path extends string, Group> = Operation extends { method: 'POST'; path: Path }
  ? Group extends Creates<infer Item, never>
    ? Item
    : never
  : Operation extends { method: 'PUT'; path: `${Path}?${string}` }
    ? Group extends Puts<infer Item, never, never>
      ? Item
      : never
    : Operation extends { method: 'PATCH'; path: Path | `${Path}/${string}` }
      ? Group extends Updates<infer Item, never> | UpdatesSingle<infer Item, never>
        ? Item
        : never
      : Operation extends { method: 'GET'; path: `${Path}/${string}` }
        ? Group extends Gets<infer Item>
          ? Item
          : never
        : Operation extends { method: 'GET'; path: Path | `${Path}?${string}` }
          ? Group extends Lists<infer Item, never>
            ? Page<Item>
            : Group extends GetsSingle<infer Item>
              ? Item
              : never
          : never;
type AnswerOf<Operation, Paths> = Operation extends { method: 'DELETE' }
  ? null
  : { readonly [Path in keyof Paths & string]: AnswerAt<Operation, Path, Paths[Path]> }[keyof Paths & string];

/** The answer to one operation of a batch. */
export interface BatchResult<Body> {
  /** As of a request of its own. */
  readonly status: number;
  readonly body: Body;
  /** Of one record. */
  readonly etag?: string;
  /** Of `PUT`: what was done. */
  readonly outcome?: 'created' | 'updated' | 'unchanged';
}

/** Why an operation was refused that stands for itself. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** As of `PraxisError`. */
  readonly code?: string;
  readonly errors?: readonly string[];
  readonly faults?: readonly FieldFault[];
  readonly usedBy?: readonly UsedBy[];
}

/** @param Paths What each path offers. */
export interface Batches<Paths> {
  /**
   * Several operations in one request, up to 1,000, in their order: all of them, or none where one is refused. With
   * `atomic: false` each stands for itself: what was refused is among the answers, by its status.
   */
  <const Operations extends readonly BatchOperation<Paths>[]>(
    operations: Operations,
    options?: WriteOptions & { readonly atomic?: true },
  ): Promise<{ readonly [Place in keyof Operations]: BatchResult<AnswerOf<Operations[Place], Paths>> }>;
  <const Operations extends readonly BatchOperation<Paths>[]>(
    operations: Operations,
    options: WriteOptions & { readonly atomic: boolean },
  ): Promise<{ readonly [Place in keyof Operations]: BatchResult<AnswerOf<Operations[Place], Paths> | Refusal> }>;
}

/** Whether something may be done with all records of a group, with some, or not. */
type Extent = 'all' | 'some' | 'no';
type AccessOperation = 'list' | 'get' | 'create' | 'update' | 'delete' | 'history';

/** What the caller may do. */
export interface Access<Group extends string = string> {
  readonly member: { readonly id: string; readonly name: string } | null;
  readonly roles: readonly string[];
  readonly limits: { readonly readOnly: boolean; readonly allow: readonly string[] };
  readonly may: readonly string[];
  /** By the names of the groups: operations that a group does not offer are not there; `hidden` and `kept` are fields. */
  readonly groups: {
    readonly [Name in Group]: { readonly [Operation in AccessOperation]?: Extent } & {
      readonly hidden: readonly string[];
      readonly kept: readonly string[];
    };
  };
}

/** What may be done with a record, and the rules that decide. */
export interface RecordAccess {
  readonly operations: {
    readonly [Operation in AccessOperation]?: {
      readonly allowed: boolean;
      readonly by: readonly string[];
      readonly forbiddenBy: readonly string[];
      readonly because?: string;
      /** A rule looks at what the write will leave. */
      readonly mayDependOnChange?: true;
    };
  };
  readonly hidden: readonly string[];
  readonly kept: readonly string[];
  /** With `member`: every rule about the group. */
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

/** What one write did to one record. Of one that is `gone` there is no more than its group and its id. */
export interface ChangeEntry<Group extends string = string> {
  /** In the feed. */
  readonly position?: string;
  /** In histories. */
  readonly entry?: string;
  readonly write: string;
  readonly part?: number;
  readonly parts?: number;
  /** Of a batch: which operation did it. */
  readonly step?: number;
  readonly at: string;
  readonly operation: 'create' | 'update' | 'delete' | 'gone' | 'reset';
  /** Of `reset`, null means all groups. */
  readonly group: Group | null;
  readonly path?: string | null;
  readonly id: string | null;
  readonly name?: string | null;
  readonly version?: number | null;
  /** By the keys of the fields, as bodies have them; null where they are too long, and the record must be read. */
  readonly changes?: Readonly<
    Record<string, { readonly from?: unknown; readonly to?: unknown; readonly removed?: unknown }>
  > | null;
  readonly isLong?: true;
  readonly cause?: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly also?: Readonly<Record<string, string>>;
  readonly by?: {
    readonly member: { readonly id: string; readonly name?: string } | null;
    readonly token: { readonly id: string | null; readonly name: string };
  } | null;
  readonly request?: string | null;
  readonly trace?: string | null;
}

/** Which entries are wanted. */
export interface ChangesQuery<Group extends string = string> {
  /** The cursor of an earlier page; `now`: what comes from here on. Without it from the oldest entry on. */
  readonly after?: string | undefined;
  /** The same, from there back, the newest entry first; of `pages` alone. */
  readonly before?: string | undefined;
  /** Of a page: 100, at most 1,000. */
  readonly limit?: number | undefined;
  readonly group?: Group | readonly Group[] | undefined;
  /** One record; with one group. */
  readonly id?: string | undefined;
  readonly operation?: readonly ChangeEntry['operation'][] | undefined;
  readonly cause?: readonly string[] | undefined;
  /** Who wrote. */
  readonly member?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** A part of the feed, oldest first, or newest first with `before`. Keep the cursor with what you have made of the entries: from there it goes on. */
export interface ChangePage<Group extends string = string> {
  readonly results: readonly ChangeEntry<Group>[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

interface Changes<Group extends string = string> {
  /** Page after page, up to the end of the log; with `before`, back to its beginning. */
  pages(query?: ChangesQuery<Group>, options?: CallOptions): AsyncGenerator<ChangePage<Group>, void, undefined>;
  /**
   * The same, and then waits for what comes, without an end: `signal` ends it. While the service cannot be reached, it tries
   * again. @throws GoneError where the cursor is too old
   */
  follow(
    query?: Omit<ChangesQuery<Group>, 'before'> & { readonly wait?: number | undefined },
    options?: CallOptions,
  ): AsyncGenerator<ChangePage<Group>, void, undefined>;
}

/** A part of the history of a record, newest first. */
export interface History<Group extends string = string> {
  readonly results: readonly ChangeEntry<Group>[];
  readonly hasMore: boolean;
  /** Whether the log is older than the record, and this is the end. */
  readonly isComplete: boolean;
}

/** A page of the entries of a write, in their order. */
interface WritePage<Group extends string = string> {
  readonly results: readonly ChangeEntry<Group>[];
  readonly hasMore: boolean;
}

interface WritePageOptions {
  /** 100 by default, at most 1000. A page is shorter if its entries are long. */
  readonly limit?: number | undefined;
  /** The `entry` of a result: later ones. */
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
}

export interface HistoryOptions {
  /** 10, at most 100. */
  readonly limit?: number | undefined;
  /** The `entry` of a result: older ones. */
  readonly startingAfter?: string | undefined;
  readonly endingBefore?: string | undefined;
  /** Whether entries of figures are shown. */
  readonly figures?: boolean | undefined;
}

/** What is asked beside groups, by their names. What needs the log of changes is 404 where there is none. */
export interface Services<Group extends string = string> {
  /** What the caller may do with each group. */
  access(options?: CallOptions): Promise<Access<Group>>;
  /** What the caller, or a member, may do with a record, and why. */
  can(
    group: Group,
    id: string,
    options?: CallOptions & { readonly member?: string | undefined },
  ): Promise<RecordAccess>;
  /** The feed of what has changed. */
  readonly changes: Changes<Group>;
  /** What became of a record; of a group of one record without an id. */
  history(group: Group, id?: string, options?: CallOptions & HistoryOptions): Promise<History<Group>>;
  /** Reads a page of all that a write did. */
  write(write: string, options?: CallOptions & WritePageOptions): Promise<WritePage<Group>>;
  /** Takes back what the caller of a write has changed, as a new write. */
  undo(write: string, options?: WriteOptions): Promise<{ readonly write: string; readonly undoes: string }>;
}

/** A message of a webhook. */
export interface WebhookMessage<Group extends string = string> {
  /** `invoice.updated`; `praxis.test` of a test, whose data are none. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: ChangeEntry<Group>;
}

/** A message whose signature is wrong, or whose time is not about now. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** How far the clock of who has sent a message may be off. */
const webhookToleranceMs = 5 * 60 * 1000;

/**
 * Makes sure that a message of a webhook comes from who knows its secret (Standard Webhooks). Pass over one whose `webhook-id` you
 * have seen.
 * @param body As it came, before it is parsed. @param secret `whsec_…`
 * @throws WebhookSignatureError
 */
export async function verifyWebhook<Group extends string = string>(
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookMessage<Group>> {
  const header = (name: string): string =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const timestamp = header('webhook-timestamp');
  if (!(Math.abs(Date.now() - Number(timestamp) * 1000) <= webhookToleranceMs))
    throw new WebhookSignatureError('The message is not of about now.');
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret.replace(/^whsec_/, '')), hmac, false, ['verify']);
  const signed = new TextEncoder().encode(`${header('webhook-id')}.${timestamp}.${body}`);
  for (const each of header('webhook-signature').split(' ')) {
    const [, signature] = /^v1,([\w+/]{43}=)$/.exec(each) ?? [];
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, bytes(signature), signed)))
      return JSON.parse(body) as WebhookMessage<Group>;
  }
  throw new WebhookSignatureError('The signature is wrong.');
}

/** What a generated client knows of a group. */
export interface Group {
  /** Its name: `time-entry`. */
  readonly group: string;
  readonly path: string;
  readonly operations: readonly ('list' | 'get' | 'create' | 'update' | 'put' | 'delete' | 'files')[];
  /** There is one record, without an id; `asked`: its `get` takes a query. */
  readonly single?: 'kept' | 'asked';
}

/**
 * Makes a client of a table of groups.
 * @throws TypeError for a `baseUrl` that is none, RangeError for a time or a number of repeats that cannot be.
 */
export function connect<Client>(groups: Readonly<Record<string, Group>>, options: PraxisOptions): Client {
  const { baseUrl, timeoutMs = 30_000, maxRetries = 2 } = options;
  checkBase(baseUrl);
  checkTime(timeoutMs);
  if (!(maxRetries >= 0)) throw new RangeError(`maxRetries must be 0 or more, not ${maxRetries}.`);
  const base = baseUrl.replace(/\/+$/, '');
  const headers = Object.fromEntries(
    new Headers({ accept: 'application/json, application/problem+json', ...options.headers }),
  );
  const settings: Settings = { ...options, maxRetries, timeoutMs, headers };
  const send: Send = (request) => answerTo({ ...request, path: `${base}${request.path}` }, settings);
  const entries = Object.entries(groups).map(([name, group]) => [name, operationsOf(name, group, send)]);
  const batch = async (operations: unknown, { atomic = true, ...of }: WriteOptions & { atomic?: boolean } = {}) => {
    const body = { operations, atomic };
    const answer = await send({ operation: 'batch', method: 'POST', path: '/batch', body, options: of });
    return (answer as { results?: readonly { status: number; body: unknown }[] }).results?.map(withRefusal);
  };
  // The type and the table are generated from one list of endpoints.
  return Object.freeze({ ...Object.fromEntries(entries), batch, ...servicesOf(groups, send, settings) }) as Client;
}

function checkBase(baseUrl: string): void {
  try {
    // Pages may give a path; elsewhere a path is no address.
    new Request(baseUrl);
  } catch (cause) {
    throw new TypeError(`baseUrl must be an address such as http://127.0.0.1:3000/api, not '${baseUrl}'.`, { cause });
  }
}

function checkTime(timeoutMs: number): void {
  if (!(timeoutMs > 0)) throw new RangeError(`timeoutMs must be above 0, not ${timeoutMs}.`);
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, unknown>>;

interface Outgoing {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as they are, in place of a body. */
  readonly bytes?: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  /** Of these bytes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether bytes are asked for, and no JSON. */
  readonly isDownload?: boolean;
  readonly options: PutOptions | undefined;
}
type Send = (request: Outgoing) => Promise<unknown>;
type RecordPage = { readonly results: readonly { readonly id: string }[]; readonly hasMore: boolean };

/** What is asked beside groups. */
function servicesOf(groups: Readonly<Record<string, Group>>, send: Send, { timeoutMs }: Settings): Services {
  const byName = new Map(Object.values(groups).map((each) => [each.group, each]));
  const to = (operation: string, group: string, id: string | undefined): string => {
    const { path, single } = byName.get(group) ?? {};
    if (path === undefined) throw new TypeError(`${operation}: there is no group '${group}'.`);
    return single === undefined ? `${path}/${idIn(operation, id)}` : path;
  };
  const read = async (operation: string, path: string, options?: CallOptions): Promise<unknown> =>
    send({ operation, method: 'GET', path, options });
  const page = async (query: Query, options?: CallOptions): Promise<ChangePage> =>
    (await read('changes', `/changes${queryText(query)}`, options)) as ChangePage;
  async function* pages(query: ChangesQuery = {}, options?: CallOptions): AsyncGenerator<ChangePage, void, undefined> {
    const way = query.before === undefined ? 'after' : 'before';
    let from = query[way];
    for (;;) {
      const next = await page({ ...query, [way]: from }, options);
      yield next;
      if (!next.hasMore) return;
      from = next.cursor;
    }
  }
  async function* follow(
    { wait = 25, ...query }: Omit<ChangesQuery, 'before'> & { readonly wait?: number | undefined } = {},
    options: CallOptions = {},
  ): AsyncGenerator<ChangePage, void, undefined> {
    const patient = { ...options, timeoutMs: (options.timeoutMs ?? timeoutMs) + wait * 1000 };
    let { after } = query;
    let failures = 0;
    for (;;) {
      try {
        const next = await page({ ...query, after, wait }, patient);
        failures = 0;
        // A cursor moves on over what filters leave out, too.
        if (next.results.length > 0 || next.cursor !== after) yield next;
        after = next.cursor;
      } catch (error) {
        if (!isOfTheMoment(error) && !(error instanceof PraxisTimeoutError)) throw error;
        failures += 1;
        await pause(1000 + pauseAfter(error, failures), options.signal);
      }
    }
  }
  return {
    access: async (options) => (await read('access', '/access', options)) as Access,
    can: async (group, id, { member, ...options } = {}) =>
      (await read('can', `/access${to('can', group, id)}${queryText({ member })}`, options)) as RecordAccess,
    changes: Object.freeze({ pages, follow }),
    history: async (group, id, { limit, startingAfter, endingBefore, figures, ...options } = {}) => {
      const query = queryText({ limit, startingAfter, endingBefore, figures });
      return (await read('history', `/history${to('history', group, id)}${query}`, options)) as History;
    },
    write: async (write, { limit, startingAfter, endingBefore, ...options } = {}) => {
      const query = queryText({ limit, startingAfter, endingBefore });
      return (await read('write', `/writes/${idIn('write', write)}${query}`, options)) as WritePage;
    },
    undo: async (write, options) => {
      const path = `/writes/${idIn('undo', write)}/undo`;
      return (await send({ operation: 'undo', method: 'POST', path, options })) as { write: string; undoes: string };
    },
  };
}

/** An id as a part of an address, which ends at "..". */
function idIn(operation: string, id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`${operation}: '${id}' is no id of a record.`);
  return encodeURIComponent(id);
}

/** The functions of one group, as far as the group offers them. */
function operationsOf(name: string, group: Group, send: Send): unknown {
  const { path, operations, single } = group;
  // The address of a list is not that of a record.
  const to = (id: string): string => `${path}/${idIn(name, id)}`;
  const get = (address: string, { expand, fields, ...options }: CallOptions & ShowOptions = {}): Promise<unknown> =>
    send({ operation: `${name}.get`, method: 'GET', path: `${address}${queryText({ expand, fields })}`, options });
  const update = (address: string, body: unknown, options?: ChangeOptions): Promise<unknown> =>
    send({ operation: `${name}.update`, method: 'PATCH', path: address, body, options });
  const list = (query: Query = {}, options?: CallOptions): Promise<unknown> =>
    send({ operation: `${name}.list`, method: 'GET', path: `${path}${queryText(query)}`, options });
  const all = {
    list: {
      summary: (query: Query = {}, options?: CallOptions) =>
        send({ operation: `${name}.summary`, method: 'GET', path: `/summary${path}${queryText(query)}`, options }),
      list,
      all: (query?: Query, options?: CallOptions) => walk(list, query, options),
    },
    get: {
      kept: { get: (options?: CallOptions & ShowOptions) => get(path, options) },
      asked: { get: (query: Query = {}, options?: CallOptions) => get(`${path}${queryText(query)}`, options) },
      many: { get: async (id: string, options?: CallOptions & ShowOptions) => get(to(id), options) },
    }[single ?? 'many'],
    create: {
      create: (body: unknown, options?: WriteOptions) =>
        send({ operation: `${name}.create`, method: 'POST', path, body, options }),
    },
    update: {
      update: single
        ? (body: unknown, options?: ChangeOptions) => update(path, body, options)
        : async (id: string, body: unknown, options?: ChangeOptions) => update(to(id), body, options),
    },
    put: {
      put: (key: Query, body: unknown, options?: PutOptions) =>
        send({ operation: `${name}.put`, method: 'PUT', path: `${path}${queryText(key)}`, body, options }),
    },
    files: {
      upload: async (bytes: NonNullable<Outgoing['bytes']>, options?: UploadOptions) =>
        send({
          operation: `${name}.upload`,
          method: 'POST',
          path,
          bytes,
          headers: fileHeaders(bytes, options),
          options,
        }),
      download: async (id: string, options?: CallOptions) =>
        send({ operation: `${name}.download`, method: 'GET', path: to(id), isDownload: true, options }),
    },
    delete: {
      delete: async (id: string, options?: ChangeOptions) =>
        send({ operation: `${name}.delete`, method: 'DELETE', path: to(id), options }),
    },
  };
  return Object.freeze(Object.assign({}, ...operations.map((operation) => all[operation])));
}

/** What is said of a file that is uploaded (RFC 6266, RFC 8187). */
function fileHeaders(bytes: NonNullable<Outgoing['bytes']>, options: UploadOptions = {}): Record<string, string> {
  const own: { readonly name?: unknown; readonly type?: unknown } = bytes instanceof Blob ? bytes : {};
  const fileName = options.fileName ?? own.name;
  const contentType = options.contentType ?? own.type;
  const encoded = (text: string): string =>
    encodeURIComponent(text).replaceAll(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return {
    'content-type': typeof contentType === 'string' && contentType !== '' ? contentType : 'application/octet-stream',
    ...(typeof fileName === 'string' && {
      'content-disposition': `attachment; filename*=UTF-8''${encoded(fileName)}`,
    }),
  };
}

/** `?limit=5&fields=name,code`; what is undefined is left out, and so is a list of nothing. */
function queryText(query: Query): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) pairs.append(name, String(value));
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}

async function* walk(
  list: (query: Query, options?: CallOptions) => Promise<unknown>,
  query: Query = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: Query = {};
  for (;;) {
    // Lists answer with pages, of records that have an id.
    const { results, hasMore } = (await list({ limit: 100, ...query, ...cursor }, options)) as RecordPage;
    yield* results;
    const last = results.at(-1);
    if (!hasMore || last === undefined) return;
    cursor = { startingAfter: last.id };
  }
}

interface Settings extends PraxisOptions {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What one call knows of itself, over all its attempts. */
interface Call extends Outgoing {
  readonly settings: Settings;
  /** By what the service knows a write again; none for reads, and for what may not be repeated. */
  readonly key: string | undefined;
  /** Aborted by the caller, or when the time is up; none where neither can be. */
  readonly signal: AbortSignal | undefined;
  /** The service may have done a write of which it could not say so. */
  outcomeUnknown: boolean;
}

/** Sends a request until it is answered or must not be repeated. @returns the body of the answer */
async function answerTo(request: Outgoing, settings: Settings): Promise<unknown> {
  const { options } = request;
  const timeoutMs = options?.timeoutMs ?? settings.timeoutMs;
  checkTime(timeoutMs);
  const outer = options?.signal;
  outer?.throwIfAborted();
  const control = outer === undefined && timeoutMs === Number.POSITIVE_INFINITY ? undefined : new AbortController();
  const call: Call = { ...request, settings, signal: control?.signal, key: keyOf(request), outcomeUnknown: false };
  const endsAt = Date.now() + timeoutMs;
  const stop = (): void => control?.abort(outer?.reason);
  outer?.addEventListener('abort', stop, { once: true });
  const timer = startTimer(timeoutMs, () =>
    control?.abort(new PraxisTimeoutError(`there was no answer within ${timeoutMs} ms.`, call)),
  );
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await sendOnce(call);
      } catch (error) {
        const pauseMs = pauseAfter(error, attempt);
        const isLast = attempt >= settings.maxRetries || Date.now() + pauseMs >= endsAt;
        if (isLast || !mayRepeat(error, call)) throw error;
        await pause(pauseMs, control?.signal);
      }
    }
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

/** A create would make two records when it is sent again: it has a key, also where the caller has given none. */
function keyOf({ method, options }: Outgoing): string | undefined {
  const { idempotencyKey } = options ?? {};
  if (idempotencyKey !== undefined || (method !== 'POST' && method !== 'PUT')) return idempotencyKey;
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Headers of a request besides the client's own. */
async function headersOf({
  settings,
  signal,
  options,
  body,
  key,
  headers,
  isDownload,
}: Call): Promise<Record<string, string>> {
  const token = typeof settings.token === 'function' ? await until(settings.token(), signal) : settings.token;
  const { ifMatch, dryRun, minimal, onlyNew } = options ?? {};
  const prefer = [...(dryRun === true ? ['tx=rollback'] : []), ...(minimal === true ? ['return=minimal'] : [])];
  return {
    ...settings.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(isDownload === true && { accept: '*/*' }),
    ...headers,
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(onlyNew === true && { 'if-none-match': '*' }),
    ...(prefer.length > 0 && { prefer: prefer.join(', ') }),
  };
}

/** One attempt. @throws PraxisError, PraxisConnectionError, or the reason of the signal */
async function sendOnce(call: Call): Promise<unknown> {
  const { settings, signal, operation, method, path, body, bytes, isDownload } = call;
  const wasUnknown = call.outcomeUnknown;
  const headers = await headersOf(call);
  // A redirect would turn a POST into a GET.
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (signal !== undefined) init.signal = signal;
  if (body !== undefined) init.body = JSON.stringify(body);
  if (bytes !== undefined) init.body = bytes;
  call.outcomeUnknown = method !== 'GET';
  let response: Answer;
  let text: string;
  try {
    response = await until((settings.fetch ?? globalThis.fetch)(path, init), signal);
    if (isDownload === true && response.ok && response.blob !== undefined) return await until(response.blob(), signal);
    text = await until(response.text(), signal);
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (wasNeverSent(cause)) call.outcomeUnknown = wasUnknown;
    const { outcomeUnknown } = call;
    throw new PraxisConnectionError(`there was no answer${hintOfOrigin(path, cause)}.`, {
      operation,
      outcomeUnknown,
      cause,
    });
  }
  const answer = jsonOf(text);
  if (response.ok && (text === '' || answer !== undefined)) return withTag(answer, response);
  call.outcomeUnknown = wasUnknown || (method !== 'GET' && leavesOutcomeOpen(response, answer));
  // Deleted by an attempt whose answer was lost.
  if (method === 'DELETE' && response.status === 404 && wasUnknown) return undefined;
  throw toError(call, response, answer);
}

/** Browsers give one `TypeError` for all that fails, and tell nobody but the console when it was they who kept the answer back. */
function hintOfOrigin(address: string, cause: unknown): string {
  const { location } = globalThis as { location?: { readonly href: string; readonly origin: string } };
  if (location === undefined || !(cause instanceof TypeError)) return '';
  const { origin } = new URL(address, location.href);
  if (origin === location.origin) return '';
  return `, or the browser has kept it back: if ${origin} can be reached, its CORS_ORIGINS may not name ${location.origin}, where this page is from`;
}

/** Keeps the tag of a record for whoever wants to change that version alone. */
function withTag(answer: unknown, { headers }: Answer): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const etag = headers.get('etag');
  const outcome = headers.get('praxis-outcome');
  if (etag !== null) etags.set(answer, etag);
  if (outcome !== null) outcomes.set(answer, outcome);
  return answer;
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A problem document (RFC 9457), as the service sends it. */
interface ProblemDocument {
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly { readonly detail: string; readonly code: string; readonly pointer?: string }[];
  readonly usedBy?: readonly UsedBy[];
}

const isDocument = (answer: object): answer is ProblemDocument =>
  'detail' in answer && typeof answer.detail === 'string' && 'code' in answer && typeof answer.code === 'string';

const isPlain = (answer: object): answer is Refusal => 'message' in answer && typeof answer.message === 'string';

/** Reads a problem in either format; undefined if the answer is not one of the service. */
function problemIn(answer: unknown): Refusal | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if (!('status' in answer) || typeof answer.status !== 'number') return undefined;
  if (!isDocument(answer)) return isPlain(answer) ? answer : undefined;
  const { status, detail, code, errors, usedBy } = answer;
  const faults = errors?.map((each) => ({ message: each.detail, code: each.code, field: fieldAt(each.pointer) }));
  return {
    ...{ status, message: detail, code },
    ...(faults !== undefined && { errors: faults.map(({ message }) => message), faults }),
    ...(usedBy !== undefined && { usedBy }),
  };
}

/** Returns `lines[0].amount` for the JSON pointer `/lines/0/amount`. */
const fieldAt = (pointer: string | undefined): string | undefined =>
  pointer
    ?.slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`));

const withRefusal = <Result extends { readonly status: number; readonly body: unknown }>(result: Result): Result =>
  result.status < 400 ? result : { ...result, body: problemIn(result.body) ?? result.body };

function toError({ operation, outcomeUnknown }: Call, response: Answer, answer: unknown): PraxisError {
  const { status, headers } = response;
  const problem = problemIn(answer);
  const { faults = [] } = problem ?? {};
  const Kind = kinds[status] ?? PraxisError;
  return new Kind(problem?.message ?? `the answer with status ${status} is not one of Praxis.`, {
    status,
    code: problem?.code,
    field: faults.find(({ field }) => field !== undefined)?.field,
    faults,
    errors: problem?.errors ?? [],
    usedBy: problem?.usedBy ?? [],
    requestId: headers.get('x-request-id') ?? undefined,
    operation,
    retryAfter: secondsOf(headers.get('retry-after')),
    outcomeUnknown,
  });
}

/** Whether a write may have been done: the service says so, or what stands before it answers in its place. */
function leavesOutcomeOpen({ status, ok }: Answer, answer: unknown): boolean {
  if (status === 503) return problemIn(answer)?.message.includes('outcome of the request is unknown') ?? true;
  return ok || status === 502 || status === 504;
}

/** `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Failures of `fetch` in Node, Deno and Bun before anything was sent; browsers do not tell. */
const unsentCodes: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ConnectionRefused ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

function wasNeverSent(error: unknown): boolean {
  const inner = error instanceof Error ? error.cause : undefined;
  return [error, inner].some((each) => each instanceof Error && 'code' in each && unsentCodes.has(each.code));
}

const isOfTheMoment = (error: unknown): boolean =>
  error instanceof PraxisConnectionError ||
  (error instanceof PraxisError && [429, 502, 503, 504].includes(error.status));

/**
 * Whether to send once more what failed for the moment. Not what may have been done, unless the service knows it again by its
 * key: an update would undo what others have changed since. A record cannot be deleted twice.
 */
function mayRepeat(error: unknown, { method, key, outcomeUnknown }: Call): boolean {
  // What was sent before is still being done: its answer is on its way.
  const isUnderWay =
    key !== undefined && error instanceof PraxisError && error.status === 409 && error.retryAfter === 1;
  return isUnderWay || (isOfTheMoment(error) && (!outcomeUnknown || method === 'DELETE' || key !== undefined));
}

/** Milliseconds: what the service asks for, and on top up to 0.25 s, 0.5 s, 1 s … 8 s by chance, so that callers do not come back together. */
function pauseAfter(error: unknown, attempt: number): number {
  const asked = error instanceof PraxisError ? (error.retryAfter ?? 0) : 0;
  return asked * 1000 + Math.random() * Math.min(8000, 250 * 2 ** attempt);
}

/** Timers count no further than 24 days: a longer call has no end of its own. */
const startTimer = (ms: number, act: () => void): ReturnType<typeof setTimeout> | undefined =>
  ms < 2 ** 31 ? setTimeout(act, ms) : undefined;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return until(slept, signal).finally(() => clearTimeout(timer));
}

/** The value, unless the signal comes first: not every `fetch` and no function that gives tokens listens to one. */
function until<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
