// Formulas as generated functions: each formula becomes the code that an engineer would write for it, once, at its first use.
// `evaluate/` gives the same by walking the tree, and is what this is compared with.
import { daysBetween } from '../../values/date.ts';
import { exactly, numberToText, quotient } from '../../values/decimal.ts';
import { runOf } from '../evaluate/evaluate.ts';
import type { Facts } from '../evaluate/facts.ts';
import type { RunOf } from '../evaluate/frame.ts';
import { Memo, type Noted } from '../evaluate/memo.ts';
import { minutesOf, shifted } from '../evaluate/operator-runs.ts';
import { meIn, questionOf } from '../evaluate/record-runs.ts';
import { united } from '../evaluate/united.ts';
import { partsOf } from '../language/index-keys.ts';
import type { NamedFormula, Tree, TreeOf } from '../language/tree.ts';
import {
  isEqual,
  type Known,
  notKnown,
  overlongNumber,
  overlongText,
  type RecordValue,
  type Unknown,
  wholeNumber,
} from '../language/value.ts';
import { Code, isUnknown, type Part, sure, unsure, type Write } from './code.ts';
import { gatherCode } from './collections.ts';
import { macroCode } from './macros.ts';
import { operatorCode } from './operators.ts';
import { fieldCode, namedCode, ownerCode, placeCode, selfCode } from './reads.ts';

/** What one evaluation knows, and what it comes across. */
interface State {
  readonly facts: Facts;
  readonly memo: Memo;
  /** Whether a value was read through a reference of the record that is null. */
  throughNull: boolean;
  /** What to say of a part that became too long. */
  overlong: string | undefined;
  /** Whether it is not known yet if this part is wanted at all: what may cost much is not asked for on the off chance. */
  isOpen: boolean;
}

type Run = (self: RecordValue, given: readonly Known[], state: State) => Known | Unknown;
type RunOfAll = (self: RecordValue, state: State, wanted: readonly boolean[]) => readonly Noted[];

/** A formula's function, generated when it is first called. */
class Generated {
  readonly tree: Tree;
  run: Run;

  /** @param isRepeated Whether it is called in a loop, perhaps. */
  constructor(tree: Tree, isRepeated: boolean) {
    this.tree = tree;
    this.run = (self, given, state) => {
      this.run = functionOf(tree, isRepeated);
      return this.run(self, given, state);
    };
  }
}

const formulas = new WeakMap<Tree, Generated>();
const namedFormulas = new WeakMap<NamedFormula, Generated>();

function generatedOf(tree: Tree): Generated {
  const made = new Generated(tree, false);
  formulas.set(tree, made);
  return made;
}

function namedOf(formula: NamedFormula): Generated {
  const known = namedFormulas.get(formula) ?? new Generated(formula.tree(), true);
  namedFormulas.set(formula, known);
  return known;
}

/** What a formula is evaluated with. */
interface Surroundings {
  readonly facts: Facts;
  /** What it is given by name, in the order of the names. */
  readonly given: readonly Known[];
  /** Shared with other evaluations. */
  readonly memo?: Memo | undefined;
}

/** The value of a formula, and what it has met on the way. @param self What the formula stands on. */
export function evaluateGenerated(tree: Tree, self: RecordValue, { facts, given, memo }: Surroundings): Noted {
  const state: State = { facts, memo: memo ?? new Memo(), throughNull: false, overlong: undefined, isOpen: false };
  const { encounters } = facts;
  const unknown = encounters?.unknown;
  const value = (formulas.get(tree) ?? generatedOf(tree)).run(self, given, state);
  const isPartial = encounters?.unknown !== unknown;
  return { value, throughNull: state.throughNull, overlong: state.overlong, isPartial };
}

/** Formulas that are asked of the same record, as one function: what several of them read is read once. */
export class Together {
  readonly trees: readonly Tree[];
  #run: RunOfAll | undefined;

  constructor(trees: readonly Tree[]) {
    this.trees = trees;
  }

  /** @param wanted Which of them, by their places. @returns what these give, at their places */
  evaluate(
    self: RecordValue,
    { facts, memo = new Memo() }: Omit<Surroundings, 'given'>,
    wanted: readonly boolean[],
  ): readonly Noted[] {
    this.#run ??= functionOfAll(this.trees);
    return this.#run(self, { facts, memo, throughNull: false, overlong: undefined, isOpen: false }, wanted);
  }
}

// --- What generated code calls

/** What a named formula gives, evaluated once for the same record and the same values. */
function once(
  { tree, run }: Generated,
  self: RecordValue,
  { given, state }: { readonly given: readonly Known[]; readonly state: State },
): Noted {
  const { memo, throughNull, overlong } = state;
  const { encounters } = state.facts;
  const [only] = given;
  // One text is asked about most often: what loops go through.
  const question =
    given.length === 0 ? '' : typeof only === 'string' && given.length === 1 ? `=${only}` : questionOf(given);
  const kept = question === undefined ? undefined : memo.named?.get(tree)?.get(self);
  if (question !== undefined) {
    const before = kept?.get(question) ?? (state.isOpen ? kept?.get(`open ${question}`) : undefined);
    if (before?.isPartial === true && encounters !== undefined) encounters.unknown += 1;
    if (before !== undefined) return before;
  }
  const unknown = encounters?.unknown;
  state.throughNull = false;
  state.overlong = undefined;
  const value = run(self, given, state);
  const isPartial = encounters?.unknown !== unknown;
  const found: Noted = { value, throughNull: state.throughNull, overlong: state.overlong, isPartial };
  state.throughNull = throughNull;
  state.overlong ??= overlong;
  // What is not asked for on the off chance may be asked for by others.
  if (question !== undefined) {
    const asked = value !== notKnown || !state.isOpen ? question : `open ${question}`;
    if (kept === undefined) memo.keepNamed(tree, self, { question: asked, found });
    else if (value === notKnown || isPartial) memo.keep(kept, asked, found);
    else kept.set(asked, found);
  }
  return found;
}

