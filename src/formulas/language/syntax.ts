// Parses CEL: the CEL library's tree → ours, with places in the source text and exact numbers. Syntax that formulas do not have
// is refused.
import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import { didYouMean } from '../../text/nearest.ts';
import { wideOrNumberToText } from '../../values/decimal.ts';
import { WideNumber } from '../../values/json.ts';
import { FormulaFault, syntaxFault } from './fault.ts';

export type Sign = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '&&' | '||';

/** Where a part begins and ends in the formula. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A literal; numbers are plain decimals ("12.5"). */
export type Literal =
  | { readonly kind: 'null'; readonly value: null }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'text' | 'number'; readonly value: string };

export type Node = Span &
  (
    | { readonly op: 'literal'; readonly literal: Literal }
    | { readonly op: 'name'; readonly name: string }
    | { readonly op: 'field'; readonly of: Node; readonly name: string }
    | { readonly op: 'index'; readonly of: Node; readonly at: Node }
    | { readonly op: 'not' | 'negate'; readonly of: Node }
    | { readonly op: 'binary'; readonly sign: Sign; readonly left: Node; readonly right: Node }
    | { readonly op: 'if'; readonly test: Node; readonly yes: Node; readonly no: Node }
    | { readonly op: 'list'; readonly items: readonly Node[] }
    | { readonly op: 'map'; readonly entries: readonly (readonly [Node, Node])[] }
    /** A function, or a macro or a named formula of `of`. */
    | { readonly op: 'call'; readonly of: Node | undefined; readonly name: string; readonly args: readonly Node[] }
  );

const library = new Environment({ unlistedVariablesAreDyn: true });

/** Words that CEL keeps for other languages, and cannot read where a path begins. */
const keptWords = new Set(
  'as break const continue else for function if import let loop namespace package return var void while'.split(' '),
);
const suffix = '__';
const tokens = /\/\/.*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?:\.\s*)?\b[A-Za-z_]\w*|(?<![\w)\].])\.\d+/g;

/** Characters that were added to a formula. */
interface Addition {
  /** Offset in the formula before which they were added. */
  readonly at: number;
  readonly length: number;
}

/** Returns the formula as the library can read it: with the kept words renamed, and a zero before a leading point. */
function readable(source: string): { readonly text: string; readonly added: readonly Addition[] } {
  const added: Addition[] = [];
  const text = source.replaceAll(tokens, (token, offset: number) => {
    if (/^\.\d/.test(token)) {
      added.push({ at: offset, length: 1 });
      return `0${token}`;
    }
    if (!keptWords.has(token)) return token;
    added.push({ at: offset + token.length, length: suffix.length });
    return token + suffix;
  });
  return { text, added };
}

const outer = (name: string): string => {
  const word = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  return keptWords.has(word) ? word : name;
};

const signs: ReadonlySet<string> = new Set<Sign>([
  ...(['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'] as const),
]);
const isSign = (op: string): op is Sign => signs.has(op);

/** @throws FormulaFault where the text is no formula. */
export function parseFormula(source: string): Node {
  const { text, added } = readable(source);
  const place = (offset: number): number => {
    let passed = 0;
    for (const { at, length } of added) if (at + passed < offset) passed += length;
    return Math.min(offset - passed, source.length);
  };
  let ast: ASTNode;
  try {
    ({ ast } = library.parse(text));
  } catch (error) {
    const offset = place(wordStart(text, offsetOf(error)));
    throw syntaxFault(firstLine(error), source, offset);
  }
  return new Reader(source, place).read(ast);
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

class Reader {
  readonly #source: string;
  readonly #place: (offset: number) => number;

  constructor(source: string, place: (offset: number) => number) {
    this.#source = source;
    this.#place = place;
  }

  read(node: ASTNode): Node {
    const place = { start: this.#place(node.start), end: this.#place(node.end) };
    const { op } = node;
    if (isSign(op)) {
      const [left, right] = node.args as [ASTNode, ASTNode];
      return { op: 'binary', sign: op, left: this.read(left), right: this.read(right), ...place };
    }
    switch (op) {
      case 'value':
        return { op: 'literal', literal: this.#literal(node.args, place), ...place };
      case 'id':
        return { op: 'name', name: outer(node.args), ...place };
      case '.': {
        const [of, name] = node.args;
        return { op: 'field', of: this.read(of), name: outer(name), ...place };
      }
      case '[]': {
        const [of, at] = node.args;
        return { op: 'index', of: this.read(of), at: this.read(at), ...place };
      }
      case '!_':
      case '-_':
        return this.#turned(op, node.args, place);
      case '?:': {
        const [test, yes, no] = node.args;
        return { op: 'if', test: this.read(test), yes: this.read(yes), no: this.read(no), ...place };
      }
      case 'list':
        return { op: 'list', items: node.args.map((item) => this.read(item)), ...place };
      case 'map':
        return {
          op: 'map',
          entries: node.args.map(([key, value]) => [this.read(key), this.read(value)] as const),
          ...place,
        };
      case 'call': {
        const [name, args] = node.args;
        return { op: 'call', of: undefined, name: outer(name), args: args.map((arg) => this.read(arg)), ...place };
      }
      case 'rcall': {
        const [name, of, args] = node.args;
        return { op: 'call', of: this.read(of), name: outer(name), args: args.map((arg) => this.read(arg)), ...place };
      }
      default:
        throw new FormulaFault(`uses "${op.replaceAll('_', '')}", which formulas do not know`, place.start);
    }
  }

  /** A number with a sign is one literal. */
  #turned(op: '!_' | '-_', node: ASTNode, place: Span): Node {
    const of = this.read(node);
    if (op === '-_' && of.op === 'literal' && of.literal.kind === 'number') {
      const { value } = of.literal;
      const turned = value.startsWith('-') ? value.slice(1) : value === '0' ? value : `-${value}`;
      return { op: 'literal', literal: { kind: 'number', value: turned }, ...place };
    }
    return { op: op === '!_' ? 'not' : 'negate', of, ...place };
  }

  #literal(value: unknown, { start, end }: Span): Literal {
    if (value === null) return { kind: 'null', value };
    if (typeof value === 'boolean') return { kind: 'bool', value };
    if (typeof value === 'string') return { kind: 'text', value };
    if (typeof value === 'bigint') return { kind: 'number', value: String(value) };
    const text = this.#source.slice(start, end);
    // As a double it would have lost digits.
    if (typeof value === 'number')
      return { kind: 'number', value: wideOrNumberToText(new WideNumber(text.startsWith('.') ? `0${text}` : text)) };
    const plain = text.replace(/u$/i, '').replace(/^b(?=['"])/i, '');
    throw new FormulaFault(`${text} is neither a text nor a number${didYouMean(text, [plain])}`, start);
  }
}
