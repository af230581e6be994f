// Writes the code that looks records up: what narrows a collection, what limits it, and what is kept of it.
import { limitsOf } from '../analyse/limits.ts';
import { limitsBeside, namesOuter, rangeLimits } from '../evaluate/record-runs.ts';
import { partsOf } from '../language/index-keys.ts';
import type { Narrowing, Tree, TreeOf } from '../language/tree.ts';
import { type Code, isUnknown, type Part, unsure, type Write, type Writing } from './code.ts';
import { foundOnce } from './found-once.ts';

/** Reads a collection by what narrows it, and judges each of what is found. */
export function gatherCode(tree: TreeOf<'gather'>, code: Code, write: Write): Part {
  const lookup = (): Part => lookupCode(tree, code, write);
  return partsOf(tree).some((part) => namesOuter(part, tree.slot)) ? lookup() : foundOnce(tree, code, lookup);
}

function lookupCode(tree: TreeOf<'gather'>, code: Code, write: Write): Part {
  const { collection, extent, narrowing, range, where, slot } = tree;
  if (extent === 'any') return unsure(code.local(`state.facts.anyOf(${code.constant(collection)})`));
  const wanted = wantedCode(narrowing, code, write);
  const limits = where === undefined || collection.lists.length > 0 ? [] : limitsBeside(range, limitsOf(where, slot));
  const limited = limits.length === 0 ? { list: 'none', isKnown: 'true' } : limitsCode(limits, code, write);
  const ends = range.map(({ value }) => write(value));
  const found = code.local('notKnown');
  code.block(
    `if (${[wanted.isKnown, limited.isKnown, ...ends.map((end) => `!(${isUnknown(end)})`)].join(' && ')})`,
    () => {
      const bounds = `${code.constant(rangeLimits)}(${code.constant(range)}, [${ends.map((end) => end.code).join(', ')}])`;
      const limits = range.length === 0 ? limited.list : `[...${bounds}, ...${limited.list}]`;
      const read = `state.facts.collection(${code.constant(collection)}, ${wanted.list}, ${limits})`;
      // Nothing lies beside null.
      const isNone = ends.map((end) => `${end.code} === null`).join(' || ');
      if (range.length > 0) code.line(`${found} = ${isNone} ? none : ${read};`);
      else if (narrowing.length === 0) code.line(`${found} = ${read};`);
      else code.line(`${found} = ${wanted.list}.length === 0 ? none : ${read};`);
      if (where !== undefined) keepWhere(found, { tree: where, slot }, { code, write });
    },
  );
  return unsure(found);
}

interface Judge {
  readonly tree: Tree;
  readonly slot: number;
}

/** Narrows a list to the items of which a condition holds; unknown where it is of one of them. @param list The name of a local. */
function keepWhere(list: string, { tree, slot }: Judge, { code, write }: Writing): void {
  code.block(`if (${list} !== notKnown && ${list}.length > 0)`, () => {
    const kept = code.local('[]');
    const isKnown = code.local('true');
    code.loop(list, slot, (item) => {
      const judged = write(tree);
      if (!judged.isSure) code.line(`if (${isUnknown(judged)}) ${isKnown} = false; else`);
      code.line(`if (${judged.code} === true) ${kept}.push(${item});`);
    });
    code.line(`${list} = ${isKnown} ? ${kept} : notKnown;`);
  });
}

/** Values by which records are sought, as a local list, and whether all are known. */
interface Sought {
  readonly list: string;
  readonly isKnown: string;
}

/** What is null is left out, for the condition to judge; where nothing else narrows, nothing is found by it. */
export function wantedCode(narrowing: readonly Narrowing[], code: Code, write: Write): Sought {
  if (narrowing.length === 0) return { list: 'none', isKnown: 'true' };
  const values = narrowing.map(({ equals }) => write(equals));
  const list = code.local('none');
  const isKnown = code.local(`!(${isUnknown(...values)})`);
  code.block(`if (${isKnown})`, () => {
    code.line(`${list} = [];`);
    for (const [index, { member, up, equals }] of narrowing.entries()) {
      const value = values[index]?.code ?? 'null';
      code.block(`if (typeof ${value} === 'string' || typeof ${value} === 'boolean')`, () => {
        const { key, isAmong = false } = member;
        const [sought, group] = [JSON.stringify(key), groupCode(equals, code, write)];
        code.line(
          `${list}.push({ key: ${sought}, up: ${up}, isAmong: ${isAmong}, group: ${group}, value: ${value} });`,
        );
      });
    }
  });
  return { list, isKnown };
}

/** The group of the record whose id a tree gives: of an id of one of several groups, what the enum beside it says. */
function groupCode(id: Tree, code: Code, write: Write): string {
  if (id.type.kind === 'id' && id.type.group !== undefined) return JSON.stringify(id.type.group);
  if (id.op !== 'field' || id.member.kind !== 'value' || id.member.branches === undefined) return 'undefined';
  const { by, groups } = id.member.branches;
  const holder = write(id.of);
  const said = `${code.constant(groups)}[String(${holder.code}.values[${JSON.stringify(by)}])]`;
  return `${isUnknown(holder)} || ${holder.code} === null ? undefined : ${said}`;
}

/** The limits as values. Whatever reads through a null reference is left to the condition, which is to tell of it. */
function limitsCode(limits: ReturnType<typeof limitsOf>, code: Code, write: Write): Sought {
  const list = code.local('[]');
  const isKnown = code.local('true');
  const all = code.name('limits');
  code.block(`${all}:`, () => {
    for (const { member, sign, orNull, value: limit } of limits) {
      const value = code.local('null');
      const { throughNull } = code.apart(() => code.line(`${value} = ${write(limit).code};`));
      code.line(`if (${value} === notKnown) ${isKnown} = false; else if (${throughNull}) break ${all}; else`);
      const isPlain = `typeof ${value} === 'string' || typeof ${value} === 'boolean'`;
      const isSought = sign === '==' || sign === '!=' ? `${value} === null || ${isPlain}` : isPlain;
      const key = JSON.stringify(member.key);
      code.line(`if (${isSought}) ${list}.push({ key: ${key}, sign: '${sign}', value: ${value}, orNull: ${orNull} });`);
    }
  });
  return { list, isKnown };
}
