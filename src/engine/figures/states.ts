// Automatic transitions: states that follow from the rest of a record, tried in order after its figures until none applies.
import { ReadFacts } from '../../facts/read-facts.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Values } from '../../registry/model/model.ts';
import type { Soon } from '../../values/soon.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import { readMissingLists } from '../draft/missing-lists.ts';
import { writeOf } from '../draft/moment.ts';
import { type FigureField, keysMoving, rootKey } from '../plan/figures.ts';
import { computeFigure } from './compute-figure.ts';

interface Following {
  /** Keys of fields that stand as they are for now: what the body sends. */
  readonly standing?: ReadonlySet<string>;
  /** The record before the write. */
  readonly old: Readonly<Values> | undefined;
}

/**
 * Lets the states of a record follow. Each value is entered once at most.
 * @returns the keys of the fields that have become others.
 */
export function followStates(draft: Draft, following: Following): Soon<readonly string[]> {
  return draft.group.states.length === 0 ? [] : follow(draft, following);
}

async function follow(draft: Draft, following: Following): Promise<readonly string[]> {
  const { values } = draft;
  const entered = new Set<string>();
  const changed = new Set<string>();
  for (;;) {
    const next = await nextState(draft, following);
    if (next === undefined || entered.has(`${next.key}=${String(next.to)}`)) return [...changed];
    const { key, to } = next;
    entered.add(`${key}=${String(to)}`);
    changed.add(key);
    values[key] = to;
    await takeDependents(draft, key);
  }
}

/** The figures that hang on a field, and those that hang on these, in their order. */
async function takeDependents(draft: Draft, key: string): Promise<void> {
  const moved = new Set([key]);
  for (const figure of draft.group.figures) {
    if (!keysTaking(draft, figure).some((each) => moved.has(each))) continue;
    await readMissingLists([draft], figure.lists);
    await computeFigure(draft, figure, 'anew');
    moved.add(rootKey(figure));
  }
}

/** Keys of the fields whose change takes a figure, also where no caller writes the record. */
function keysTaking({ name }: Draft, { figure }: FigureField): readonly string[] {
  if (figure.taken === 'onCreate') return figure.again;
  return figure.taken === 'always' ? keysMoving(name.group, figure) : [];
}

interface Next {
  readonly key: string;
  readonly to: string | boolean;
}

/** The first value of a field whose condition holds is the one that it shall have. */
async function nextState(draft: Draft, { standing, old }: Following): Promise<Next | undefined> {
  const { values, scope } = draft;
  for (const { key, becomes } of draft.group.states) {
    if (standing?.has(key) === true) continue;
    for (const { to, when } of becomes) {
      if (!draft.isSound(...when.keys)) continue;
      const write = { ...writeOf(draft), before: old, today: () => scope.reached() };
      const facts = new ReadFacts({ records: scope.records, write });
      const judged = facts.evaluate(when.tree, recordValue(values));
      const { value } = judged instanceof Promise ? await judged : judged;
      if (value !== true) continue;
      if (!sameValue(values[key], to)) return { key, to };
      break;
    }
  }
  return undefined;
}
