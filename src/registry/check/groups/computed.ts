// Checks computed groups. They have no table, so most keywords mean nothing for them.
import type { JSONPath } from 'jsonc-parser';
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
const ofRecord = ['required', 'renamedFrom'] as const;
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
        report(['properties', name, 'parameter'], 'means nothing without "computed"', 'key');
    }
    return;
  }
  const { resource } = raw;
  if (typeof resource.computed === 'boolean' && !resource.computed)
    report(['resource', 'computed'], 'is true, or a rule; leave it out of a group whose records are kept');
  if (resource.singleton !== true) report(['resource', 'computed'], 'needs "singleton": true', 'key');
  for (const [index, operation] of resource.operations.entries()) {
    if (operation !== 'get')
      report(['resource', 'operations', index], `a computed record offers "get" alone, not "${operation}"`);
  }
  for (const word of ofRecord)
    if (raw[word] !== undefined) report([word], 'means nothing beside "computed": nothing is kept', 'key');
  for (const word of ofResource) {
    if (resource[word] !== undefined)
      report(['resource', word], 'means nothing beside "computed": nothing is kept', 'key');
  }
  for (const [name, field] of Object.entries(raw.properties)) {
    const path = ['properties', name];
    if (field === true) report(path, 'a computed record is not kept, so it has no such time');
    else if (typeof field === 'object') {
      checkKeywords(field, path, report);
      if (field.parameter === true) checkParameter(field, path, report);
      else if (field.formula !== undefined) checkFormula(field, { path, report, raw });
      else if (resource.computed === true && !isRecords(field))
        report(path, 'has neither "parameter": true, so that callers choose it, nor a "formula"', 'key');
      else if (field.readOnly !== true && !isRecords(field))
        report(path, 'has neither "parameter": true, so that callers choose it, nor "readOnly": true', 'key');
    }
  }
}

/** What a formula gives is taken when it is asked for. */
function checkFormula(
  field: RawField,
  { path, report, raw }: ReportedPlace & { readonly raw: ComputedDescriptor },
): void {
  if (raw.resource.computed !== true)
    report([...path, 'formula'], 'means nothing beside a rule that computes the record; say "computed": true', 'key');
  else if (field.taken !== 'atRead') report([...path, 'formula'], 'needs "taken": "atRead": nothing is kept', 'key');
}

const isRecords = (field: RawField): boolean => field.reference !== undefined || field.references !== undefined;

function checkKeywords(field: RawField, path: JSONPath, report: Report): void {
  const row = rowOf(field);
  if (row !== undefined && isRecords(field)) {
    report(path, `${row.words} cannot stand in a computed record`, 'key');
    return;
  }
  for (const word of keywordsOf(field)) {
    const isOfParameters = meansSomething(word, 'parameter');
    if (meansSomething(word, 'computed') || (field.parameter === true && isOfParameters)) continue;
    const where = isOfParameters ? 'a field that is no parameter' : 'a computed record';
    report([...path, word], `"${word}" means nothing in ${where}`, 'key');
  }
  if (field.items?.required !== undefined)
    report([...path, 'items', 'required'], '"required" means nothing in a computed record', 'key');
  const inside = field.properties ?? field.items?.properties ?? {};
  const insidePath = field.properties === undefined ? [...path, 'items', 'properties'] : [...path, 'properties'];
  for (const name of Object.keys(inside)) {
    const item = own(inside, name);
    if (typeof item !== 'object') continue;
    checkKeywords(item, [...insidePath, name], report);
    if (item.formula !== undefined)
      report(
        [...insidePath, name, 'formula'],
        'stands inside another field, and that one is computed as a whole',
        'key',
      );
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

/** A parameter is a short value of a form that can be checked, and there is always one. */
function checkParameter(field: RawField, path: JSONPath, report: Report): void {
  if (field.formula !== undefined) report([...path, 'formula'], 'stands beside "parameter"; say one of them', 'key');
  if (field.readOnly === true) report([...path, 'readOnly'], 'stands beside "parameter"; say one of them', 'key');
  if (Array.isArray(field.type)) report([...path, 'type'], 'a parameter is never null');
  const kind = scalarKindOf(field);
  // Of other shapes, the keyword itself does not fit those that cannot.
  if (kind !== undefined && scalarRow(kind).shape === 'text' && !scalarRow(kind).isParameter(field))
    report(path, `a text is a parameter only with an "enum" or the format ${parameterFormats()}`, 'key');
  const { defaultFrom } = field;
  if (field.default === undefined && defaultFrom === undefined)
    report(path, 'has neither "default" nor "defaultFrom"; a request may leave a parameter out', 'key');
  // Other sources may give nothing.
  const isSure = typeof defaultFrom === 'string' && /^(?:today$|workspace\b)/.test(defaultFrom);
  if (defaultFrom !== undefined && !isSure)
    report([...path, 'defaultFrom'], 'must be "today" or a path over "workspace", which always give a value');
}
