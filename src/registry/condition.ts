// CEL conditions: checked against the descriptor's own types when it is loaded, compiled once, evaluated per write.
// They decide; they do not compute: arithmetic mixes decimals and doubles, and `matches` is a backtracking RegExp.
import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { didYouMean } from '../text/nearest.ts';
import {
  type ConditionFault,
  conditionFaultText,
  type Part,
  syntaxWords,
  typeFaultOf,
  typeInWords,
} from './condition-fault.ts';
import type { Condition, SimpleCondition, Values } from './model.ts';

/** What a name in a condition stands for; under a path (`client.statusId`), what is found at its end. */
export interface ConditionName {
  readonly type: 'string' | 'double' | 'bool' | 'list' | 'dyn' | 'record' | 'amount';
  /** What a field of any type holds while it is not null. */
  readonly base?: 'string' | 'double' | 'bool';
  /** The values of an enum: a literal compared with the field must be one of them. */
  readonly values?: readonly string[];
}

const allowed = new Set([
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '&&',
  '||',
  '!_',
  '?:',
  'id',
  'value',
  'list',
  '.',
  'call',
]);
const loose = new Environment({ unlistedVariablesAreDyn: true });

/** Words that CEL keeps for its types. A field may be called so all the same: it goes under another name inside. */
const typeWords = new Set([
  'bool',
  'bytes',
  'double',
  'dyn',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
]);
const inner = (name: string): string => (typeWords.has(name) ? `${name}_` : name);
const outer = (name: string): string =>
  typeWords.has(name.slice(0, -1)) && name.endsWith('_') ? name.slice(0, -1) : name;

const tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?:\.\s*)?\b[A-Za-z_]\w*/g;

/** Puts the inner names into an expression, outside of its text literals and of paths. */
const withInnerNames = (source: string): string =>
  source.replaceAll(tokens, (token) => (/^[A-Za-z_]/.test(token) ? inner(token) : token));

/** A place in the expression with inner names, as a place in the condition. */
function outerOffset(source: string, offset: number): number {
  let added = 0;
  for (const { 0: token, index } of source.matchAll(tokens))
    if (index + added < offset && /^[A-Za-z_]/.test(token)) added += inner(token).length - token.length;
  return offset - added;
}

type Compiled = Condition | string;
/** Checks and normalisation compile the same conditions over the same names. */
const known = new WeakMap<ReadonlyMap<string, ConditionName>, Map<string, Compiled>>();

/**
 * Compiles a condition over the names of a record. Nullable fields are `dyn`, amounts may only be compared with null.
 * @returns the condition, or the text of what is wrong with it.
 */
export function compileCondition(source: string, names: ReadonlyMap<string, ConditionName>): Compiled {
  const compiled = known.get(names) ?? new Map<string, Compiled>();
  known.set(names, compiled);
  const condition = compiled.get(source) ?? compile(source, names);
  compiled.set(source, condition);
  return condition;
}

function compile(source: string, names: ReadonlyMap<string, ConditionName>): Compiled {
  const expression = withInnerNames(source);
  let evaluate: ReturnType<typeof loose.parse>;
  try {
    evaluate = loose.parse(expression);
  } catch (error) {
    const offset = outerOffset(source, wordStart(expression, offsetOf(error)));
    const text = `is not a CEL expression: ${syntaxWords(firstLine(error), source.slice(offset))}`;
    return conditionFaultText(source, { text, offset });
  }
  const named: Named = { names, keys: new Set(), paths: new Set() };
  const wrong = inspect(evaluate.ast, named) ?? typeFault(expression, evaluate.ast, named);
  if (wrong !== undefined) return conditionFaultText(source, { ...wrong, offset: outerOffset(source, wrong.offset) });
  const keys = [...named.keys];
  const paths = [...named.paths];
  // Nothing but what the expression names: a record has dozens of fields, and this runs for each condition of each write.
  const variables = [...new Set([...keys, ...paths.map((path) => path.split('.')[0] ?? '')])].map((key) => ({
    key,
    as: inner(key),
  }));
  return Object.freeze({
    source,
    keys,
    paths,
    test: (values: Readonly<Values>): boolean => {
      try {
        const context: Values = {};
        for (const { key, as } of variables) context[as] = values[key] ?? null;
        return evaluate(context) === true;
      } catch {
        return false; // A comparison with null that has no meaning (`null > 3`): the condition does not hold.
      }
    },
  });
}

