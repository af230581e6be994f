// Writes the code of operators: logic, comparison, arithmetic on numbers, texts and dates.
import type { Operator } from '../evaluate/operator-runs.ts';
import { comparing } from '../language/function-row.ts';
import { functionRow } from '../language/functions.ts';
import type { Tree, TreeOf, Type } from '../language/tree.ts';
import { type Code, isUnknown, listOf, type Part, unsure, type Write, type Writing } from './code.ts';
import { upToCode } from './macros.ts';

export const operatorCode: {
  readonly [Op in Operator | 'call']: (tree: TreeOf<Op>, code: Code, write: Write) => Part;
} = {
  not: ({ of }, code, write) => {
    const value = write(of);
    return unsure(code.local(`${isUnknown(value)} ? notKnown : ${value.code} !== true`));
  },
  negate: ({ of }, code, write) => {
    const value = write(of);
    const isLeft = value.isSure ? `${value.code} === null` : `${isUnknown(value)} || ${value.code} === null`;
    return unsure(code.local(`${isLeft} ? ${value.code} : exactly['-']('0', ${value.code})`));
  },
  and: (tree, code, write) => joined(tree, false, { code, write }),
  or: (tree, code, write) => joined(tree, true, { code, write }),
  equal: ({ left, right, isNot }, code, write) => {
    const [a, b] = [upToCode(left, right, { code, write }), upToCode(right, left, { code, write })];
    const isSame =
      isPlain(left.type) && isPlain(right.type) ? `${a.code} === ${b.code}` : `isEqual(${a.code}, ${b.code})`;
    return unsure(code.local(`${isUnknown(a, b)} ? notKnown : (${isSame}) !== ${isNot}`));
  },
  compare: ({ left, right, sign }, code, write) => {
    const [a, b] = [upToCode(left, right, { code, write }), upToCode(right, left, { code, write })];
    const { kind } = left.type;
    const isCompared = kind === 'number' || kind === 'text';
    const isHeld = isCompared
      ? `${code.constant(comparing(left.type))}(${a.code}, ${b.code}) ${sign} 0`
      : `${a.code} ${sign} ${b.code}`;
    const isBoth = `${a.code} !== null && ${b.code} !== null`;
    return unsure(code.local(`${isUnknown(a, b)} ? notKnown : ${isBoth} && ${isHeld}`));
  },
  in: ({ left, right }, code, write) => {
    const [value, list] = [write(left), write(right)];
    const isAmong = isPlain(left.type)
      ? `${listOf(list.code)}.includes(${value.code})`
      : `isAmong(${value.code}, ${listOf(list.code)})`;
    return unsure(code.local(`${isUnknown(value, list)} ? notKnown : ${isAmong}`));
  },
  arithmetic: (tree, code, write) => {
    const put = tree.sign === '/' ? 'quotient' : `exactly['${tree.sign}']`;
    return bounded(
      both(tree, { code, write }, (a, b) => `${put}(${a}, ${b})`),
      'overlongNumber',
      code,
    );
  },
  join: (tree, code, write) =>
    bounded(
      both(tree, { code, write }, (a, b) => `${a} + ${b}`),
      'overlongText',
      code,
    ),
  shift: (tree, code, write) =>
    both(tree, { code, write }, (day, n) => `shifted(${day}, ${tree.sign === '+' ? n : `exactly['-']('0', ${n})`})`),
  between: (tree, code, write) =>
    both(tree, { code, write }, (to, from) =>
      tree.unit === 'days' ? `String(daysBetween(${from}, ${to}))` : `String(minutesOf(${to}) - minutesOf(${from}))`,
    ),
  if: ({ test, yes, no }, code, write) => {
    const asked = write(test);
    const value = code.local('notKnown');
    const wasOpen = code.local('state.isOpen');
    // Where it is not known, both sides ask for what they need: one of them will be wanted.
    if (!asked.isSure) code.line(`if (${isUnknown(asked)}) state.isOpen = true;`);
    const take = (side: Tree, when: string): void =>
      code.block(`if (${asked.isSure ? when : `${isUnknown(asked)} || ${when}`})`, () =>
        code.line(`${value} = ${write(side).code};`),
      );
    take(yes, `${asked.code} === true`);
    take(no, `${asked.code} !== true`);
    if (!asked.isSure) code.line(`if (${isUnknown(asked)}) ${value} = notKnown;`);
    code.line(`state.isOpen = ${wasOpen};`);
    return unsure(value);
  },
  index: ({ of, at }, code, write) =>
    both({ left: of, right: at }, { code, write }, (list, place) => `itemAt(${list}, ${place})`),
  call: ({ name, args, type }, code, write) => {
    const parts = args.map(write);
    const { call, takesNull, tooLong } = functionRow(name);
    const codes = parts.map((part) => part.code);
    const given = `${code.constant(call)}([${codes.join(', ')}], ${code.constant(comparing(type))})`;
    // Without any it would be called with nothing.
    const called = name === 'coalesce' && codes.length > 0 ? codes.join(' ?? ') : given;
    const isNull = takesNull ? 'false' : codes.map((one) => `${one} === null`).join(' || ') || 'false';
    const value = code.local(`${isUnknown(...parts)} ? notKnown : ${isNull} ? null : ${called}`);
    if (tooLong !== undefined)
      code.block(`if (${value} !== null && ${value} !== notKnown)`, () => {
        const words = code.local(`${code.constant(tooLong)}(${value})`);
        code.line(`if (${words} !== undefined) { state.overlong ??= ${words}; ${value} = null; }`);
      });
    return unsure(value);
  },
};

