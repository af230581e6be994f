// Checks one descriptor by itself, beyond what a schema can say. Single fields are checked in `check/fields`, several
// descriptors together in `check/links`.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../../../formulas/compile/scope.ts';
import { didYouMean } from '../../../text/nearest.ts';
import type { Shapes } from '../../formulas/shapes.ts';
import { type Report, type ReportedPlace, ruled } from '../../model/faults.ts';
import { keyOf, recordName } from '../../model/field-names.ts';
import { rowOf } from '../../model/kinds.ts';
import type { RuleSignature } from '../../model/model.ts';
import { parseShownAs } from '../../model/shown-as.ts';
import { isCode, textFormatOf } from '../../model/text-formats.ts';
import {
  type Home,
  isKept,
  isReadOnly,
  own,
  type RawDescriptor,
  type RawField,
  reservedFault,
  type Shape,
} from '../../model/vocabulary.ts';
import type { FieldCase, Fields } from '../fields/field-case.ts';
import { fieldRules } from '../fields/fields.ts';
import { checkFormulas } from '../fields/formulas.ts';
import { checkGiven } from '../fields/given.ts';
import type { Linked } from '../fields/paths.ts';
import { checkComputed, isComputed } from './computed.ts';
import { checkLocked } from './locked.ts';
import { checkMayAct, checkSignIn } from './may-act.ts';
import { parameterNames } from './parameter-names.ts';
import { lastChange } from './pattern-words.ts';
import { checkSetup } from './setup.ts';
import { checkViews } from './views.ts';

/** By codes that are made of their sentences: `every-list-has-an-end`. */
const rules = Object.entries(fieldRules).map(([sentence, rule]) => ({ code: sentence.replaceAll(' ', '-'), rule }));

/** Where fields stand, and what formulas beside them may name. */
interface Inside extends ReportedPlace {
  readonly scopes: (fields: Fields) => Scope;
}

/** What is known besides the descriptor. */
interface Known {
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  readonly shapes: Shapes;
  /** Whether all descriptors of the folder are. */
  readonly isWhole: boolean;
}

/** Checks one descriptor whose structure the meta-schema has accepted. @returns whether its fields are what they say they are */
export function checkDescriptor(group: Linked, { signatures, shapes, isWhole }: Known): boolean {
  const { name, raw, report } = group;
  const scopes = (fields: Fields): Scope => shapes.scopeInside(name, fields);
  const isSound = checkFields(raw.properties, 'record', { path: [], report: ruled(report, 'field'), scopes });
  checkComputed(raw, ruled(report, 'computed'));
  if (isComputed(raw)) return false;
  checkRequired(raw, { path: [], report });
  checkResource(raw, ruled(report, 'resource'));
  checkLookups(raw, 'unique', ruled(report, 'unique'));
  checkLookups(raw, 'indexes', ruled(report, 'indexes'));
  // What follows reads fields as what they say they are.
  if (!isSound) return false;
  checkDecisions(raw, ruled(report, 'decisions'));
  checkLocked(raw, { report: ruled(report, 'locked'), scope: scopes(raw.properties) });
  checkMayAct(group, { report: ruled(report, 'may-act'), scope: scopes(raw.properties), isWhole });
  checkSignIn(group, { report: ruled(report, 'sign-in'), scope: scopes(raw.properties), isWhole });
  checkFormulas(name, raw, { report: ruled(report, 'formulas'), shapes });
  checkGiven(raw, signatures, ruled(report, 'given-by-rules'));
  checkSetup(raw, signatures, ruled(report, 'setup'));
  checkParameters(raw, ruled(report, 'query-parameters'));
  return true;
}

