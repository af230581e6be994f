// Describes a step in one line, for files, plans and logs.
import { allRows } from './schema.ts';
import type { Step } from './steps.ts';

/** `adds the column "phone" to "office"` */
export function stepWords(step: Step): string {
  switch (step.do) {
    case 'createTable':
      return `creates the table "${step.table.name}"`;
    case 'dropTable':
      return `drops the table "${step.table}"`;
    case 'renameTable':
      return `renames the table "${step.table}" to "${step.to}"`;
    case 'addColumn':
      return `adds the column "${step.column.name}" to "${step.table}"`;
    case 'dropColumn':
      return `drops the column "${step.column}" of "${step.table}"`;
    case 'renameColumn':
      return `renames the column "${step.column}" of "${step.table}" to "${step.to}"`;
    case 'changeColumn':
      return `changes the column "${step.column.name}" of "${step.table}"`;
    case 'renameValues':
      return `renames values of the column "${step.column}" of "${step.table}": ${Object.entries(step.values)
        .map(([now, old]) => `"${old}" to "${now}"`)
        .join(', ')}`;
    case 'fillColumn':
      return `fills the column "${step.column.name}" of "${step.table}" with ${step.formula}`;
    case 'computeColumn':
      return `computes the column "${step.column}" of "${step.table}"`;
    case 'computeFigures': {
      if (Object.keys(step.formulas).join() === allRows) return `computes the rows of "${step.table}"`;
      const names = Object.keys(step.formulas).map((name) => `"${name}"`);
      return `computes the ${names.length === 1 ? 'figure' : 'figures'} ${names.join(', ')} of "${step.table}"`;
    }
    case 'addIndex':
      return `adds the ${step.index.unique === true ? 'unique ' : ''}index "${step.index.name}"`;
    case 'dropIndex':
      return `drops the index "${step.index}"`;
    case 'renameIndex':
      return `renames the index "${step.index}" to "${step.to}"`;
    case 'addForeignKey':
      return `makes the column "${step.column}" of "${step.table}" refer to "${step.references}"`;
    case 'dropForeignKey':
      return `frees the column "${step.column}" of "${step.table}" from what it refers to`;
    case 'changeLimits':
      return `changes how many rows "${step.table}" has for each record`;
  }
}
