// Writes a migration file: JSON with comments, one line a column, with the class and the SQL of each step above it.
import type { Schema, SchemaTable } from '../plan/schema.ts';
import { applyStep, type Step } from '../plan/steps.ts';
import { stepWords } from '../plan/words.ts';
import { ddlText, typeWords } from './sql-text.ts';

/** Writes a migration. @param from the schema that it starts from */
export function migrationText(steps: readonly Step[], from: Schema): string {
  let before = from;
  const parts = steps.map((step, index) => {
    const [classes, ...sql] = ddlText(step, before);
    const comment = [`${index + 1}. ${stepWords(step)} ${classes}`, ...sql].map((words) => `    // ${words}`);
    before = applyStep(before, step);
    const data = step.do === 'createTable' ? createText(step) : `    ${line(step)}`;
    return `${comment.join('\n')}\n${data}`;
  });
  return `// Written by "praxis migrate generate" and applied by "praxis migrate apply". The steps count; comments are for the reader:
// what each step does on SQLite and on MySQL. A file that has been applied anywhere must not change any more.
{
  "format": 2,
  "steps": [
${parts.join(',\n\n')}
  ]
}
`;
}

/** JSON in one line, with a blank after colons and commas. */
function line(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(line).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inside]) => `${JSON.stringify(key)}: ${line(inside)}`);
  return `{ ${members.join(', ')} }`;
}

function createText({ table, was, fill, maintained }: Extract<Step, { readonly do: 'createTable' }>): string {
  const last = table.columns.length - 1;
  const columns = table.columns.map((column, index) => {
    return `          ${line(column)}${index === last ? '' : ','} // ${typeWords(column)}`;
  });
  const indexes = table.indexes.map((index) => `          ${line(index)}`);
  return `    {
      "do": "createTable",${was === undefined ? '' : `\n      "was": ${JSON.stringify(was)},`}${maintained === true ? '\n      "maintained": true,' : ''}
      "table": {
        "name": ${JSON.stringify(table.name)},
        "columns": [
${columns.join('\n')}
        ],
        "primaryKey": ${line(table.primaryKey)},
        "indexes": ${indexes.length === 0 ? '[]' : `[\n${indexes.join(',\n')}\n        ]`}${limitsText(table)}${rowsText(table)}
      }${fill === undefined ? '' : `,\n      "fill": ${line(fill)}`}
    }`;
}

const rowsText = ({ formula }: SchemaTable): string =>
  formula === undefined ? '' : `,\n        "formula": ${JSON.stringify(formula)}`;

const limitsText = ({ limits }: SchemaTable): string =>
  limits === undefined ? '' : `,\n        "limits": ${line(limits)}`;
