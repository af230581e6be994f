// Columns that a migration drops after a fill has read them: a fill that gives nothing for their value loses it.
import type { Step } from '../plan/steps.ts';

type FillStep = Extract<Step, { readonly do: 'fillColumn' }>;

interface Planned {
  readonly step: Step;
  readonly place: { readonly name: string } | undefined;
}

/** Returns, for each fill, the columns of its table that a later step of its file drops, and its own if its values are replaced. */
export function findLostColumns(steps: readonly Planned[]): ReadonlyMap<Step, ReadonlySet<string>> {
  return new Map(
    steps.flatMap(({ step, place }, index) => {
      if (step.do !== 'fillColumn') return [];
      const later = steps.slice(index + 1).filter((other) => other.place?.name === place?.name);
      return [[step, new Set([...dropped(step, later), ...(step.unfit === true ? [step.column.name] : [])])] as const];
    }),
  );
}

const dropped = ({ table }: FillStep, later: readonly Planned[]): readonly string[] =>
  later.flatMap(({ step }) => (step.do === 'dropColumn' && step.table === table ? [step.column] : []));
