// The interface that HTTP asks of the rest: `app/praxis.ts` builds it and hands it in, so that nothing here knows SQL.
import type { RequestDeadline } from '../../admission/deadline.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Exposition } from '../../metrics/prometheus.ts';
import type { RequestTally } from '../../metrics/requests.ts';
import type { ProblemFormat } from '../../problems.ts';
import type { Caller, Outcome } from '../../request/intent.ts';
import type { RequestBody } from './body.ts';
import type { HeaderOptions } from './header-options.ts';

/** The switch that a group hangs on. */
type Feature = NonNullable<Endpoint['resource']['feature']>;

/** A request whose path, method and caller have been checked. */
export interface CallerRequest {
  readonly caller: Caller;
  /** Method, path and query as they were sent. */
  readonly target: string;
  readonly options: HeaderOptions;
  /** Checks media type and size, then reads. To be called at most once. @throws Problem 415, 413, 400 */
  readonly readBody: () => Promise<RequestBody>;
  /** Whoever asks may leave, and does not wait for ever. */
  readonly deadline: RequestDeadline;
  /** What the log of changes says of where a write came from. */
  readonly requestId: string;
  readonly traceId: string | undefined;
}

/** Several operations in one request. */
interface BatchCallerRequest extends CallerRequest {
  /** The format of refusals among the results. */
  readonly problemFormat: ProblemFormat;
  /** Counts the operations, as soon as it is known how many there are. @throws Problem 429, 400 (as rejections) */
  readonly count: (operations: number) => Promise<void> | undefined;
  /** Counts the length of the response so far. @throws Problem 429, 503 if too many bytes are in memory */
  readonly hold?: (responseBytes: number) => void;
}

/** A request whose path, method, caller and feature have been checked; all that is left may fail with a Problem. */
export interface EndpointRequest extends CallerRequest {
  readonly endpoint: Endpoint;
  /** Percent-decoded where that was possible, else as sent; '' when the endpoint has no id. */
  readonly id: string;
  /** Text behind the `?`, undecoded; '' when there is none. */
  readonly query: string;
}

/** A caller who asks where a value comes from, or what records come to. */
interface ExplainRequest {
  readonly caller: Caller;
  /** `clients/<id>/<field>`, or `clients`, undecoded. */
  readonly path: string;
  /** Text behind the `?`, undecoded; '' when there is none. */
  readonly query: string;
  readonly deadline: RequestDeadline;
}

/** A caller who wants all records of a list, which takes its time. */
interface ExportRequest extends ExplainRequest {
  /** The caller as it is now; undefined where its token has ended. @throws Problem as a rejection where that cannot be told */
  readonly callerNow: () => Promise<Caller | undefined>;
}

/** All records of a list, to be sent as they are read. */
interface Export {
  readonly type: string;
  /** Under which it is to be kept. */
  readonly fileName: string;
  /**
   * Reads them, as one moment has them. @param take Takes parts of the text, and the cursor of the log of changes from which on what
   * has come behind that moment can be followed, where there is a log; an error of it ends the reading. @throws Problem
   */
  send(take: (parts: AsyncIterable<string>, cursor: string | undefined) => Promise<void>): Promise<void>;
}

/** A file that comes in. */
interface UploadRequest extends Omit<CallerRequest, 'readBody'> {
  /** What the caller calls it, and what it says that it is, in lower case and without parameters. */
  readonly fileName: string | undefined;
  readonly said: string | undefined;
  /** Its bytes as they come. To be called at most once. @throws Problem 413, 408 */
  readonly parts: () => AsyncIterable<Uint8Array>;
}

/** A file that is there. */
interface KeptFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
  /** Its bytes from one place to another, both of them among them. */
  read(range: { readonly from: number; readonly to: number }): AsyncIterable<Uint8Array>;
}

/** Files that records name. */
export interface FileService {
  /** The most bytes that one may have. */
  readonly limitBytes: number;
  /** Keeps a file. @throws Problem 403, 413, 415, 400 */
  upload(request: UploadRequest): Promise<Outcome>;
  /** @param id Percent-decoded where that was possible, else as sent. @throws Problem 400, 404 */
  find(id: string, asking: Pick<CallerRequest, 'caller' | 'deadline'>): Promise<KeptFile>;
}

/** Something to look at: what it is, and its bytes as they are and packed. */
export interface Page {
  readonly type: string;
  readonly body: Buffer;
  readonly packed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>;
  /** With its quotes. */
  readonly etag: string;
  /** Its address changes with its content. */
  readonly isLasting: boolean;
}

/** A request for something below the paths of the log of changes: which one, and what is asked for below it. */
export interface LogRequest extends CallerRequest {
  readonly method: string;
  /** Behind the base, percent-decoded where that was possible: `['history', 'invoices', '01a2…']`. */
  readonly segments: readonly string[];
  /** Text behind the `?`, undecoded; '' when there is none. */
  readonly query: string;
  /** Aborted when nobody waits any more. */
  readonly left: AbortSignal;
  /** The caller as it is now; undefined where its token has ended. @throws Problem as a rejection where that cannot be told */
  readonly callerNow: () => Promise<Caller | undefined>;
}