interface Pair {
  readonly left: Tree;
  readonly right: Tree;
}

/** Two parts that give null where one of them is null. */
function both(tree: Pair, { code, write }: Writing, put: (left: string, right: string) => string): Part {
  const [a, b] = [write(tree.left), write(tree.right)];
  const isNull = `${a.code} === null || ${b.code} === null`;
  return unsure(code.local(`${isUnknown(a, b)} ? notKnown : ${isNull} ? null : ${put(a.code, b.code)}`));
}

/** What has become too long counts as null, and is told. */
function bounded({ code: value }: Part, overlong: 'overlongNumber' | 'overlongText', code: Code): Part {
  const least = overlong === 'overlongNumber' ? 60 : 65_536;
  code.block(`if (typeof ${value} === 'string' && ${value}.length > ${least})`, () => {
    const words = code.local(`${overlong}(${value})`);
    code.line(`if (${words} !== undefined) { state.overlong ??= ${words}; ${value} = null; }`);
  });
  return unsure(value);
}

/** `false && unknown` is false, and `true || unknown` is true, whatever else is asked for. */
function joined({ left, right }: Pair, decides: boolean, { code, write }: Writing): Part {
  const first = write(left);
  const value = code.local(`${first.code} === ${decides}`);
  const isDecided = decides ? value : code.local(`${isUnknown(first)} ? false : ${first.code} !== true`);
  code.line(decides ? '' : `${value} = false;`);
  code.block(`if (${isDecided}) ${value} = ${decides}; else`, () => {
    const throughNull = code.local('state.throughNull');
    const wasOpen = code.local('state.isOpen');
    if (!first.isSure) code.line(`if (${isUnknown(first)}) state.isOpen = true;`);
    const second = write(right);
    code.line(`state.isOpen = ${wasOpen};`);
    const isSecond = `${second.isSure ? '' : `${second.code} !== notKnown && `}(${second.code} === true) === ${decides}`;
    // Whether it is read through a null reference at all, the first has yet to say.
    const isLeftOpen = first.isSure ? 'false' : `${isUnknown(first)} && state.throughNull !== ${throughNull}`;
    const otherwise = `${isUnknown(first, second)} ? notKnown : ${!decides}`;
    code.line(`${value} = ${isSecond} ? (${isLeftOpen} ? notKnown : ${decides}) : ${otherwise};`);
  });
  return unsure(value);
}

/** Values that are equal where they are the same. */
const isPlain = ({ kind }: Type): boolean => kind !== 'record' && kind !== 'list' && kind !== 'map';
