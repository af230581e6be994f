// The texts of the pages as plain data, for the command line.
import { endpointsOf, filtersOf } from '../endpoints/routes/endpoint.ts';
import { rowOf } from '../endpoints/values/kinds.ts';
import { guideOf } from '../registry/guide/guide.ts';
import type { Field, Registry, Resource, RuleSignature } from '../registry/model/model.ts';
import { createFiles } from './site/files.ts';
import { type Content, plainText } from './site/html.ts';
import { readManual } from './site/manual.ts';
import { referencesOf } from './site/references.ts';
import type { Site } from './site/site.ts';
import { locksOf } from './views/group-page.ts';
import { ruleText, usesOf } from './words/condition.ts';
import { notesOf, typeText, unsetText, writeText } from './words/field-words.ts';

interface DescribedFilter {
  /** `nameContains` */
  readonly parameter: string;
  /** `a date` */
  readonly takes: string;
}

export interface DescribedField {
  /** From the record: `lines.amount`. */
  readonly name: string;
  /** What bodies call it, where that is not its name. */
  readonly inBodies: string | null;
  /** `whole number, 1 to 100` */
  readonly type: string;
  readonly description: string;
  /** `required on create` */
  readonly written: string;
  readonly isRequired: boolean;
  /** `can be null`; null for what always has a value. */
  readonly unset: string | null;
  /** Conditions, defaults and whatever else there is to be known, a sentence each. */
  readonly notes: readonly string[];
  readonly filters: readonly DescribedFilter[];
  /** Of lists and objects. */
  readonly fields: readonly DescribedField[];
}

export interface DescribedGroup {
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly { readonly method: string; readonly path: string }[];
  /** The switch that must be on, if there is one. */
  readonly feature: string | null;
  readonly fields: readonly DescribedField[];
  /** Locks and rules, a sentence each; `use` is the name of a rule. */
  readonly rules: readonly { readonly text: string; readonly use: string | null }[];
  /** Fields that no two records share the values of. */
  readonly unique: readonly (readonly string[])[];
  /** Groups that it names, and groups that name it. */
  readonly refersTo: readonly string[];
  readonly referredToBy: readonly string[];
}

/** Describes what stands in a registry. */
export class Descriptions {
  readonly #site: Site;

  constructor(registry: Registry, signatures: Readonly<Record<string, RuleSignature>>) {
    const references = referencesOf(registry);
    this.#site = {
      registry,
      signatures,
      references,
      endpoints: endpointsOf(registry),
      guide: () => guideOf(registry, signatures),
      manual: readManual,
      files: createFiles(),
      hasConsole: false,
      hasLog: false,
    };
  }

  group(resource: Resource): DescribedGroup {
    const { references, endpoints } = this.#site;
    return {
      group: resource.name,
      title: resource.title,
      description: resource.description,
      operations: endpoints
        .filter((endpoint) => endpoint.resource === resource)
        .map(({ method, path }) => ({ method, path })),
      feature: resource.feature?.switch ?? null,
      fields: resource.fields.map((field) => this.field(resource, field, '')),
      rules: [
        ...locksOf(resource).map((lock) => ({ text: plain(lock), use: null })),
        ...usesOf(resource).map((use) => ({ text: plain(ruleText(use, this.#site)), use: use.use })),
      ],
      unique: resource.unique.map(({ fields }) => fields.map(({ name }) => name)),
      refersTo: distinct(references.of(resource.name).map(({ to }) => to.name)),
      referredToBy: distinct(references.to(resource.name).map(({ from }) => from.name)),
    };
  }

  /** @param above What stands before its name: `lines.` */
  field(resource: Resource, field: Field, above: string): DescribedField {
    const name = `${above}${field.name}`;
    const { text, isRequired } = writeText(field);
    return {
      name,
      inBodies: (field.onCreate || field.onUpdate) && field.key !== field.name ? field.key : null,
      type: plain(typeText(field, this.#site)),
      description: field.description,
      written: text,
      isRequired,
      unset: unsetText(field) ?? null,
      notes: notesOf(field, resource, this.#site).map(plain),
      filters: filtersFor(resource, field),
      fields: 'fields' in field ? field.fields.map((inside) => this.field(resource, inside, `${name}.`)) : [],
    };
  }
}

/** One of those that a list takes. */
const filtersFor = (resource: Resource, field: Field): readonly DescribedFilter[] =>
  resource.operations.has('list')
    ? filtersOf(resource)
        .filter((filter) => filter.field === field)
        .map(({ name, accepts }) => ({ parameter: name, takes: rowOf(accepts).words(accepts) }))
    : [];

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();

/** Pages have links where these words have nothing. */
const plain = (content: Content): string =>
  plainText(content)
    .replaceAll(/, see rules(?=[).])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
