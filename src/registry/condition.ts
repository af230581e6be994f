// CEL conditions: checked against the descriptor's own types when it is loaded, compiled once, evaluated per write.
// They decide; they do not compute: arithmetic mixes decimals and doubles, and `matches` is a backtracking RegExp.
import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { didYouMean } from './faults.ts';
import type { Condition, SimpleCondition, Values } from './model.ts';

/** What a name in a condition stands for. */
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
  source.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\.?\s*\b[A-Za-z_]\w*/g, (token) =>
    /^[A-Za-z_]/.test(token) ? inner(token) : token,
  );

/**
 * Compiles a condition over the names of a record. Nullable fields are `dyn`, amounts may only be compared with null.
 * @returns the condition, or the text of what is wrong with it.
 */
export function compileCondition(source: string, names: ReadonlyMap<string, ConditionName>): Condition | string {
  const expression = withInnerNames(source);
  let ast: ASTNode;
  try {
    ast = loose.parse(expression).ast;
  } catch (error) {
    return `is not a CEL expression: ${firstLine(error)}`;
  }
  const seen: Seen = { keys: new Set(), paths: new Set() };
  const wrong = inspect(ast, names, seen) ?? typeFault(expression, names, seen);
  if (wrong !== undefined) return wrong;
  const evaluate = loose.parse(expression);
  const keys = [...seen.keys];
  return Object.freeze({
    source,
    keys,
    paths: [...seen.paths],
    test: (values: Readonly<Values>): boolean => {
      try {
        const context: Values = { ...values };
        for (const key of keys) context[inner(key)] = values[key] ?? null;
        return evaluate(context) === true;
      } catch {
        return false; // A comparison with null that has no meaning (`null > 3`): the condition does not hold.
      }
    },
  });
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

/** Types of the expression with the real types of the fields: misspelt names, `bool == string`, and the like. */
function typeFault(source: string, names: ReadonlyMap<string, ConditionName>, seen: Seen): string | undefined {
  const typed = new Environment({ unlistedVariablesAreDyn: false });
  for (const type of ['string', 'int', 'double', 'bool', 'list'])
    typed.registerOperator(`${type} == null`, () => false);
  typed.registerOperator('double == int', () => false);
  const used = [...seen.keys, ...[...seen.paths].map((path) => path.split('.')[0] ?? '')];
  for (const name of new Set(used)) {
    const type = names.get(name)?.type ?? 'dyn';
    typed.registerVariable(inner(name), type === 'record' || type === 'amount' ? 'dyn' : type);
  }
  const result = typed.check(source);
  if (!result.valid) return `does not fit the record: ${firstLine(result.error)}`;
  return result.type === 'bool' || result.type === 'dyn' ? undefined : `gives a ${result.type}, not true or false`;
}

interface Seen {
  readonly keys: Set<string>;
  readonly paths: Set<string>;
}

function inspect(node: ASTNode, names: ReadonlyMap<string, ConditionName>, seen: Seen): string | undefined {
  if (!allowed.has(node.op))
    return `uses "${node.op}", which conditions do not know (no arithmetic, no functions but size)`;
  if (node.op === 'call' && node.args[0] !== 'size') return `calls "${node.args[0]}"; only size() is known`;
  const path = pathOf(node);
  if (path !== undefined) {
    const [root = '', ...rest] = path;
    const name = names.get(root);
    if (name === undefined) return `names "${root}", which the record does not have${didYouMean(root, names.keys())}`;
    if (rest.length > 0 && name.type !== 'record') return `goes through "${root}", which is no reference`;
    if (rest.length === 0 && name.type === 'record')
      return `names the reference "${root}"; say "${root}Id" or one of its fields`;
    if (rest.length > 0) seen.paths.add(path.join('.'));
    else seen.keys.add(root);
    return undefined;
  }
  return (
    comparisonFault(node, names) ??
    childrenOf(node)
      .map((child) => inspect(child, names, seen))
      .find((fault) => fault !== undefined)
  );
}

/** A literal that an enum does not have, and an amount compared with anything but null. */
function comparisonFault(node: ASTNode, names: ReadonlyMap<string, ConditionName>): string | undefined {
  const operands = childrenOf(node);
  for (const operand of operands) {
    const name = operand.op === 'id' ? names.get(outer(operand.args)) : undefined;
    if (name === undefined) continue;
    const literals = operands
      .flatMap((other) => (other.op === 'list' ? other.args : [other]))
      .filter((other) => other.op === 'value');
    if (name.type === 'amount' && !literals.every((literal) => literal.args === null)) {
      return `compares the amount "${String(operand.args)}", which only "== null" and "!= null" may do`;
    }
    for (const literal of literals) {
      const value = literal.args;
      if (name.values && typeof value === 'string' && !name.values.includes(value)) {
        return `compares "${String(operand.args)}" with '${value}', which is none of its values${didYouMean(value, name.values)}`;
      }
    }
  }
  return undefined;
}

function pathOf(node: ASTNode): string[] | undefined {
  if (node.op === 'id') return [outer(node.args)];
  if (node.op !== '.') return undefined;
  const [object, member] = node.args;
  return [...(pathOf(object) ?? []), member];
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
