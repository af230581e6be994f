// Compiles calls: functions, macros over lists, named formulas, and `convert`.
import { didYouMean } from '../../text/nearest.ts';
import { FormulaFault } from '../language/fault.ts';
import { functionRow, functions, isFunction } from '../language/functions.ts';
import { partsOf } from '../language/index-keys.ts';
import { isMacro, macroRow } from '../language/macros.ts';
import {
  averageUsage,
  beforeUsage,
  convertUsage,
  type FunctionName,
  functionNames,
  isZoned,
  type MacroName,
  macroNames,
  madeNames,
  madeOfLists,
  withUsage,
} from '../language/names.ts';
import { meantFunction, meantOfList, suggestMethod } from '../language/other-languages.ts';
import type { Node } from '../language/syntax.ts';
import type { NamedFormula, Shape, Tree, TreeOf } from '../language/tree.ts';
import { listOf, number, recordOf, text, typeWords } from '../language/types.ts';
import { gatherTree } from './gather.ts';
import { isNumber, literalAs, literalsAlike } from './operators.ts';
import { givenWords, memberTree } from './parts.ts';
import { previousTree } from './previous.ts';
import { type Any, type Compiling, fits } from './scope.ts';
import { overSearches } from './unions.ts';

/** A call: of a function, of a macro over a list, of a named formula. */
export function callTree(node: Node & { op: 'call' }, at: Compiling): Any {
  const { of, name, args, start } = node;
  if (of === undefined) {
    const own = ownFormula(node, at);
    if (own !== undefined) return own;
    if (isFunction(name)) return functionTree({ name, args, node }, at);
    if (name === 'convert') return convertTree(node, at);
    if (name === 'with') return withTree(node, at);
    if (name === 'before') return beforeTree(node, at);
    const hint = didYouMean(name, [...functionNames, ...madeNames, ...macroNames, ...madeOfLists]);
    const isOfList = isMacro(name) || madeOfLists.some((made) => made === name);
    const meant = isOfList ? `; call it on a list: list.${name}(…)` : meantFunction(name) || hint;
    throw new FormulaFault(`calls "${name}", which is not a function${meant}`, start);
  }
  if (isMacro(name)) return macroTree(name, node as Node & { op: 'call'; of: Node }, at);
  if (name === 'avg') return averageTree(node, of, at);
  if (name === 'previous') return previousTree({ ...node, of }, at);
  const receiver = at.tree(of);
  if (receiver.op !== 'collection' && receiver.type.kind === 'record') {
    const member = receiver.type.shape.member(name);
    if (member?.kind === 'formula') return namedTree({ of: receiver, formula: member.formula, node }, at);
  }
  // `name.trim()` is `trim(name)`, as CEL's own functions of texts are written.
  if (isFunction(name) && isAskedOf(receiver, name)) return functionTree({ name, args: [of, ...args], node }, at);
  const place = of.end + 1;
  const hint =
    receiver.type.kind === 'list'
      ? meantOfList(name) || didYouMean(name, [...macroNames, ...madeOfLists, 'size'])
      : suggestMethod(name) || didYouMean(name, functionNames);
  throw new FormulaFault(`calls "${name}" on ${typeWords(receiver.type)}, which does not have it${hint}`, place);
}

/** Lists know functions of lists, all other values the others. */
const isAskedOf = ({ type }: Any, name: FunctionName): boolean =>
  type.kind === 'list' ? functionRow(name).ofList === true : name === 'size' || functionRow(name).ofList !== true;

/** A name that no formula can write. */
const unwritten = 'each of them';

/** `list.avg(x, …)`: the sum by the number of those that are not null, so that each of the two is asked for as by itself. */
function averageTree(node: Node & { op: 'call' }, of: Node, at: Compiling): Tree {
  const { args, start, end } = node;
  const place = { start, end };
  const [variable = { op: 'name', name: unwritten, ...place }, body = variable] = args;
  if (args.length === 1 || args.length > 2 || variable.op !== 'name')
    throw new FormulaFault(`"avg" has another form: ${averageUsage}`, of.end);
  const sum: Node = { op: 'call', of, name: 'sum', args, ...place };
  const nothing: Node = { op: 'literal', literal: { kind: 'null', value: null }, ...place };
  const isThere: Node = { op: 'binary', sign: '!=', left: body, right: nothing, ...place };
  const those: Node = { op: 'call', of, name: 'filter', args: [variable, isThere], ...place };
  const count: Node = { op: 'call', of: those, name: 'count', args: [], ...place };
  return at.value({ op: 'binary', sign: '/', left: sum, right: count, ...place });
}

