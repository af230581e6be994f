// All that a descriptor says of one group, for people.
import { type FilterParameter, filtersOf, sortsOf } from '../endpoints/endpoint.ts';
import { rowOf } from '../endpoints/kinds.ts';
import type { GroupFormula, Operation, Resource } from '../registry/model.ts';
import { codes, conditionText, formulaText, ruleText, usesOf } from './condition.ts';
import { notesOf, typeText, unsetText, writeText } from './field-words.ts';
import { frame } from './frame.ts';
import { askedText, effectsOntoText, effectTexts, lookedAtByText, looksAtText } from './graph-words.ts';
import { type Content, type Html, html, joined, prose } from './html.ts';
import { type PlacedField, placedFields, type Reference } from './references.ts';
import { recordsOf } from './setup.ts';
import {
  areaAnchor,
  fieldAnchor,
  formulaAnchor,
  groupAddress,
  groupLink,
  operationAddress,
  type Site,
} from './site.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Undefined leaves the section out. */
  readonly content: Content;
}

/** The page of a group. */
export function groupPage(site: Site, resource: Resource): Html {
  const sections = sectionsOf(site, resource).filter(({ content }) => content !== undefined);
  const content = html`
<nav class="crumbs" aria-label="Where you are"><a href="/docs/groups">Groups</a> <span aria-hidden="true">/</span> <a href="/docs/groups#${areaAnchor(resource.area)}">${resource.area}</a></nav>
<div class="beside">
<article>
<h1>${resource.title}</h1>
<p class="lead">${prose(resource.description)}</p>
${facts(site, resource)}
${sections.map(
  ({ id, title, count, content }) =>
    html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}${count === undefined ? undefined : html` <span class="tally">${count}</span>`}</h2>${content}</section>`,
)}
</article>
<nav class="toc" aria-label="On this page"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</div>`;
  return frame(site, { title: resource.title, place: 'groups', content, files: ['tables.css', 'groups.css'] });
}

const operationWords: Record<Operation, string> = {
  list: 'List',
  get: 'Get',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
};

/** Address, operations, the switch. */
function facts(site: Site, resource: Resource): Html {
  const operations = site.endpoints.filter((endpoint) => endpoint.resource === resource);
  return html`<ul class="operations" aria-label="Operations">${operations.map(
    ({ operation, operationId, method, path }) =>
      html`<li><a href="${operationAddress(operationId)}"><span class="method">${method}</span> <code>${path}</code> <span class="verb">${operationWords[operation]}</span></a></li>`,
  )}</ul>
${resource.feature === undefined ? undefined : html`<p class="note">Needs the feature <strong>${resource.feature.name}</strong> (<code>${resource.feature.switch}</code>); every operation answers 403 while it is off.</p>`}
${resource.singleton ? html`<p class="note">${singleWords(resource)}</p>` : undefined}
${resource.ifMatch ? html`<p class="note">Callers must send <code>If-Match</code> with the tag of the record that they change or delete; without it the answer is 428.</p>` : undefined}`;
}

const singleWords = ({ computed }: Resource): string =>
  computed === undefined
    ? 'There is one record, without an id in its address.'
    : 'The record is computed at each request, of the fields that are query parameters; nothing of it is kept.';

function sectionsOf(site: Site, resource: Resource): Section[] {
  const { references } = site;
  const fields = placedFields(resource.fields);
  const filters = resource.operations.has('list') ? filtersTable(resource) : undefined;
  const [out, into] = [references.of(resource.name), references.to(resource.name)];
  const rules = rulesOf(site, resource);
  return [
    { id: 'fields', title: 'Fields', count: fields.length, content: fieldsTable(site, resource, fields) },
    { id: 'filters', title: 'Filters', content: filters },
    {
      id: 'rules',
      title: 'Rules',
      count: rules.length,
      content:
        rules.length === 0 ? undefined : html`<ul class="rules">${rules.map((rule) => html`<li>${rule}</li>`)}</ul>`,
    },
    { id: 'effects', title: 'Effects', content: effectsOf(site, resource) },
    { id: 'formulas', title: 'Formulas', content: formulasOf(site, resource) },
    { id: 'keys', title: 'Unique', content: keysOf(resource) },
    { id: 'refers-to', title: 'Refers to', content: out.length === 0 ? undefined : referencesTable(out, 'to') },
    {
      id: 'referred-to-by',
      title: 'Referred to by',
      content: into.length === 0 ? undefined : referencesTable(into, 'from'),
    },
    { id: 'deleting', title: 'Deleting', content: deletingOf(resource, into) },
    { id: 'set-up', title: 'In a new workspace', count: resource.setup.length, content: recordsOf(resource) },
  ];
}

function fieldsTable(site: Site, resource: Resource, fields: readonly PlacedField[]): Html {
  return html`<table class="stack fields">
