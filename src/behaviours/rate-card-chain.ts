// The rate cards of a project: a chain whose earliest card has no start, and of which one card holds a flag.
import type { Values } from '../registry/model.ts';
import { addDays } from '../values/date.ts';
import { chainOf, endOf, guardOwner, othersOf, ownerKey, refreshLink } from './chain.ts';
import { isUnset } from './record-values.ts';
import { keyArgument, type Moment, type Rule } from './rule.ts';

/** The first date that there is. */
const firstDay = '1000-01-01';

/**
 * Derives `end` for all cards of one `owner`. The earliest has no start and never gets one; deleting it makes the next
 * one the earliest. Exactly one card has `flag`: the first, until true is sent to another.
 */
export const rateCardChain = {
  says: 'The records of one {owner} form a chain: each ends on the day before the next start; the earliest has no start. Exactly one has {flag}: the first, until true is sent to another.',
  parameters: { owner: { field: 'reference', kept: true }, flag: { field: 'boolean', filled: true } },
  needs: { this: { start: 'date', end: 'date' } },
  looksAt: (use, resource) => [ownerKey(use, resource), 'start', keyArgument(resource, use, 'flag')],
  guard: guardOwner,
  fill: async (moment) => {
    const flag = keyArgument(moment.resource, moment.use, 'flag');
    // The default of the first card is true, that of all others false.
    moment.values[flag] ??= (await othersOf(moment)).length === 0;
  },
  derive: async (moment) => {
    moment.values.end = endOf(moment.values.start, await othersOf(moment));
  },
  check: async (moment) => {
    if (moment.operation === 'delete') return;
    checkStart(moment, await isEarliest(moment));
    await checkFlag(moment);
  },
  after: async (moment) => {
    if (moment.isCascade) return;
    const flag = keyArgument(moment.resource, moment.use, 'flag');
    const links = await chainOf(moment);
    const isGone = moment.operation === 'delete';
    // A card that has just taken the flag is its holder; a deleted holder leaves it to the earliest that remains.
    const taker = isGone ? (moment.values[flag] === true ? links[0] : undefined) : takerOf(moment, links, flag);
    for (const [index, link] of links.entries()) {
      const kept: Values = { end: endOf(link.start, links.slice(index)) };
      if (index === 0) kept.start = null;
      if (taker !== undefined) kept[flag] = link === taker;
      await refreshLink(moment, link, kept);
    }
  },
} as const satisfies Rule;

const takerOf = ({ values }: Moment, links: readonly Values[], flag: string): Values | undefined =>
  values[flag] === true ? links.find(({ id }) => id === values.id) : undefined;

const isEarliest = async (moment: Moment): Promise<boolean> =>
  moment.before === undefined ? (await othersOf(moment)).length === 0 : isUnset(moment.before.start);

function checkStart({ values, refuse, isSound }: Moment, isFirst: boolean): void {
  if (!isSound('start')) return;
  if (isFirst && !isUnset(values.start)) refuse('start', 'is not allowed');
  if (!isFirst && isUnset(values.start)) refuse('start', 'is required');
  // The card before it must have a last day.
  if (!isFirst && values.start === firstDay) refuse('start', `must be at least ${addDays(firstDay, 1)}`);
}

async function checkFlag(moment: Moment): Promise<void> {
  const { use, resource, before, values } = moment;
  const flag = keyArgument(resource, use, 'flag');
  if (values[flag] !== false || !moment.isSound(flag)) return;
  const isHolder = before === undefined ? (await othersOf(moment)).length === 0 : before[flag] === true;
  if (isHolder) moment.refuse(flag, `must be true until another ${resource.title} takes it`);
}