/** `with(a, x, body)`: the body, in which a goes by the name x. */
function withTree({ args, start, end }: Node & { op: 'call' }, at: Compiling): Tree {
  const [valueNode, nameNode, bodyNode] = args;
  if (valueNode === undefined || nameNode?.op !== 'name' || bodyNode === undefined || args.length > 3)
    throw new FormulaFault(`with() takes a value, a name for it and a formula: ${withUsage}`, start);
  const value = at.value(valueNode);
  const slot = at.variables.length;
  const body = at.inside({ name: nameNode.name, slot, type: value.type, nullable: value.nullable }, bodyNode);
  const { type, nullable } = body;
  const place = { start, end };
  const list: Tree = { op: 'list', items: [value], type: listOf(value.type), nullable: false, ...place };
  const mapped: Tree = {
    ...{ op: 'macro', name: 'map', of: list, slot, variable: nameNode.name, body, type: listOf(type), nullable: false },
    ...place,
  };
  const first: Tree = {
    op: 'literal',
    literal: { kind: 'number', value: '0' },
    type: number,
    nullable: false,
    ...place,
  };
  return { op: 'index', of: mapped, at: first, type, nullable, ...place };
}

/** `before(…)`: what a part was before the write. It stands on the record alone, so that it is known before anything changes. */
function beforeTree({ args, start, end }: Node & { op: 'call' }, at: Compiling): Tree {
  const [node] = args;
  if (node === undefined || args.length > 1)
    throw new FormulaFault(`before() takes one formula: ${beforeUsage}`, start);
  if (at.scope.hasBefore !== true)
    throw new FormulaFault('reads "before" the write, which only conditions and effects can do', start);
  const of = at.value(node);
  const outer = outerVariable(of, at.variables.length);
  if (outer !== undefined)
    throw new FormulaFault(
      `before() reads only the record and does not know "${outer.name}"; put the whole search inside: before(list.filter(…))`,
      outer.start,
    );
  return { op: 'before', of, type: of.type, nullable: true, start, end };
}

/** A variable from outside of a part. */
const outerVariable = (tree: Tree, slot: number): TreeOf<'variable'> | undefined =>
  tree.op === 'variable'
    ? tree.slot < slot
      ? tree
      : undefined
    : partsOf(tree)
        .map((part) => outerVariable(part, slot))
        .find((found) => found !== undefined);

/** The time zone in which the workspace has its days, which functions are given that turn moments into days. */
function zoneTree(at: Compiling, start: number): Tree {
  const place = { start, end: start };
  const utc: Tree = { op: 'literal', literal: { kind: 'text', value: 'UTC' }, type: text, nullable: false, ...place };
  const { workspace, timeZone } = at.scope;
  if (workspace === undefined || timeZone === undefined) return utc;
  const settings: Tree = { op: 'known', name: 'workspace', type: recordOf(workspace), nullable: false, ...place };
  const zone = memberTree(settings, timeZone, place);
  return zone === undefined
    ? utc
    : { op: 'call', name: 'coalesce', args: [zone, utc], type: text, nullable: false, ...place };
}

/**
 * Compiles `convert(amount, from, to, day)`: a call of the settings' formula "converted", which may divide exactly. If they
 * have none, the amount is multiplied by their formula "rate".
 */
function convertTree(node: Node & { op: 'call' }, at: Compiling): Tree {
  const { args, start, end } = node;
  const [amountNode, ...given] = args;
  if (amountNode === undefined || given.length !== 3)
    throw new FormulaFault(`convert() takes 4 values: ${convertUsage}`, start);
  const amount = at.value(amountNode);
  if (!isNumber(amount))
    throw new FormulaFault(`convert() takes a number here, but this is ${typeWords(amount.type)}`, amount.start);
  const { workspace } = at.scope;
  const call = (name: string, values: readonly Node[]): Tree | undefined => {
    const member = workspace?.member(name);
    if (workspace === undefined || member?.kind !== 'formula' || member.formula.given.length !== values.length)
      return undefined;
    const type = recordOf(workspace);
    const settings: Tree = { op: 'known', name: 'workspace', type, nullable: false, start, end: start };
    return namedTree({ of: settings, formula: member.formula, node: { ...node, name, args: values } }, at);
  };
  const converted = call('converted', args);
  if (converted !== undefined) return converted;
  const rate = call('rate', given);
  if (rate === undefined)
    throw new FormulaFault(
      'convert() needs a formula "converted" of the workspace\'s settings that is given an amount, two currencies and a day, or a formula "rate" that is given two currencies and a day; they have neither',
      start,
    );
  return { op: 'arithmetic', sign: '*', left: amount, right: rate, type: number, nullable: true, start, end };
}

