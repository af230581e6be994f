// The interface of a schema editor: what `sqlite-editor.ts` and `mysql-editor.ts` implement.
import type { Dialect } from '../../storage/schema/dialect.ts';
import type { Schema, SchemaColumn } from '../plan/schema.ts';
import type { Step } from '../plan/steps.ts';

/** `metadata`: no row is looked at. `online`: rows are, and others go on writing meanwhile. */
export type StepClass = 'metadata' | 'online' | 'rebuild' | 'destroys';

/** What the database itself must change when a column changes. */
type ColumnWork = 'none' | 'online' | 'rebuild';

/** A way in which a server may change a table: as asked for, or not at all. */
export interface Form {
  readonly name: string;
  /** Whether nobody can write to the table meanwhile. */
  readonly isRebuild: boolean;
  /** The statement that asks for it. */
  of(sql: string): string;
  /** Whether it failed because the change cannot be made in this form. */
  isRefused(error: unknown): boolean;
}

export interface Statement {
  readonly sql: string;
  /** The forms to ask for, best first; none for statements that know no forms. */
  readonly forms: readonly Form[];
  /** What is asked for when all are refused. */
  readonly lastForm?: Form;
  /** To be run until it changes no row any more: it changes them in portions. */
  readonly repeats: boolean;
}

/** A statement that is run once, as it is. */
export const plain = (sql: string): Statement => ({ sql, forms: [], repeats: false });

export interface Target {
  readonly dialect: Dialect;
  /** Name of the foreign key of a column, as the database has it. */
  readonly keyName?: (table: string, column: string) => string;
}

/** Steps whose class depends on the engine, beside those that change a column. */
type KeyStep = Extract<Step, { readonly do: 'renameIndex' | 'addForeignKey' | 'dropForeignKey' }>;

/** What a database says of its tables. */
interface Catalogue {
  /** table, column, type, collation or null, nullable, has a default, place in the primary key or 0 */
  readonly columns: string;
  /** table, index, unique, column, whether it is the primary key; in the order of the columns */
  readonly indexes: string;
  /** table, column, target, name */
  readonly foreignKeys: string;
  /** One short text, in any number of rows, that differs after a change of the tables. */
  readonly fingerprint: string;
  /** Names of the columns of a table; where a rebuild would lose those that the schema does not know. */
  readonly losableColumns?: string;
}

export interface SchemaEditor {
  readonly catalogue: Catalogue;
  /** A type as the catalogue or as DDL writes it → the form in which the two are compared. */
  plainType(type: string): string;
  /**
   * The statements of a step. What no SQL can say (folded text, enums inside lists) is done by `compute.ts`.
   * @param before the schema that it is applied to
   */
  statements(step: Step, before: Schema, target: Target): readonly Statement[];
  /** What the change of a column's definition means. */
  columnWork(from: SchemaColumn, to: SchemaColumn): ColumnWork;
  classOf(step: KeyStep, before: Schema): StepClass;
  /** Whether a statement failed because a column, key or table is there already, or is there no more. */
  isRepetition(error: unknown): boolean;
}
