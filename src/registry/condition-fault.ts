// What the CEL library says of a condition, in our words and with its place: this is all that knows how it says it.
import { excerpt } from '../text/excerpt.ts';

/** What is wrong with a condition, and where in it. */
export interface ConditionFault {
  readonly text: string;
  readonly offset: number;
}

/** The first line of a fault, the condition and a mark below it. */
export const conditionFaultText = (source: string, { text, offset }: ConditionFault): string =>
  `${text}${excerpt(source, Math.min(offset, source.length))}`;

const operators = '==, !=, <, <=, >, >=, in, && or ||';
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
};
/** Words and signs of other languages. */
const meant: Readonly<Record<string, string>> = {
  '=': '==',
  '&': '&&',
  '|': '||',
  and: '&&',
  or: '||',
  not: '!',
  AND: '&&',
  OR: '||',
  is: '==',
  '<>': '!=',
};

/**
 * A condition that cannot be read.
 * @param message The first line of the library's error.
 * @param rest The condition from the place of the error on.
 */
export function syntaxWords(message: string, rest: string): string {
  if (message.startsWith('Unexpected character')) {
    const [found = ''] = /^(?:\w+|<>|.)/.exec(rest) ?? [];
    const right = meant[found];
    if (right !== undefined) return `"${found}" is no operator; did you mean "${right}"?`;
    return found === ')' || found === ']'
      ? `"${found}" closes nothing`
      : `"${found}" follows without one of ${operators}`;
  }
  if (message.startsWith('Unterminated string')) return 'the text that begins here has no closing quotation mark';
  const [, token = ''] = /^Unexpected token: (\w+)/.exec(message) ?? [];
  if (token === 'EOF') return 'it ends where a value should follow';
  if (token !== '') return `${signs[token] ?? `"${token.toLowerCase()}"`} stands where a value should`;
  const [, wanted = '', got = ''] = /^Expected (\w+), got (\w+)/.exec(message) ?? [];
  if (wanted !== '') return `${signs[wanted] ?? wanted} is missing before ${signs[got] ?? got}`;
  return 'it cannot be read from here on';
}

/** A type of the library as people say it. */
export function typeInWords(type: string): string {
  if (type.startsWith('list')) return 'a list';
  switch (type) {
    case 'string':
      return 'a text';
    case 'int':
    case 'uint':
    case 'double':
      return 'a number';
    case 'bool':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return 'of no certain type';
  }
}

/** A part of a condition: as it is written, where, and the library's word for its type. */
export interface Part {
  readonly text: string;
  readonly offset: number;
  readonly type: string;
}

/** `"state", a text` */
const said = ({ text, type }: Part): string =>
  /^[A-Za-z_]/.test(text) && type !== 'null' && !/^(?:true|false)$/.test(text)
    ? `"${text}", ${typeInWords(type)},`
    : type === 'null'
      ? 'null'
      : `${text}, ${typeInWords(type)},`;

const isNumber = (type: string): boolean => /^(?:int|double|uint)$/.test(type);

/** Parts that an operator cannot put together. @param parts What stands on its sides. */
export function typeFaultOf(operator: string, parts: readonly Part[]): ConditionFault {
  const [left, right] = parts;
  const fault = (text: string, at: Part | undefined): ConditionFault => ({
    text: text.replace(/,$/, ''),
    offset: at?.offset ?? 0,
  });
  const other = parts.find(({ type }) => type !== 'bool' && type !== 'dyn') ?? left;
  switch (operator) {
    case '!_':
      return fault(`"!" turns true or false around, and this is ${typeInWords(other?.type ?? '')}`, other);
    case '&&':
    case '||':
      return fault(`"${operator}" joins what is true or false, and this is ${typeInWords(other?.type ?? '')}`, other);
    case '?:':
      return left !== undefined && left.type !== 'bool' && left.type !== 'dyn'
        ? fault(`"?" asks for what is true or false, and this is ${typeInWords(left.type)}`, left)
        : fault('both sides of ":" must be of one type', parts[2]);
    case 'call':
      return parts.length === 1
        ? fault(
            `size() counts the items of a list or the letters of a text, and this is ${typeInWords(left?.type ?? '')}`,
            left,
          )
        : fault('size() takes one list or text', parts[1]);
    case 'list':
      return fault('all that stands in one list must be of one type', right);
    default:
  }
  if (left === undefined || right === undefined)
    return fault(
      left === undefined ? 'does not fit the record' : `this is ${typeInWords(left.type)}, which does not fit here`,
      left,
    );
  const isNull = left.type === 'null' || right.type === 'null';
  if (isNull && operator !== 'in')
    return fault(
      `"${operator}" compares nothing with null; only "==" and "!=" do`,
      left.type === 'null' ? left : right,
    );
  if (operator === 'in') {
    if (!right.type.startsWith('list'))
      return fault(`"in" looks into a list, and this is ${typeInWords(right.type)}`, right);
    const isOfWholes = isNumber(left.type) && right.type === 'list<int>';
    return fault(
      isOfWholes
        ? 'looks for a number in a list; write its numbers with a point (1.0)'
        : `looks for ${said(left)} in a list of something else`,
      right,
    );
  }
  return fault(`compares ${said(left)} with ${said(right)}`, right);
}
