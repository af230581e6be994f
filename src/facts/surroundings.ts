// In what formulas are evaluated that read records.
import type { Memo } from '../formulas/evaluate/memo.ts';
import type { evaluateGenerated } from '../formulas/generate/generate.ts';
import type { WriteContext } from './context.ts';

/** The write in which formulas are evaluated. */
export interface Surroundings {
  readonly records: WriteContext['records'];
  /** The write itself; conditions of rules ask for nothing of it. */
  readonly write?: Pick<WriteContext, 'today' | 'actingMember' | 'before' | 'values' | 'resource' | 'operation'> &
    Partial<Pick<WriteContext, 'sent' | 'results' | 'befores'>>;
  /** The day of who only reads. */
  readonly today?: WriteContext['today'] | undefined;
  /** Who acts, of who only reads; nobody without it. */
  readonly actor?: string | null;
  /** Whether the record of the write is being made, so that no other can name it yet. */
  readonly isNew?: boolean;
  /** What others have found in the same write, where nothing has changed since. */
  readonly memo?: Memo | undefined;
  /** How formulas are evaluated, where not by generated functions. */
  readonly evaluator?: typeof evaluateGenerated;
  /** Records of collections that are read in all, of those who would rather not know than read more. */
  readonly mostRead?: number | undefined;
}
