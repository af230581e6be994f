// Dependencies of fields as links: what a field reads, what reads it, and effects on other records.
import { type FieldName, graphOf, type Saying } from '../../registry/guide/graph.ts';
import type { Effect, Logged, Resource, Setting } from '../../registry/model/model.ts';
import { type Content, type Html, html, joined } from '../site/html.ts';
import { aLinkTo, fieldAnchor, formulaAnchor, groupAddress, linkTo, type Site } from '../site/site.ts';
import { conditionText, sourceText } from './condition.ts';

/** A link to a field, or to a named formula; those of the page's own group go without the name of the group. */
function linkToName({ registry }: Site, { group, name }: FieldName, own: string): Html {
  const resource = registry.resources.get(group);
  const isFormula = resource?.formulas.some((formula) => formula.name === name) === true;
  const anchor = isFormula ? formulaAnchor(name) : fieldAnchor(name);
  const [at, words] = group === own ? ['', name] : [groupAddress(group), `${group}.${name}`];
  return html`<a href="${at}#${anchor}"><code>${words}</code></a>`;
}

/** A link to the rules that ask something of a field; undefined where none does. */
export function askedText(site: Site, of: FieldName): Content {
  const isAsked = graphOf(site.registry)
    .about(of)
    .some(({ role }) => role === 'condition');
  return isAsked ? html`Validated by <a href="#rules">rules</a>.` : undefined;
}

/** Links to all that the formulas of a field, or a named formula, look at; undefined for none. */
export function looksAtText(site: Site, of: FieldName): Content {
  const graph = graphOf(site.registry);
  const names = graph.about(of).flatMap((saying) => (isValue(saying) ? graph.readBy(saying) : []));
  const links = new Map(names.map((name) => [`${name.group}.${name.name}`, linkToName(site, name, of.group)]));
  return links.size === 0 ? undefined : html`Depends on ${joined([...links.values()], ', ')}.`;
}

/** Whether it gives a value; what conditions look at, their own words say well enough. */
const isValue = ({ role }: Saying): boolean => ['figure', 'state', 'default', 'formula'].includes(role);

/** Links to all that looks at a field, or calls a named formula; undefined for none. */
export function lookedAtByText(site: Site, of: FieldName): Content {
  const links = new Map<string, Content>();
  for (const reader of graphOf(site.registry).readersOf(of)) {
    const { group, name } = reader;
    const isOfField = name !== undefined && reader.role !== 'condition';
    if (isOfField) links.set(`${group}.${name}`, linkToName(site, { group, name }, of.group));
    else links.set(`${group} ${placeOf(reader)}`, linkToPart(site, reader, of.group));
  }
  return links.size === 0 ? undefined : html`Used by ${joined([...links.values()], ', ')}.`;
}

/** The section of a page that tells what is not of a field alone. */
const placeOf = ({ role }: Saying): 'effects' | 'rules' => (role === 'effect' ? 'effects' : 'rules');

function linkToPart({ registry }: Site, reader: Saying, own: string): Html {
  const place = placeOf(reader);
  if (reader.group === own) return html`<a href="#${place}">${place}</a>`;
  const title = registry.resources.get(reader.group)?.title ?? reader.group;
  return html`<a href="${groupAddress(reader.group)}#${place}">${place} of ${title}</a>`;
}

const onWords = {
  create: 'When a record is created',
  update: 'When a record is updated',
  delete: 'When a record is deleted',
  becomes: 'When a state is set automatically',
  day: 'When a new day begins',
} as const;

/** What writes of a group do to other records, a sentence each. */
export const effectTexts = (site: Site, { effects }: Resource): readonly Content[] =>
  effects.map((effect) => effectText(site, effect));

function effectText(site: Site, effect: Effect): Content {
  const { on, sent, when } = effect;
  const times = joined(
    [...on].map((one, index) => (index === 0 ? onWords[one] : onWords[one].replace('When', 'when'))),
    ' or ',
  );
  const names = joined(
    sent.map(({ name }) => html`<code>${name}</code>`),
    ' or ',
  );
  const body = sent.length === 0 ? undefined : html`, if the request contains ${names}`;
  const condition =
    when === undefined ? undefined : html`, ${body === undefined ? 'if' : 'and if'} ${conditionText(when)}`;
  return html`${times}${body}${condition}: ${actText(site, effect)}.`;
}

function actText(site: Site, effect: Effect): Content {
  switch (effect.kind) {
    case 'make':
      return html`creates ${aLinkTo(site, effect.group)}${logsText(effect.logs)}${settingsText(effect.settings, { before: ' with ', between: ': ' })}`;
    case 'change':
      return html`updates ${changedText(site, effect)}${settingsText(effect.settings, { before: '; sets ', between: ' to ' })}`;
    case 'remove': {
      const items = effect.lists.length === 0 ? undefined : html` items of <code>${effect.lists.join('.')}</code> from`;
      return html`deletes${items} ${linkTo(site, effect.group)}: ${sourceText(effect.source)}`;
    }
  }
}

const changedText = (site: Site, { group, source }: { readonly group: string; readonly source: string | undefined }) =>
  source === undefined ? 'the record itself' : html`${linkTo(site, group)}: ${sourceText(source)}`;

/** Of which changes a record is made: the word for each, and the fields that it stands for. */
function logsText(logs: readonly Logged[] | undefined): Content {
  if (logs === undefined) return undefined;
  const kinds = logs.map(({ kind, fields, isOfOthers }) => {
    const names = joined(
      fields.map(({ name }) => html`<code>${name}</code>`),
      ', ',
    );
    return html`<code>${kind}</code> for changes of ${isOfOthers ? html`any other field (${names})` : names}`;
  });
  return html` for each kind of change, with <code>changes</code> listing each field as <q>name: old → new</q>: ${joined(kinds, '; ')};`;
}

interface Joints {
  readonly before: string;
  readonly between: string;
}

function settingsText(settings: readonly Setting[], { before, between }: Joints): Content {
  if (settings.length === 0) return undefined;
  const words = settings.map(({ name, source }) => html`<code>${name}</code>${between}${sourceText(source)}`);
  return [before, joined(words, '; ')];
}

/** Groups whose writes make, change or remove records of this one; undefined for none. */
export function effectsOntoText(site: Site, { name }: Resource): Content {
  const acting = [...site.registry.resources.values()].filter(
    (other) => other.name !== name && other.effects.some(({ group }) => group === name),
  );
  if (acting.length === 0) return undefined;
  const links = acting.map((other) => html`<a href="${groupAddress(other.name)}#effects">${other.title}</a>`);
  return html`Effects of other groups also write these records: ${joined(links, ', ')}.`;
}