<thead><tr><th scope="col">Field</th><th scope="col">Holds</th><th scope="col">In bodies</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map((placed) => fieldRow(site, resource, placed))}</tbody></table>`;
}

function fieldRow(site: Site, resource: Resource, { field, path, depth }: PlacedField): Html {
  const anchor = fieldAnchor(path);
  const above = path.slice(0, path.length - field.name.length);
  const isWritten = field.onCreate || field.onUpdate;
  const key = isWritten && field.key !== field.name ? html`in bodies <code>${breakable(field.key)}</code>` : undefined;
  const write = writeText(field);
  const name = { group: resource.name, name: path.replaceAll('[]', '') };
  const notes = [
    ...notesOf(field, resource, site),
    askedText(site, name),
    looksAtText(site, name),
    lookedAtByText(site, name),
  ].flatMap((note) => (note === undefined ? [] : [html`<li>${note}</li>`]));
  const cells = [
    html`<th scope="row"><a class="anchor" href="#${anchor}"><code><span class="above">${above}</span>${breakable(field.name)}</code></a>${sub(key)}</th>`,
    html`<td data-label="Holds">${typeText(field, site)}${sub(unsetText(field))}</td>`,
    html`<td data-label="In bodies"><span class="${write.isRequired ? 'needed' : isWritten ? 'free' : 'quiet'}">${write.text}</span></td>`,
    html`<td data-label="Meaning">${prose(field.description)}${notes.length === 0 ? undefined : html`<ul class="notes">${notes}</ul>`}</td>`,
  ];
  return html`<tr id="${anchor}" class="depth-${Math.min(depth, 3)}">${cells}</tr>`;
}

/** Small print below a cell's text. */
const sub = (content: Content): Content =>
  content === undefined ? undefined : html`<span class="sub">${content}</span>`;

/** Long names may break where a new word begins. */
const breakable = (name: string): Content => joined(name.split(/(?=[A-Z])/), html`<wbr>`);

function filtersTable(resource: Resource): Html {
  const filters = Map.groupBy(filtersOf(resource), ({ field, list }) =>
    list === undefined ? field.name : `${list.name}[].${field.name}`,
  );
  const paging = html`<code>limit</code>, <code>startingAfter</code> and <code>endingBefore</code>`;
  const sorts = sortsText(resource);
  if (filters.size === 0) return html`<p>The list takes none but ${paging}.</p>${sorts}`;
  return html`<table class="stack filters">
<thead><tr><th scope="col">Parameter</th><th scope="col">Looks at</th><th scope="col">Takes</th></tr></thead>
<tbody>${[...filters].map(([path, family]) => filterRow(path, family))}</tbody></table>
<p class="quiet">And ${paging}. Several are joined with <em>and</em>.</p>${sorts}`;
}

/** By what the list can be sorted. */
function sortsText(resource: Resource): Content {
  const names = sortsOf(resource).flatMap(({ name, isDescending }) => (isDescending ? [] : [name]));
  const [name] = names;
  if (name === undefined) return undefined;
  return html`<p id="sorting">Sorted by ${codes(names)}: <code>sort=${name}</code>, or <code>sort=-${name}</code> the other way round. Texts without regard to case, nothing before everything, equals by the time of making. Newest first without it.</p>`;
}

/** The parameters of one field. */
function filterRow(path: string, family: readonly FilterParameter[]): Html {
  const names = family.map(({ name }) => html`<code>${breakable(name)}</code>`);
  const isFolded = family.some(({ comparison }) => comparison.startsWith('folded'));
  return html`<tr><th scope="row">${joined(names, ' ')}</th>
