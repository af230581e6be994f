// The subset of regular expressions that descriptors may use: it means the same in every engine and matches in linear time.
// Read from left to right; the first construct outside of it is the fault.
import { matcherOf } from '../values/pattern.ts';

/** What is wrong with a pattern, and where in it. */
export interface PatternFault {
  readonly text: string;
  readonly offset: number;
}

/** A part of a pattern, as far as it matters how often it can be repeated. */
interface PatternPart {
  /** Characters that it can begin with alone: one, as it is written; undefined where there may be others. */
  readonly head: string | undefined;
  /** The characters and classes in it, each as an expression of its own; the head is not among them. */
  readonly rest: readonly string[];
  /** Whether a part of it is repeated without an end. */
  readonly isOpen: boolean;
}

const special = '^$\\.*+?()[]{}|';
const mostRepeats = 1000;

/** @returns undefined where the pattern is one */
export function patternFault(pattern: string): PatternFault | undefined {
  const reader = new Reader(pattern);
  try {
    reader.readAll();
  } catch (error) {
    if (error instanceof Stop) return { text: error.message, offset: error.offset };
    throw error;
  }
  try {
    matcherOf(pattern);
    return undefined;
  } catch {
    return { text: 'repeats too much: all repetitions together are too many', offset: 0 };
  }
}

class Stop extends Error {
  readonly offset: number;

  constructor(text: string, offset: number) {
    super(text);
    this.offset = offset;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #peek(): string {
    const point = this.#text.codePointAt(this.#at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #stop(text: string, offset = this.#at): never {
    throw new Stop(text, offset);
  }

