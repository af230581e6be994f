// The page of a group: all that its descriptor says.
import type { GroupFormula, Resource } from '../../registry/model/model.ts';
import { fieldsTable } from '../parts/fields-table.ts';
import { filtersTable } from '../parts/filters-table.ts';
import { firstRecords } from '../parts/first-records.ts';
import { neighboursOf } from '../parts/neighbours.ts';
import { rulesDialog } from '../parts/rules-dialog.ts';
import { recordsOf } from '../parts/setup-records.ts';
import { statesOf } from '../parts/state-diagram.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html, joined, prose } from '../site/html.ts';
import { placedFields, type Reference } from '../site/references.ts';
import {
  areaAnchor,
  fieldAnchor,
  formulaAnchor,
  groupAddress,
  groupLink,
  guideAnchor,
  type Site,
} from '../site/site.ts';
import { codes, conditionText, formulaText, ruleText, usesOf } from '../words/condition.ts';
import { deletingOf } from '../words/delete-words.ts';
import { effectsOntoText, effectTexts, lookedAtByText, looksAtText } from '../words/graph-words.ts';
import { operationLinks } from '../words/operation-words.ts';
import { rightsOn } from '../words/rights-words.ts';

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
<nav class="crumbs" aria-label="Breadcrumb"><a href="/docs/groups">Groups</a> <span aria-hidden="true">/</span> <a href="/docs/groups#${areaAnchor(resource.area)}">${resource.area}</a></nav>
<div class="beside">
<article>
<h1>${resource.title}</h1>
<p class="lead">${prose(resource.description)}</p>
${operationLinks(site, resource)}
${sections.map(
  ({ id, title, count, content }) =>
    html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}${count === undefined ? undefined : html` <span class="tally">${count}</span>`}</h2>${content}</section>`,
)}
</article>
<nav class="toc" aria-label="On this page"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</div>`;
  return frame(site, {
    title: resource.title,
    place: 'groups',
    content,
    files: ['tables.css', 'groups.css', 'drawings.css', 'records.js', ...roleFiles(site)],
  });
}

function sectionsOf(site: Site, resource: Resource): Section[] {
  const { references } = site;
  const fields = placedFields(resource.fields);
  const filters = resource.operations.has('list') ? filtersTable(resource) : undefined;
  const [out, into] = [references.of(resource.name), references.to(resource.name)];
  const rules = rulesOf(site, resource);
  return [
    { id: 'states', title: 'States', content: statesOf(resource) },
    { id: 'fields', title: 'Fields', count: fields.length, content: fieldsTable(site, resource, { fields }) },
    { id: 'filters', title: 'Filters', content: filters },
    {
      id: 'rules',
      title: 'Rules',
      count: rules.length,
      content:
        rules.length === 0 ? undefined : html`<ul class="rules">${rules.map((rule) => html`<li>${rule}</li>`)}</ul>`,
    },
    { id: 'access', title: 'Access', content: accessOf(site, resource) },
    { id: 'effects', title: 'Effects', content: effectsOf(site, resource) },
    { id: 'formulas', title: 'Named formulas', content: formulasOf(site, resource) },
    { id: 'keys', title: 'Unique keys', content: keysOf(resource) },
    { id: 'neighbours', title: 'Related groups', content: neighboursOf(site, resource) },
    { id: 'refers-to', title: 'Refers to', content: out.length === 0 ? undefined : referencesTable(out, 'to') },
    {
      id: 'referred-to-by',
      title: 'Referred to by',
      content: into.length === 0 ? undefined : referencesTable(into, 'from'),
    },
    { id: 'deleting', title: 'Deletion', content: deletingOf(resource, into) },
    { id: 'records', title: 'Latest records', content: firstRecords(resource) },
    { id: 'set-up', title: 'Seed records', count: resource.setup.length, content: recordsOf(resource) },
  ];
}

