// The plan of a write as text.
import type { PlanExplained } from '../../app/explain-plan.ts';

type LockSpec = PlanExplained['locks'][number];

const places: Readonly<Record<LockSpec['at'], string>> = {
  first: 'Before any read, ordered by group and id',
  read: 'With the read of the record',
  last: 'After all checks, before the write',
};

const kinds: Readonly<Record<LockSpec['kind'], string>> = {
  counter: 'counter incremented',
  shared: 'shared',
  own: 'exclusive',
};

/** `  member: counter raised, by memberId (…)` */
export function planText({ group, operation, locks, follows }: PlanExplained): string {
  const parts = (['first', 'read', 'last'] as const).flatMap((at) => {
    const found = locks.filter((lock) => lock.at === at);
    return found.length === 0 ? [] : ['', places[at], ...found.map(lockText)];
  });
  const nothing = locks.length === 0 ? ['', 'It takes no locks.'] : [];
  const then =
    follows.length === 0 ? [] : ['', 'Writes that it can cause, which also take locks', ...follows.map(followText)];
  return [`${operation} of ${group} on a server: locks that it can take`, ...parts, ...nothing, ...then].join('\n');
}

const sought = { fields: 'equal values', bounds: 'a range', day: 'the day that starts' } as const;

const onWhat = { record: '', items: ', of each item', referenced: ', of referenced records' } as const;

/** What it does between its locks: how, what it reads, computes, judges and causes. */
export function writeText({ group, operation, sent, plan }: PlanExplained): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...[...new Set(lines)].map((line) => `  ${line}`)];
  const of = sent === undefined ? '' : ` that sends ${sent.join(', ')}`;
  return [
    `${operation} of ${group}${of}: ${plan.way}`,
    ...section(
      'Reads of other records',
      plan.reads.map(({ group: name, how, keys }) => `${name}, ${how}: ${keys.join(', ')}`),
    ),
    ...section(
      'Finds by indexes',
      plan.finds.map(
        ({ group: name, by, index, columns }) => `${name}, by ${sought[by]}: ${index} (${columns.join(', ')})`,
      ),
    ),
    ...section(
      'Computes, in this order',
      plan.steps.map(({ what, of: name }) => `${what} ${name}`),
    ),
    ...section(
      'Judges',
      plan.conditions.map(({ rule, on, phase, source }) =>
        `${phase}: ${rule}${onWhat[on]} ${source.replaceAll(/\s+/g, ' ')}`.trimEnd(),
      ),
    ),
    ...section(
      'Causes',
      plan.effects.map(({ kind, of: name }) => `${kind} ${name}`),
    ),
    ...section(
      'Maintains',
      plan.dependents.map(({ group: name, figure, how }) => `${name}: ${figure ?? 'states'}, ${how}`),
    ),
  ].join('\n');
}

/** `  project: brought up to date, exclusive or counter raised (its figures and states look at task)` */
const followText = ({ group, what, because }: PlanExplained['follows'][number]): string =>
  what === 'maintenance'
    ? `  ${group}: maintained, exclusive or counter incremented (${because})`
    : `  ${group}: ${what} (${because})`;

const lockText = ({ group, kind, by, because }: LockSpec): string =>
  `  ${group}: ${kinds[kind]}, by ${by} (${because.join('; ')})`;
