// Checks computed groups. They have no table, so most keywords mean nothing for them.
import { isFormulaSource } from '../../formulas/figures.ts';
import { defaultSources } from '../../link/normalise-fields.ts';
import type { Report, ReportedPlace } from '../../model/faults.ts';
import { rowOf, scalarKindOf, scalarRow } from '../../model/kinds.ts';
import {
  formatNames,
  formatShapes,
  keywordsOf,
  meansSomething,
  own,
  type RawDescriptor,
  type RawField,
  type RawRule,
} from '../../model/vocabulary.ts';

type ComputedDescriptor = RawDescriptor & { readonly resource: { readonly computed: RawRule | boolean } };

/** Whether a record is computed at each request, and kept nowhere. */
export const isComputed = (raw: RawDescriptor): raw is ComputedDescriptor => raw.resource.computed !== undefined;

/** Keywords about records that are kept, changed or referred to. */
const ofRecord = ['renamedFrom'] as const;
const ofResource = [
  'shownAs',
  'shows',
  'views',
  'workspace',
  'timeZone',
  'features',
  'mayAct',
  'signIn',
  'unique',
  'indexes',
  'locked',
  'formulas',
  'rules',
  'setup',
] as const;

/** Checks what only computed records say, and what they cannot say; the use of a rule that computes them is checked with the others. */
export function checkComputed(raw: RawDescriptor, report: Report): void {
  if (!isComputed(raw)) {
    for (const [name, field] of Object.entries(raw.properties)) {
      if (typeof field === 'object' && field.parameter !== undefined)
        report(['properties', name, 'parameter'], 'has no effect without "computed"', 'key');
    }
    return;
  }
  const { resource } = raw;
  if (typeof resource.computed === 'boolean' && !resource.computed)
    report(['resource', 'computed'], 'must be true or a rule; remove it from a group with stored records');
  if (resource.singleton !== true) report(['resource', 'computed'], 'needs "singleton": true', 'key');
  for (const [index, operation] of resource.operations.entries()) {
    if (operation !== 'get')
      report(['resource', 'operations', index], `a computed record offers only "get", not "${operation}"`);
  }
  for (const word of ofRecord)
    if (raw[word] !== undefined) report([word], 'has no effect with "computed", because no record is stored', 'key');
  for (const [index, name] of (raw.required ?? []).entries()) {
    const field = own(raw.properties, name);
    if (typeof field === 'object' && field.parameter !== true)
      report(['required', index], `"${name}" is not a parameter, so it is always present`);
  }
  for (const word of ofResource) {
    if (resource[word] !== undefined)
      report(['resource', word], 'has no effect with "computed", because no record is stored', 'key');
  }
  for (const [name, field] of Object.entries(raw.properties)) {
    const path = ['properties', name];
    if (field === true) report(path, 'a computed record is not stored, so it has no such time');
    else if (typeof field === 'object') {
      if (resource.computed !== true && isOfRecords(field)) {
        report(path, byRule(field), 'key');
        continue;
      }
      checkKeywords(field, { path, report, refers: resource.computed === true });
      if (field.parameter === true)
        checkParameter(field, { path, report, isRequired: raw.required?.includes(name) === true });
      else if (field.formula !== undefined) checkFormula(field, { path, report, raw });
      else if (resource.computed === true)
        report(path, 'has neither "parameter": true, so that callers can send it, nor a "formula"', 'key');
      else if (field.readOnly !== true)
        report(path, 'has neither "parameter": true, so that callers can send it, nor "readOnly": true', 'key');
    }
  }
}

/** What a formula gives is taken when it is asked for. */
function checkFormula(
  field: RawField,
  { path, report, raw }: ReportedPlace & { readonly raw: ComputedDescriptor },
): void {
  if (raw.resource.computed !== true)
    report([...path, 'formula'], 'has no effect with a rule that computes the record; use "computed": true', 'key');
  else if (field.compute !== 'onRead')
    report([...path, 'formula'], 'needs "compute": "onRead", because no record is stored', 'key');
}

