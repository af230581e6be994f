// What each check of a single field receives.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../../../formulas/compile/scope.ts';
import type { Report } from '../../model/faults.ts';
import type { KindRow } from '../../model/kinds.ts';
import type { Home, RawField } from '../../model/vocabulary.ts';

export type Fields = Readonly<Record<string, RawField | true>>;

export interface FieldCase {
  readonly name: string;
  readonly field: RawField;
  /** What is known of its kind. */
  readonly row: KindRow;
  readonly path: JSONPath;
  readonly home: Home;
  /** The fields beside it, itself among them. */
  readonly fields: Fields;
  /** What formulas beside it may name. */
  readonly scope: Scope;
  readonly report: Report;
}
