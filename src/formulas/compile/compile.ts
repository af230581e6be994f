// Compiles a formula: text → tree, with every name resolved and every part typed. Each mistake is reported with its place.
import { FormulaFault } from '../language/fault.ts';
import { type Node, parseFormula } from '../language/syntax.ts';
import type { Tree, Type } from '../language/tree.ts';
import { bool, common, listOf, number, typeWords } from '../language/types.ts';
import { callTree } from './calls.ts';
import { unnarrowed } from './collections.ts';
import { fieldTree, nameTree } from './names.ts';
import {
  arithmeticTree,
  compareTree,
  equalTree,
  inTree,
  isNumber,
  literalsAlike,
  literalsBeside,
} from './operators.ts';
import { literalTree } from './parts.ts';
import { idsAmongRecords, idsOfRecords } from './record-ids.ts';
import { type Any, type Compiling, fits, type Scope, type Variable } from './scope.ts';

/** What a formula must give. */
export interface Wanted {
  readonly type: Type;
  /** In a fault: `gives a number, not <words>`. */
  readonly words: string;
}

export const truth: Wanted = { type: bool, words: 'true or false' };

/** @throws FormulaFault */
export function compileFormula(source: string, scope: Scope, wanted?: Wanted): Tree {
  const tree = new Compiler(scope).tree(parseFormula(source));
  if (tree.op === 'collection') throw unnarrowed(tree, scope);
  if (wanted === undefined || fits(tree.type, wanted.type)) return tree;
  throw new FormulaFault(`gives ${typeWords(tree.type)}, not ${wanted.words}`, 0);
}

class Compiler implements Compiling {
  readonly scope: Scope;
  readonly variables: Variable[];

  constructor(scope: Scope) {
    this.scope = scope;
    this.variables = (scope.given ?? []).map(({ name, type }, slot) => ({ name, slot, type, nullable: true }));
  }

  tree(node: Node): Any {
    const place = { start: node.start, end: node.end };
    switch (node.op) {
      case 'literal':
        return literalTree(node.literal, place);
      case 'name':
        return nameTree(node, this);
      case 'field':
        return fieldTree(node, this);
      case 'not': {
        const of = this.#truth(node.of, (found) => `"!" turns true or false around, and this is ${found}`);
        return { op: 'not', of, type: bool, nullable: false, ...place };
      }
      case 'negate': {
        const of = this.value(node.of);
        if (!isNumber(of)) throw new FormulaFault(`"-" negates a number, but this is ${typeWords(of.type)}`, of.start);
        return { op: 'negate', of, type: number, nullable: of.nullable, ...place };
      }
      case 'binary':
        return this.#binary(node);
      case 'if':
        return this.#if(node);
      case 'index': {
        const [of, at] = [this.value(node.of), this.value(node.at)];
        if (of.type.kind !== 'list')
          throw new FormulaFault(`"[…]" takes an item of a list, but this is ${typeWords(of.type)}`, of.start);
        if (!isNumber(at))
          throw new FormulaFault(`the index of an item is a number, but this is ${typeWords(at.type)}`, at.start);
        return { op: 'index', of, at, type: of.type.item, nullable: true, ...place };
      }
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      default:
        return callTree(node, this);
    }
  }

  /** A node that stands for a value: not for all of a collection. */
  value(node: Node): Tree {
    const tree = this.tree(node);
    if (tree.op === 'collection') throw unnarrowed(tree, this.scope);
    return tree;
  }

  #truth(node: Node, fault: (found: string) => string): Tree {
    const tree = this.value(node);
    if (tree.type.kind !== 'bool' && tree.type.kind !== 'null')
      throw new FormulaFault(fault(typeWords(tree.type)), tree.start);
    return tree;
  }

  inside(variable: Variable, node: Node): Tree {
    this.variables.push(variable);
    try {
      return this.value(node);
    } finally {
      this.variables.pop();
    }
  }

  #binary({ sign, left: a, right: b, start, end }: Node & { op: 'binary' }): Tree {
    const place = { start, end };
    if (sign === '&&' || sign === '||') {
      const joined = (found: string): string => `"${sign}" joins conditions, but this is ${found}`;
      const [left, right] = [this.#truth(a, joined), this.#truth(b, joined)];
      return { op: sign === '&&' ? 'and' : 'or', left, right, type: bool, nullable: false, ...place };
    }
    const [left, right] = literalsBeside(this.#beside(a, b), this.#beside(b, a));
    const pair = { left, right };
    switch (sign) {
      case 'in':
        return inTree(idsAmongRecords(pair, this), place);
      case '==':
      case '!=':
        return equalTree(idsOfRecords(pair, this), sign === '!=', place);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return compareTree(pair, sign, place);
      default:
        return arithmeticTree(pair, sign, place);
    }
  }

  /** A value that is put beside another one; one of its texts may have lost its quotation marks. */
  #beside(node: Node, other: Node): Tree {
    try {
      return this.value(node);
    } catch (error) {
      if (!(error instanceof FormulaFault) || node.op !== 'name') throw error;
      const { type } = this.value(other);
      if (type.kind !== 'text' || !('values' in type) || type.values?.includes(node.name) !== true) throw error;
      throw new FormulaFault(`names "${node.name}", which is a text here; did you mean '${node.name}'?`, node.start);
    }
  }

  #if({ test: a, yes: b, no: c, start, end }: Node & { op: 'if' }): Tree {
    const test = this.#truth(a, (found) => `"?" needs a condition, but this is ${found}`);
    const [yes, no] = literalsAlike([this.value(b), this.value(c)]) as [Tree, Tree];
    const type = common(yes.type, no.type);
    if (type === undefined) throw new FormulaFault('both sides of ":" must be of one type', no.start);
    return { op: 'if', test, yes, no, type, nullable: yes.nullable || no.nullable, start, end };
  }

  #list({ items: nodes, start, end }: Node & { op: 'list' }): Tree {
    let type: Type = { kind: 'null' };
    const items = literalsAlike(nodes.map((node) => this.value(node)));
    for (const item of items) {
      const both = common(type, item.type);
      if (both === undefined) throw new FormulaFault('all items of a list must be of one type', item.start);
      type = both;
    }
    return { op: 'list', items, type: listOf(type), nullable: false, start, end };
  }

  #map({ entries: nodes, start, end }: Node & { op: 'map' }): Tree {
    const entries: (readonly [string, Tree])[] = [];
    const types: Record<string, Type> = {};
    for (const [key, value] of nodes) {
      if (key.op !== 'literal' || key.literal.kind !== 'text')
        throw new FormulaFault('the names of an object must be texts', key.start);
      const name = key.literal.value;
      if (Object.hasOwn(types, name)) throw new FormulaFault(`gives "${name}" twice`, key.start);
      const tree = this.value(value);
      types[name] = tree.type;
      entries.push([name, tree]);
    }
    return { op: 'map', entries, type: { kind: 'map', entries: types }, nullable: false, start, end };
  }
}