const runtime = {
  notKnown,
  none: Object.freeze([]),
  exactly,
  quotient,
  daysBetween,
  isEqual,
  numberToText,
  once,
  united,
  shifted,
  minutesOf,
  overlongNumber,
  overlongText,
  meIn,
  isAmong: (value: Known, list: readonly Known[]): boolean => list.some((item) => isEqual(item, value)),
  itemAt: (list: readonly Known[], place: string): Known => list[wholeNumber(place) ?? -1] ?? null,
};

// --- The function of a formula

function functionOf(tree: Tree, isRepeated: boolean): Run {
  if (lengthOf(tree) > mostParts) return walked(tree);
  return written('self, given, state', isRepeated, (_code, write) => write(tree).code) as Run;
}

/** The same of several at once. Those that would make it too long are functions of their own. */
function functionOfAll(trees: readonly Tree[]): RunOfAll {
  return written('self, state, wanted', false, (code, write) => {
    let parts = 0;
    code.line('const found = [], given = none;');
    for (const [place, tree] of trees.entries()) {
      parts += lengthOf(tree);
      code.block(`if (wanted[${place}] === true)`, () => {
        code.line('state.throughNull = false; state.overlong = undefined;');
        const unknown = code.local('state.facts.encounters?.unknown');
        const value =
          parts > mostParts ? `${code.constant(generatedOf(tree))}.run(self, given, state)` : write(tree).code;
        const isPartial = `state.facts.encounters?.unknown !== ${unknown}`;
        code.line(`const value = ${value}, isPartial = ${isPartial};`);
        code.line(`found[${place}] = { value, throughNull: state.throughNull, overlong: state.overlong, isPartial };`);
      });
    }
    return 'found';
  }) as RunOfAll;
}

/** @param inside Writes the lines. @returns the code of what is given back */
function written(parameters: string, isRepeated: boolean, inside: (code: Code, write: Write) => string): unknown {
  const code = new Code(isRepeated, partRun);
  const write: Write = (part) =>
    (writers[part.op] as (part: Tree, code: Code, write: Write) => Part)(part, code, write);
  const result = inside(code, write);
  const constants = code.constants.map((_constant, index) => `k${index}`);
  const source = [
    `const { ${Object.keys(runtime).join(', ')} } = runtime;`,
    ...(constants.length === 0 ? [] : [`const [${constants.join(', ')}] = constants;`]),
    `return function formula(${parameters}) {`,
    ...(code.slots.length === 0 ? [] : [`let ${code.slots.join(', ')};`]),
    ...code.lines,
    `return ${result};`,
    '};',
  ].join('\n');
  return new Function('runtime', 'constants', source)(runtime, code.constants);
}

/** Code that is longer is better walked through: parts inside of macros stand in it more than once. */
const mostParts = 3000;
const copiesInMacro = 3;

function lengthOf(tree: Tree): number {
  const inside = partsOf(tree).reduce((sum, part) => sum + lengthOf(part), 0);
  return 1 + inside * (tree.op === 'macro' ? copiesInMacro : 1);
}

/** A part that generated code asks of one item after the other: its notes are the state. */
const partRun: RunOf = (tree) => {
  const generated = new Generated(tree, true);
  return ({ self, variables, notes }) => generated.run(self, variables, notes as State);
};

/** The same without code of its own. */
function walked(tree: Tree): Run {
  const run = runOf(tree);
  return (self, given, state) =>
    run({ self, facts: state.facts, variables: given, notes: state, isOpen: state.isOpen });
}

const writers: { readonly [Op in Tree['op']]: (tree: TreeOf<Op>, code: Code, write: Write) => Part } = {
  ...operatorCode,
  self: selfCode,
  owner: ownerCode,
  place: placeCode,
  known: ({ name, type }, code) => {
    const group = type.kind === 'record' ? type.shape.group : '';
    return unsure(code.local(name === 'me' ? `meIn(state.facts, ${JSON.stringify(group)})` : `state.facts.${name}()`));
  },
  before: (tree, code) => {
    const noted = code.local(`state.facts.before(${code.constant(tree)}, self)`);
    code.line(`state.throughNull ||= ${noted}.throughNull; state.overlong ??= ${noted}.overlong;`);
    return unsure(code.local(`${noted}.value`));
  },
  sent: ({ key }, code) => unsure(code.local(`state.facts.sent(${JSON.stringify(key)})`)),
  field: fieldCode,
  named: (tree, code, write) => namedCode(tree, code, { write, named: namedOf }),
  gather: gatherCode,
  unite: ({ of }, code, write) => {
    const lists = write(of);
    return unsure(code.local(`${isUnknown(lists)} ? notKnown : united(${lists.code})`));
  },
  literal: ({ literal: { value } }) => sure(JSON.stringify(value)),
  list: ({ items }, code, write) => {
    const parts = items.map(write);
    const list = `[${parts.map((part) => part.code).join(', ')}]`;
    return unsure(code.local(`${isUnknown(...parts)} ? notKnown : ${list}`));
  },
  map: ({ entries }, code, write) => {
    const parts = entries.map(([, part]) => write(part));
    const made = entries.map(([key], index) => `[${JSON.stringify(key)}]: ${parts[index]?.code}`);
    return unsure(code.local(`${isUnknown(...parts)} ? notKnown : { kind: 'map', entries: { ${made.join(', ')} } }`));
  },
  variable: ({ slot }, code) => sure(code.variable(slot)),
  macro: macroCode,
};
