// Conditions and rules as sentences, with names set as code.

import { typeWords } from '../../formulas/language/types.ts';
import { conditionWords, type FormulaPart, formulaWords } from '../../formulas/words/words.ts';
import type { Condition, Figure, GroupFormula, Resource, RuleUse, State } from '../../registry/model/model.ts';
import { type Content, type Html, html, joined } from '../site/html.ts';
import { aLinkTo, linkTo, type Site } from '../site/site.ts';

const code = (text: string): Html => html`<code>${text}</code>`;
/** a, b, c. */
export const codes = (texts: readonly string[]): Content => joined(texts.map(code), ', ');

/** `statusId` is not `draft` and `isBillable` is true. */
export const conditionText = ({ source }: Pick<Condition, 'source'>): Content => partsText(conditionWords(source));

const partsText = (parts: readonly FormulaPart[]): Content =>
  parts.map(({ kind, text }) => (kind === 'code' ? code(text) : text));

const takenWords = {
  always: '',
  atWrite: '; recomputed only when the record is written',
  onCreate: '; computed once, on create',
  atRead: '; computed on each read',
} as const satisfies Record<Figure['taken'], string>;

/** Any formula in words. */
export const sourceText = (source: string): Content => partsText(formulaWords(source));

/** A formula in words, when it is taken, and while what. */
export const figureText = ({ source, taken, again, when }: Figure): Content => [
  sourceText(source),
  takenWords[taken],
  again.length > 0 ? html`, and again when ${joined(again.map(code), ' or ')} changes` : '',
  when === undefined ? '' : html`; only while ${conditionText(when)}, otherwise requests set the value`,
];

/** `becomes` in words: each value and when it follows, in the order in which they are tried. */
export const statesText = (states: readonly State[]): Content =>
  joined(
    states.map(({ to, when }) =>
      when.source.trim() === 'true'
        ? html`otherwise ${code(String(to))}`
        : html`${code(String(to))} if ${conditionText(when)}`,
    ),
    '; ',
  );

/** A named formula in words: what it is given, and what it is. */
export const formulaText = ({ name, given, source }: GroupFormula): Content => {
  const words = given.map((one) => html`${code(one.name)} (${typeWords(one.type)})`);
  return html`${code(name)}${words.length > 0 ? html` for ${joined(words, ', ')}` : undefined}: ${partsText(formulaWords(source))}.`;
};

/** Any JSON of a descriptor: texts as code, lists with commas, objects as pairs. */
export function jsonText(value: unknown): Content {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : joined(value.map(jsonText), ', ');
  if (typeof value === 'object' && value !== null)
    return joined(
      Object.entries(value).map(([key, inside]) => html`${code(key)}: ${jsonText(inside)}`),
      '; ',
    );
  return value === '' ? 'an empty string' : code(String(value));
}

/** Ways of writing an argument that is an object or a list, by the word behind the colon of a placeholder. */
const forms: Readonly<Record<string, (value: unknown, site: Site) => Content>> = {
  match: (value) => matchText(Object.entries(Object(value)).map(([there, here]) => [there, String(here)])),
  from: (value) =>
    joined(
      Object.entries(Object(value)).map(([here, there]) =>
        here === there ? code(here) : html`${code(here)} from ${code(String(there))}`,
      ),
      ', ',
    ),
  groups: (value, site) =>
    joined(
      (Array.isArray(value) ? value : []).map((name) => linkTo(site, String(name))),
      ' or ',
    ),
  be: (value) =>
    joined(
      Object.entries(Object(value)).map(([kind, asked]) => html`${String(Object(asked).be)} for ${code(kind)}`),
      ', ',
    ),
  usedBy: (value, site) =>
    joined(
      Object.entries(Object(value)).map(([group, key]) => html`${linkTo(site, group)} by ${code(String(key))}`),
      ', ',
    ),
};

/** Keys that are called alike here and there are named once. */
function matchText(pairs: readonly (readonly [there: string, here: string])[]): Content {
  const same = pairs.filter(([there, here]) => there === here).map(([there]) => code(there));
  const other = pairs
    .filter(([there, here]) => there !== here)
    .map(([there, here]) => html`${code(there)} equal to ${code(here)} of this record`);
  return joined([...(same.length > 0 ? [html`the same ${joined(same, ' and ')}`] : []), ...other], ' and ');
}

/** The rules of a group: those of its records, or the one that computes its record. */
export const usesOf = ({ rules, computed }: Resource): readonly RuleUse[] =>
  typeof computed === 'object' ? [computed] : rules;

/**
 * A use of a rule as a sentence: what the rule says, with this use's arguments. Rules that say nothing, and uses without
 * arguments (of a field that another rule fills), give the rule's name.
 */
export function ruleText(use: RuleUse, site: Site): Content {
  const says = site.signatures[use.use]?.says;
  if (says === undefined) return html`${code(use.use)} ${jsonText(use.arguments)}`;
  return says.split(/(\[[^\]]*\])/).map((part) => {
    const isOptional = part.startsWith('[');
    const names = [...part.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);
    if (isOptional && names.some((name) => use.arguments[name] === undefined)) return undefined;
    return filled(isOptional ? part.slice(1, -1) : part, use, site);
  });
}

const filled = (text: string, use: RuleUse, site: Site): Content =>
  text.split(/((?:\ba )?\{[\w:]+\})/).map((part) => {
    const [, article, name, form = ''] = /^(a )?\{(\w+)(?::(\w+))?\}$/.exec(part) ?? [];
    if (name === undefined) return part;
    const isGroup = site.signatures[use.use]?.parameters[name] === 'group';
    if (article !== undefined && isGroup) return aLinkTo(site, String(use.arguments[name]));
    return [article, argumentText(use, { name, form }, site)];
  });

/** An argument's name, and the word for how it is written. */
interface Placeholder {
  readonly name: string;
  readonly form: string;
}

function argumentText(use: RuleUse, { name, form }: Placeholder, site: Site): Content {
  const value = use.arguments[name];
  const condition = use.conditions[name];
  const written = forms[form];
  if (condition !== undefined) return conditionText(condition);
  if (written !== undefined) return written(value, site);
  const kind = site.signatures[use.use]?.parameters[name];
  if (kind === 'group') return linkTo(site, String(value));
  // What must hold is said in words already.
  return (kind === 'text' || kind === 'message') && name === 'must' ? String(value) : jsonText(value);
}

/** The rule of the group that fills a field which names it alone. */
export const ruleBehind = (derived: RuleUse, { rules }: Resource): RuleUse | undefined =>
  Object.keys(derived.arguments).length === 0 ? rules.find(({ use }) => use === derived.use) : undefined;
