// The syntax of formulas, read for the oracle alone: it shares nothing with the compiler that it judges.

export type Node =
  | { readonly op: 'literal'; readonly value: null | boolean | string | { readonly number: string } }
  | { readonly op: 'name'; readonly name: string }
  | { readonly op: 'member'; readonly of: Node; readonly name: string }
  | { readonly op: 'index'; readonly of: Node; readonly at: Node }
  | { readonly op: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly op: 'method'; readonly of: Node; readonly name: string; readonly args: readonly Node[] }
  | { readonly op: 'not' | 'negate'; readonly of: Node }
  | { readonly op: 'binary'; readonly sign: string; readonly left: Node; readonly right: Node }
  | { readonly op: 'if'; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly op: 'list'; readonly items: readonly Node[] }
  | { readonly op: 'map'; readonly entries: readonly (readonly [string, Node])[] };

const token = /\s*(?:(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.)*)'|([A-Za-z_]\w*)|(&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]{}]))/y;

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  readonly text: string;
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < source.trimEnd().length) {
    const start = token.lastIndex;
    const found = token.exec(source);
    if (found === null) throw new Error(`cannot read ${source.slice(start)} in ${source}`);
    const [, number, text, name, sign] = found;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll(/\\(.)/g, '$1') });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else tokens.push({ kind: 'sign', text: sign ?? '' });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

/** From those that bind least to those that bind most. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

class Parser {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly source: string;

  constructor(source: string) {
    this.source = source;
    this.#tokens = tokensOf(source);
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#next.kind !== 'end') throw new Error(`"${this.#next.text}" is too much in ${this.source}`);
    return node;
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #takes(text: string): boolean {
    const { kind, text: found } = this.#next;
    if ((kind !== 'sign' && !(kind === 'name' && text === 'in')) || found !== text) return false;
    this.#at += 1;
    return true;
  }

  #must(text: string): void {
    if (!this.#takes(text)) throw new Error(`"${text}" is missing before "${this.#next.text}" in ${this.source}`);
  }

  #choice(): Node {
    const test = this.#level(0);
    if (!this.#takes('?')) return test;
    const yes = this.#choice();
    this.#must(':');
    return { op: 'if', test, yes, no: this.#choice() };
  }

  #level(depth: number): Node {
    const signs = levels[depth];
    if (signs === undefined) return this.#unary();
    let left = this.#level(depth + 1);
    for (;;) {
      const sign = signs.find((each) => this.#takes(each));
      if (sign === undefined) return left;
      left = { op: 'binary', sign, left, right: this.#level(depth + 1) };
    }
  }

  #unary(): Node {
    if (this.#takes('!')) return { op: 'not', of: this.#unary() };
    if (this.#takes('-')) return { op: 'negate', of: this.#unary() };
    return this.#postfix(this.#primary());
  }

  #postfix(start: Node): Node {
    let of = start;
    for (;;) {
      if (this.#takes('[')) {
        of = { op: 'index', of, at: this.#choice() };
        this.#must(']');
      } else if (this.#takes('.')) {
        const name = this.#name();
        of = this.#takes('(') ? { op: 'method', of, name, args: this.#until(')') } : { op: 'member', of, name };
      } else return of;
    }
  }

  #name(): string {
    const { kind, text } = this.#next;
    if (kind !== 'name') throw new Error(`a name is missing before "${text}" in ${this.source}`);
    this.#at += 1;
    return text;
  }

  #until(end: string): readonly Node[] {
    const nodes: Node[] = [];
    while (!this.#takes(end)) {
      nodes.push(this.#choice());
      if (!this.#takes(',')) {
        this.#must(end);
        break;
      }
    }
    return nodes;
  }

  #primary(): Node {
    const { kind, text } = this.#next;
    if (this.#takes('(')) {
      const node = this.#choice();
      this.#must(')');
      return node;
    }
    if (this.#takes('[')) return { op: 'list', items: this.#until(']') };
    if (this.#takes('{')) return this.#map();
    this.#at += 1;
    if (kind === 'number') return { op: 'literal', value: { number: text } };
    if (kind === 'text') return { op: 'literal', value: text };
    if (kind !== 'name') throw new Error(`"${text}" is not expected in ${this.source}`);
    if (text === 'null') return { op: 'literal', value: null };
    if (text === 'true' || text === 'false') return { op: 'literal', value: text === 'true' };
    return this.#takes('(') ? { op: 'call', name: text, args: this.#until(')') } : { op: 'name', name: text };
  }

  #map(): Node {
    const entries: (readonly [string, Node])[] = [];
    while (!this.#takes('}')) {
      const { text } = this.#next;
      this.#at += 1;
      this.#must(':');
      entries.push([text, this.#choice()]);
      this.#takes(',');
    }
    return { op: 'map', entries };
  }
}

/** @throws Error for what is no formula. */
export const parseFormula = (source: string): Node => new Parser(source).whole();

/** The nodes that a node is made of. */
export function partsOf(node: Node): readonly Node[] {
  switch (node.op) {
    case 'literal':
    case 'name':
      return [];
    case 'member':
    case 'not':
    case 'negate':
      return [node.of];
    case 'index':
      return [node.of, node.at];
    case 'call':
      return node.args;
    case 'method':
      return [node.of, ...node.args];
    case 'binary':
      return [node.left, node.right];
    case 'if':
      return [node.test, node.yes, node.no];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.map(([, value]) => value);
  }
}

type Formulas = Readonly<Record<string, { readonly given: readonly string[]; readonly is: Node }>>;

/** The same, with what stands in the formulas that it names instead of their names. */
export function namesThrough(node: Node, formulas: Formulas): readonly string[] {
  const called = (of: Node): readonly string[] => callsIn(of).filter((name) => formulas[name] !== undefined);
  const names = new Set([...namesIn(node), ...called(node)]);
  for (const name of names) {
    const { is, given = [] } = formulas[name] ?? {};
    if (is === undefined) continue;
    for (const other of [...namesIn(is, given), ...called(is)]) names.add(other);
  }
  return [...names].filter((name) => formulas[name] === undefined);
}

const callsIn = (node: Node): readonly string[] => [
  ...(node.op === 'call' ? [node.name] : []),
  ...partsOf(node).flatMap(callsIn),
];

/** All names that stand in a formula by themselves, those of variables left out. */
export function namesIn(node: Node, bound: readonly string[] = []): readonly string[] {
  if (node.op === 'name') return bound.includes(node.name) ? [] : [node.name];
  if (node.op === 'method' && node.args.length > 1) {
    const [variable, ...bodies] = node.args;
    const inner = variable?.op === 'name' ? [...bound, variable.name] : bound;
    return [...namesIn(node.of, bound), ...bodies.flatMap((body) => namesIn(body, inner))];
  }
  return partsOf(node).flatMap((part) => namesIn(part, bound));
}
