// Formulas for people who know no formula: names as words (`member.defaultRate` → member's default rate), words of lists as they are
// said (`those whose …`), and what is true or false as a sentence.
import { isMacro } from '../language/macros.ts';
import { madeOfLists } from '../language/names.ts';
import { conditionWords, type FormulaPart, filled, formulaWords } from './words.ts';

/** A condition that the checks have accepted, as a sentence. */
export const conditionForPeople = (source: string): string => sentence(conditionWords(source), source);

/** The same of what gives a value, or of a part of it; as it is written where it is none by itself. */
export function formulaForPeople(source: string): string {
  try {
    const parts = formulaWords(source);
    const [only] = parts;
    const asked = parts.length === 1 && only?.isValue !== true && truth(only?.text ?? '', variablesIn(source), true);
    return asked || sentence(parts, source);
  } catch {
    return source;
  }
}

/** The sentence of a rule about fields: `{list} always holds the value of {value}.` */
export const ruleForPeople = (says: string, given: Readonly<Record<string, unknown>>): string =>
  sentence(filled(says, Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [code(value)]]))), '');

const code = (value: unknown): FormulaPart => ({ kind: 'code', text: [value].flat().join(', ') });

/** `dueStatusId` → due status; `isBillable` → billable. */
export const nameForPeople = (name: string): string => wordsOf(name.replace(/^is(?=[A-Z])/, ''));

/** `not_submitted` → not submitted; `2026-03-01T20:00:00.000Z` → 2026-03-01 20:00 UTC. */
export const valueForPeople = (text: string): string =>
  text === 'null'
    ? 'nothing'
    : /^[a-z]+(_[a-z]+)+$/.test(text)
      ? text.replaceAll('_', ' ')
      : text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00\.000)?(.*?)(?:\.000)?Z$/, '$1 $2$3 UTC');

function sentence(parts: readonly FormulaPart[], source: string): string {
  const variables = variablesIn(source);
  const clauses = new Clauses();
  let sentenceText = '';
  for (let place = 0; place < parts.length; place += 1) {
    const part: FormulaPart = parts[place] ?? { kind: 'words', text: '' };
    const { kind, text } = part;
    if (kind === 'words' || part.isValue === true) {
      sentenceText += kind === 'words' ? text : valueForPeople(text);
      if (kind === 'words') clauses.read(text);
      continue;
    }
    const next = parts[place + 1]?.text ?? '';
    const isTrue = truthIn(parts[place + 1]);
    const statement = isTrue === undefined ? undefined : truth(text, variables, isTrue);
    if (statement !== undefined) place += 1;
    const clause = clauses.isOpen ? relativeClause(text, variables, isTrue) : undefined;
    clauses.isOpen = false;
    if (clause !== undefined) sentenceText = `${sentenceText.replace(/for which $/, '')}${clause}`;
    else if (part.isList === true)
      sentenceText = `${sentenceText.replace(/the $/, '')}${listName(text, sentenceText.endsWith('the '), variables)}`;
    else sentenceText += statement ?? toName(text, { before: sentenceText, next, variables });
  }
  return sentenceText;
}

/** Finds the places in a sentence at which a condition on the items of a list begins: after "for which", and after its "and" or "or". */
class Clauses {
  isOpen = false;
  #depth = 0;
  /** Brackets around the conditions on items; undefined outside of them. */
  #open: number | undefined;

