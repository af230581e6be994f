// Limits of a token: what it is kept to, whoever it acts for. They cut what its caller may do, and never add to it.
import { problems } from '../problems.ts';

/** What a caller does with records of a group. */
export const acts = ['list', 'get', 'create', 'update', 'delete', 'history'] as const;
export type Act = (typeof acts)[number];

/** What is no operation of a group, and is granted by itself. */
export const mays = ['metrics', 'changes', 'webhooks', 'access', 'act'] as const;
export type May = (typeof mays)[number];

/** Words for several acts at once. */
export const actWords: Readonly<Record<string, readonly Act[]>> = {
  read: ['list', 'get'],
  write: ['create', 'update', 'delete'],
  '*': acts,
};

/** What reads, and changes nothing. */
const reading: ReadonlySet<Act> = new Set(['list', 'get', 'history']);
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
  permits(group: NamedGroup, act: Act): boolean;
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

/** The acts of a word: of `read` two, of `create` one; none for a word that there is not. */
export const actsOf = (word: string): readonly Act[] =>
  Object.hasOwn(actWords, word) ? (actWords[word] ?? []) : acts.filter((act) => act === word);

/** Makes limits of what was said of them. A word that means nothing allows nothing. */
export function limitsOf(said: TokenLimits): Limits {
  const { allow, readOnly } = said;
  const isOpen = allow.length === 0;
  const groups = new Map<Act, Set<string>>(acts.map((act) => [act, new Set()]));
  const granted = new Set<string>();
  for (const { to, on } of allow.flatMap((text) => readAllowance(text) ?? [])) {
    for (const act of to.flatMap(actsOf)) for (const name of on) groups.get(act)?.add(name);
    if (to.includes('may')) for (const what of on) granted.add(what);
  }
  const covers = (names: ReadonlySet<string> | undefined, { name, area }: NamedGroup): boolean =>
    names !== undefined && (names.has('*') || names.has(name) || (area !== undefined && names.has(`area:${area}`)));
  return Object.freeze({
    said,
    permits: (group: NamedGroup, act: Act): boolean =>
      !(readOnly && !reading.has(act)) && (isOpen || covers(groups.get(act), group)),
    may: (what: May): boolean =>
      !(readOnly && writingMay.has(what)) && (isOpen || granted.has('*') || granted.has(what)),
  });
}

/** What is asked of who calls. */
interface Limited {
  readonly limits?: Limits | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly isSession?: true | undefined;
}

/**
 * Whether a token may do something with a group at all. A write by a unique key creates or updates, so that both are needed.
 * @throws Problem 403 where its limits leave that out, and where its rights are those of roles
 */
export function checkLimits(
  { limits, roles, isSession }: Limited,
  operation: Act | 'put',
  group: NamedGroup & { readonly title: string },
): void {
  if (limits === undefined && roles === undefined && isSession === undefined) return;
  const needed: readonly Act[] = operation === 'put' ? ['create', 'update'] : [operation];
  const missing = needed.find((act) => limits?.permits(group, act) === false);
  if (missing !== undefined) throw problems.beyondLimits(missing, group.title);
  const [first = 'get'] = needed;
  // Nobody says what roles are: what they would grant is nothing.
  if (roles !== undefined || isSession === true) throw problems.notGranted(first, group.title);
}

/** The same of what is no operation of a group. @throws Problem 403 */
export function checkMay({ limits, roles, isSession }: Limited, what: May): void {
  if (roles !== undefined || isSession === true || limits?.may(what) === false) throw problems.mayNot(what);
}