/** Where an error of the library stands. */
const offsetOf = (error: unknown): number => {
  const node = typeof error === 'object' && error !== null && 'node' in error ? error.node : undefined;
  return typeof node === 'object' && node !== null && 'pos' in node ? Number(node.pos) : 0;
};

/** Where the word begins that holds a place: of a word that should not be there the library tells its end. */
const wordStart = (text: string, offset: number): number =>
  /\w/.test(text[offset] ?? '') ? offset - (/\w*$/.exec(text.slice(0, offset))?.[0].length ?? 0) : offset;

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/** What every record's conditions may do, made once: registering an operator costs more than checking a condition. */
const typed = new Environment({ unlistedVariablesAreDyn: false });
for (const type of ['string', 'int', 'double', 'bool', 'list']) typed.registerOperator(`${type} == null`, () => false);
typed.registerOperator('double == int', () => false);
const environments = new WeakMap<ReadonlyMap<string, ConditionName>, Environment>();

/** Types of the expression with the real types of the fields: misspelt names, `bool == string`, and the like. */
function typeFault(source: string, ast: ASTNode, { names, keys, paths }: Named): ConditionFault | undefined {
  const environment = environments.get(names) ?? typed.clone({});
  environments.set(names, environment);
  const used = [...keys, ...[...paths].map((path) => path.split('.')[0] ?? '')];
  for (const name of used) {
    if (environment.hasVariable(inner(name))) continue;
    const type = names.get(name)?.type ?? 'dyn';
    environment.registerVariable(inner(name), type === 'record' || type === 'amount' ? 'dyn' : type);
  }
  const result = environment.check(source);
  if (!result.valid) {
    const node = nodeAt(ast, result.error);
    const children = childrenOf(node);
    const parts = (children.length === 0 ? [node] : children).map((child): Part => {
      const text = source.slice(child.start, child.end);
      const isNull = child.op === 'value' && child.args === null;
      return {
        text: outerText(text),
        offset: child.start,
        type: isNull ? 'null' : (environment.check(text).type ?? 'dyn'),
      };
    });
    return typeFaultOf(node.op, parts);
  }
  return result.type === 'bool' || result.type === 'dyn'
    ? undefined
    : { text: `gives ${typeInWords(result.type ?? '')}, not true or false`, offset: 0 };
}

const outerText = (text: string): string => text.replaceAll(tokens, (token) => outer(token));

/** The smallest node of an expression that an error is about: the library tells only where it begins, and its kind. */
function nodeAt(ast: ASTNode, error: unknown): ASTNode {
  const told = typeof error === 'object' && error !== null && 'node' in error ? (error.node as ASTNode) : ast;
  const visit = (node: ASTNode): ASTNode | undefined => {
    if (node.start === told.start && node.end === told.end && node.op === told.op) return node;
    for (const child of childrenOf(node)) {
      const found = visit(child);
      // An item of a list that is of another type than those before it: the list is what is wrong.
      if (found !== undefined)
        return found === child && node.op === 'list' ? ({ ...node, args: [node.args[0], found] } as ASTNode) : found;
    }
    return undefined;
  };
  return visit(ast) ?? ast;
}

/** What an expression may name, and what it does. */
interface Named {
  readonly names: ReadonlyMap<string, ConditionName>;
  readonly keys: Set<string>;
  readonly paths: Set<string>;
}