const isOfRecords = (field: RawField): boolean => field.reference !== undefined || field.references !== undefined;

/** What rules give is written as it is. */
const byRule = (field: RawField): string =>
  `${rowOf(field)?.words ?? 'this'} is not allowed in a record that a rule computes; use formulas ("computed": true)`;

function checkKeywords(field: RawField, { path, report, refers }: ReportedPlace & { readonly refers: boolean }): void {
  if (!refers && isOfRecords(field)) {
    report(path, byRule(field), 'key');
    return;
  }
  for (const word of keywordsOf(field)) {
    const isOfParameters = meansSomething(word, 'parameter');
    if (meansSomething(word, 'computed') || (field.parameter === true && isOfParameters)) continue;
    const where = isOfParameters ? 'a field that is not a parameter' : 'a computed record';
    report([...path, word], `"${word}" has no effect in ${where}`, 'key');
  }
  if (field.items?.required !== undefined)
    report([...path, 'items', 'required'], '"required" has no effect in a computed record', 'key');
  const inside = field.properties ?? field.items?.properties ?? {};
  const insidePath = field.properties === undefined ? [...path, 'items', 'properties'] : [...path, 'properties'];
  for (const name of Object.keys(inside)) {
    const item = own(inside, name);
    if (typeof item !== 'object') continue;
    checkKeywords(item, { path: [...insidePath, name], report, refers });
    if (item.formula !== undefined)
      report([...insidePath, name, 'formula'], 'is inside another field, which is computed as a whole', 'key');
  }
}

/** The formats of texts whose form can be checked: `date, uuid, currency or time`. */
function parameterFormats(): string {
  const formats = formatNames.filter((format) => {
    const kind = formatShapes[format] === 'text' ? scalarKindOf({ type: 'string', format }) : undefined;
    return kind !== undefined && scalarRow(kind).isParameter({ format });
  });
  return `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
}

/** A parameter is a record, or a short value of a form that can be checked; there is always one, but for a record that may be null. */
function checkParameter(
  field: RawField,
  { path, report, isRequired }: ReportedPlace & { readonly isRequired: boolean },
): void {
  if (field.formula !== undefined)
    report([...path, 'formula'], 'has no effect with "parameter"; keep one of them', 'key');
  if (field.readOnly === true) report([...path, 'readOnly'], 'has no effect with "parameter"; keep one of them', 'key');
  if (Array.isArray(field.type)) report([...path, 'type'], 'a parameter is never null');
  const kind = scalarKindOf(field);
  // Of other shapes, the keyword itself does not fit those that cannot.
  if (kind !== undefined && scalarRow(kind).shape === 'text' && !scalarRow(kind).isParameter(field))
    report(path, `a text is a parameter only with an "enum" or the format ${parameterFormats()}`, 'key');
  const { defaultFrom } = field;
  const isNothing = field.reference !== undefined && field.nullable === true;
  if (isRequired) {
    for (const word of ['default', 'defaultFrom'] as const)
      if (field[word] !== undefined)
        report([...path, word], 'has no effect with "required": each request sends the parameter', 'key');
    return;
  }
  if (field.default === undefined && defaultFrom === undefined && !isNothing) {
    const ways = field.reference === undefined ? '' : ' and is not "nullable"';
    report(path, `has neither "default" nor "defaultFrom"${ways}; a request may leave a parameter out`, 'key');
  }
  // Other sources may give nothing.
  const isSure =
    typeof defaultFrom === 'string'
      ? /^(?:today$|workspace\b)/.test(defaultFrom)
      : defaultSources(defaultFrom).length === 1 && defaultSources(defaultFrom).every(isFormulaSource);
  if (defaultFrom !== undefined && !isSure)
    report([...path, 'defaultFrom'], 'must be "today", a path over "workspace" or a formula, which give a value');
}
