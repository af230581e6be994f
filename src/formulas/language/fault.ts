// Errors in a formula, in words and with their place. All knowledge of the CEL library's own messages is here.
import { excerpt } from '../../text/excerpt.ts';
import { meantSign } from './other-languages.ts';

/** A formula that means nothing. */
export class FormulaFault extends Error {
  /** The place in the formula. */
  readonly offset: number;

  constructor(text: string, offset: number) {
    super(text);
    this.name = 'FormulaFault';
    this.offset = offset;
  }

  /** The first line of a fault, the formula and a mark below it. */
  in(source: string): string {
    return `${this.message}${excerpt(source, Math.min(this.offset, source.length))}`;
  }
}

const operators = '+, -, *, /, ==, !=, <, <=, >, >=, in, && or ||';
const signs: Readonly<Record<string, string>> = {
  EOF: 'its end',
  RPAREN: '")"',
  LPAREN: '"("',
  RBRACKET: '"]"',
  LBRACKET: '"["',
  RBRACE: '"}"',
  LBRACE: '"{"',
  COLON: '":"',
  COMMA: '","',
  DOT: '"."',
  PLUS: '"+"',
  MINUS: '"-"',
  MULTIPLY: '"*"',
  DIVIDE: '"/"',
  MODULO: '"%"',
  EQ: '"=="',
  NE: '"!="',
  LT: '"<"',
  LE: '"<="',
  GT: '">"',
  GE: '">="',
  AND: '"&&"',
  OR: '"||"',
  NOT: '"!"',
  QUESTION: '"?"',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  BYTES: 'a text',
  BOOLEAN: 'true or false',
};
/**
 * A formula that cannot be read.
 * @param message The first line of the library's error.
 * @param offset Where in the formula it is.
 */
export function syntaxFault(message: string, source: string, offset: number): FormulaFault {
  const meant = /^Unexpected/.test(message) ? meantSign(source, offset) : undefined;
  const words = meant?.words ?? syntaxWords(message, source, offset);
  return new FormulaFault(`is not a CEL expression: ${words}`, meant?.offset ?? offset);
}

function syntaxWords(message: string, source: string, offset: number): string {
  if (message.startsWith('Unexpected character')) {
    const [found = ''] = /^(?:\w+|.)/u.exec(source.slice(offset)) ?? [];
    if (found === ')' || found === ']') return `"${found}" closes nothing`;
    return /(?:^|[-+*/=<>&|!?:([{,])\s*$/.test(source.slice(0, offset))
      ? `"${found}" means nothing in a formula`
      : `"${found}" follows without one of ${operators}`;
  }
  if (message.includes('iteration variable')) return 'a name for each item goes first: list.filter(x, …)';
  if (message.startsWith('Unterminated string')) return 'the text that starts here has no closing quotation mark';
  const [, token = ''] = /^Unexpected token: (\w+)/.exec(message) ?? [];
  if (token === 'EOF') return 'it ends where a value should follow';
  if (token !== '') return `${signs[token] ?? `"${token.toLowerCase()}"`} stands where a value should`;
  const [, wanted = '', got = ''] = /^Expected (\w+), got (\w+)/.exec(message) ?? [];
  if (wanted === 'RPAREN' && got === 'COMMA') return 'put a "," between values of a function or of a list: [a, b]';
  if (wanted !== '') return `${signs[wanted] ?? wanted} is missing before ${signs[got] ?? got}`;
  return 'it cannot be read from here on';
}

/** A formula leads to records of a group that cannot be known: its descriptor has faults of its own, which are told there. */
export class Unresolved extends Error {
  constructor(group: string) {
    super(`nothing is known of "${group}"`);
    this.name = 'Unresolved';
  }
}