/** Checks the fields of a record, an object or an item. @returns whether each is a field at all. */
function checkFields(fields: Fields, home: Home, { path, report, scopes }: Inside): boolean {
  const scope = scopes(fields);
  let isSound = true;
  const isBroken = (place: JSONPath, text: string, where?: 'key'): void => {
    isSound = false;
    report(place, text, where);
  };
  for (const [name, field] of Object.entries(fields)) {
    const place = [...path, 'properties', name];
    if (field === true) {
      if (name !== 'createdAt' || home !== 'record')
        isBroken(place, `only "createdAt" may be true (its place in the record)${ofChange(name)}`);
      continue;
    }
    if (typeof field !== 'object') {
      isBroken(place, 'must be an object');
      continue;
    }
    checkName({ name, field, home, path: place, report });
    const row = rowOf(field);
    if (row === undefined) {
      isBroken(place, 'has neither "type" nor "reference" nor "references"', 'key');
      continue;
    }
    for (const { code, rule } of rules)
      rule({ name, field, row, path: place, home, fields, scope, report: ruled(report, code) });
    const { shape } = row;
    const inside = shape === 'object' ? field : shape === 'objects' ? field.items : undefined;
    if (inside?.properties === undefined) continue;
    const insidePlace = { path: shape === 'object' ? place : [...place, 'items'], report, scopes };
    if (!checkFields(inside.properties, homeInside(shape, home), insidePlace)) isSound = false;
    checkRequired(inside, insidePlace);
  }
  checkKeys(fields, path, report);
  return isSound;
}

const ofChange = (name: string): string =>
  /modif|updat|chang|edit/i.test(name) ? `; the time of the last change is ${lastChange}` : '';

/** Items of a list of the record may have lists, and there it ends. */
const homeInside = (shape: Shape, home: Home): Home => {
  if (shape === 'object') return 'object';
  return home === 'record' ? 'items' : 'inner';
};

function checkName({ name, field, home, path, report }: Omit<FieldCase, 'row' | 'fields' | 'scope'>): void {
  if ((home === 'items' || home === 'inner') && name === 'id') {
    const isRecord = field.reference !== undefined || field.referenceBy !== undefined;
    if (home === 'items' && field.format !== 'uuid' && !isRecord)
      report(path, 'the id of an item must be a uuid or a reference');
    // An item keeps its id by naming it, and a list inside items has no stored list to look it up in.
    if (home === 'inner' && !isRecord) report(path, 'the id of an item of a list inside a list is a reference');
  } else {
    const wrong = reservedFault(name) ?? (field.referenceFormat === 'id' ? recordFault(name) : undefined);
    if (wrong !== undefined) report(path, wrong, 'key');
  }
  const { renamedFrom } = field;
  if (renamedFrom !== undefined && renamedFrom === name)
    report([...path, 'renamedFrom'], `"${renamedFrom}" is still its name`);
}

/** Of a bare id: the record that it leads to has a name as well. */
function recordFault(name: string): string | undefined {
  const record = recordName(name);
  const wrong = record === name ? undefined : reservedFault(record);
  return wrong && `leads to the record "${record}" in formulas, and ${wrong}`;
}

/** Names in bodies, old names, and the records that bare ids lead to: each stands for one field. */
function checkKeys(fields: Fields, path: JSONPath, report: Report): void {
  const keys = new Map<string, string>();
  const renamed = new Map<string, string>();
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field !== 'object') continue;
    const place = [...path, 'properties', name];
    const key = keyOf(name, field);
    const twin = keys.get(key);
    if (twin !== undefined) report(place, `is called "${key}" in bodies, and so is "${twin}"`, 'key');
    keys.set(key, name);
    const record = field.referenceFormat === 'id' ? recordName(name) : name;
    if (record !== name && Object.hasOwn(fields, record))
      report(place, `leads to the record "${record}" in paths, which is another field`, 'key');
    const { renamedFrom } = field;
    if (renamedFrom === undefined || renamedFrom === name) continue;
    if (Object.hasOwn(fields, renamedFrom)) report([...place, 'renamedFrom'], `"${renamedFrom}" is still a field`);
    const other = renamed.get(renamedFrom);
    if (other !== undefined) report([...place, 'renamedFrom'], `"${renamedFrom}" was already renamed to "${other}"`);
    renamed.set(renamedFrom, name);
  }
}

