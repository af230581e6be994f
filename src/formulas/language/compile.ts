// A formula over the names of a record: every name resolved, every part typed, every mistake told with its place.
import { didYouMean } from '../../text/nearest.ts';
import { collectionTree, gatherTree, itemsTree, unnarrowed, type WholeCollection } from './collections.ts';
import { FormulaFault } from './fault.ts';
import { functionRow, functions, isFunction, isMacro, macroRow } from './functions.ts';
import { type FunctionName, functionNames, type MacroName, macroNames } from './names.ts';
import {
  arithmeticTree,
  compareTree,
  equalTree,
  inTree,
  isNumber,
  literalAs,
  literalsAlike,
  literalsBeside,
} from './operators.ts';
import { meantFunction, meantName, meantOfList } from './other-languages.ts';
import { givenWords, literalTree, memberTree, type Span } from './parts.ts';
import { type Node, parseFormula } from './syntax.ts';
import type { Collection, Member, Shape, Tree, Type } from './tree.ts';
import { bool, common, date, listOf, number, recordOf, text, typeWords } from './types.ts';

/** What a formula may name. */
export interface Scope {
  /** What it stands on. */
  readonly record: Shape;
  /** All records of a group, by its path in camel case. */
  collection(name: string): Collection | undefined;
  collectionNames(): readonly string[];
  readonly workspace: Shape | undefined;
  readonly actors: string | undefined;
  /** What a named formula is given. */
  readonly given?: readonly { readonly name: string; readonly type: Type }[];
  /** Whether there is a record before the write to look at. */
  readonly hasOld?: boolean;
  /** Whether there is a body that names fields. */
  readonly hasSent?: boolean;
}

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
  if (tree.op === 'collection') throw unnarrowed(tree);
  if (wanted === undefined || fits(tree.type, wanted.type)) return tree;
  throw new FormulaFault(`gives ${typeWords(tree.type)}, not ${wanted.words}`, 0);
}

const fits = (given: Type, wanted: Type): boolean => given.kind === 'null' || common(given, wanted) !== undefined;

type Any = Tree | WholeCollection;

/** A name that a macro or a named formula has given to a value. */
interface Variable {
  readonly name: string;
  readonly slot: number;
  readonly type: Type;
  readonly nullable: boolean;
}

