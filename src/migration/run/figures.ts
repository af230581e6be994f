// Backfills computed fields that are new or whose formula has changed. Done after all other steps, by the present descriptors,
// which the caller hands in: only these can be read with all their groups.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Session } from '../../storage/schema/session.ts';
import { adaptStep } from '../plan/adapt.ts';
import { findColumn, findTable, formulaIn, type Schema } from '../plan/schema.ts';
import { applyStep, computeStep, type Step } from '../plan/steps.ts';
import type { OnProgress } from './progress.ts';

type FigureStep = Extract<Step, { readonly do: 'computeFigures' }>;

/** The columns of figures, or `*` for the rows of a list, by table. */
type FigureColumns = ReadonlyMap<string, readonly string[]>;

/** Callbacks of a backfill. */
interface FillHooks {
  /** Called in the transaction of each portion. */
  readonly portion: (session: Session) => Promise<void>;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Gives rows the values of figures and states, in portions; doing it again changes nothing.
 * @throws ConfigurationFault that names records whose figure cannot be held
 */
export type FillFigures = (columns: FigureColumns, hooks: FillHooks) => Promise<void>;

/** Who computes figures in tables of a schema. @throws ConfigurationFault where the descriptors ask for other tables */
export type FigureFiller = (schema: Schema) => FillFigures;

/** Names the columns that a step computes. */
export const listColumns = ({ formulas, states = {} }: FigureStep): readonly string[] => [
  ...Object.keys(formulas),
  ...Object.keys(states),
];

/** A step that has to wait for others, which may rename what it is about, or end it. */
export function laterStep(step: FigureStep, meanwhile: Step): FigureStep | undefined {
  const { table, formulas, states = {} } = step;
  switch (meanwhile.do) {
    case 'renameTable':
      return meanwhile.table === table ? { ...step, table: meanwhile.to } : step;
    case 'dropTable':
      return meanwhile.table === table ? undefined : step;
    case 'dropColumn':
    case 'renameColumn': {
      if (meanwhile.table !== table) return step;
      const renamed = <T>(byColumn: Readonly<Record<string, T>>): Record<string, T> =>
        Object.fromEntries(
          Object.entries(byColumn).flatMap(([name, text]) => {
            if (name !== meanwhile.column) return [[name, text] as const];
            return meanwhile.do === 'dropColumn' ? [] : [[meanwhile.to, text] as const];
          }),
        );
      const later = computeStep(table, renamed(formulas), renamed(states));
      return listColumns(later).length === 0 ? undefined : later;
    }
    default:
      return step;
  }
}

/** What is left to compute of steps that have waited, and the schema that they lead to. */
export function openFigures(
  steps: readonly FigureStep[],
  recorded: Schema,
): { readonly steps: readonly FigureStep[]; readonly after: Schema } {
  const after = steps.reduce((schema, step) => applyStep(schema, step), recorded);
  const tables = [...new Set(steps.map(({ table }) => table))];
  const open = tables.flatMap((table): FigureStep[] => {
    const own = steps.filter((step) => step.table === table);
    // Of several formulas that a figure has had, the last one counts.
    const formulas = own
      .flatMap((step) => Object.keys(step.formulas))
      .map((name) => [name, formulaIn(findTable(after, table), name).formula ?? null] as const);
    const states = own
      .flatMap((step) => Object.keys(step.states ?? {}))
      .map((name) => [name, findColumn(findTable(after, table), name)?.becomes ?? ''] as const);
    const step = computeStep(table, Object.fromEntries(formulas), Object.fromEntries(states));
    return adaptStep(step, recorded).flatMap((part) => (part.do === 'computeFigures' ? [part] : []));
  });
  return { steps: open, after };
}

/** Whether the tables of a schema have all that the descriptors ask for. @throws ConfigurationFault that names what they lack */
export function refuseOtherTables(wanted: Schema, schema: Schema): void {
  for (const { name, columns } of wanted.tables) {
    const table = findTable(schema, name);
    const lacking = columns.find((column) => findColumn(table, column.name)?.type !== column.type);
    if (lacking === undefined) continue;
    const what = table === undefined ? `the table "${name}"` : `"${lacking.name}" of "${name}"`;
    throw new ConfigurationFault(
      `Fields cannot be computed: the migrations do not create ${what} as the descriptors require. Run "praxis migrate generate".`,
    );
  }
}