  read(text: string): void {
    for (const sign of text)
      if (sign === '(') this.#depth += 1;
      else if (sign === ')') this.#depth -= 1;
    if (this.#open !== undefined && this.#depth < this.#open) this.#open = undefined;
    if (text.endsWith(' for which ')) this.#open = this.#depth;
    this.isOpen = text.endsWith(' for which ') || (/ (?:and|or) $/.test(text) && this.#depth === this.#open);
  }
}

/** `whose rate`, `that are billable`; undefined for a name that begins no such clause. */
function relativeClause(text: string, variables: ReadonlySet<string>, isTrue: boolean | undefined): string | undefined {
  const [first = '', ...rest] = text.split('.');
  const [own] = rest;
  if (!variables.has(first) || own === undefined || text === `${first}.id`) return undefined;
  if (!/^is[A-Z]/.test(rest.at(-1) ?? '')) return `whose ${owned(rest)}`;
  if (rest.length > 1 || isTrue === undefined) return undefined;
  return `that are ${isTrue ? '' : 'not '}${nameForPeople(own)}`;
}

/** A list that a formula goes through: `the lines`, `its lines`. */
function listName(text: string, hasArticle: boolean, variables: ReadonlySet<string>): string {
  const [first = '', ...rest] = text.split('.');
  if (variables.has(first)) return rest.length === 0 ? 'it' : `its ${owned(rest)}`;
  return `${hasArticle ? 'the ' : ''}${owned([first, ...rest])}`;
}

interface Surroundings {
  /** Words before the name. */
  readonly before: string;
  /** Words after it. */
  readonly next: string;
  readonly variables: ReadonlySet<string>;
}

function toName(text: string, { before, next, variables }: Surroundings): string {
  // `rate of …` is a name of the words that follow.
  const isOfOther = next.startsWith(' of ');
  const isCompared = / is (not )?$/.test(before) || next.startsWith(' is ');
  const plainName = isCompared ? text.replace(/(?<=^|\.)is(?=[A-Z]\w*$)/, '') : text;
  if (!isOfOther) return path(plainName, variables, variables.size > 0);
  const name = ofOther(text, variables);
  return / the (?:sum|average) of $/.test(` ${before}`) && variables.has(text.split('.')[0] ?? '')
    ? `the ${toPlural(name)}`
    : name;
}

const toPlural = (name: string): string =>
  /s$/.test(name) ? name : /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`;

/** What goes through a list in a formula: it has no name for people. */
function variablesIn(source: string): ReadonlySet<string> {
  const ofLists: readonly string[] = madeOfLists;
  const calls = source.matchAll(/\.(\w+)\(\s*([A-Za-z]\w*)\s*,/g);
  // Parts of a formula are explained without the list: `l.price`.
  const ofParts = [...source.matchAll(/(?<![\w.])([a-z])\.(?=[a-z])/g)].map(([, variable = '']) => variable);
  return new Set(
    [...calls]
      .flatMap(([, name = '', variable = '']) => (isMacro(name) || ofLists.includes(name) ? [variable] : []))
      .concat(ofParts),
  );
}

const truthIn = (next: FormulaPart | undefined): boolean | undefined =>
  next?.text === ' is true' ? true : next?.text === ' is false' ? false : undefined;

/** `seat is active`, `it is not billable`; undefined for names that are no such sentence. */
function truth(text: string, variables: ReadonlySet<string>, isTrue: boolean): string | undefined {
  const [, before = '', asked = ''] = /^(?:(.*)\.)?is([A-Z]\w*)$/.exec(text) ?? [];
  if (asked === '') return undefined;
  const who = before === '' || before === 'old' ? 'it' : path(before, variables, variables.size > 0);
  return `${who} ${before === 'old' ? 'was' : 'is'} ${isTrue ? '' : 'not '}${wordsOf(asked)}`;
}

/** A name behind which it is said of what: `amount of invoices`. */
function ofOther(text: string, variables: ReadonlySet<string>): string {
  const [first = '', ...rest] = text.split('.');
  return owned(variables.has(first) && rest.length > 0 ? rest : [first, ...rest]);
}

/** @param isOwn Whether the record's own names are told apart from those of what goes through a list. */
function path(text: string, variables: ReadonlySet<string>, isOwn: boolean): string {
  const [first = '', ...rest] = text.split('.');
  const [second] = rest;
  if (/^is[A-Z]/.test(rest.at(-1) ?? '')) return truth(text, variables, true) ?? text;
  if (first === 'old') return second === undefined ? 'the record before the write' : `${owned(rest)} before the write`;
  if (variables.has(first)) return second === undefined || text === `${first}.id` ? 'it' : `its ${owned(rest)}`;
  if (first === 'all') return `all records of ${owned(rest)}`;
  if (text === 'id') return 'this record';
  // A list is none of a kind.
  const isTold = isOwn && first !== 'today' && !/^[a-z]+s(?=[A-Z]|$)/.test(first);
  return `${first === 'workspace' ? 'the ' : isTold ? 'this ' : ''}${owned([first, ...rest])}`;
}

/** `member`, `defaultRate` → member's default rate. */
const owned = (names: readonly string[]): string =>
  names
    .map(wordsOf)
    .map((words, place) => (place === names.length - 1 ? words : `${words}${words.endsWith('s') ? "'" : "'s"}`))
    .join(' ');

const wordsOf = (name: string): string =>
  name
    .replace(/(?<=\w)Id(s?)$/, '$1')
    .replaceAll(/([a-z0-9])([A-Z])(?=[a-z]|$)/g, '$1 $2')
    .split(/[ _]+/)
    .map((word) => (/^[A-Z][a-z]*$/.test(word) ? word.toLowerCase() : word))
    .join(' ');