class Compiler {
  readonly #scope: Scope;
  readonly #variables: Variable[];

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#variables = (scope.given ?? []).map(({ name, type }, slot) => ({ name, slot, type, nullable: true }));
  }

  tree(node: Node): Any {
    const place = { start: node.start, end: node.end };
    switch (node.op) {
      case 'literal':
        return literalTree(node.literal, place);
      case 'name':
        return this.#name(node);
      case 'field':
        return this.#member(node);
      case 'not': {
        const of = this.#truth(node.of, (found) => `"!" turns true or false around, and this is ${found}`);
        return { op: 'not', of, type: bool, nullable: false, ...place };
      }
      case 'negate': {
        const of = this.value(node.of);
        if (!isNumber(of))
          throw new FormulaFault(`"-" turns a number around, and this is ${typeWords(of.type)}`, of.start);
        return { op: 'negate', of, type: number, nullable: of.nullable, ...place };
      }
      case 'binary':
        return this.#binary(node);
      case 'if':
        return this.#if(node);
      case 'index': {
        const [of, at] = [this.value(node.of), this.value(node.at)];
        if (of.type.kind !== 'list')
          throw new FormulaFault(`"[…]" takes an item of a list, and this is ${typeWords(of.type)}`, of.start);
        if (!isNumber(at))
          throw new FormulaFault(`the place of an item is a number, and this is ${typeWords(at.type)}`, at.start);
        return { op: 'index', of, at, type: of.type.item, nullable: true, ...place };
      }
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      default:
        return this.#call(node);
    }
  }

  /** A node that stands for a value: not for all of a collection. */
  value(node: Node): Tree {
    const tree = this.tree(node);
    if (tree.op === 'collection') throw unnarrowed(tree);
    return tree;
  }

  #truth(node: Node, fault: (found: string) => string): Tree {
    const tree = this.value(node);
    if (tree.type.kind !== 'bool' && tree.type.kind !== 'null')
      throw new FormulaFault(fault(typeWords(tree.type)), tree.start);
    return tree;
  }

  // --- Names

  #name({ name, ...place }: Node & { op: 'name' }): Any {
    const { start, end } = place;
    const variable = this.#variables.findLast((one) => one.name === name);
    if (variable !== undefined) {
      const { slot, type, nullable } = variable;
      return { op: 'variable', slot, name, type, nullable, start, end };
    }
    const { record, workspace, actors, hasOld } = this.#scope;
    let shape: Shape | undefined = record;
    for (let up = 0; shape !== undefined; up += 1, shape = shape.owner) {
      const self: Tree = { op: 'self', up, type: recordOf(shape), nullable: false, start, end };
      const found = memberTree(self, name, { start, end });
      if (found !== undefined) return found;
      if (name === 'record' && shape.owner !== undefined)
        return { op: 'self', up: up + 1, type: recordOf(shape.owner), nullable: false, start, end };
    }
    if (name === 'workspace' && workspace !== undefined)
      return { op: 'known', name, type: recordOf(workspace), nullable: false, start, end };
    if (name === 'today') return { op: 'known', name, type: date, nullable: false, start, end };
    if (name === 'actor') return { op: 'known', name, type: { kind: 'id', group: actors }, nullable: true, start, end };
    if (name === 'old' && hasOld === true)
      return { op: 'known', name, type: recordOf(record), nullable: true, start, end };
    const collection = this.#scope.collection(name);
    if (collection !== undefined) return collectionTree(collection, { start, end });
    if (name === 'old')
      throw new FormulaFault('looks at "old", the record before the write, which is not known here', start);
    const hint = this.#inItem(name) || meantName(name) || didYouMean(name, this.#names());
    throw new FormulaFault(`names "${name}", which the record does not have${hint}`, start);
  }

  /** A field of the items that a macro goes through, named without the item. */
  #inItem(name: string): string {
    const item = this.#variables.findLast(
      ({ type }) => type.kind === 'record' && type.shape.member(name) !== undefined,
    );
    return item === undefined ? '' : `; did you mean "${item.name}.${name}"?`;
  }

  #names(): readonly string[] {
    const names = [...this.#variables.map(({ name }) => name), 'today', 'actor', 'workspace', 'all'];
    for (let shape: Shape | undefined = this.#scope.record; shape !== undefined; shape = shape.owner)
      names.push(...shape.names());
    return [...names, ...this.#scope.collectionNames()];
  }

  #member({ of: node, name, start, end }: Node & { op: 'field' }): Any {
    if (node.op === 'name' && node.name === 'all' && !this.#isOwnName('all')) {
      const collection = this.#scope.collection(name);
      if (collection !== undefined) return collectionTree(collection, { start, end });
      const hint = didYouMean(name, this.#scope.collectionNames());
      throw new FormulaFault(`names the records "${name}", which no group has${hint}`, end - name.length);
    }
    if (node.op === 'name' && node.name === 'sent' && !this.#isOwnName('sent')) return this.#sent(name, { start, end });
    const of = recordBehind(this.tree(node));
    const { type } = of;
    if (of.op === 'collection') return itemsTree(of, name, { start, end });
    if (type.kind === 'map' && Object.hasOwn(type.entries, name))
      throw new FormulaFault(`takes "${name}" out of an object that it has just made`, start);
    if (type.kind === 'list')
      throw new FormulaFault(
        `takes "${name}" of a list${meantOfList(name) || `; ask its items: .map(x, x.${name})`}`,
        end - name.length,
      );
    if (type.kind !== 'record')
      throw new FormulaFault(
        node.op === 'name'
          ? `goes through "${node.name}", which is no reference`
          : 'takes a field of something that is no record',
        node.op === 'name' ? start : end - name.length,
      );
    const found = memberTree(of, name, { start, end });
    if (found?.op === 'field' && found.member.isTransient === true && of.op !== 'self')
      throw new FormulaFault(`"${name}" is not kept, so no path can lead to it or through it`, end - name.length);
    if (found !== undefined) return found;
    const { shape } = type;
    if (name === 'record' && shape.owner !== undefined)
      return { op: 'owner', of, type: recordOf(shape.owner), nullable: of.nullable, start, end };
    throw new FormulaFault(
      `names "${name}", which ${shape.words} does not have${didYouMean(name, shape.names())}`,
      end - name.length,
    );
  }

  /** `sent.rate` */
  #sent(name: string, { start, end }: Span): Tree {
    const { record, hasSent } = this.#scope;
    if (hasSent !== true)
      throw new FormulaFault('looks at "sent", the fields that the body names, which are not known here', start);
    const member = record.member(name);
    if (member === undefined || member.kind === 'formula')
      throw new FormulaFault(
        `asks whether "${name}" is sent, which is no field${didYouMean(name, record.names())}`,
        end - name.length,
      );
    return { op: 'sent', name, key: member.key, type: bool, nullable: false, start, end };
  }

  #isOwnName(name: string): boolean {
    if (this.#variables.some((one) => one.name === name)) return true;
    for (let shape: Shape | undefined = this.#scope.record; shape !== undefined; shape = shape.owner)
      if (shape.member(name) !== undefined) return true;
    return false;
  }

  // --- Operators

  #binary({ sign, left: a, right: b, start, end }: Node & { op: 'binary' }): Tree {
    const place = { start, end };
    if (sign === '&&' || sign === '||') {
      const joined = (found: string): string => `"${sign}" joins what is true or false, and this is ${found}`;
      const [left, right] = [this.#truth(a, joined), this.#truth(b, joined)];
      return { op: sign === '&&' ? 'and' : 'or', left, right, type: bool, nullable: false, ...place };
    }
    const [left, right] = literalsBeside(this.#beside(a, b), this.#beside(b, a));
    const pair = { left, right };
    switch (sign) {
      case 'in':
        return inTree(pair, place);
      case '==':
      case '!=':
        return equalTree(pair, sign === '!=', place);
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
    const test = this.#truth(a, (found) => `"?" asks for what is true or false, and this is ${found}`);
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
      if (both === undefined) throw new FormulaFault('all that stands in one list must be of one type', item.start);
      type = both;
    }
    return { op: 'list', items, type: listOf(type), nullable: false, start, end };
  }

  #map({ entries: nodes, start, end }: Node & { op: 'map' }): Tree {
    const entries: (readonly [string, Tree])[] = [];
    const types: Record<string, Type> = {};
    for (const [key, value] of nodes) {
      if (key.op !== 'literal' || key.literal.kind !== 'text')
        throw new FormulaFault('the names of an object are texts', key.start);
      const name = key.literal.value;
      if (Object.hasOwn(types, name)) throw new FormulaFault(`gives "${name}" twice`, key.start);
      const tree = this.value(value);
      types[name] = tree.type;
      entries.push([name, tree]);
    }
    return { op: 'map', entries, type: { kind: 'map', entries: types }, nullable: false, start, end };
  }

  // --- Functions, macros and named formulas

  #call(node: Node & { op: 'call' }): Any {
    const { of, name, args, start } = node;
    if (of === undefined) {
      const own = this.#ownFormula(node);
      if (own !== undefined) return own;
      if (isFunction(name)) return this.#function(name, args, node);
      if (name === 'convert') return this.#convert(node);
      const hint = didYouMean(name, [...functionNames, ...macroNames]);
      const isMacroName = isMacro(name) ? `; it is asked of a list: list.${name}(…)` : meantFunction(name) || hint;
      throw new FormulaFault(`calls "${name}", which is no function${isMacroName}`, start);
    }
    if (isMacro(name)) return this.#macro(name, node as Node & { op: 'call'; of: Node });
    const receiver = this.tree(of);
    if (receiver.op !== 'collection' && receiver.type.kind === 'record') {
      const member = receiver.type.shape.member(name);
      if (member?.kind === 'formula') return this.#named(receiver, member.formula, node);
    }
    // `name.trim()` is `trim(name)`, as CEL's own functions of texts are written.
    if (isFunction(name) && (receiver.type.kind === 'text' || name === 'size'))
      return this.#function(name, [of, ...args], node);
    const place = of.end + 1;
    const hint =
      receiver.type.kind === 'list'
        ? meantOfList(name) || didYouMean(name, [...macroNames, 'size'])
        : didYouMean(name, functionNames);
    throw new FormulaFault(`asks "${name}" of ${typeWords(receiver.type)}, which does not know it${hint}`, place);
  }

  /** `convert(amount, from, to, day)`: an amount times the rate that the workspace's settings give by a formula of theirs. */
  #convert(node: Node & { op: 'call' }): Tree {
    const { args, start, end } = node;
    const [amountNode, ...given] = args;
    if (amountNode === undefined || given.length !== 3)
      throw new FormulaFault('convert() takes 4 values: convert(amount, from, to, day)', start);
    const { workspace } = this.#scope;
    const rate = workspace?.member('rate');
    if (workspace === undefined || rate?.kind !== 'formula' || rate.formula.given.length !== 3)
      throw new FormulaFault(
        'convert() asks the workspace\'s settings for a formula "rate" that is given two currencies and a day; they have none',
        start,
      );
    const amount = this.value(amountNode);
    if (!isNumber(amount))
      throw new FormulaFault(`convert() takes a number here, and this is ${typeWords(amount.type)}`, amount.start);
    const settings: Tree = {
      op: 'known',
      name: 'workspace',
      type: recordOf(workspace),
      nullable: false,
      start,
      end: start,
    };
    const factor = this.#named(settings, rate.formula, { ...node, name: 'rate', args: given });
    return { op: 'arithmetic', sign: '*', left: amount, right: factor, type: number, nullable: true, start, end };
  }

  /** A named formula of what the formula stands on. */
  #ownFormula(node: Node & { op: 'call' }): Tree | undefined {
    let shape: Shape | undefined = this.#scope.record;
    for (let up = 0; shape !== undefined; up += 1, shape = shape.owner) {
      const member = shape.member(node.name);
      if (member?.kind !== 'formula') continue;
      const self: Tree = { op: 'self', up, type: recordOf(shape), nullable: false, start: node.start, end: node.start };
      return this.#named(self, member.formula, node);
    }
    return undefined;
  }

  #named(of: Tree, formula: NamedMember['formula'], { name, args: nodes, start, end }: Node & { op: 'call' }): Tree {
    const { given } = formula;
    if (nodes.length !== given.length) {
      const found = `${nodes.length} ${nodes.length === 1 ? 'value' : 'values'}`;
      throw new FormulaFault(`"${name}" is given ${givenWords(formula)}, not ${found}`, start);
    }
    const args = nodes.map((node, index) => {
      const wanted = given[index];
      const arg = literalAs(this.value(node), wanted?.type ?? text);
      if (wanted !== undefined && !fits(arg.type, wanted.type))
        throw new FormulaFault(
          `"${wanted.name}" of "${name}" is ${typeWords(wanted.type)}, and this is ${typeWords(arg.type)}`,
          arg.start,
        );
      return arg;
    });
    const { type, nullable } = formula.tree();
    return { op: 'named', of, formula, args, type, nullable: nullable || of.nullable, start, end };
  }

  #function(name: FunctionName, nodes: readonly Node[], { start, end }: Node): Tree {
    const { least, most } = functions[name];
    if (nodes.length < least || nodes.length > most) {
      const wanted = most === least ? String(least) : `at least ${least}`;
      throw new FormulaFault(
        `${name}() takes ${wanted} ${least === 1 ? 'value' : 'values'}: ${functions[name].usage}`,
        start,
      );
    }
    const args = literalsAlike(nodes.map((node) => this.value(node)));
    const typed = functionRow(name).typed(args);
    if ('fault' in typed) throw new FormulaFault(`${name}() ${typed.fault}`, args[typed.argument]?.start ?? start);
    return { op: 'call', name, args, ...typed, start, end };
  }

  #macro(name: MacroName, node: Node & { op: 'call'; of: Node }): Tree {
    const { args, start, end } = node;
    const { form, usage } = macroRow(name);
    const isBodied = args.length === 2;
    const isAllowed = args.length === 0 ? form !== 'body' : isBodied && form !== 'plain';
    if (!isAllowed) throw new FormulaFault(`"${name}" is written otherwise: ${usage}`, node.of.end);
    const receiver = this.tree(node.of);
    if (receiver.type.kind !== 'list')
      throw new FormulaFault(
        `"${name}" asks of the items of a list, and this is ${typeWords(receiver.type)}`,
        receiver.start,
      );
    const { item } = receiver.type;
    const slot = this.#variables.length;
    const [variableNode, bodyNode] = args;
    const variable = variableNode?.op === 'name' ? variableNode.name : '';
    if (isBodied && variable === '')
      throw new FormulaFault(`"${name}" takes a name for each item first: ${usage}`, variableNode?.start ?? start);
    const body = bodyNode && this.#inside({ name: variable, slot, type: item, nullable: false }, bodyNode);
    const typed = macroRow(name).typed(item, body ?? { type: item, nullable: true }, body !== undefined);
    if ('fault' in typed) throw new FormulaFault(`"${name}" ${typed.fault}`, body?.start ?? start);
    const place = { start, end };
    if (receiver.op !== 'collection')
      return { op: 'macro', name, of: receiver, slot, variable, body, ...typed, ...place };
    return gatherTree({ name, receiver, slot, variable, body, typed }, place);
  }

  #inside(variable: Variable, node: Node): Tree {
    this.#variables.push(variable);
    try {
      return this.value(node);
    } finally {
      this.#variables.pop();
    }
  }
}

/** `id.x`, where the record behind the id has no name of its own. */
function recordBehind(tree: Any): Any {
  if (tree.op === 'named' && tree.formula.behind !== undefined) {
    const formula = tree.formula.behind;
    const { type, nullable } = formula.tree();
    return { ...tree, formula, type, nullable: tree.nullable || nullable };
  }
  if (tree.op !== 'field' || tree.member.kind !== 'value' || tree.member.behind === undefined) return tree;
  const { behind } = tree.member;
  return { ...tree, member: behind, type: recordOf(behind.shape()) };
}

type NamedMember = Member & { readonly kind: 'formula' };
