// The class and the SQL of a step, for the eye: in files, and where a plan is shown.
import type { DialectName } from '../storage/session.ts';
import { classOf, classWords } from './changes.ts';
import type { Schema } from './schema.ts';
import { type Statement, stepSql, withForm } from './step-sql.ts';
import type { Step } from './steps.ts';

const engines: readonly DialectName[] = ['sqlite', 'mysql'];
/** As MySQL has it; MariaDB's own is called utf8mb4_nopad_bin. */
const collation = 'utf8mb4_0900_bin';

/** Lines of a comment: the class of a step, and its statements on both databases. A new table is plain from its columns. */
export function ddlText(step: Step, before: Schema): readonly string[] {
  const classes = engines.map((dialect) => classWords[classOf(step, before, dialect)]);
  const head = classes[0] === classes[1] ? `(${classes[0]})` : `(SQLite: ${classes[0]}; MySQL: ${classes[1]})`;
  if (step.do === 'createTable') return [head];
  return [
    head,
    ...engines.flatMap((dialect) => {
      const statements = stepSql(step, before, { dialect, collation });
      const lines = statements.map(statementText);
      return (lines.length === 0 ? [withoutSql(step)] : lines).map(
        (text) => `${dialect === 'mysql' ? 'mysql:  ' : 'sqlite: '}${text}`,
      );
    }),
  ];
}

/** `…, algorithm=instant;` with the other form in words. */
function statementText({ sql, forms, repeats }: Statement): string {
  const [first, ...others] = forms;
  const text = (first === undefined ? sql : withForm(sql, first)).replaceAll(/\s*\n\s*/g, ' ');
  const or = others.length === 0 ? '' : `  -- or ${others.join(', or ')}`;
  return `${text};${or}${repeats ? '  -- until no row is left' : ''}`;
}

const withoutSql = (step: Step): string =>
  step.do === 'computeColumn' || step.do === 'renameValues' ? '-- computed here, row by row' : '-- nothing to change';
