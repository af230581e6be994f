// Tells whether somebody may do something, and why: what `praxis can` asks.

import { limitsOf } from '../../access/limits.ts';
import type { AccessOperation } from '../../access/model.ts';
import type { Rights } from '../../access/rights.ts';
import { operationsIn } from '../../access/words.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { endpointsOf } from '../../endpoints/routes/endpoint.ts';
import { reasonsFor } from '../../engine/access/reasons.ts';
import { Problem } from '../../problems.ts';
import type { Resource } from '../../registry/model/model.ts';
import { parseBody } from '../../request/body.ts';
import type { Caller } from '../../request/intent.ts';
import { writeIntent } from '../../request/write-intent.ts';
import { listTokens } from '../../storage/tokens.ts';
import { didYouMean } from '../../text/nearest.ts';
import { isUuid } from '../../values/format.ts';
import type { JsonObject } from '../../values/json.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { CallerRights } from './rights-of-callers.ts';

export interface Question {
  /** The id or the e-mail address of a member, the id or the last four characters of a token, `role:<name>`. */
  readonly who: string;
  readonly operation: AccessOperation;
  /** `<group>` or `<group>/<id>` */
  readonly target: string;
  /** Of a write that is tried and taken back. */
  readonly body?: JsonObject | undefined;
}

/** A rule that was looked at. */
export interface Considered {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly holds: boolean;
  readonly condition: string | null;
  readonly parts: readonly Readonly<Record<string, unknown>>[];
}

export interface Answer {
  readonly allowed: boolean;
  /** Whether a rule looks at what the write will leave. */
  readonly mayDependOnChange: boolean;
  readonly because: string | null;
  /** What the service would answer, where the write was tried and refused. */
  readonly refusal: string | null;
  readonly by: readonly Considered[];
  readonly forbiddenBy: readonly Considered[];
  /** Those that would allow it, and do not hold. */
  readonly others: readonly Considered[];
}

/** @throws ConfigurationFault for somebody, a group, an operation or a record that there is not */
export async function can(config: Config, question: Question): Promise<Answer> {
  const workspace = await openWorkspace(config);
  try {
    return await canIn(workspace, question);
  } finally {
    await workspace.close();
  }
}

/** The same in a workspace that is open. @throws ConfigurationFault */
export async function canIn(workspace: Workspace, { who, operation, target, body }: Question): Promise<Answer> {
  const [group = '', id] = target.split('/');
  const resource = resourceIn(workspace, group, operation);
  const caller = await callerIn(workspace, who);
  if (body !== undefined) return tried(workspace, { resource, caller, operation, id, body });
  if (id === undefined) return ofGroup(resource, caller.rights, operation);
  return ofRecord(workspace, { resource, caller, operation, id });
}

function resourceIn({ registry: { resources } }: Workspace, group: string, operation: AccessOperation): Resource {
  const resource = resources.get(group);
  if (resource === undefined)
    throw new ConfigurationFault(`"${group}" is not a group${didYouMean(group, resources.keys())}`);
  if (!operationsIn(resource).has(operation))
    throw new ConfigurationFault(
      `"${group}" has no operation "${operation}"${didYouMean(operation, operationsIn(resource))}`,
    );
  return resource;
}

/** Somebody as a caller, with rights. */
async function callerIn(workspace: Workspace, who: string): Promise<Caller> {
  const rights = new CallerRights(workspace);
  const { roles } = workspace;
  if (who.startsWith('role:')) {
    const name = who.slice('role:'.length);
    if (roles?.byName.has(name) !== true)
      throw new ConfigurationFault(`"${name}" is not a role${didYouMean(name, roles?.byName.keys() ?? [])}`);
    return rights.of({ tokenId: '', memberId: null, roles: [name] });
  }
  const tokens = await listTokens(workspace.unit);
  const meant = tokens.filter(
    ({ id, last4, revokedAt }) => id === who.toLowerCase() || (last4 === who && revokedAt === null),
  );
  if (meant.length > 1) throw new ConfigurationFault(`'${who}' matches ${meant.length} tokens; use the id of one.`);
  const [token] = meant;
  if (token !== undefined)
    return rights.of({
      tokenId: token.id,
      memberId: token.memberId,
      ...(token.roles !== null && { roles: token.roles }),
      ...(token.limits !== null && { limits: limitsOf(token.limits) }),
    });
  const memberId = await memberIn(workspace, who);
  if (memberId === undefined) throw new ConfigurationFault(`'${who}' is not a member, a token or role:<name>.`);
  return rights.of({ tokenId: '', memberId });
}

