// The class and the SQL of a step as text, for files and plans.

import { dialects } from '../../storage/dialects.ts';
import { columnSql } from '../../storage/schema/columns.ts';
import { classOf, classWords } from '../editors/changes.ts';
import { editorOf } from '../editors/editors.ts';
import type { Statement } from '../editors/schema-editor.ts';
import { typeOf } from '../plan/column-type.ts';
import type { Schema, SchemaColumn } from '../plan/schema.ts';
import type { Step } from '../plan/steps.ts';

const engines = Object.values(dialects);
const longestName = Math.max(...engines.map(({ name }) => name.length));

/** Lines of a comment: the class of a step, and its statements on each database. A new table is plain from its columns. */
export function ddlText(step: Step, before: Schema): readonly string[] {
  const classes = engines.map((dialect) => classWords[classOf(step, before, dialect)]);
  const isOne = new Set(classes).size === 1;
  const head = isOne ? classes[0] : engines.map(({ label }, place) => `${label}: ${classes[place]}`).join('; ');
  if (step.do === 'createTable') return [`(${head})`];
  return [
    `(${head})`,
    ...engines.flatMap((dialect) => {
      const lines = editorOf(dialect).statements(step, before, { dialect }).map(statementText);
      const name = `${dialect.name}:`.padEnd(longestName + 2);
      return (lines.length === 0 ? [withoutSql(step)] : lines).map((text) => `${name}${text}`);
    }),
  ];
}

/** The types of a column in words: `text | varchar(255)`. */
export const typeWords = (column: SchemaColumn): string =>
  engines.map((dialect) => columnSql(typeOf(column), dialect).replace(/ (character set|collate).*$/, '')).join(' | ');

/** `…, algorithm=instant;` with the other form in words. */
function statementText({ sql, forms, repeats }: Statement): string {
  const [first, ...others] = forms;
  const text = (first?.of(sql) ?? sql).replaceAll(/\s*\n\s*/g, ' ');
  const or = others.length === 0 ? '' : `  -- or ${others.map(({ name }) => name).join(', or ')}`;
  return `${text};${or}${repeats ? '  -- until no row is left' : ''}`;
}

const withoutSql = (step: Step): string =>
  step.do === 'fillColumn' || step.do === 'computeColumn' || step.do === 'computeFigures' || step.do === 'renameValues'
    ? '-- computed here, row by row'
    : '-- nothing to change';
