// What all chains of dated records share (domain: chains of dated periods): one owner, whose row is guarded, and records
// that follow each other by `start` without gaps.
import type { Resource, RuleUse, Value, Values } from '../registry/model.ts';
import { addDays } from '../values/date.ts';
import { type Aftermath, type Guarded, guardedBy, keyArgument, type Moment, textOf } from './rule.ts';

export const ownerKey = (use: RuleUse, resource: Resource): string => keyArgument(resource, use, 'owner');

/** The record that the chain belongs to. */
export const guardOwner = ({ use, resource, values }: Moment): readonly Guarded[] =>
  guardedBy(resource.byKey.get(ownerKey(use, resource)), values);

/** The stored records of the chain, earliest first; a missing start comes before all others. */
export async function chainOf({ use, resource, values, records }: Moment): Promise<Values[]> {
  const key = ownerKey(use, resource);
  const links = await records.list(resource.name, { [key]: values[key] ?? null });
  return links.sort((a, b) => compareStarts(a.start, b.start));
}

/** The others of the chain, before this record is written. */
export const othersOf = async (moment: Moment): Promise<Values[]> =>
  (await chainOf(moment)).filter(({ id }) => id !== moment.values.id);

/** The last day of a record that starts at `start`: the day before the next start, or null. `links` are sorted. */
export function endOf(start: Value | undefined, links: readonly Values[]): string | null {
  const next = links.find((link) => compareStarts(start, link.start) < 0);
  const nextStart = next && textOf(next, 'start');
  return typeof nextStart === 'string' ? addDays(nextStart, -1) : null;
}

/** Brings the figures of a record of the chain up to date. */
export async function refreshLink({ resource, effects }: Aftermath, link: Values, values: Values): Promise<void> {
  await effects.refresh(resource.name, [String(link.id)], values);
}

function compareStarts(a: Value | undefined, b: Value | undefined): number {
  const [first, last] = [typeof a === 'string' ? a : '', typeof b === 'string' ? b : ''];
  return first < last ? -1 : first > last ? 1 : 0;
}