<td data-label="Looks at"><a href="#${fieldAnchor(path)}"><code>${path}</code></a>${sub(isFolded ? 'in any letter case' : undefined)}</td>
<td data-label="Takes">${family[0] && rowOf(family[0].accepts).words(family[0].accepts)}</td></tr>`;
}

function rulesOf(site: Site, resource: Resource): Content[] {
  const { lockedUpdate, lockedDelete } = resource;
  return [
    ...(lockedUpdate === undefined ? [] : [html`Cannot be changed (409) while ${conditionText(lockedUpdate)}.`]),
    ...(lockedDelete === undefined ? [] : [html`Cannot be deleted (409) while ${conditionText(lockedDelete)}.`]),
    ...fieldLocks(resource),
    ...(resource.decisions.size === 0
      ? []
      : [html`A change of ${codes(decisionsOf(resource))} alone calls only for the conditions that look at it.`]),
    ...usesOf(resource).map((use) => html`${ruleText(use, site)} <span class="rule-name">${use.use}</span>`),
  ];
}

const decisionsOf = ({ fields, decisions }: Resource): readonly string[] =>
  fields.flatMap(({ key, name }) => (decisions.has(key) ? [name] : []));

/** Fields that a condition locks: all but those that the descriptor names, or these. */
const fieldLocks = ({ lockedFields }: Resource): Content[] =>
  lockedFields.map(({ when, isOfAllBut, named }) => {
    const names = codes(named.map(({ name }) => name));
    return isOfAllBut
      ? html`Nothing but ${names} can be changed (409) while ${conditionText(when)}.`
      : html`Cannot be changed (409) while ${conditionText(when)}: ${names}.`;
  });

/** What formulas of this group and of others call. */
function formulasOf(site: Site, { name: group, formulas }: Resource): Content {
  if (formulas.length === 0) return undefined;
  const item = (formula: GroupFormula): Html => {
    const { name } = formula;
    const links = [looksAtText(site, { group, name }), lookedAtByText(site, { group, name })];
    const notes = links.flatMap((link) => (link === undefined ? [] : [html`<li>${link}</li>`]));
    return html`<li id="${formulaAnchor(name)}">${formulaText(formula)}<ul class="notes">${notes}</ul></li>`;
  };
  return html`<p>Values with names, for other formulas; records do not show them.</p>
<ul class="rules">${formulas.map(item)}</ul>`;
}

/** What its writes do to other records, and whose writes do something to its own. */
function effectsOf(site: Site, resource: Resource): Content {
  const onto = effectsOntoText(site, resource);
  const own = effectTexts(site, resource).map((text) => html`<li>${text}</li>`);
  if (own.length === 0 && onto === undefined) return undefined;
  return html`${own.length === 0 ? undefined : html`<ul class="rules">${own}</ul>`}${onto === undefined ? undefined : html`<p>${onto}</p>`}`;
}

function keysOf({ unique }: Resource): Content {
  if (unique.length === 0) return undefined;
  return html`<ul class="rules">${unique.map(
    ({ fields }) =>
      html`<li>No two records have the same ${joined(
        fields.map(({ name }) => html`<code>${name}</code>`),
        ' and ',
      )}; texts are compared without case. Otherwise 409.</li>`,
  )}</ul>`;
}

function referencesTable(all: readonly Reference[], side: 'from' | 'to'): Html {
  const row = ({ from, path, field, [side]: other }: Reference): Html => {
    const at = `${side === 'to' ? '' : groupAddress(from.name)}#${fieldAnchor(path)}`;
    return html`<tr><th scope="row">${groupLink(other)}</th>
<td data-label="Field"><a href="${at}"><code>${path}</code></a></td>
<td data-label="On delete"><span class="badge ${field.onDelete}">${field.onDelete}</span></td></tr>`;
  };
  return html`<table class="stack">
<thead><tr><th scope="col">Group</th><th scope="col">Field</th><th scope="col">On delete</th></tr></thead>
<tbody>${all.map(row)}</tbody></table>`;
}

/** What a delete does to others, and what stops it. */
function deletingOf({ operations, lockedDelete }: Resource, into: readonly Reference[]): Content {
  if (!operations.has('delete')) return undefined;
  const byRule = Map.groupBy(into, ({ field }) => field.onDelete);
  const line = (rule: Reference['field']['onDelete'], words: string): Content => {
    const names = [...new Map((byRule.get(rule) ?? []).map(({ from }) => [from.name, from])).values()];
    return names.length === 0
      ? []
      : html`<li><span class="badge ${rule}">${rule}</span> ${words} ${joined(names.map(groupLink), ', ')}</li>`;
  };
  const lines = [
    line('restrict', 'Refused (409) while one of these names it:'),
    line('cascade', 'Deleted with it:'),
    line('clear', 'Lose their reference, and stay:'),
  ].filter((text) => !Array.isArray(text));
  const locked = lockedDelete === undefined ? [] : [html`<li>Refused (409) while ${conditionText(lockedDelete)}.</li>`];
  if (lines.length + locked.length === 0)
    return html`<p>Nothing refers to this group; a delete touches nothing else.</p>`;
  return html`<ul class="rules">${locked}${lines}</ul>`;
}
