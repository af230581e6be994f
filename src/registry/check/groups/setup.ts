// Checks set-up records, the records of a new workspace: every value must fit its field.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import type { Report, ReportedPlace } from '../../model/faults.ts';
import { valueFault } from '../../model/kinds.ts';
import type { RuleSignature } from '../../model/model.ts';
import { isKept, own, type RawDescriptor, type RawField, shapeOf } from '../../model/vocabulary.ts';
import { givenFields } from '../fields/given.ts';

/** Values that set-up can take from the configuration. */
const configured = ['workspaceName', 'workspaceCurrency', 'adminName', 'adminEmail'];

/** Checks the set-up records of one descriptor, but for the records of other groups that they name. */
export function checkSetup(
  raw: RawDescriptor,
  signatures: Readonly<Record<string, RuleSignature>>,
  report: Report,
): void {
  const { setup = [], singleton, workspace } = raw.resource;
  if (singleton === true && (setup.length > 1 || (workspace === true && setup.length === 0)))
    report(['resource', 'setup'], `has ${setup.length} records; a single record is set up once`, 'key');
  if (setup.length === 0) return;
  const given = new Set([...(raw.required ?? []), ...givenFields(raw, signatures)]);
  for (const [index, record] of setup.entries()) {
    const path = ['resource', 'setup', index];
    checkRecord(raw, record, { path, report });
    for (const name of given)
      if (own(record, name) === undefined) report(path, `lacks "${name}", which has no default`);
  }
  checkTwins(raw, report);
}

function checkRecord(
  raw: RawDescriptor,
  record: Readonly<Record<string, unknown>>,
  { path, report }: ReportedPlace,
): void {
  for (const [name, value] of Object.entries(record)) {
    const place = [...path, name];
    const field = own(raw.properties, name);
    if (name === '$when') checkConfigured(value, place, report);
    else if (field === undefined || field === true) {
      const hint = didYouMean(name, Object.keys(raw.properties));
      report(place, `"${name}" is not a field that set-up can fill${hint}`, 'key');
    } else if (!isKept(field) || field.computedBy !== undefined || field.formula !== undefined)
      report(place, `"${name}" is computed, so it cannot be set up`, 'key');
    else checkValue(field, value, { path: place, report });
  }
}

function checkValue(field: RawField, value: unknown, place: ReportedPlace): void {
  const { path, report } = place;
  const shape = shapeOf(field);
  if (shape === 'reference' || shape === 'references') {
    const texts = shape === 'reference' ? [value] : value;
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string' && text !== ''))
      report(path, shape === 'reference' ? 'must be the name of a record' : 'must be an array of names of records');
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    if ('config' in value) checkConfigured(value.config, [...path, 'config'], report);
    else if ('yearly' in value) checkYearly(field, value, place);
    else report(path, 'must be a plain value, {"config"} or {"yearly", "years"}');
  } else {
    const isBlank = typeof value === 'string' && value.trim() === '';
    const mayBeBlank = field.default === '' || Array.isArray(field.type);
    const wrong = isBlank && !mayBeBlank ? 'is empty, and the field must have a value' : valueFault(field, value);
    if (wrong !== undefined) report(path, wrong);
  }
}

function checkConfigured(value: unknown, place: JSONPath, report: Report): void {
  if (typeof value !== 'string' || !configured.includes(value)) {
    const hint = didYouMean(String(value), configured) || `; allowed: ${configured.join(', ')}`;
    report(place, `${JSON.stringify(value)} is not a value of the configuration${hint}`);
  }
}

function checkYearly(field: RawField, value: object, { path, report }: ReportedPlace): void {
  if (shapeOf(field) !== 'list' || field.items?.format !== 'date') report(path, 'needs a list of dates');
  const { yearly, years } = value as { yearly?: unknown; years?: unknown };
  const day = field.items ?? {};
  // A day of every year, so that 02-29 is none.
  if (
    typeof yearly !== 'string' ||
    valueFault({ ...day, type: 'string', format: 'date' }, `2001-${yearly}`) !== undefined
  )
    report([...path, 'yearly'], 'must be a day of every year (MM-DD)');
  if (!Number.isInteger(years) || Number(years) < 1 || Number(years) > 100)
    report([...path, 'years'], 'must be a number of years from 1 to 100');
}

/** Two records with the same key would stop the first start. */
function checkTwins(raw: RawDescriptor, report: Report): void {
  for (const key of raw.resource.unique ?? []) {
    const seen = new Map<string, number>();
    for (const [index, record] of (raw.resource.setup ?? []).entries()) {
      const values = key.map((name) => own(record, name));
      if (values.some((value) => value === undefined || value === null)) continue;
      const folded = JSON.stringify(values.map((value) => (typeof value === 'string' ? fold(value) : value)));
      const twin = seen.get(folded);
      if (twin !== undefined)
        report(['resource', 'setup', index, key.at(-1) ?? ''], `has the same key as record ${twin}`);
      else seen.set(folded, index);
    }
  }
}

const fold = (text: string): string => text.trim().normalize('NFC').toUpperCase();