const rulesOf = (site: Site, resource: Resource): Content[] => [
  ...locksOf(resource),
  ...usesOf(resource).map(
    (use) =>
      html`${ruleText(use, site)} <a class="rule-name" href="/docs/rules#${guideAnchor({ kind: 'rule', name: use.use })}">${use.use}</a>`,
  ),
];

/** What cannot be changed or deleted, and when; a sentence each. */
export function locksOf(resource: Resource): Content[] {
  const { mayAct, signIn, lockedUpdate, lockedDelete } = resource;
  return [
    ...(mayAct === undefined
      ? []
      : [
          html`Tokens that act for the record are valid only while ${conditionText(mayAct)}; afterwards they return 401.`,
        ]),
    ...(signIn === undefined
      ? []
      : [
          html`Signs in with its ${codes([signIn.name.name])}${signIn.when && html`, only while ${conditionText(signIn.when)}`}.`,
        ]),
    ...(lockedUpdate === undefined ? [] : [html`Cannot be changed (409) while ${conditionText(lockedUpdate)}.`]),
    ...(lockedDelete === undefined ? [] : [html`Cannot be deleted (409) while ${conditionText(lockedDelete)}.`]),
    ...fieldLocks(resource),
    ...(resource.decisions.size === 0
      ? []
      : [
          html`An update that changes only ${codes(decisionsOf(resource))} checks only the conditions that read the changed fields.`,
        ]),
  ];
}

const decisionsOf = ({ fields, decisions }: Resource): readonly string[] =>
  fields.flatMap(({ key, name }) => (decisions.has(key) ? [name] : []));

/** Fields that a condition locks: all but those that the descriptor names, or these. */
const fieldLocks = ({ lockedFields }: Resource): Content[] =>
  lockedFields.map(({ when, isOfAllBut, named }) => {
    const names = codes(named.map(({ name }) => name));
    return isOfAllBut
      ? html`Only ${names} can be changed while ${conditionText(when)}; other changes return 409.`
      : html`The fields ${names} cannot be changed (409) while ${conditionText(when)}.`;
  });

/** What tells of the rules of roles, where there are any. */
const roleFiles = ({ roles }: Site) => (roles === undefined ? [] : (['access.css', 'access.js'] as const));

/** The roles that may do something with its records. */
function accessOf(site: Site, resource: Resource): Content {
  if (site.roles === undefined) return undefined;
  const rights = rightsOn(site, resource);
  if (rights.length === 0) return html`<p>No role has access to this group.</p>`;
  return html`<table class="stack" data-group="${resource.name}">
<thead><tr><th scope="col">Role</th><th scope="col">On all records</th><th scope="col">Under a condition</th></tr></thead>
<tbody>${rights.map(
    ({ name, role, all, some }) =>
      html`<tr><th scope="row" data-role="${name}">${role}</th><td data-label="On all records">${all}</td><td data-label="Under a condition">${some}</td></tr>`,
  )}</tbody></table>
${rulesDialog('role')}
<p>A role can also hide fields. See <a href="/docs/access">Access</a> for all roles and groups.</p>`;
}

/** What formulas of this group and of others call. */
function formulasOf(site: Site, { name: group, formulas }: Resource): Content {
  if (formulas.length === 0) return undefined;
  const item = (formula: GroupFormula): Html => {
    const { name } = formula;
    const links = [looksAtText(site, { group, name }), lookedAtByText(site, { group, name })];
    const notes = links.flatMap((link) => (link === undefined ? [] : [html`<li>${link}</li>`]));
    return html`<li id="${formulaAnchor(name)}">${formulaText(formula)}<ul class="notes">${notes}</ul></li>`;
  };
  return html`<p>Named values for use in other formulas. Responses do not include them.</p>
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
      html`<li>Each record has a unique ${fields.length === 1 ? '' : 'combination of '}${joined(
        fields.map(({ name }) => html`<code>${name}</code>`),
        ' and ',
      )}; strings are compared without regard to case. A duplicate returns 409.</li>`,
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