/** Fields, and those of them that a create must bring. */
interface Holder {
  readonly properties?: Fields;
  readonly required?: readonly string[];
}

function checkRequired(
  { properties: fields = {}, required = [] }: Holder,
  { path, report: reportAny }: ReportedPlace,
): void {
  const report = ruled(reportAny, 'required');
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field !== 'object' || field.referenceBy === undefined) continue;
    for (const word of [name, field.referenceBy])
      if (Object.hasOwn(fields, word) && !required.includes(word))
        report(
          [...path, 'properties', name],
          `needs "${word}" in "required": one has no effect without the other`,
          'key',
        );
  }
  for (const [index, name] of required.entries()) {
    const field = own(fields, name);
    const place = [...path, 'required', index];
    if (field === undefined) report(place, `"${name}" is not a field${didYouMean(name, Object.keys(fields))}`);
    else if (field === true) report(place, `"${name}" is read-only, so callers cannot send it`);
    else {
      if (Array.isArray(field.type) || field.nullable === true)
        report(place, `"${name}" may be null, so it cannot be required`);
      if (field.acceptIfEqual === true) report(place, `"${name}" is computed by a formula, so it need not be sent`);
      else if (isReadOnly(field) && (field.parameter !== true || path.length > 0))
        report(place, `"${name}" is read-only, so callers cannot send it`);
      if (field.defaultFrom !== undefined) report(place, `"${name}" has a default, so it need not be sent`);
      if (field.updateOnly === true) report(place, `"${name}" is "updateOnly", so a create cannot send it`);
      if (field.onlyWhen !== undefined)
        report(place, `"${name}" is not always allowed ("onlyWhen"); use "requiredWhen" instead`);
      if (field.requiredWhen !== undefined)
        report(place, `"${name}" is only required if "requiredWhen" is true; remove it from "required"`);
    }
  }
}

function checkResource(raw: RawDescriptor, report: Report): void {
  const { resource } = raw;
  const { shownAs, operations } = resource;
  const parts = parseShownAs(shownAs);
  if (parts === undefined) report(['resource', 'shownAs'], 'has an unmatched brace; write {field}');
  else if (!parts.some((part) => part.kind === 'value' && part.paths.length > 0))
    report(['resource', 'shownAs'], 'names no field; write {field}');
  if (resource.singleton === true) {
    for (const [index, operation] of operations.entries()) {
      if (operation !== 'get' && operation !== 'update')
        report(['resource', 'operations', index], `a single record offers "get" and "update", not "${operation}"`);
    }
  }
  checkShows(raw, report);
  checkViews(raw, report);
  checkSettings(raw, report);
  if (resource.workspace === true && resource.singleton !== true)
    report(['resource', 'workspace'], 'needs "singleton": true', 'key');
  for (const [word, operation] of lockOperations) {
    if (resource.locked?.[word] !== undefined && !operations.includes(operation))
      report(['resource', 'locked', word], `has no effect without the operation "${operation}"`, 'key');
  }
}

/** Columns are fields that callers may see. */
function checkShows({ resource, properties }: RawDescriptor, report: Report): void {
  if (resource.shows !== undefined && !resource.operations.includes('list'))
    report(['resource', 'shows'], 'has no effect without the operation "list"', 'key');
  for (const [index, name] of (resource.shows ?? []).entries()) {
    const path = ['resource', 'shows', index];
    const field = own(properties, name);
    if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(properties))}`);
    else if (field !== true && (field.writeOnly === true || field.hidden === true))
      report(path, `"${name}" is never shown`);
  }
}

/** What the settings of a workspace hold for the service itself. */
const settingsForms = {
  timeZone: { words: 'a text with the format "time-zone"', isFit: ({ format }: RawField) => format === 'time-zone' },
  features: { words: 'a list of texts with an "enum"', isFit: ({ items }: RawField) => items?.enum !== undefined },
} as const;

function checkSettings({ resource, properties }: RawDescriptor, report: Report): void {
  for (const word of ['timeZone', 'features'] as const) {
    const name = resource[word];
    if (name === undefined) continue;
    const path = ['resource', word];
    const field = own(properties, name);
    if (resource.workspace !== true) report(path, 'has no effect without "workspace": true', 'key');
    if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(properties))}`);
    else if (field === true || !settingsForms[word].isFit(field))
      report(path, `"${name}" must be ${settingsForms[word].words}`);
  }
}

