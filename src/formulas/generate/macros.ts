// Writes the code of macros: what a database tells of a collection as a whole, else what is found of each item.
import { type ItemPart, type TallyPlan, tallyOf } from '../analyse/tally.ts';
import { isAtHand } from '../evaluate/macro-runs.ts';
import { gatheringRun } from '../evaluate/tally-run.ts';
import { comparing } from '../language/function-row.ts';
import { macroRow } from '../language/macros.ts';
import type { Tree, TreeOf } from '../language/tree.ts';
import { type Code, isUnknown, listOf, type Part, unsure, type Write, type Writing } from './code.ts';
import { wantedCode } from './collections.ts';

export function macroCode(tree: TreeOf<'macro'>, code: Code, write: Write): Part {
  const value = code.local('undefined');
  const plan = tallyOf(tree);
  const compute = (): void => {
    if (plan === undefined) fromItems(value, tree, { code, write });
    else {
      tallied(value, { plan, tree }, { code, write });
      code.block(`if (${value} === undefined)`, () => fromItems(value, tree, { code, write }));
    }
  };
  const order = tree.of.op === 'gather' ? tree.of.order : undefined;
  if (order !== undefined) code.line(`${value} = state.facts.previous?.(${code.constant(order)}, self);`);
  // All that it adds up would be read and computed, however much that is.
  if (tree.name === 'sum') code.line(`if (state.isOpen) ${value} = notKnown; else`);
  code.block(order === undefined ? '' : `if (${value} === undefined)`, compute);
  return unsure(value);
}

/** A number that is compared: it need not be counted further than what it is compared with. */
export function upToCode(tree: Tree, other: Tree, { code, write }: Writing): Part {
  const plan = tree.op === 'macro' && tree.name === 'count' && isAtHand(other) ? tallyOf(tree) : undefined;
  if (plan === undefined || tree.op !== 'macro') return write(tree);
  const bound = write(other).code;
  const value = code.local('undefined');
  code.block(`if (typeof ${bound} === 'string' && Number(${bound}) <= Number.MAX_SAFE_INTEGER)`, () => {
    const most = code.local(`Math.max(0, Math.floor(Number(${bound}))) + 1`);
    tallied(value, { plan, tree, most }, { code, write });
  });
  code.block(`if (${value} === undefined)`, () => code.line(`${value} = ${write(tree).code};`));
  return unsure(value);
}

function fromItems(value: string, { name, of, slot, body, type }: TreeOf<'macro'>, { code, write }: Writing): void {
  const among = write(of);
  const gather = code.constant(macroRow(name).gather);
  const compare = code.constant(comparing(body?.type ?? (type.kind === 'list' ? type.item : type)));
  code.line(`if (${isUnknown(among)}) ${value} = notKnown; else`);
  code.block('', () => {
    const items = code.local(listOf(among.code));
    const found = body === undefined ? 'undefined' : foundOf(items, { tree: body, slot }, { code, write });
    code.line(`${value} = ${found} === notKnown ? notKnown : ${gather}(${items}, ${found}, ${compare});`);
  });
}

/** What is found of each item, as a local list; unknown where it is of one. */
function foundOf(items: string, { tree, slot }: ItemPart, { code, write }: Writing): string {
  const found = code.local('[]');
  const isKnown = code.local('true');
  code.loop(items, slot, () => {
    const one = write(tree);
    if (!one.isSure) code.line(`if (${isUnknown(one)}) ${isKnown} = false; else`);
    code.line(`${found}.push(${one.code});`);
  });
  code.line(`if (!${isKnown}) ${found} = notKnown;`);
  return found;
}

interface Tallying {
  readonly plan: TallyPlan;
  readonly tree: TreeOf<'macro'>;
  /** Of a number: it is counted no further. */
  readonly most?: string;
}

/** Asks the database, and adds what is known here: undefined where the items must be read. @param told The name of a local. */
function tallied(told: string, { plan, tree, most = 'undefined' }: Tallying, { code, write }: Writing): void {
  const { tally, says } = plan;
  const asked = askCode(plan, code, write);
  code.line(`${told} = ${asked};`);
  code.block(`if (${asked} !== undefined && ${asked} !== notKnown && state.facts.tally !== undefined)`, () => {
    const counted = says === 'value' ? most : '1';
    const { wanted, given } = { wanted: `${asked}.wanted`, given: `${asked}.given` };
    const ask = `{ tally: ${code.constant(tally)}, wanted: ${wanted}, given: ${given}, most: ${counted} }`;
    const whole = code.local(`state.facts.tally(${ask})`);
    code.line(`${told} = ${whole};`);
    // What is known here, besides, is the record of the write alone, and mostly nothing: functions of their own judge it.
    const gathered = `${code.constant(gatheringRun(plan, tree, code.runOf))}(${code.frame()}, ${whole}, ${most})`;
    code.line(`if (${whole} !== undefined && ${whole} !== notKnown) ${told} = ${gathered};`);
  });
  code.line(`if (${told} === ${asked} && ${told} !== notKnown) ${told} = undefined;`);
}

/**
 * What the database is asked with, as a local; undefined where it is not asked for such a value, or where one is read through a
 * null reference of the record: that is told only where an item comes as far.
 */
function askCode({ narrowing, others, given }: TallyPlan, code: Code, write: Write): string {
  const asked = code.local('undefined');
  const { throughNull } = code.apart(() => {
    const holder = others && write(others.of);
    const wanted = wantedCode(narrowing, code, write);
    const values = given.map(write);
    const list = `[${values.map((value) => value.code).join(', ')}]`;
    const unknown = isUnknown(...(holder === undefined ? [] : [holder]), ...values);
    code.line(`if (${unknown} || !${wanted.isKnown}) ${asked} = notKnown; else`);
    if (others === undefined || holder === undefined)
      code.line(
        `if (${wanted.list}.length === ${narrowing.length}) ${asked} = { wanted: ${wanted.list}, given: ${list} };`,
      );
    else {
      const named = `{ key: ${JSON.stringify(others.key)}, up: 0, isAmong: false, value: ${holder.code}.id }`;
      const isThere = `${holder.code} !== null && ${holder.code}.id !== undefined`;
      code.line(`if (${isThere}) ${asked} = { wanted: [${named}], given: ${list} };`);
    }
  });
  code.line(`if (${throughNull}) ${asked} = undefined;`);
  return asked;
}
