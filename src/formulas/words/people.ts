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
  let said = '';
  for (let place = 0; place < parts.length; place += 1) {
    const { kind, text, isValue } = parts[place] ?? { kind: 'words', text: '' };
    if (kind === 'words' || isValue === true) {
      said += kind === 'words' ? text : valueForPeople(text);
      continue;
    }
    const asked = truthIn(parts[place + 1]);
    const told = asked === undefined ? undefined : truth(text, variables, asked);
    if (told !== undefined) place += 1;
    // `rate of …` is a name of what follows.
    const isOfOther = parts[place + 1]?.text.startsWith(' of ') === true;
    const isCompared = / is (not )?$/.test(said) || parts[place + 1]?.text.startsWith(' is ') === true;
    const name = isCompared ? text.replace(/(?<=^|\.)is(?=[A-Z]\w*$)/, '') : text;
    said += told ?? (isOfOther ? ofOther(text, variables) : path(name, variables, variables.size > 0));
  }
  return said;
}

/** What goes through a list in a formula: it has no name for people. */
function variablesIn(source: string): ReadonlySet<string> {
  const ofLists: readonly string[] = madeOfLists;
  const calls = source.matchAll(/\.(\w+)\(\s*([A-Za-z]\w*)\s*,/g);
  return new Set(
    [...calls].flatMap(([, name = '', variable = '']) => (isMacro(name) || ofLists.includes(name) ? [variable] : [])),
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
  if (first === 'old') return second === undefined ? 'the record before' : `${owned(rest)} before`;
  if (variables.has(first)) return second === undefined || text === `${first}.id` ? 'it' : `its ${owned(rest)}`;
  if (first === 'all') return `all ${owned(rest)}`;
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
