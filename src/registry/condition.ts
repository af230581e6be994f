// CEL conditions: checked against the descriptor's own types when it is loaded, compiled once, evaluated per write.
// They decide; they do not compute: arithmetic mixes decimals and doubles, and `matches` is a backtracking RegExp.
import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { didYouMean } from './faults.ts';
import type { Condition, SimpleCondition, Values } from './model.ts';

/** What a name in a condition stands for; under a path (`client.statusId`), what is found at its end. */
export interface ConditionName {
  readonly type: 'string' | 'double' | 'bool' | 'list' | 'dyn' | 'record' | 'amount';
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

/** Puts the inner names into an expression, outside of its text literals and of paths. */
const withInnerNames = (source: string): string =>
  source.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?:\.\s*)?\b[A-Za-z_]\w*/g, (token) =>
    /^[A-Za-z_]/.test(token) ? inner(token) : token,
  );

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
    return `is not a CEL expression: ${firstLine(error)}`;
  }
  const seen: Seen = { keys: new Set(), paths: new Set() };
  const wrong = inspect(evaluate.ast, names, seen) ?? typeFault(expression, names, seen);
  if (wrong !== undefined) return wrong;
  const keys = [...seen.keys];
  const paths = [...seen.paths];
  // Nothing but what the expression names: a record has dozens of fields, and this runs for each condition of each write.
  const named = [...new Set([...keys, ...paths.map((path) => path.split('.')[0] ?? '')])].map((key) => ({
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
        for (const { key, as } of named) context[as] = values[key] ?? null;
        return evaluate(context) === true;
      } catch {
        return false; // A comparison with null that has no meaning (`null > 3`): the condition does not hold.
      }
    },
  });
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/** What every record's conditions may do, made once: registering an operator costs more than checking a condition. */
const typed = new Environment({ unlistedVariablesAreDyn: false });
for (const type of ['string', 'int', 'double', 'bool', 'list']) typed.registerOperator(`${type} == null`, () => false);
typed.registerOperator('double == int', () => false);
const environments = new WeakMap<ReadonlyMap<string, ConditionName>, Environment>();

/** Types of the expression with the real types of the fields: misspelt names, `bool == string`, and the like. */
function typeFault(source: string, names: ReadonlyMap<string, ConditionName>, seen: Seen): string | undefined {
  const environment = environments.get(names) ?? typed.clone({});
  environments.set(names, environment);
  const used = [...seen.keys, ...[...seen.paths].map((path) => path.split('.')[0] ?? '')];
  for (const name of used) {
    if (environment.hasVariable(inner(name))) continue;
    const type = names.get(name)?.type ?? 'dyn';
    environment.registerVariable(inner(name), type === 'record' || type === 'amount' ? 'dyn' : type);
  }
  const result = environment.check(source);
  if (!result.valid) return `does not fit the record: ${firstLine(result.error)}`;
  return result.type === 'bool' || result.type === 'dyn' ? undefined : `gives a ${result.type}, not true or false`;
}

interface Seen {
  readonly keys: Set<string>;
  readonly paths: Set<string>;
}

function inspect(
  node: ASTNode,
  names: ReadonlyMap<string, ConditionName>,
  seen: Seen,
  isNullTest = false,
): string | undefined {
  if (!allowed.has(node.op))
    return `uses "${node.op}", which conditions do not know (no arithmetic, no functions but size)`;
  if (node.op === 'call' && node.args[0] !== 'size') return `calls "${outer(node.args[0])}"; only size() is known`;
  const path = pathOf(node);
  if (path !== undefined) {
    const [root = '', ...rest] = path;
    const name = names.get(root);
    if (name === undefined) return `names "${root}", which the record does not have${didYouMean(root, names.keys())}`;
    if (rest.length > 0 && name.type !== 'record') return `goes through "${root}", which is no reference`;
    if (rest.length === 0 && name.type === 'record')
      return `names the reference "${root}"; say "${root}Id" or one of its fields`;
    const full = path.join('.');
    if (names.get(full)?.type === 'amount' && !isNullTest)
      return `compares the amount "${full}", which only "== null" and "!= null" may do`;
    if (rest.length > 0) seen.paths.add(full);
    else seen.keys.add(root);
    return undefined;
  }
  if (node.op === '.') return 'takes a field of something that is no record';
  const children = childrenOf(node);
  const isEquality = node.op === '==' || node.op === '!=';
  const withNull = isEquality && children.some((child) => child.op === 'value' && child.args === null);
  return (
    literalFault(node, names) ??
    children.map((child) => inspect(child, names, seen, withNull)).find((fault) => fault !== undefined)
  );
}

/** A literal that the enum beside it does not have. */
function literalFault(node: ASTNode, names: ReadonlyMap<string, ConditionName>): string | undefined {
  const operands = childrenOf(node);
  for (const operand of operands) {
    const path = pathOf(operand)?.join('.') ?? '';
    const values = names.get(path)?.values;
    if (values === undefined) continue;
    const literals = operands
      .flatMap((other) => (other.op === 'list' ? other.args : [other]))
      .filter((other) => other.op === 'value');
    for (const { args: value } of literals) {
      if (typeof value === 'string' && !values.includes(value))
        return `compares "${path}" with '${value}', which is none of its values${didYouMean(value, values)}`;
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
