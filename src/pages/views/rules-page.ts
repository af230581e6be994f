// The catalogue of rules and formula functions: meaning, parameters, an example, who uses each.
import type { GuideEntry } from '../../registry/guide/guide.ts';
import type { RuleExample } from '../../registry/model/model.ts';
import { frame } from '../site/frame.ts';
import { type Content, type Html, html, joined } from '../site/html.ts';
import { counted, fieldAnchor, formulaAnchor, groupAddress, guideAnchor, linkTo, type Site } from '../site/site.ts';

interface Chapter {
  readonly kind: GuideEntry['kind'];
  readonly id: string;
  readonly title: string;
  readonly words: Content;
}

const chapters: readonly Chapter[] = [
  {
    kind: 'rule',
    id: 'rules',
    title: 'Named rules',
    words: html`Used in <code>rules</code> of a group, or as <code>derived</code> of a field: <code>{"use": "range", "from": "start", "to": "end"}</code>.`,
  },
  {
    kind: 'function',
    id: 'functions',
    title: 'Functions',
    words:
      'For formulas and conditions. A function returns null if an argument is null, unless its description says otherwise.',
  },
  {
    kind: 'macro',
    id: 'macros',
    title: 'Macros',
    words: html`Called on lists: items of the record, records that it refers to, and records of other groups that a condition selects (<code>tasks.filter(t, t.projectId == id)</code>).`,
  },
  { kind: 'operator', id: 'operators', title: 'Operators', words: 'For values in formulas and conditions.' },
  {
    kind: 'name',
    id: 'names',
    title: 'Names',
    words: 'Names that formulas can use in addition to the fields of their record.',
  },
];

/** Places that are named; of more the first ones stand there and the rest behind a fold. */
const mostShown = 8;

/** The page of the catalogue. */
export function rulesPage(site: Site): Html {
  const guide = site.guide();
  const parts = chapters.map((chapter) => ({ ...chapter, entries: guide.filter(({ kind }) => kind === chapter.kind) }));
  const content = html`
<h1>Rules and formulas</h1>
<p class="lead">Rules, functions, macros, operators and names for descriptors. All examples are tested: the descriptors load, and the formulas return the shown results.</p>
<div class="beside">
<article>
${parts.map(
  ({
    id,
    title,
    words,
    entries,
  }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="tally">${entries.length}</span></h2>
<p>${words}</p>
<ul class="jumps">${entries.map((entry) => html`<li><a href="#${guideAnchor(entry)}"><code>${entry.name}</code></a></li>`)}</ul>
${entries.map((entry) => entryText(site, entry))}</section>`,
)}
</article>
<nav class="toc" aria-label="On this page"><ul>${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</div>`;
  return frame(site, {
    title: 'Rules and formulas',
    place: 'rules',
    content,
    files: ['tables.css', 'groups.css', 'rules.css'],
  });
}

function entryText(site: Site, entry: GuideEntry): Html {
  const { name, usage, says, gives, parameters } = entry;
  return html`<section class="entry" id="${guideAnchor(entry)}" aria-labelledby="${guideAnchor(entry)}-title">
<h3 id="${guideAnchor(entry)}-title"><a class="anchor" href="#${guideAnchor(entry)}"><code>${usage ?? name}</code></a></h3>
<p>${entry.kind === 'rule' ? ruleWords(says) : `${capital(says)}.`}${gives === undefined ? undefined : html` <span class="quiet">${entry.kind === 'rule' ? 'Type of the field:' : 'Returns'} ${gives}.</span>`}</p>
${parameters.length === 0 ? undefined : html`<table class="stack parameters"><thead><tr><th scope="col">Argument</th><th scope="col">Type</th></tr></thead><tbody>${parameters.map(({ name: parameter, type, isOptional }) => html`<tr><th scope="row"><code>${parameter}</code>${isOptional ? html` <span class="quiet">optional</span>` : undefined}</th><td data-label="Type">${type}</td></tr>`)}</tbody></table>`}
${exampleText(entry)}
${usesText(site, entry)}</section>`;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A rule's sentence with the names of its arguments; what stands only with an argument is quiet. */
const ruleWords = (says: string): Content =>
  says.split(/(\[[^\]]*\])/).map((part) => {
    const isOptional = part.startsWith('[');
    const text = isOptional ? part.slice(1, -1) : part;
    const words = text
      .split(/(\{\w+(?::\w+)?\})/)
      .map((piece) => (piece.startsWith('{') ? html`<var>${piece.slice(1, -1).replace(/:.*/, '')}</var>` : piece));
    return isOptional ? html`<span class="optional">${words}</span>` : words;
  });

function exampleText({ name, example }: GuideEntry): Content {
  if (example === undefined) return undefined;
  if (example.kind === 'descriptor')
    return html`<pre tabindex="0" role="region" aria-label="Example of ${name}"><code>${descriptorText(example.descriptor)}</code></pre>`;
  const { formula, over = {}, gives } = example;
  const given = Object.entries(over).map(([field, value]) => html`<code>${field}</code> <code>${value}</code>`);
  return html`<p class="example"><code>${formula}</code> <span aria-label="gives">→</span> <code>${gives}</code>${given.length === 0 ? undefined : html` <span class="quiet">with ${joined(given, ', ')}</span>`}</p>`;
}

/** A part of a descriptor, a field a line. */
function descriptorText({ properties, required, rules, beside }: RuleExample): string {
  const line = (value: unknown): string =>
    JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll(/\[ /g, '[').replaceAll(/ \]/g, ']');
  const fields = (all: Readonly<Record<string, unknown>>, indent: string): string =>
    Object.entries(all)
      .map(([name, field]) => `${indent}"${name}": ${line(field)}`)
      .join(',\n');
  const own = [
    `  "properties": {\n${fields(properties, '    ')}\n  }`,
    ...(required === undefined ? [] : [`  "required": ${line(required)}`]),
    ...(rules === undefined
      ? []
      : [`  "resource": {\n    "rules": [\n${rules.map((rule) => `      ${line(rule)}`).join(',\n')}\n    ]\n  }`]),
  ];
  const others = Object.entries(beside ?? {}).map(
    ([name, group]) => `\n\n${name}.json contains\n${fields(group.properties, '    ')}`,
  );
  return `{\n${own.join(',\n')}\n}${others.join('')}`;
}

function usesText(site: Site, { usedBy }: GuideEntry): Html {
  if (usedBy.length === 0) return html`<p class="quiet">Not used by any group.</p>`;
  const first = usedBy.slice(0, mostShown).map((use) => useLink(site, use));
  // Of operators there are hundreds: the groups are enough to go on with.
  const groups = [...new Set(usedBy.slice(mostShown).map(({ group }) => group))];
  return html`<p class="uses"><span class="quiet">Used by</span> ${joined(first, ', ')}</p>${
    groups.length === 0
      ? undefined
      : html`<details class="uses"><summary>${counted(usedBy.length - mostShown, 'more use')} in ${counted(groups.length, 'group')}</summary><p>${joined(
          groups.map((name) => linkTo(site, name)),
          ', ',
        )}</p></details>`
  }`;
}

function useLink({ registry }: Site, { group, field }: GuideEntry['usedBy'][number]): Html {
  if (field === undefined) return html`<a href="${groupAddress(group)}">${group}</a>`;
  const isFormula = registry.resources.get(group)?.formulas.some(({ name }) => name === field) === true;
  return html`<a href="${groupAddress(group)}#${isFormula ? formulaAnchor(field) : fieldAnchor(field)}">${group}.${field}</a>`;
}