async function memberIn({ registry, engine }: Workspace, who: string): Promise<string | undefined> {
  const { actors, resources } = registry;
  const resource = actors === undefined ? undefined : resources.get(actors);
  if (resource === undefined) return undefined;
  const address = resource.fields.find((field) => field.kind === 'text' && field.format === 'email');
  const found = await engine.inspect(async ({ records }) => {
    if (isUuid(who)) return [await records.find(resource.name, who.toLowerCase())];
    return address === undefined ? [] : records.list(resource.name, { [address.key]: who });
  });
  const [first] = found;
  return first === undefined ? undefined : String(first['id']);
}

/** What is granted of a group as a whole: whether any rule allows it at all. */
function ofGroup(resource: Resource, rights: Rights | undefined, operation: AccessOperation): Answer {
  const grants = rights === undefined ? [] : rights.on(resource.name, operation);
  const allows = (grants ?? []).flatMap((one) => one.allows);
  const by = allows.map(({ id, place, when }) => ({
    rule: id,
    file: place.file,
    line: place.line,
    holds: true,
    condition: when?.source ?? null,
    parts: [],
  }));
  return { ...nothing, allowed: grants !== undefined, by };
}

const nothing: Answer = {
  allowed: false,
  mayDependOnChange: false,
  because: null,
  refusal: null,
  by: [],
  forbiddenBy: [],
  others: [],
};

interface OfRecord {
  readonly resource: Resource;
  readonly caller: Caller;
  readonly operation: AccessOperation;
  readonly id: string;
}

async function ofRecord(workspace: Workspace, { resource, caller, operation, id }: OfRecord): Promise<Answer> {
  const { engine, book } = workspace;
  if (!isUuid(id)) throw new ConfigurationFault(`'${id}' is not the id of a record.`);
  const reasons = await engine.inspect(async (scope) => {
    const record = await scope.records.whole(resource.name, id.toLowerCase());
    if (record === undefined) throw new ConfigurationFault(`No ${resource.title} has the id '${id}'.`);
    const { memberId: actor, rights } = caller;
    return reasonsFor(scope, { resource, record, rights, actor, today: () => book.today() });
  });
  const reason = reasons.operations[operation];
  const about = reasons.rules.filter((rule) => rule.operations.includes(operation));
  return {
    allowed: reason?.allowed === true,
    mayDependOnChange: reason?.mayDependOnChange === true,
    because: reason?.because ?? null,
    refusal: reasons.isVisible ? null : `it is not visible: Object with id '${id}' not found.`,
    by: about.filter(({ rule }) => reason?.by.includes(rule)),
    forbiddenBy: about.filter(({ rule }) => reason?.forbiddenBy.includes(rule)),
    others: about.filter(({ effect, holds }) => effect === 'allow' && !holds),
  };
}

interface Tried extends Omit<OfRecord, 'id'> {
  readonly id: string | undefined;
  readonly body: JsonObject;
}

/** The write as the service would do it, taken back. */
async function tried(workspace: Workspace, { resource, caller, operation, id, body }: Tried): Promise<Answer> {
  const endpoint = endpointsOf(workspace.registry).find(
    (each) => each.resource === resource && each.operation === operation,
  );
  if (endpoint === undefined || (operation !== 'create' && operation !== 'update'))
    throw new ConfigurationFault('--body is only for a create or an update; remove it.');
  if ((id === undefined) !== (operation === 'create'))
    throw new ConfigurationFault(
      `${operation} needs ${operation === 'create' ? '<group>' : '<group>/<id>'} as its target.`,
    );
  const granted = ofGroup(resource, caller.rights, operation);
  if (!granted.allowed) return granted;
  try {
    const input = parseBody(resource, operation, body);
    await workspace.engine.execute(writeIntent({ endpoint, caller, id, body: input, options: { isTrial: true } }));
    return { ...nothing, allowed: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...nothing, refusal: [error.message, ...(error.errors ?? [])].join('\n') };
  }
}
