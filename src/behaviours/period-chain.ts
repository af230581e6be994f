// The periods of a member (domain: chains of dated periods).
import { chainOf, endOf, guardOwner, othersOf, ownerKey, refreshLink } from './chain.ts';
import type { Rule } from './rule.ts';

/**
 * Derives `end`, the day before the next start, and `isDefault`, true in the earliest period, for all records of one
 * `owner`. The only period cannot be deleted, but goes with its owner.
 */
export const periodChain = {
  says: 'The records of one {owner} form a chain: each ends on the day before the next start, and the earliest is the default. The only one cannot be deleted by itself (409).',
  parameters: { owner: { field: 'reference', kept: true } },
  needs: { this: { start: { field: 'date', neverNull: true }, end: 'date', isDefault: 'boolean' } },
  conflicts: { delete: 'inUse' },
  looksAt: (use, resource) => [ownerKey(use, resource), 'start'],
  guard: guardOwner,
  derive: async (moment) => {
    const { values } = moment;
    const others = await othersOf(moment);
    values.isDefault = !others.some((link) => String(link.start) < String(values.start));
    values.end = endOf(values.start, others);
  },
  check: async (moment) => {
    if (moment.operation !== 'delete' || moment.isCascade) return;
    if ((await othersOf(moment)).length === 0) moment.conflict('inUse');
  },
  after: async (moment) => {
    if (moment.isCascade) return;
    const links = await chainOf(moment);
    for (const [index, link] of links.entries()) {
      await refreshLink(moment, link, { isDefault: index === 0, end: endOf(link.start, links.slice(index)) });
    }
  },
} as const satisfies Rule;