/** A named formula of what the formula stands on. */
function ownFormula(node: Node & { op: 'call' }, at: Compiling): Tree | undefined {
  let shape: Shape | undefined = at.scope.record;
  for (let up = 0; shape !== undefined; up += 1, shape = shape.owner) {
    const member = shape.member(node.name);
    if (member?.kind !== 'formula') continue;
    const self: Tree = { op: 'self', up, type: recordOf(shape), nullable: false, start: node.start, end: node.start };
    return namedTree({ of: self, formula: member.formula, node }, at);
  }
  return undefined;
}

interface NamedCall {
  readonly of: Tree;
  readonly formula: NamedFormula;
  readonly node: Node & { op: 'call' };
}

function namedTree({ of, formula, node: { name, args: nodes, start, end } }: NamedCall, at: Compiling): Tree {
  const { given } = formula;
  if (nodes.length !== given.length) {
    const found = `${nodes.length} ${nodes.length === 1 ? 'value' : 'values'}`;
    throw new FormulaFault(`"${name}" is given ${givenWords(formula)}, not ${found}`, start);
  }
  const args = nodes.map((node, index) => {
    const wanted = given[index];
    const arg = literalAs(at.value(node), wanted?.type ?? text);
    if (wanted !== undefined && !fits(arg.type, wanted.type))
      throw new FormulaFault(
        `"${wanted.name}" of "${name}" is ${typeWords(wanted.type)}, but this is ${typeWords(arg.type)}`,
        arg.start,
      );
    return arg;
  });
  const { type, nullable } = formula.tree();
  return { op: 'named', of, formula, args, type, nullable: nullable || of.nullable, start, end };
}

interface FunctionCall {
  readonly name: FunctionName;
  readonly args: readonly Node[];
  readonly node: Node;
}

function functionTree({ name, args: nodes, node: { start, end } }: FunctionCall, at: Compiling): Tree {
  const { least, most } = functions[name];
  if (nodes.length < least || nodes.length > most) {
    const wanted = most === least ? String(least) : `at least ${least}`;
    throw new FormulaFault(
      `${name}() takes ${wanted} ${least === 1 ? 'value' : 'values'}: ${functions[name].usage}`,
      start,
    );
  }
  const given = literalsAlike(nodes.map((node) => at.value(node)));
  const args = isZoned(name) ? [...given, zoneTree(at, start)] : given;
  const typed = functionRow(name).typed(args);
  if ('fault' in typed) throw new FormulaFault(`${name}() ${typed.fault}`, args[typed.argument]?.start ?? start);
  return { op: 'call', name, args, ...typed, start, end };
}

function macroTree(name: MacroName, node: Node & { op: 'call'; of: Node }, at: Compiling): Any {
  const { args, start, end } = node;
  const { form, usage } = macroRow(name);
  const isBodied = args.length === 2;
  const isAllowed = args.length === 0 ? form !== 'body' : isBodied && form !== 'plain';
  if (!isAllowed) throw new FormulaFault(`"${name}" has another form: ${usage}`, node.of.end);
  const receiver = at.tree(node.of);
  if (receiver.type.kind !== 'list')
    throw new FormulaFault(`"${name}" is for lists, but this is ${typeWords(receiver.type)}`, receiver.start);
  const { item } = receiver.type;
  const slot = at.variables.length;
  const [variableNode, bodyNode] = args;
  const variable = variableNode?.op === 'name' ? variableNode.name : '';
  if (isBodied && variable === '')
    throw new FormulaFault(`"${name}" takes a name for each item first: ${usage}`, variableNode?.start ?? start);
  const body = bodyNode && at.inside({ name: variable, slot, type: item, nullable: false }, bodyNode);
  const typed = macroRow(name).typed(item, body ?? { type: item, nullable: true }, body !== undefined);
  if ('fault' in typed) throw new FormulaFault(`"${name}" ${typed.fault}`, body?.start ?? start);
  const place = { start, end };
  if (receiver.op !== 'collection') {
    const asked: TreeOf<'macro'> = { op: 'macro', name, of: receiver, slot, variable, body, ...typed, ...place };
    return overSearches(asked) ?? asked;
  }
  return gatherTree({ name, receiver, slot, variable, body, typed, scope: at.scope }, place);
}
