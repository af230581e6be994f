// What can be wrong in code, one slip at a time: the usual operators of mutation testing over the syntax tree.
// The parser is that of Oxc: it reads TypeScript, and types 7 no longer come with a tree to walk.
import { parseSync } from 'oxc-parser';

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node extends Span {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** One slip: `text` instead of what stands at `place`. */
export interface Slip {
  readonly place: Span;
  readonly text: string;
  /** The smallest part of the program around it that can be chosen at run time. */
  readonly choice: Choice;
}

/** An expression, a statement, or the block of a function. */
export interface Choice extends Span {
  readonly kind: 'expression' | 'statement' | 'body';
}

const swapped: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
  ['%', ['*']],
  ['&&', ['||']],
  ['||', ['&&']],
  ['+=', ['-=']],
  ['-=', ['+=']],
  ['??=', ['=']],
  ['++', ['--']],
  ['--', ['++']],
]);

const swappedMethods: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
  ['min', 'max'],
  ['max', 'min'],
]);

const removedMethods: ReadonlySet<string> = new Set([
  ...['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'concat', 'toSpliced'],
]);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
const nodeAt = (node: Node, key: string): Node | undefined => {
  const value = node[key];
  return isNode(value) ? value : undefined;
};
const nodesAt = (node: Node, key: string): Node[] => {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
};
const nameOf = (node: Node | undefined): string => (typeof node?.['name'] === 'string' ? node['name'] : '');
const isUndefined = (node: Node): boolean => nameOf(node) === 'undefined' || node['operator'] === 'void';
const isText = (node: Node | undefined): boolean =>
  node !== undefined && (node.type === 'TemplateLiteral' || typeof node['value'] === 'string');

/** TypeScript's expressions; all else of its own nodes are types, which are gone when the program runs. */
const typedExpressions: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
]);
/** What goes on along `a?.b.c()`: there a choice must hold the whole chain, for it ends as one. */
const links: ReadonlySet<string> = new Set(['MemberExpression', 'CallExpression', 'TSNonNullExpression']);

/** What says that it is never come to: no test can tell whether it is there. */
const cannotBe = /^unreachable\b/;
/** What lets others go on meanwhile: nothing that is done depends on when. */
const givesTurn = /^await yield\w+\(\);?$/;

/** Errors that are caught where they are meant, whatever their text; and caches. */
const silent = /^(?:\w*Error|KeyTaken|KeyRunning|KeyMoved|OptimisticPassFailed|TooMany|WeakMap)$/;

const choiceAt = ({ start, end }: Span, kind: Choice['kind'] = 'expression'): Choice => ({ start, end, kind });

/** All slips that can be made in a source file. @throws Error where it cannot be read. */
export function slipsOf(file: string, source: string): Slip[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const finder = new SlipFinder(source);
  finder.visit(program as unknown as Node);
  return finder.slips;
}

class SlipFinder {
  readonly slips: Slip[] = [];
  readonly #source: string;
  /** Maps that only remember what can be made again: whether they do is no matter of results. */
  readonly #caches: ReadonlySet<string>;

  constructor(source: string) {
    this.#source = source;
    this.#caches = new Set([...source.matchAll(/^const (\w+) = new WeakMap\b/gm)].map(([, name = '']) => name));
  }