/** The same of who wants to be told what comes. */
export interface StreamRequest extends LogRequest {
  /** What its reader has seen last. */
  readonly lastEventId: string | undefined;
}

/** Histories, the feed of changes, and what stands on them. */
export interface LogService {
  /** The methods that a path answers; undefined where there is no such path. */
  methodsOf(segments: readonly string[]): readonly string[] | undefined;
  answer(request: LogRequest): Promise<Outcome>;
  /**
   * Entries as they come, in the form of server-sent events. What is asked for is checked before; what is there, before the first
   * part. @returns undefined where the path has none. @throws Problem
   */
  stream(request: StreamRequest): AsyncIterable<string> | undefined;
}

/** How people sign in. */
export type SignInWay = 'password' | 'oidc';

/** A session that was just begun, as it is answered. */
interface SignedIn {
  readonly token: string;
  readonly expiresAt: string;
  readonly member: { readonly id: string };
}

/** Where a browser is sent, with a whole `Set-Cookie`. */
interface Sending {
  readonly location: string;
  readonly cookie: string;
}

interface SigningIn {
  /** Of who asks. */
  readonly address: string;
  readonly deadline: RequestDeadline;
}

/** People who sign in. What fails is a Problem: 400, 401, 429, 503. */
export interface SignInService {
  /** One at least. */
  readonly ways: readonly SignInWay[];
  withPassword(name: string, password: string, asking: SigningIn): Promise<SignedIn>;
  /** Chooses a password, and signs in with it. */
  withInvite(invite: string, password: string, asking: SigningIn): Promise<SignedIn>;
  withCode(code: string, verifier: string, asking: SigningIn): Promise<SignedIn>;
  /** @throws Problem 403 where the token is none of a session (as a rejection) */
  signOut(caller: Caller): Promise<void>;
  /** What is done elsewhere: it begins with the challenge of a tab, and ends with what the issuer sends along. */
  readonly oidc:
    | {
        begin(challenge: string): Promise<Sending>;
        end(query: string, cookies: string | undefined): Promise<Sending>;
      }
    | undefined;
}

export interface Service {
  /** Undefined where no group has files. */
  readonly files?: FileService | undefined;
  /** Undefined where there is no log. */
  readonly log?: LogService | undefined;
  readonly endpoints: readonly Endpoint[];
  /**
   * @returns the caller, or undefined for a wrong, expired or revoked token. Tokens are held in memory; one that may have been
   * made a moment ago is waited for.
   */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>;
  /**
   * A caller as it acts for a member whose id it has sent.
   * @throws Problem 403 where that is not granted, 400 for what is no such id, as a rejection
   */
  act(caller: Caller, memberId: string): Promise<Caller>;
  isEnabled(feature: Feature): boolean;
  /** Parses id and query (throws Problem), then asks for the body, then runs. */
  answer(request: EndpointRequest): Promise<Outcome>;
  /** Asks for the body, parses it, then runs all of its operations. */
  answerBatch(request: BatchCallerRequest): Promise<Outcome>;
  /** Checks path and query, then reads. @throws Problem 400, 403, 404 */
  explain(request: ExplainRequest): Promise<Outcome>;
  /** What the caller may do: with each group where the path is empty, else with one record. @throws Problem 400, 403, 404 */
  access(request: ExplainRequest): Promise<Outcome>;
  /** The same of what the records of a group come to; the path is that of the group. */
  summarise(request: ExplainRequest): Promise<Outcome>;
  /** The same of all records of a group, of which none is read before they are sent. */
  export(request: ExportRequest): Export;
  /**
   * By what was last heard of the database: probes wait in no line, and cannot be used to load it.
   * @throws Problem 503 where it answers, and nothing can be written
   */
  isReady(): Promise<boolean>;
  /** How far the workspace's days have been passed, where something hangs on them. */
  readonly day?:
    | (() => { readonly reached: string | undefined; readonly behind: number; readonly ahead: number })
    | undefined;
  /** Whether roles say what callers may do. */
  readonly hasRoles: boolean;
  /** The document as JSON, as a caller or anybody may read it; `etag` with its quotes. */
  openApi(caller: Caller | undefined): { readonly body: Buffer; readonly etag: string };
  /** What makes the page of a path; undefined where there is none. */
  page(path: string): (() => Promise<Page>) | undefined;
  /** Returns the new path of a moved page; undefined if the path has not moved. */
  movedPage(path: string): string | undefined;
  /** What people see where there is nothing; undefined where there are no pages. */
  missingPage(path: string): Promise<Page> | undefined;
  /** Undefined where nobody signs in. */
  readonly signIn: SignInService | undefined;
  /** Where requests are counted. */
  readonly tally: RequestTally;
  /** All that is counted and measured, of which the requests are a part. */
  metrics(): Promise<Exposition>;
}