  readAll(): void {
    if (this.#peek() !== '^') this.#stop('must start with "^" and end with "$", because it matches the whole text');
    this.#at += 1;
    while (this.#peek() !== '$') {
      if (this.#peek() === '') this.#stop('must end with "$", because it matches the whole text');
      if (this.#peek() === '|') this.#stop('"|" is only allowed in a group: "^(a|b)$"');
      if (this.#peek() === ')') this.#stop('")" does not close a group; write "\\)" for the character');
      this.#piece();
    }
    if (this.#at + 1 < this.#text.length) this.#stop('"$" is only allowed at the end; write "\\$" for the character');
  }

  /** A character, a class or a group, with how often it stands there. */
  #piece(): PatternPart {
    const start = this.#at;
    const part = this.#one();
    const sign = this.#peek();
    if (!'*+?{'.includes(sign) || sign === '') return part;
    const isOpen = this.#quantifier();
    if ('*+?{'.includes(this.#peek()) && this.#peek() !== '') this.#stop('repeats a repetition; remove one of the two');
    if (!isOpen) return { ...part, head: undefined, rest: all(part) };
    if (part.isOpen && !isSeparated(part))
      this.#stop(
        'repeats a group that contains a repetition, which can be very slow; start the group with a character that it does not contain elsewhere, as in "(-[a-z]+)*"',
        start,
      );
    return { head: undefined, rest: all(part), isOpen: true };
  }

  /** @returns whether it has no end */
  #quantifier(): boolean {
    const sign = this.#peek();
    if (sign !== '{') {
      this.#at += 1;
      return sign !== '?';
    }
    const found = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#text.slice(this.#at));
    if (found === null)
      return this.#stop('"{" must be a count: "{3}", "{2,}" or "{2,5}"; write "\\{" for the character');
    const [whole, least = '', upTo, most = ''] = found;
    if (Number(least) > mostRepeats || Number(most) > mostRepeats) this.#stop(`repeats more than ${mostRepeats} times`);
    if (most !== '' && Number(most) < Number(least)) this.#stop('has a maximum below its minimum');
    this.#at += whole.length;
    return upTo !== undefined && (most === '' || Number(most) > 1);
  }

  #one(): PatternPart {
    const sign = this.#peek();
    if (sign === '(') return this.#group();
    const start = this.#at;
    if (sign === '[') this.#class();
    else if (sign === '\\') this.#escape();
    else if (sign === '.')
      this.#stop(
        '"." matches different characters in each engine; list them: "[^,]", "[a-z ]", or "\\." for the character',
      );
    else if ('*+?{'.includes(sign))
      this.#stop(`"${sign}" has nothing before it to repeat; write "\\${sign}" for the character`);
    else if (special.includes(sign)) this.#stop(`"${sign}" must be written "\\${sign}"`);
    else this.#at += sign.length;
    const source = this.#text.slice(start, this.#at);
    const isOne = sign !== '[' && !/^\\[dw]$/.test(source);
    return { head: isOne ? source : undefined, rest: isOne ? [] : [source], isOpen: false };
  }

  #group(): PatternPart {
    const start = this.#at;
    this.#at += 1;
    if (this.#text.startsWith('?:', this.#at)) this.#at += 2;
    else if (this.#peek() === '?')
      this.#stop('lookahead, lookbehind and named groups are not allowed; use "(…)" or "(?:…)"');
    const branches: PatternPart[][] = [[]];
    while (this.#peek() !== ')') {
      if (this.#peek() === '' || this.#peek() === '$') this.#stop('is an unclosed group', start);
      if (this.#peek() === '|') {
        branches.push([]);
        this.#at += 1;
      } else branches.at(-1)?.push(this.#piece());
    }
    this.#at += 1;
    const parts = branches.flat();
    const [only = []] = branches;
    const [first, ...others] = only;
    const isOpen = parts.some((part) => part.isOpen);
    if (branches.length > 1 || first?.head === undefined) return { head: undefined, rest: parts.flatMap(all), isOpen };
    return { head: first.head, rest: [...first.rest, ...others.flatMap(all)], isOpen };
  }

  /** @param more signs that can be escaped here besides */
  #escape(more = ''): void {
    const escaped = String.fromCodePoint(this.#text.codePointAt(this.#at + 1) ?? 0x20);
    if (!special.includes(escaped) && !`dw/${more}`.includes(escaped))
      this.#stop(`"\\${escaped.trim()}" is not an allowed escape; use "\\d", "\\w" or an escaped sign such as "\\."`);
    this.#at += 2;
  }

  #class(): void {
    const start = this.#at;
    this.#at += this.#text.startsWith('[^', this.#at) ? 2 : 1;
    if (this.#peek() === ']') this.#stop('a class holds something; write "\\]" for the character');
    while (this.#peek() !== ']') {
      const from = this.#member(start);
      if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') continue;
      const dash = this.#at;
      this.#at += 1;
      const to = this.#member(start);
      if (from === undefined || to === undefined) this.#stop('a range goes from one character to another', dash);
      if ((from?.codePointAt(0) ?? 0) > (to?.codePointAt(0) ?? 0))
        this.#stop('is a range that ends before it begins', dash);
    }
    this.#at += 1;
  }

  /** A character of a class; undefined for several of them. */
  #member(start: number): string | undefined {
    const sign = this.#peek();
    if (sign === '') this.#stop('is a class that nothing closes', start);
    if (sign === '[') this.#stop('"[" must be written "\\[" in a class');
    const at = this.#at;
    if (sign !== '\\') {
      this.#at += sign.length;
      return sign;
    }
    this.#escape('-');
    const escaped = this.#text[at + 1] ?? '';
    return 'dw'.includes(escaped) ? undefined : escaped;
  }
}

/** All that a part can match, its head too. */
const all = ({ head, rest }: PatternPart): readonly string[] => (head === undefined ? rest : [head, ...rest]);

/** Whether each repetition begins with a character that stands nowhere else in it: a text is then taken apart in one way. */
function isSeparated({ head, rest }: PatternPart): boolean {
  if (head === undefined) return false;
  const character = head.replace(/^\\/, '');
  return rest.every((source) => !matcherOf(`^${source}$`).test(character));
}