function inspect(node: ASTNode, named: Named, isNullTest = false): ConditionFault | undefined {
  const { names } = named;
  const wrong = (text: string): ConditionFault => ({ text, offset: node.start });
  if (!allowed.has(node.op)) {
    const what = node.op === 'rcall' ? `${outer(String(node.args[0]))}()` : node.op.replace('_', '');
    return wrong(`uses "${what}", which conditions do not know (no arithmetic, no functions but size(…))`);
  }
  if (node.op === 'call' && node.args[0] !== 'size')
    return wrong(`calls "${outer(node.args[0])}"; only size() is known${didYouMean(node.args[0], ['size'])}`);
  const path = pathOf(node);
  if (path !== undefined) {
    const [root = '', ...rest] = path;
    const name = names.get(root);
    if (name === undefined)
      return wrong(`names "${root}", which the record does not have${didYouMean(root, names.keys())}`);
    if (rest.length > 0 && name.type !== 'record') return wrong(`goes through "${root}", which is no reference`);
    if (rest.length === 0 && name.type === 'record')
      return wrong(`names the reference "${root}"; say "${root}Id" or one of its fields`);
    const full = path.join('.');
    if (names.get(full)?.type === 'amount' && !isNullTest)
      return wrong(`compares the amount "${full}", which only "== null" and "!= null" may do`);
    if (rest.length > 0) named.paths.add(full);
    else named.keys.add(root);
    return undefined;
  }
  if (node.op === '.') return wrong('takes a field of something that is no record');
  const children = childrenOf(node);
  const isEquality = node.op === '==' || node.op === '!=';
  const withNull = isEquality && children.some((child) => child.op === 'value' && child.args === null);
  return (
    literalFault(node, names) ??
    children.map((child) => inspect(child, named, withNull)).find((fault) => fault !== undefined)
  );
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

/** Numbers of CEL are of several types. */
const literalTypes: Readonly<Record<string, 'string' | 'bool'>> = { string: 'string', boolean: 'bool' };

/** A literal of another type than the field beside it, or one that its enum does not have. */
function literalFault(node: ASTNode, names: ReadonlyMap<string, ConditionName>): ConditionFault | undefined {
  if (!comparisons.has(node.op)) return undefined;
  const operands = childrenOf(node);
  for (const operand of operands) {
    const path = pathOf(operand)?.join('.') ?? '';
    const name = names.get(path);
    const base = name?.base ?? name?.type ?? 'dyn';
    const values = name?.values ?? [];
    const literals = operands
      .flatMap((other) => (other.op === 'list' ? other.args : [other]))
      .filter((other) => other.op === 'value');
    for (const { args: value, start } of literals) {
      const type = literalTypes[typeof value] ?? 'double';
      if (value !== null && (base === 'string' || base === 'double' || base === 'bool') && type !== base)
        return typeFaultOf('==', [
          { text: path, offset: start, type: base },
          { text: typeof value === 'string' ? `'${value}'` : String(value), offset: start, type },
        ]);
      if (typeof value !== 'string' || values.length === 0 || values.includes(value)) continue;
      const hint = didYouMean(value, values) || `; allowed: ${values.map((one) => `'${one}'`).join(', ')}`;
      return { text: `compares "${path}" with '${value}', which is none of its values${hint}`, offset: start };
    }
  }
  return undefined;
}

/** The syntax tree of a condition that has been checked. */
export const conditionTree = (source: string): ASTNode => loose.parse(withInnerNames(source)).ast;

/** The names of `a.b.c`; undefined for what does not begin with a name (`size(a).b`). */
export function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [outer(node.args)];
  if (node.op !== '.') return undefined;
  const [object, member] = node.args;
  const path = pathOf(object);
  return path && [...path, member];
}

function childrenOf(node: ASTNode): ASTNode[] {
  switch (node.op) {
    case 'id':
    case 'value':
      return [];
    case '!_':
    case '-_':
      return [node.args];
    case 'list':
      return node.args;
    case 'call':
      return node.args[1];
    default:
      return Array.isArray(node.args)
        ? (node.args as unknown[]).filter(
            (arg): arg is ASTNode => typeof arg === 'object' && arg !== null && 'op' in arg,
          )
        : [];
  }
}

/** Reads `field == 'literal'`, `field != null`: what SQL can say as well. @returns a text when it is more than that. */
export function simpleCondition(source: string, names: ReadonlyMap<string, ConditionName>): SimpleCondition | string {
  const compiled = compileCondition(source, names);
  if (typeof compiled === 'string') return compiled;
  const { ast } = loose.parse(withInnerNames(source));
  const refusal = "must be a comparison of one field with a text, true, false or null (`source == 'workspace'`)";
  if (ast.op !== '==' && ast.op !== '!=') return refusal;
  const [left, right] = ast.args;
  if (left.op !== 'id' || right.op !== 'value') return refusal;
  const literal = right.args;
  if (typeof literal !== 'string' && typeof literal !== 'boolean' && literal !== null) return refusal;
  return Object.freeze({ key: outer(left.args), operator: ast.op, literal });
}
