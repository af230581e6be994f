// Conditions as people say them: `statusId != 'draft' && isBillable` → statusId is not draft and isBillable is true.
import type { ASTNode } from '@marcbachmann/cel-js';
import { conditionTree, pathOf } from './condition.ts';

/** A piece of a sentence: what stands in the descriptor (a name, a value), or the words around it. */
export interface ConditionPart {
  readonly kind: 'code' | 'words';
  readonly text: string;
}

const words = (text: string): ConditionPart => ({ kind: 'words', text });
const code = (text: string): ConditionPart => ({ kind: 'code', text });

const signs: Readonly<Record<string, string>> = { '<': ' < ', '<=': ' ≤ ', '>': ' > ', '>=': ' ≥ ' };

/** @param source A condition that the checks have accepted. */
export const conditionWords = (source: string): readonly ConditionPart[] => statement(conditionTree(source), '');

/** A node that is true or false. `above` is the operator that it is part of. */
function statement(node: ASTNode, above: string): ConditionPart[] {
  switch (node.op) {
    case '&&':
    case '||': {
      const [left, right] = node.args;
      const joint = words(node.op === '&&' ? ' and ' : ' or ');
      const parts = [...statement(left, node.op), joint, ...statement(right, node.op)];
      return above === '' || above === node.op ? parts : [words('('), ...parts, words(')')];
    }
    case '!_':
      return pathOf(node.args) === undefined
        ? [words('not ('), ...statement(node.args, ''), words(')')]
        : [...term(node.args), words(' is false')];
    case '==':
    case '!=':
      return equality(term(node.args[0]), node.args[1], node.op === '!=');
    case '<':
    case '<=':
    case '>':
    case '>=':
      return [...term(node.args[0]), words(signs[node.op] ?? ''), ...term(node.args[1])];
    case 'in':
      return [...term(node.args[0]), words(' is one of '), ...term(node.args[1])];
    case '?:': {
      const [test, yes, no] = node.args;
      const parts = [words('if '), ...statement(test, '?'), words(', '), ...statement(yes, '?'), words(', else ')];
      return [...parts, ...statement(no, '?')];
    }
    case 'value':
      return term(node);
    default:
      return [...term(node), words(' is true')];
  }
}

function equality(left: ConditionPart[], right: ASTNode, isNot: boolean): ConditionPart[] {
  if (right.op === 'value' && right.args === null) return [...left, words(isNot ? ' is set' : ' is not set')];
  return [...left, words(isNot ? ' is not ' : ' is '), ...term(right)];
}

/** A node that stands for a value. */
function term(node: ASTNode): ConditionPart[] {
  const path = pathOf(node);
  if (path !== undefined) return [code(path.join('.'))];
  if (node.op === 'value') return [literal(node.args)];
  if (node.op === 'list')
    return node.args.flatMap((item: ASTNode, index: number) => [...(index > 0 ? [words(', ')] : []), ...term(item)]);
  if (node.op === 'call') return [words('the number of '), ...node.args[1].flatMap(term)];
  return [words('('), ...statement(node, ''), words(')')];
}

/** Numbers of CEL are of several types, all of which print as they are read. */
const literal = (value: unknown): ConditionPart =>
  value === '' ? words('empty') : typeof value === 'boolean' ? words(String(value)) : code(String(value));
