// Explains a JSON syntax error: the first wrong place and how to correct it. Runs only once `JSON.parse` has failed.
import { didYouMean } from '../../text/nearest.ts';

export interface JsonFault {
  readonly offset: number;
  readonly text: string;
}

/** A sign, a text, another plain value, a word that is none, or the end of the file. */
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'plain' | 'word' | 'end';

interface Token {
  readonly kind: TokenKind;
  /** As it is written. */
  readonly text: string;
  readonly offset: number;
}

const space = /[ \t\r\n]*/y;
const text = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const plain = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const word = /'[^'\n]*'?|[^\s{}[\],:"]+/y;

class Wrong extends Error {
  readonly offset: number;
  constructor(offset: number, text: string) {
    super(text);
    this.offset = offset;
  }
}

/** @returns the first fault; undefined where this reader finds none. */
export function jsonFault(text: string): JsonFault | undefined {
  if (text.startsWith('\uFEFF')) return { offset: 0, text: 'begins with a byte order mark; save it without' };
  try {
    new Reader(text).file();
    return undefined;
  } catch (error) {
    if (error instanceof Wrong) return { offset: error.offset, text: error.message };
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #token: Token;
  /** Where the token before ends. */
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = this.#scan(0);
  }

  file(): void {
    if (this.#isAtEnd()) throw new Wrong(0, 'the file is empty');
    this.#value();
    if (!this.#isAtEnd()) throw new Wrong(this.#token.offset, 'the file continues after its end');
  }

  #isAtEnd(): boolean {
    return this.#token.kind === 'end';
  }

  #match(pattern: RegExp, offset: number): string {
    pattern.lastIndex = offset;
    return pattern.exec(this.#text)?.[0] ?? '';
  }

  #scan(from: number): Token {
    const offset = from + this.#match(space, from).length;
    const sign = this.#text[offset];
    switch (sign) {
      case undefined:
        return { kind: 'end', text: '', offset };
      case '{':
      case '}':
      case '[':
      case ']':
      case ',':
      case ':':
        return { kind: sign, text: sign, offset };
      case '"': {
        const found = this.#match(text, offset);
        if (found === '')
          throw new Wrong(offset, `the text that starts here ${textFault(this.#text.slice(offset + 1))}`);
        return { kind: 'text', text: found, offset };
      }
      case '/':
        throw new Wrong(offset, 'JSON has no comments; use "description"');
      default: {
        const found = this.#match(plain, offset);
        return found === ''
          ? { kind: 'word', text: this.#match(word, offset), offset }
          : { kind: 'plain', text: found, offset };
      }
    }
  }

  #next(): Token {
    const token = this.#token;
    this.#end = token.offset + token.text.length;
    this.#token = this.#scan(this.#end);
    return token;
  }

  #value(): void {
    const { kind, offset, text } = this.#token;
    if (kind === '{') this.#object();
    else if (kind === '[') this.#array();
    else if (kind === 'text' || kind === 'plain') this.#next();
    else if (kind !== 'word') throw new Wrong(this.#end, 'a value is missing here');
    else if (text.startsWith("'")) throw new Wrong(offset, 'texts must be in double quotes');
    else {
      const hint = didYouMean(text, ['true', 'false', 'null']);
      const isNumber = /^[-+.]?\d/.test(text);
      const rule = isNumber ? '; numbers are written 0.5, -1, 20' : '; texts must be in double quotes';
      throw new Wrong(offset, `${shortened(text)} is not a value${hint || rule}`);
    }
  }

  #object(): void {
    const open = this.#next();
    let comma: Token | undefined;
    while (this.#token.kind !== '}' || comma !== undefined) {
      const { kind, offset, text } = this.#token;
      this.#refuseEnd(open, '}');
      if (kind === '}') throw new Wrong(comma?.offset ?? offset, 'extra comma; no name follows');
      if (kind !== 'text') {
        const isWord = kind === 'word' || kind === 'plain';
        throw new Wrong(
          offset,
          isWord ? `the name ${shortened(text)} must be in double quotes` : 'a name in double quotes is missing here',
        );
      }
      this.#next();
      if (this.#token.kind !== ':') throw this.#missing(`a colon is missing after ${shortened(text)}`);
      this.#next();
      this.#value();
      comma = this.#separator(open, '}');
    }
    this.#next();
  }

  #array(): void {
    const open = this.#next();
    let comma: Token | undefined;
    while (this.#token.kind !== ']' || comma !== undefined) {
      this.#refuseEnd(open, ']');
      if (this.#token.kind === ']') throw new Wrong(comma?.offset ?? 0, 'a comma too many: no value follows');
      this.#value();
      comma = this.#separator(open, ']');
    }
    this.#next();
  }

  #separator(open: Token, close: '}' | ']'): Token | undefined {
    if (this.#token.kind === close) return undefined;
    if (this.#token.kind === ',') return this.#next();
    this.#refuseEnd(open, close);
    throw this.#missing('a comma is missing here');
  }

  /** The file, or what is around, ends while something is open. */
  #refuseEnd(open: Token, sign: string): void {
    const { kind } = this.#token;
    const isOther = kind === 'end' || kind === (sign === '}' ? ']' : '}');
    if (!isOther) return;
    const line = this.#text.slice(0, open.offset).split('\n').length;
    throw new Wrong(this.#end, `"${sign}" is missing: what line ${line} opens is not closed`);
  }

  /** What is missing stands behind the token before; unless that is a text that has ended too soon. */
  #missing(words: string): Wrong {
    const isTorn = this.#text[this.#end - 1] === '"' && this.#token.offset === this.#end;
    return isTorn
      ? new Wrong(this.#end - 1, 'the text ends at this quotation mark, and more follows; one inside a text is \\"')
      : new Wrong(this.#end, words);
  }
}

const shortened = (text: string): string => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

/** What is wrong with a text, from behind its quotation mark on. */
function textFault(rest: string): string {
  const line = rest.split('\n', 1)[0] ?? '';
  const good = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/u.exec(line)?.[0].length ?? 0;
  if (good >= line.trimEnd().length) return 'has no closing quotation mark on its line';
  if (line.startsWith('\\u', good)) return 'has a \\u without four hexadecimal digits';
  if (line[good] === '\\') return 'has a \\ before a letter that needs none; a backslash itself is \\\\';
  return 'has a tab or another control character in it; a tab is \\t';
}