  /** @param choice What holds the choice: the node itself, the chain of which it is a link, or null where nothing can. */
  visit(node: Node, choice: Choice | null = choiceAt(node), isLink = false): void {
    if (node.type.startsWith('TS') && !typedExpressions.has(node.type)) return;
    if (/^(?:Import|ExportAll)/.test(node.type) || this.#isSeenByNobody(node)) return;
    // What a short function gives is chosen when it is called: many a function is made only once, while sources are loaded.
    const body = node.type === 'ArrowFunctionExpression' ? nodeAt(node, 'body') : undefined;
    const own = choice !== null && body !== undefined ? choiceAt(body) : choice;
    if (own !== null) for (const [place, text] of this.#changes(node)) this.slips.push({ place, text, choice: own });
    this.#statement(node);
    for (const [key, value] of Object.entries(node))
      for (const child of (Array.isArray(value) ? value : [value]).filter(isNode))
        this.#visitChild(node, key, child, node.type === 'ChainExpression' || isLink ? choice : undefined);
  }

  /** @param chain What holds the choices of the chain that the node is a part of. */
  #visitChild(node: Node, key: string, child: Node, chain: Choice | null | undefined): void {
    const isName = (key === 'key' || key === 'property') && node['computed'] !== true;
    if (isName || key === 'label' || key === 'tag' || key === 'quasi' || key === 'quasis') return;
    // Leaving out `?? ''` says the same.
    if (key === 'right' && node['operator'] === '??' && child['value'] === '') return;
    const isTarget =
      (key === 'left' && node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') ||
      (key === 'argument' && (node.type === 'UpdateExpression' || node['operator'] === 'delete'));
    const goesOn = /^(?:object|callee|expression)$/.test(key) && links.has(child.type);
    if (chain !== undefined && goesOn) this.visit(child, chain, true);
    else if (isTarget || key === 'callee') this.visit(child, null);
    else this.visit(child);
  }

  /** Texts of errors that nobody should see, and of the log; and what gives others their turn, or cannot happen. */
  #isSeenByNobody(node: Node): boolean {
    if (node.type === 'NewExpression') return silent.test(nameOf(nodeAt(node, 'callee')));
    if (node.type === 'AssignmentExpression') return /^this\.name = '\w+Error'$/.test(this.#text(node));
    if (node.type === 'AwaitExpression') return givesTurn.test(this.#text(node));
    if (node.type !== 'CallExpression') return false;
    if (nameOf(nodeAt(node, 'callee')) === 'unreachable') return true;
    const object = nodeAt(node, 'callee')?.['object'];
    return isNode(object) && /(?:^|\.)(?:log|logger|console)$/.test(this.#text(object));
  }

  #text({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  /** The place of an operator, between two operands. */
  #operatorAt(node: Node, left: Node, right: Node): Span {
    const operator = String(node['operator']);
    // Comments that hold the operator would stand before it: there are none in an expression of ours.
    const start = this.#source.indexOf(operator, left.end);
    return start < right.start ? { start, end: start + operator.length } : node;
  }

  *#changes(node: Node): Generator<readonly [Span, string]> {
    const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')];
    const argument = nodeAt(node, 'argument');
    const test = nodeAt(node, 'test');
    const operator = String(node['operator']);
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        if (left === undefined || right === undefined) return;
        if (operator === '??') {
          if (!cannotBe.test(this.#text(right))) yield [node, this.#text(left)];
          yield [node, this.#text(right)];
        }
        if (operator.startsWith('+') && (isText(left) || isText(right))) return;
        if (operator === 'instanceof' || operator === 'in') yield [node, `!(${this.#text(node)})`];
        for (const other of swapped.get(operator) ?? []) yield [this.#operatorAt(node, left, right), other];
        return;
      }
      case 'UnaryExpression':
        if ((operator === '!' || operator === '-') && argument !== undefined) yield [node, this.#text(argument)];
        return;
      case 'UpdateExpression':
        for (const other of swapped.get(operator) ?? [])
          if (argument !== undefined) yield [node, this.#text(node).replace(operator, other)];
        return;
      case 'ConditionalExpression':
        if (test !== undefined) yield* [[test, 'true'] as const, [test, 'false'] as const];
        return;
      case 'Literal':
        if (typeof node['value'] === 'boolean') yield [node, String(!node['value'])];
        if (typeof node['value'] === 'string') yield [node, node['value'] === '' ? "'another'" : "''"];
        return;
      case 'TemplateLiteral':
        yield [node, "''"];
        return;
      case 'ArrayExpression':
        if (nodesAt(node, 'elements').length > 0) yield [node, '[]'];
        return;
      case 'ArrowFunctionExpression': {
        const body = nodeAt(node, 'body');
        if (body !== undefined && body.type !== 'BlockStatement' && !isUndefined(body)) yield [body, 'undefined'];
        return;
      }
      case 'MemberExpression':
      case 'CallExpression':
        yield* this.#link(node);
        return;
    }
  }

  *#link(node: Node): Generator<readonly [Span, string]> {
    const before = nodeAt(node, node.type === 'CallExpression' ? 'callee' : 'object');
    if (before === undefined) return;
    if (node['optional'] === true) {
      const start = this.#source.indexOf('?.', before.end);
      const next = this.#source[start + 2];
      yield [{ start, end: start + 2 }, next === '[' || next === '(' ? '' : '.'];
    }
    const [object, property] = [nodeAt(before, 'object'), nodeAt(before, 'property')];
    if (node.type !== 'CallExpression' || object === undefined || property === undefined) return;
    if (removedMethods.has(nameOf(property))) yield [{ start: object.end, end: node.end }, ''];
    const other = swappedMethods.get(nameOf(property));
    if (other !== undefined) yield [property, other];
  }

  /** What is left out, and conditions that are always or never so. */
  #statement(node: Node): void {
    const body = nodeAt(node, 'body');
    const isFunction = /Function/.test(node.type);
    const push = (place: Node, text: string, kind: Choice['kind']): void => {
      this.slips.push({ place, text, choice: choiceAt(place, kind) });
    };
    if (body?.type === 'BlockStatement' && (isFunction || /^For(?:Of|In)?Statement$/.test(node.type))) {
      // Of one statement the slips inside say the same.
      if (nodesAt(body, 'body').length > 1 && !/\bsuper\(/.test(this.#text(body)))
        push(body, '{}', isFunction ? 'body' : 'statement');
    }
    const test = nodeAt(node, 'test');
    if (/^(?:If|While|DoWhile|For)Statement$/.test(node.type) && test !== undefined) {
      const consequent = nodeAt(node, 'consequent');
      const then = consequent === undefined ? '' : this.#text(consequent);
      if (node.type === 'IfStatement' && !givesTurn.test(then)) push(test, 'true', 'expression');
      if (!cannotBe.test(then) && !givesTurn.test(then)) push(test, 'false', 'expression');
    }
    const argument = nodeAt(node, 'argument');
    if (
      node.type === 'ReturnStatement' &&
      argument !== undefined &&
      !isUndefined(argument) &&
      argument['value'] !== false
    )
      push(argument, 'undefined', 'expression');
    if (node.type === 'ExpressionStatement' && typeof node['directive'] !== 'string') this.#effect(node, push);
  }

  #effect(node: Node, push: (place: Node, text: string, kind: Choice['kind']) => void): void {
    const expression = nodeAt(node, 'expression');
    if (expression === undefined || this.#isSeenByNobody(expression)) return;
    const [, first] = /^(\w+)\.set\(/.exec(this.#text(node)) ?? [];
    if (first !== undefined && this.#caches.has(first)) return;
    if (!/^super\(/.test(this.#text(node))) push(node, ';', 'statement');
  }
}
