// What somebody is shown of the log: everything, or what a caller may see.
import type { Rights } from '../../access/rights.ts';
import type { Engine } from '../../engine/engine.ts';
import { seesAll } from '../../past/entry-json.ts';
import type { LogReader } from '../../past/page.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { Caller } from '../../request/intent.ts';

/** Who has the database sees everything. */
export const everythingReader: LogReader = { namesMembers: true, judge: async (entries) => entries.map(() => seesAll) };

interface Ground {
  readonly engine: Engine;
  readonly registry: Registry;
}

/** What a caller is shown of entries: of groups of which the token may see the history. */
export function readerOf({ engine, registry }: Ground, { rights }: Caller): LogReader {
  if (rights === undefined) return everythingReader;
  const isNamed = (group: string): boolean => engine.sights.of(rights).names(group);
  return {
    namesMembers: registry.actors !== undefined && isNamed(registry.actors),
    judge: async (entries) =>
      entries.map(({ group }) => (seesHistory(rights, group) ? { ...seesAll, isNamed: isNamed(group) } : 'hidden')),
  };
}

/** Conditions and fields are not judged of what is past: the history is shown of groups of which every record is shown whole. */
export const seesHistory = (rights: Rights, group: string): boolean =>
  rights.isWhole(group, 'get') && rights.isWhole(group, 'history');
