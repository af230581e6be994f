// What reads records as one moment has them, for who writes them down.
import type { Intent } from '../request/intent.ts';
import { type LogState, readState } from '../storage/log/state.ts';
import type { Session } from '../storage/schema/session.ts';
import { unreachable } from '../unreachable.ts';
import type { Operations } from './operations.ts';
import type { Groups } from './plan/groups.ts';

/** What reads one moment. */
export interface Moment {
  /** All records of a list, in portions as JSON. */
  portionsOf(intent: Intent): ReturnType<Operations['reads']['readPortions']>;
  /** The same with all that is needed to put them back. */
  keptOf(intent: Intent): ReturnType<Operations['reads']['readPortions']>;
  /** The one record of a group that has no more, as JSON, with all that is needed to put it back. */
  single(name: string): Promise<string>;
  /** How far the log of changes goes, where there is one: what it holds behind that is not in what is read. */
  logState(): Promise<LogState>;
}

/** A moment of the database as a session. */
export const readingAlone = ({ all }: Pick<Session, 'all'>): Session => ({
  all,
  run: () => unreachable('a moment that is read is not written'),
});

export function momentOf(operations: Operations, groups: Groups, snapshot: Pick<Session, 'all'>): Moment {
  const session = readingAlone(snapshot);
  return {
    logState: () => readState(session, groups.dialect),
    portionsOf: (intent) => operations.reads.readPortions(session, intent),
    keptOf: (intent) => operations.reads.readPortions(session, intent, true),
    single: async (name) => {
      const { body } = await operations.reads.single(session, groups.get(name));
      return String(body);
    },
  };
}
