// The search index of the pages, as compact JSON: a list for each entry, and synonyms.
import { filtersOf, sortsOf } from '../endpoints/routes/endpoint.ts';
import type { Resource } from '../registry/model/model.ts';
import { plainText } from './site/html.ts';
import { type Guide, guideAddress, wordsOf } from './site/manual.ts';
import { placedFields } from './site/references.ts';
import { fieldAnchor, formulaAnchor, groupAddress, guideAnchor, operationAddress, type Site } from './site/site.ts';
import { synonyms } from './synonyms.ts';
import { topics } from './topics.ts';
import { conditionText, ruleText, sourceText, usesOf } from './words/condition.ts';
import { effectTexts } from './words/graph-words.ts';
import { titleOf } from './words/operation-words.ts';
import { rightsOn } from './words/rights-words.ts';

/** Kind, title, what it belongs to, further text, address. */
type Entry = readonly [kind: string, title: string, within: string, text: string, address: string];

const consolePage: Entry = ['page', 'Console', '', 'view and edit records', '/console'];

const otherPages: readonly Entry[] = [
  ['page', 'Map', '', 'diagram of groups and references', '/docs/map'],
  ['page', 'Rules and formulas', '', 'catalogue of rules, functions, macros, operators and names', '/docs/rules'],
  ['page', 'If-Match', 'Safe writes', 'ETag version 412 If-None-Match', '/docs/writes#versions'],
  ['page', 'Idempotency-Key', 'Safe writes', 'safe retry, no duplicate requests', '/docs/writes#keys'],
  ['page', 'Prefer: tx=rollback', 'Safe writes', 'dry run, try a write without saving', '/docs/writes#trials'],
  ['page', 'Batch', 'Safe writes', 'several operations in one request', '/docs/writes#batch'],
  ['page', 'OpenAPI document', '', 'openapi.json for tools and code generators', '/openapi.json'],
];

const changesPage: Entry = ['page', 'Changes', '', 'change log, history, audit log, who changed what', '/docs/changes'];

/** The page of the roles, and each of them. */
const rolePages = ({ roles }: Site): readonly Entry[] =>
  roles === undefined
    ? []
    : [
        ['page', 'Access', '', 'roles, permissions, rights on each group', '/docs/access'],
        ...roles.all.map(
          ({ name, title, description }): Entry => ['page', title, 'Role', `${name} ${description}`, '/docs/access'],
        ),
      ];

export interface SearchIndex {
  readonly entries: readonly Entry[];
  /** What else is looked for, by a word or several that people write. */
  readonly synonyms: Readonly<Record<string, readonly string[]>>;
  /** What people ask that a page answers, by its address. */
  readonly topics: Readonly<Record<string, readonly string[]>>;
}

/** What the search of the pages is sent. */
export const searchIndex = (site: Site): SearchIndex => ({ entries: entriesOf(site), synonyms, topics });

/** Groups first, then what they hold. */
function entriesOf(site: Site): readonly Entry[] {
  const resources = [...site.registry.resources.values()];
  return [
    ...resources.map(
      ({ name, title, area, description, path, feature }): Entry => [
        'group',
        title,
        area,
        `${description} ${path} ${feature?.name ?? ''}`.trim(),
        groupAddress(name),
      ],
    ),
    ...site.endpoints.map((endpoint): Entry => {
      const { method, path, operation, operationId } = endpoint;
      return [
        'operation',
        titleOf(endpoint),
        `${method} ${path}`,
        `${operationId} ${operation}`,
        operationAddress(endpoint),
      ];
    }),
    ...site.guide().map((entry): Entry => {
      const { kind, name, usage, says } = entry;
      const isRule = kind === 'rule';
      return [
        isRule ? 'named rule' : 'function',
        usage ?? name,
        isRule ? '' : kind,
        `${name} ${says.replaceAll(/[[\]{}]|:\w+(?=\})/g, '')}`,
        `/docs/rules#${guideAnchor(entry)}`,
      ];
    }),
    ...otherPages,
    ...rolePages(site),
    ...site.manual().guides.flatMap(guideEntries),
    ...(site.hasLog ? [changesPage] : []),
    ...(site.hasConsole ? [consolePage] : []),
    ...resources.flatMap((resource) => insideOf(resource, site)),
  ];
}

/** A guide by its title, and each of its sections. */
const guideEntries = (guide: Guide): Entry[] =>
  guide.sections.map((section, nth): Entry => {
    const at = guideAddress(guide.name);
    const words = wordsOf(section);
    return nth === 0
      ? ['guide', guide.title, guide.part, `${guide.about} ${words}`, at]
      : ['guide', plainText(section.heading), guide.title, words, `${at}#${section.id}`];
  });

function insideOf(resource: Resource, site: Site): Entry[] {
  const at = groupAddress(resource.name);
  const { title, lockedUpdate, lockedDelete, lockedFields } = resource;
  const fields = placedFields(resource.fields)
    .filter(({ field }) => field.name !== 'id' && field.name !== 'createdAt')
    .map(({ field, path }): Entry => {
      const values = field.kind === 'enum' ? ` ${field.values.join(' ')}` : '';
      const key = field.key === field.name ? '' : `${field.key} `;
      return ['field', path, title, `${key}${field.description}${values}`, `${at}#${fieldAnchor(path)}`];
    });
  const filters = resource.operations.has('list') ? filtersOf(resource) : [];
  const sorts = resource.operations.has('list') ? sortsOf(resource).filter(({ isDescending }) => !isDescending) : [];
  const parameters = resource.fields.filter(({ isParameter }) => isParameter);
  const locks = new Set([lockedUpdate, lockedDelete].flatMap((lock) => (lock === undefined ? [] : [lock.source])));
  const rules = [
    ...[...locks].map((source) => `Read-only while ${plainText(conditionText({ source }))}`),
    ...lockedFields.map(({ when, fields }) => {
      const names = fields.map(({ name }) => name).join(', ');
      return `Cannot be changed while ${plainText(conditionText(when))}: ${names}`;
    }),
    ...usesOf(resource).map((use) => plainText(ruleText(use, site))),
  ];
  const rights = rightsOn(site, resource).map(({ role, all, some }) => `${role}: ${[all, some].join(' ').trim()}`);
  return [
    ...fields,
    ...(rights.length === 0
      ? []
      : ([['rule', 'Access of roles', title, rights.join('; '), `${at}#access`]] satisfies Entry[])),
    ...filters.map(({ name, field }): Entry => ['filter', `${name}=`, title, field.description, `${at}#filters`]),
    ...sorts.map(({ name, field }): Entry => ['filter', `sort=${name}`, title, field.description, `${at}#sorting`]),
    ...parameters.map(({ name, description }): Entry => ['filter', `${name}=`, title, description, `${at}#fields`]),
    ...rules.map((rule): Entry => ['rule', rule, title, '', `${at}#rules`]),
    ...effectTexts(site, resource).map((text): Entry => ['rule', plainText(text), title, '', `${at}#effects`]),
    ...resource.formulas.map(
      ({ name, source }): Entry => ['rule', name, title, plainText(sourceText(source)), `${at}#${formulaAnchor(name)}`],
    ),
  ];
}
