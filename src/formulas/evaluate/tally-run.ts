// Evaluates an aggregate: asks the database for the stored records, and adds the record of the write at hand.
import { exactly } from '../../values/decimal.ts';
import { type ItemPart, type TallyPlan, tallyOf } from '../analyse/tally.ts';
import { comparing } from '../language/function-row.ts';
import { macroRow } from '../language/macros.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { isRecord, type Known, notKnown, type Unknown } from '../language/value.ts';
import type { Tallied, TallyAsk } from './facts.ts';
import { all, apart, type Frame, ofAll, ofEach, type Result, type Run, type RunOf } from './frame.ts';
import { wantedRun } from './wanted.ts';

/**
 * @param most Of a number: it counts no further. Of the first: so many of them, as a list.
 * @returns undefined where the items must be read
 */
export type Tallying = (frame: Frame, most?: number) => Result | undefined;

/** What is asked of each item, ready to be asked. */
interface Judge {
  readonly slot: number;
  readonly run: Run;
}

/** @returns undefined for a macro of which only those who read the items can tell */
export function tallyingRun(tree: TreeOf<'macro'>, runOf: RunOf): Tallying | undefined {
  const plan = tallyOf(tree);
  if (plan === undefined) return undefined;
  const { tally, says } = plan;
  const asking = askingRun(plan, runOf);
  const gather = gatheringRun(plan, tree, runOf);
  return (frame, most) => {
    const ask = asking(frame);
    if (ask === undefined || ask === notKnown) return ask;
    const told = frame.facts.tally?.({ tally, ...ask, most: says === 'value' ? most : 1 });
    return told === undefined || told === notKnown ? told : gather(frame, told, most);
  };
}

/** Puts together what the database tells and what is known here, once that is judged. */
export function gatheringRun(
  plan: TallyPlan,
  tree: TreeOf<'macro'>,
  runOf: RunOf,
): (frame: Frame, told: Tallied, most?: number) => Result {
  const { conditions, but, body } = plan;
  const judgeOf = (part: ItemPart): Judge => ({ slot: part.slot, run: runOf(part.tree) });
  const judges = conditions.map(judgeOf);
  const [fails, taken] = [but && judgeOf(but), body && judgeOf(body)];
  const together = togetherOf(plan, tree);
  return (frame, told, most) => {
    let items: readonly Known[] | Unknown = told.items;
    for (const judge of judges) {
      items = judged(judge, items, { frame, holds: true });
      if (items === notKnown) return notKnown;
    }
    const counted = fails === undefined ? items : judged(fails, items, { frame, holds: false });
    const found = taken === undefined ? undefined : foundOf(taken, items, frame);
    return counted === notKnown || found === notKnown
      ? notKnown
      : together({ value: told.value, items: counted, found, most });
  };
}

interface Gathered {
  /** Of all others. */
  readonly value: string | null;
  readonly items: readonly Known[];
  readonly found: readonly Known[] | undefined;
  readonly most: number | undefined;
}

/** Puts what the database tells of the others and what is found of the items at hand together. */
function togetherOf({ tally: { take }, says, body }: TallyPlan, tree: Tree): (gathered: Gathered) => Known {
  if (take === 'count')
    return ({ value, items }) => {
      const count = exactly['+'](value ?? '0', String(items.length));
      return says === 'value' ? count : (count !== '0') === (says === 'any');
    };
  const { gather } = macroRow(take);
  const compare = comparing(body?.tree.type ?? tree.type);
  if (take === 'first' || take === 'last')
    return ({ items, found, most }) => (most === undefined ? gather(items, found, compare) : items.slice(0, most));
  return ({ value, found = [] }) => gather([], [value, ...found], compare);
}

type Asked = Pick<TallyAsk, 'wanted' | 'given'>;

/**
 * What the database is asked with; undefined where a value is one that it is not asked for, or is read through a null reference
 * of the record: that is told only where an item comes as far.
 */
function askingRun(
  { narrowing, others, given }: TallyPlan,
  runOf: RunOf,
): (frame: Frame) => Asked | Unknown | undefined {
  const wants = wantedRun(narrowing, runOf);
  const named = others && runOf(others.of);
  const runs = given.map(runOf);
  return (frame) => {
    let asked: Asked | Unknown | undefined;
    const { throughNull } = apart(frame.notes, frame.facts, () => {
      const holder = named?.(frame);
      const wanted = wants(frame);
      const values = all(runs, frame);
      if (holder === notKnown || wanted === notKnown || values === notKnown) asked = notKnown;
      else if (wanted.length === narrowing.length && values.every(isPlain)) {
        const id = holder === undefined || holder === null || !isRecord(holder) ? undefined : holder.id;
        if (others === undefined) asked = { wanted, given: values };
        else if (id !== undefined)
          asked = { wanted: [{ key: others.key, up: 0, isAmong: false, value: id }], given: values };
      }
      return null;
    });
    return throughNull ? undefined : asked;
  };
}

const isPlain = (value: Known): value is string | boolean | null => value === null || typeof value !== 'object';

/** The items of which something holds, or does not. */
function judged(
  { run, slot }: Judge,
  items: readonly Known[],
  { frame, holds }: { readonly frame: Frame; readonly holds: boolean },
): readonly Known[] | Unknown {
  const values = foundOf({ run, slot }, items, frame);
  return values === notKnown ? notKnown : items.filter((_item, index) => (values[index] === true) === holds);
}

/** What is found of each item. */
function foundOf({ run, slot }: Judge, items: readonly Known[], frame: Frame): readonly Known[] | Unknown {
  if (items.length === 0) return items;
  return ofAll(items, ofEach(run, slot, frame));
}
