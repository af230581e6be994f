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
      return step.unfit === true
        ? `replaces values that the column "${step.column.name}" of "${step.table}" no longer allows with ${step.formula}`
        : `fills the column "${step.column.name}" of "${step.table}" with ${step.formula}`;
    case 'computeColumn':
      return `computes the column "${step.column}" of "${step.table}"`;
    case 'computeFigures': {
      const figures = listNames('field', Object.keys(step.formulas));
      const states = listNames('state', Object.keys(step.states ?? {}));
      const parts = Object.keys(step.formulas).join() === allRows ? ['the rows', ...states] : [...figures, ...states];
      return `computes ${parts.join(' and ')} of "${step.table}"`;
    }
    case 'noteStates':
      return 'stores the conditions of computed states, which are unchanged';
    case 'addIndex':
      return `adds the ${step.index.unique === true ? 'unique ' : ''}index "${step.index.name}"`;
    case 'dropIndex':
      return `drops the index "${step.index}"`;
    case 'renameIndex':
      return `renames the index "${step.index}" to "${step.to}"`;
    case 'addForeignKey':
      return `adds a foreign key from the column "${step.column}" of "${step.table}" to "${step.references}"`;
    case 'dropForeignKey':
      return `drops the foreign key of the column "${step.column}" of "${step.table}"`;
    case 'changeLimits':
      return `changes the number of rows that "${step.table}" allows per record`;
  }
}

/** Returns a list such as `the fields "total", "due"`; empty if there are no names. */
const listNames = (kind: string, names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [`the ${kind}${names.length === 1 ? '' : 's'} ${names.map((name) => `"${name}"`).join(', ')}`];
