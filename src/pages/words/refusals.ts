// Errors of an operation, in the very texts of its responses.
import { problemAnswers, sharedAnswers, sharedExamples } from '../../endpoints/document/answers.ts';
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import { fieldRefusals } from '../../endpoints/validation/refusals.ts';
import type { Schema } from '../../endpoints/values/schema.ts';
import type { Resource, RuleUse } from '../../registry/model/model.ts';
import { type Content, type Html, html } from '../site/html.ts';
import type { PlacedField } from '../site/references.ts';
import { guideAnchor, type Site } from '../site/site.ts';
import { ruleText } from './condition.ts';

/** The texts that a field of a body can be refused with, as the answer has them. Items of lists are always whole, as in a create. */
export function fieldTexts(
  { field, path }: PlacedField,
  { operation }: Endpoint,
  { registry }: Site,
): readonly string[] {
  const write = operation !== 'update' || path.includes('[]') ? 'create' : 'update';
  const above = path.slice(0, path.length - field.name.length).replaceAll('[]', '[0]');
  return fieldRefusals(field, write, registry).map((text) => `'${above}${field.key}' ${text}`);
}

/** Conditions of a body that are no matter of one field's own form: each with its text. Undefined where there are none. */
export function ruleRefusals(site: Site, { resource, operation }: Endpoint): Content {
  const isOf = (write: string): boolean =>
    write === operation || (operation === 'put' && (write === 'create' || write === 'update'));
  const rows = resource.rules
    .filter(({ arguments: { on } }) => on === undefined || [on].flat().some((write) => isOf(String(write))))
    .flatMap((use) =>
      refusalsOf(use, site).flatMap(({ at, text, on }) => {
        if (on !== undefined && !isOf(on)) return [];
        const place = filled(at, use, resource);
        return html`<tr><th scope="row"><code class="answer">'${place}' ${filled(text, use, resource)}</code></th><td data-label="Rule">${ruleText(use, site)} <a class="rule-name" href="/docs/rules#${guideAnchor({ kind: 'rule', name: use.use })}">${use.use}</a></td></tr>`;
      }),
    );
  if (rows.length === 0) return undefined;
  return html`<table class="stack refusals"><thead><tr><th scope="col">Error message</th><th scope="col">Rule</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function refusalsOf(use: RuleUse, { signatures }: Site) {
  const { refuses = [] } = signatures[use.use] ?? {};
  return typeof refuses === 'function' ? refuses(use.arguments) : refuses;
}

/** Arguments in the place of their names: fields by their keys, as bodies call them; the rule tells long formulas of texts. */
function filled(template: string, { arguments: given }: RuleUse, resource: Resource): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'this') return resource.title;
    const value = given[name];
    if (typeof value !== 'string') return whole;
    return resource.byName.get(value)?.key ?? value.replaceAll(/\{[^{}]{25,}\}/g, '{…}');
  });
}

interface Refusal {
  readonly status: string;
  readonly description: string;
  readonly texts: readonly string[];
}

/** Everything else that can come instead of the answer, by status. */
export function answersTable(site: Site, endpoint: Endpoint): Html {
  const rows = Object.entries(problemAnswers(endpoint, site.registry, site.roles !== undefined)).map(
    ([status, answer]) => refusalOf(status, answer),
  );
  return html`<table class="stack refusals">
<thead><tr><th scope="col">Status</th><th scope="col">Error message</th></tr></thead>
<tbody>${rows.map(
    ({ status, description, texts }) =>
      html`<tr><th scope="row"><span class="status">${status}</span><span class="sub">${description}</span></th><td data-label="Error message">${texts.map((text) => html`<code class="answer">${text}</code>`)}</td></tr>`,
  )}</tbody></table>`;
}

function refusalOf(status: string, answer: Schema): Refusal {
  const { description, content } = resolved(answer) as {
    readonly description: string;
    readonly content: Readonly<Record<string, { readonly examples: Readonly<Record<string, Schema>> }>>;
  };
  const examples = Object.values(content['application/json']?.examples ?? {});
  return { status, description, texts: [...new Set(examples.map((example) => messageOf(resolved(example))))] };
}

/** What a reference within the document stands for. */
function resolved(schema: Schema): Schema {
  const name =
    String(schema['$ref'] ?? '')
      .split('/')
      .at(-1) ?? '';
  const shared: Readonly<Record<string, unknown>> = { ...sharedAnswers, ...sharedExamples };
  return name === '' ? schema : ((shared[name] as Schema | undefined) ?? schema);
}

const messageOf = ({ value }: Schema): string => (value as { readonly message: string }).message;
