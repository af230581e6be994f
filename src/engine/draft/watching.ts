// Who looks on while a write is judged: a trial, which tells what each condition has seen.
import type { RuleUse } from '../../registry/model/model.ts';
import type { Scope } from '../transaction/scope.ts';
import type { Draft } from './draft.ts';

export interface Watching {
  /** Before conditions are judged. */
  judging(draft: Draft): Promise<void>;
  /** @param refuses Whether the condition has found something wrong. */
  judged(draft: Draft, use: RuleUse, refuses: boolean): Promise<void>;
}

const watching = new WeakMap<Scope, Watching>();

/** Lets somebody look on at the writes of a scope. */
export const watch = (scope: Scope, by: Watching): void => void watching.set(scope, by);

/** Who looks on at a write. */
export const watchingOf = ({ scope }: Draft): Watching | undefined => watching.get(scope);
