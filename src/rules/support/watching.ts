// Who looks on while a write is judged: a trial, which tells what each condition has seen.
import type { RuleUse } from '../../registry/model/model.ts';

/** Is handed the drafts of the write. */
export interface Watching {
  /** Before conditions are judged. */
  judging(draft: object): Promise<void>;
  /** @param refuses Whether the condition has found something wrong. */
  judged(draft: object, use: RuleUse, refuses: boolean): Promise<void>;
}
