// Checks the form of a file against a meta-schema, and tells what is wrong with it in words of its own.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { didYouMean } from '../../text/nearest.ts';
import type { Fault } from '../model/faults.ts';
import { stepsOf } from '../read/mend.ts';
import type { DescriptorSource } from '../read/source.ts';
import { listFormerNames, renamedHint } from '../upgrade/renames.ts';
import { lastChange, patternWords } from './groups/pattern-words.ts';

/** What editors show and complete beside JSON Schema's own `description` and `examples`; nothing is checked by it. */
const forEditors = ['defaultSnippets', 'markdownDescription', 'markdownEnumDescriptions', 'related'];

/** A meta-schema as a function. A test sees that it is a schema itself; a start has no time for that. */
export function formOf(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  // "type" may be one of two lists; the dialect's own union of types is meant.
  return new Ajv2020({
    keywords: forEditors,
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  }).compile(schema);
}

/** Where a text or a list of texts may stand, one of them is meant: that it is not the other says nothing. */
export function meantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const isText = (data: unknown): boolean => typeof data === 'string' || Array.isArray(data);
  const either = new Set(
    errors.flatMap(({ keyword, data, instancePath }) => (keyword === 'anyOf' && isText(data) ? [instancePath] : [])),
  );
  const isOther = ({ keyword, data }: ErrorObject): boolean =>
    keyword === 'type' || (keyword === 'enum' && Array.isArray(data));
  return errors.filter((error) => !(isOther(error) && either.has(error.instancePath)));
}

/** The names of the record's fields, at places beside these, where nothing else is meant. */
function fieldsMeant({ data }: DescriptorSource, [first]: readonly (string | number)[]): readonly string[] | undefined {
  const { properties } = data as { readonly properties?: object };
  return first === 'required' || first === 'resource' ? Object.keys(properties ?? {}) : undefined;
}

/** Keywords of a descriptor that are looked for in its "resource". */
const besideResource: ReadonlySet<string> = new Set(['title', 'description', 'properties', 'required', 'renamedFrom']);

/** One fault for each error of the meta-schema, in the words of the dialect. @param groups The names of all groups. */
export function formFaults(error: ErrorObject, source: DescriptorSource, groups: readonly string[]): Fault[] {
  const steps = stepsOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const found = JSON.stringify(error.data) ?? 'nothing';
  switch (error.keyword) {
    case 'additionalProperties': {
      const word = String(params['additionalProperty']);
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
      const isMisplaced = steps.length === 1 && steps[0] === 'resource' && besideResource.has(word);
      const hint = isMisplaced
        ? '; put it at the top of the file, next to "resource"'
        : renamedHint(word, known, valueAt(error.data, word)) ||
          didYouMean(word, known) ||
          `; allowed: ${known.join(', ')}`;
      return [
        source.fault([...steps, word], `unknown keyword "${word}"${hint}`, { where: 'key', rule: 'unknown-keyword' }),
      ];
    }
    case 'enum': {
      const values = (params['allowedValues'] as unknown[]).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      );
      const near = typeof error.data === 'string' ? didYouMean(error.data, values) : '';
      const text = `${found} is not allowed${near || `; allowed: ${values.join(', ')}`}`;
      return [source.fault(steps, text, { rule: 'unknown-value' })];
    }
    case 'required':
      // The unknown old keyword is already a fault.
      if (hasFormerName(error.data, String(params['missingProperty']))) return [];
      return [source.fault(steps, `has no "${String(params['missingProperty'])}"`, { rule: 'missing-keyword' })];
    case 'pattern':
      // A wrong name has been reported by "propertyNames", with its place.
      return error.propertyName === undefined
        ? [
            source.fault(steps, `${found} ${patternWords(error, { groups, fields: fieldsMeant(source, steps) })}`, {
              rule: 'wrong-form',
            }),
          ]
        : [];
    case 'if':
      // What the branch asks for is an error of its own.
      return [];
    case 'anyOf':
      // Each of its branches has an error of its own.
      return [];
    case 'minLength':
      return error.propertyName === undefined ? [source.fault(steps, 'is empty', { rule: 'empty' })] : [];
    case 'type':
      if (steps.at(-1) === 'computedBy')
        return [
          source.fault(steps, `must be an object with "use"; the time of the last change is ${lastChange}`, {
            rule: 'wrong-value',
          }),
        ];
      return valueFaults(error, source);
    case 'propertyNames':
      return [
        source.fault(
          [...steps, String(params['propertyName'])],
          `"${String(params['propertyName'])}" is not a name: letters and digits, the first a small letter, at most 40`,
          { where: 'key', rule: 'wrong-name' },
        ),
      ];
    default:
      return valueFaults(error, source);
  }
}

const valueAt = (data: unknown, keyword: string): unknown => (data as Readonly<Record<string, unknown>>)[keyword];

const hasFormerName = (data: unknown, keyword: string): boolean =>
  typeof data === 'object' && data !== null && listFormerNames(keyword).some((old) => Object.hasOwn(data, old));

function valueFaults({ data, instancePath, message, propertyName }: ErrorObject, source: DescriptorSource): Fault[] {
  const found = JSON.stringify(data) ?? 'nothing';
  const text = `${message ?? 'is wrong'}, found ${found.slice(0, 60)}`;
  return propertyName === undefined ? [source.fault(stepsOf(instancePath), text, { rule: 'wrong-value' })] : [];
}
