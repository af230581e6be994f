// A question for an aggregate with the SQL and the values of its statement.
import type { TallyQuestion } from '../../../formulas/evaluate/facts.ts';
import type { FormulaSql } from '../../formulas/parts.ts';
import type { Bound } from '../../schema/cells.ts';
import type { ColumnType } from '../../schema/column-types.ts';
import type { Sql } from '../../schema/sql.ts';
import type { WantedColumns } from '../levels.ts';

/** A question with the values that its statement binds. */
export interface Prepared {
  readonly index: number;
  readonly question: TallyQuestion;
  readonly sql: TallySql;
  readonly spots: readonly WantedColumns[];
  readonly cells: readonly Bound[];
  readonly givenCells: readonly Bound[];
  /** Key of the SQL: equal for questions that differ only in values. */
  readonly shape: string;
  /** Whether its value is added to those of other questions. */
  readonly isStep?: true;
  /** Bound of the previous step, which counts the other records. */
  readonly previous?: Bound;
}

/** SQL of a tally, for the question at a position of the statement. */
export interface TallySql {
  readonly conditions: (place: number) => readonly Sql[];
  readonly body: ((place: number) => FormulaSql) | undefined;
  readonly bodyType: ColumnType | undefined;
  /** Condition of a step that leaves out the records of the previous one; undefined if the tally has no step. */
  readonly between: ((place: number) => Sql) | undefined;
}
