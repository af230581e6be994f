// Limits of a token: what it is kept to, whoever it acts for. They cut what its caller may do, and never add to it.
import { problems } from '../problems.ts';
import { type AccessOperation, accessOperations, type May, operationsOf } from './model.ts';
import type { Rights } from './rights.ts';

/** What reads, and changes nothing. */
const reading: ReadonlySet<AccessOperation> = new Set(['list', 'get', 'history']);
/** What a token that only reads has none of. */
const writingMay: ReadonlySet<May> = new Set(['webhooks']);

/** Limits as they were typed, and as they are kept. */
export interface TokenLimits {
  readonly readOnly: boolean;
  /** `read:invoice,payment`, `create:area:Billing`, `*:client`, `may:metrics`; none: all. */
  readonly allow: readonly string[];
}

/** What of a group limits look at. */
export interface NamedGroup {
  readonly name: string;
  readonly area?: string | undefined;
}

/** Limits that can be asked. */
export interface Limits {
  readonly said: TokenLimits;
  permits(group: NamedGroup, act: AccessOperation): boolean;
  may(what: May): boolean;
}

/** `read,create:invoice,area:Tasks` taken apart; what it names need not be there. */
export interface Allowance {
  /** Before the colon. */
  readonly to: readonly string[];
  /** Behind it. */
  readonly on: readonly string[];
}

/** Takes apart what one `--allow` says; undefined where it has not the form `to:on`. */
export function readAllowance(text: string): Allowance | undefined {
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const parts = (list: string): string[] => list.split(',').map((part) => part.trim());
  const [to, on] = [parts(text.slice(0, colon)), parts(text.slice(colon + 1))];
  return [...to, ...on].includes('') ? undefined : { to, on };
}

/** Makes limits of what was said of them. A word that means nothing allows nothing. */
export function limitsOf(said: TokenLimits): Limits {
  const { allow, readOnly } = said;
  const isOpen = allow.length === 0;
  const groups = new Map<AccessOperation, Set<string>>(accessOperations.map((act) => [act, new Set()]));
  const granted = new Set<string>();
  for (const { to, on } of allow.flatMap((text) => readAllowance(text) ?? [])) {
    for (const act of to.flatMap(operationsOf)) for (const name of on) groups.get(act)?.add(name);
    if (to.includes('may')) for (const what of on) granted.add(what);
  }
  const covers = (names: ReadonlySet<string> | undefined, { name, area }: NamedGroup): boolean =>
    names !== undefined && (names.has('*') || names.has(name) || (area !== undefined && names.has(`area:${area}`)));
  return Object.freeze({
    said,
    permits: (group: NamedGroup, act: AccessOperation): boolean =>
      !(readOnly && !reading.has(act)) && (isOpen || covers(groups.get(act), group)),
    may: (what: May): boolean =>
      !(readOnly && writingMay.has(what)) && (isOpen || granted.has('*') || granted.has(what)),
  });
}

/** The same limits with a group by its new name. One that is gone is marked, so that they cover nothing that comes under its name. */
export function limitsRenamed({ readOnly, allow }: TokenLimits, from: string, to: string | undefined): TokenLimits {
  const named = to ?? `${from} (gone)`;
  const renamed = (text: string): string => {
    const parts = readAllowance(text);
    if (parts?.on.includes(from) !== true || parts.to.includes('may')) return text;
    return `${parts.to.join()}:${parts.on.map((name) => (name === from ? named : name)).join()}`;
  };
  return { readOnly, allow: allow.map(renamed) };
}

/** What is asked of who calls; without rights everything is granted. */
interface Asked {
  readonly rights?: Pick<Rights, 'isCut' | 'on' | 'may'> | undefined;
}

/**
 * Whether a caller may do something with a group at all. A write by a unique key creates or updates, so that both are needed.
 * @throws Problem 403 where the limits of its token leave that out, or no rule of its roles covers it
 */
export function checkLimits(
  { rights }: Asked,
  operation: AccessOperation | 'put',
  { name, title }: Pick<NamedGroup, 'name'> & { readonly title: string },
): void {
  if (rights === undefined) return;
  const needed: readonly AccessOperation[] = operation === 'put' ? ['create', 'update'] : [operation];
  for (const act of needed) {
    if (rights.isCut(name, act)) throw problems.beyondLimits(act, title);
    if (rights.on(name, act) === undefined) throw problems.accessDenied.group(act, title, null);
  }
}

/** The same of what is no operation of a group. @throws Problem 403 */
export function checkMay({ rights }: Asked, what: May): void {
  if (rights?.may(what) === false) throw problems.mayNot(what);
}
