// What a write must bring up to date elsewhere: records by group and id, and of each the figures that are computed again or moved.
import type { Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import type { Draft } from '../draft/draft.ts';
import type { FigureField } from '../plan/figures.ts';
import type { Delta } from './moves.ts';

/** What of a record must be brought up to date. */
export interface Dirty {
  readonly of: RecordName;
  /** Figures that are computed again, by their path. */
  readonly fromScratch: Set<string>;
  /** Figures that what has changed moves by sums, by their path. */
  readonly sums: Map<string, Delta[]>;
  /** Where its states were held back. */
  held?: DeferredStates;
  /** The day that has begun, where it is that which concerns it. */
  readonly day?: string | undefined;
  /** Set once states of it have become others, and effects hang on that. */
  entered?: Draft;
}

interface DeferredStates {
  /** The record before the write, for the conditions of its states. */
  readonly old: Readonly<Values> | undefined;
  /** The same for the effects of these, where they know another than the last one. */
  readonly before?: Readonly<Values> | undefined;
}

export type DirtySet = Map<string, Map<string, Dirty>>;

/** A formula may look more than once at the same place: it is one move. */
export function noteMove(sums: Dirty['sums'], path: string, move: Delta): void {
  const moves = sums.get(path);
  if (moves === undefined) sums.set(path, [move]);
  else if (!isNoted(moves, move)) moves.push(move);
}

/** Those of one change are noted one after the other. */
function isNoted(moves: readonly Delta[], { at, place }: Delta): boolean {
  for (let index = moves.length - 1; moves[index]?.place === place; index -= 1)
    if (moves[index]?.at === at) return true;
  return false;
}

export function dirtyOf(dirty: DirtySet, { group, id }: RecordName, of: RecordName): Dirty {
  const records = dirty.get(group) ?? new Map<string, Dirty>();
  dirty.set(group, records);
  const one = records.get(id) ?? { of, fromScratch: new Set(), sums: new Map() };
  records.set(id, one);
  return one;
}

export const isDirty = (figure: FigureField, { fromScratch, sums }: Dirty): boolean =>
  fromScratch.has(figure.path) || sums.has(figure.path);