/** What each lock holds up. */
const lockOperations = [
  ['update', 'update'],
  ['delete', 'delete'],
  ['fields', 'update'],
] as const;

/** Fields that decide on a record, rather than say what it is. */
function checkDecisions({ resource, properties }: RawDescriptor, report: Report): void {
  for (const [index, name] of (resource.decisions ?? []).entries()) {
    const field = own(properties, name);
    const path = ['resource', 'decisions', index];
    if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(properties))}`);
    else if (field === true || isReadOnly(field)) report(path, `"${name}" is read-only, so callers cannot send it`);
    else if (field.immutable === true) report(path, `"${name}" is "immutable", so no update can change it`);
  }
}

const keyWords = { unique: 'a key', indexes: 'an index' } as const;

/** Fields that are looked up together. */
function checkLookups(raw: RawDescriptor, kind: keyof typeof keyWords, report: Report): void {
  const seen = new Set<string>();
  for (const [index, key] of (raw.resource[kind] ?? []).entries()) {
    const words = JSON.stringify(key);
    if (seen.has(words)) report(['resource', kind, index], `is ${keyWords[kind]} already`);
    seen.add(words);
    for (const [place, name] of key.entries()) {
      const field = own(raw.properties, name);
      const path = ['resource', kind, index, place];
      // Every record has it.
      if (kind === 'indexes' && name === 'createdAt') continue;
      if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(raw.properties))}`);
      else if (typeof field === 'object') {
        const row = rowOf(field);
        if (row?.isSingle === false) report(path, `${row.words} cannot be part of ${keyWords[kind]}`);
        if (!isKept(field)) report(path, `"${name}" is not kept, so it cannot be part of ${keyWords[kind]}`);
        if (kind === 'indexes' && row?.isFolded === true && !isCode(textFormatOf(field.format)))
          report(path, 'a free text is too long to be part of an index');
      }
    }
  }
}

/** Parameters that every list takes, or what is asked of all its records, by what gives them. */
const parametersOfLists: Readonly<Record<string, string>> = {
  startingAfter: 'paging',
  endingBefore: 'paging',
  limit: 'paging',
  count: 'paging',
  expand: 'what is shown',
  fields: 'what is shown',
  by: 'summaries',
  sum: 'summaries',
  avg: 'summaries',
  min: 'summaries',
  max: 'summaries',
  order: 'summaries',
  format: 'exports',
  safe: 'exports',
};

function clashText(name: string, other: string): string {
  const text = `gives the parameter "${name}", and so does "${other}"`;
  return Object.hasOwn(parametersOfLists, name)
    ? `${text}; give the field another name, with "renamedFrom": "${name}" where it has records`
    : text;
}

/** Two fields that give the same query parameter, and filters that no list takes. */
function checkParameters(raw: RawDescriptor, report: Report): void {
  const owners = new Map<string, string>(Object.entries(parametersOfLists));
  const sorted = Object.entries(raw.properties).filter(([, field]) => field !== true && field.sort === true);
  if (sorted.length > 0) owners.set('sort', 'sorting');
  for (const [name] of raw.resource.operations.includes('list') ? [] : sorted)
    report(['properties', name, 'sort'], 'has no effect without the operation "list"', 'key');
  for (const { path, label, names } of parameterNames(raw)) {
    if (!raw.resource.operations.includes('list'))
      report([...path, 'filter'], 'has no effect without the operation "list"', 'key');
    for (const name of names) {
      const other = owners.get(name);
      if (other !== undefined) report([...path, 'filter'], clashText(name, other), 'key');
      else owners.set(name, label);
    }
  }
}
