// The key values by which a collection is queried, as one evaluation knows them.

import type { Narrowing, Tree } from '../language/tree.ts';
import { isRecord, notKnown, type Unknown } from '../language/value.ts';
import type { Wanted } from './facts.ts';
import { all, type Frame, type RunOf } from './frame.ts';

/**
 * Those of a collection that are wanted. What is null is left out, for the condition to judge; where nothing else narrows,
 * nothing is found by it.
 */
export function wantedRun(
  narrowing: readonly Narrowing[],
  runOf: RunOf,
): (frame: Frame) => readonly Wanted[] | Unknown {
  const sought = narrowing.map(({ equals }) => runOf(equals));
  const groups = narrowing.map(({ equals }) => groupOf(equals, runOf));
  return (frame) => {
    const values = all(sought, frame);
    if (values === notKnown) return notKnown;
    const wanted: Wanted[] = [];
    for (const [index, { member, up }] of narrowing.entries()) {
      const value = values[index] ?? null;
      if (typeof value !== 'string' && typeof value !== 'boolean') continue;
      wanted.push({ key: member.key, up, isAmong: member.isAmong === true, group: groups[index]?.(frame), value });
    }
    return wanted;
  };
}

/** The group of the record whose id a tree gives: of an id of one of several groups, what the enum beside it says. */
function groupOf(id: Tree, runOf: RunOf): (frame: Frame) => string | undefined {
  if (id.type.kind === 'id' && id.type.group !== undefined) {
    const { group } = id.type;
    return () => group;
  }
  if (id.op !== 'field' || id.member.kind !== 'value' || id.member.branches === undefined) return () => undefined;
  const { by, groups } = id.member.branches;
  const holder = runOf(id.of);
  return (frame) => {
    const held = holder(frame);
    return held !== notKnown && isRecord(held) ? groups[String(held.values[by])] : undefined;
  };
}
