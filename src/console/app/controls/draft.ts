// A draft of a record, as form controls hold it. An update sends only changed fields, a create only filled ones, so
// that defaults apply.
import type { Shown } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
import { labelOf, peopleText, wordsOf } from '../values/format.ts';
import { noteName } from '../values/names.ts';
import { meantText, typedText } from '../values/shown-in.ts';

/** Texts of numbers are kept as they are typed. */
export type Draft = Readonly<Record<string, unknown>>;

/** Whether a field can be sent. */
export const isWritable = (field: FieldModel, isNew: boolean): boolean => (isNew ? field.onCreate : field.onUpdate);

/** The id that a control holds; the name that a record shows with it is noted, so that nobody asks for it again. */
const idOf = ({ target }: FieldModel, value: unknown): string => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return typeof value === 'string' ? value : '';
  const id = String(value.id);
  if (target !== undefined && 'name' in value && value.name !== '') noteName(target, id, String(value.name));
  return id;
};

/** A value of a record as its control holds it. */
export function toControl(field: FieldModel, value: unknown): unknown {
  switch (field.kind) {
    case 'reference':
    case 'choice':
      return idOf(field, value);
    case 'references':
      return Array.isArray(value) ? value.map((one) => idOf(field, one)) : [];
    case 'list':
      return Array.isArray(value) ? value.map(String) : [];
    case 'objects':
      return Array.isArray(value) ? value.map((item) => draftOf(field.fields ?? [], item as Shown)) : [];
    case 'object':
      return typeof value === 'object' && value !== null ? draftOf(field.fields ?? [], value as Shown) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'text':
    case 'enum':
    case 'date':
    case 'dateTime':
    case 'uuid':
      return value === null || value === undefined ? '' : String(value);
    case 'integer':
    case 'decimal':
      return value === null || value === undefined ? '' : typedText(field, String(value));
    default:
      return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
  }
}

/** The draft of a record, or of an item or object in it. */
export function draftOf(fields: readonly FieldModel[], shown: Readonly<Record<string, unknown>>): Draft {
  return Object.fromEntries(
    fields.map((field) => [field.key, toControl(field, shown[field.name] ?? shown[field.key])] as const),
  );
}

/** The draft of a new record: what it would hold if nothing were said. */
export const emptyDraft = (fields: readonly FieldModel[]): Draft =>
  Object.fromEntries(fields.map((field) => [field.key, toControl(field, field.default)]));

/** A number as JSON has it: as it was typed; what is no number is sent as a text, and refused in the service's words. */
export function numeral(field: Pick<FieldModel, 'shownIn'>, text: string): string {
  const plain = text.trim().replaceAll(/[\s  _']/g, '');
  const point = new Intl.NumberFormat(navigator.languages).format(1.5).charAt(1);
  const meant = point === ',' && plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain;
  const number = meantText(field, meant);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number) ? number : JSON.stringify(text);
}

/** What a control holds, as JSON of a body. */
export function toJson(field: FieldModel, control: unknown): string {
  const empty = field.unset === 'empty' ? '""' : 'null';
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return control === '' || control === undefined ? 'null' : numeral(field, String(control));
    case 'boolean':
      return JSON.stringify(control ?? null);
    case 'references':
      return JSON.stringify(control ?? []);
    case 'list':
      return listJson(field, control);
    case 'objects': {
      const items = Array.isArray(control) ? (control as readonly Draft[]) : [];
      return `[${items.map((item) => objectJson(field.fields ?? [], item, true)).join(',')}]`;
    }
    case 'object':
      return control === null || control === undefined
        ? 'null'
        : objectJson(field.fields ?? [], control as Draft, false);
    case 'text':
      return control === '' || control === undefined ? empty : JSON.stringify(control);
    case 'enum':
    case 'date':
    case 'dateTime':
    case 'uuid':
    case 'reference':
    case 'choice':
      return control === '' || control === undefined ? 'null' : JSON.stringify(control);
    default:
      return looseJson(String(control ?? ''));
  }
}

function listJson({ item }: FieldModel, control: unknown): string {
  const values = Array.isArray(control) ? control.map(String) : [];
  const isNumber = item?.kind === 'integer' || item?.kind === 'decimal';
  return `[${values.map((value) => (isNumber ? numeral({}, value) : JSON.stringify(value))).join(',')}]`;
}

/** Of a kind that has no control of its own, JSON as it is written. */
function looseJson(text: string): string {
  if (text.trim() === '') return 'null';
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
}

/** An item with its id where callers may send one. */
function objectJson(fields: readonly FieldModel[], draft: Draft, isItem: boolean): string {
  const parts = fields
    .filter((field) => field.onCreate || field.onUpdate)
    .flatMap((field) => {
      const json = toJson(field, draft[field.key]);
      // What is left out of an item has its default.
      const isLeftOut =
        (json === 'null' || json === '[]') && (isItem ? field.unset === 'never' || field.name === 'id' : false);
      return isLeftOut ? [] : [`${JSON.stringify(field.key)}:${json}`];
    });
  return `{${parts.join(',')}}`;
}

interface Compared {
  readonly group: GroupModel;
  readonly before: Draft;
  readonly now: Draft;
  readonly isNew: boolean;
}

/** Fields that somebody has changed. */
export const changedFields = ({ group, before, now, isNew }: Compared): readonly FieldModel[] =>
  group.fields.filter(
    (field) => isWritable(field, isNew) && toJson(field, before[field.key]) !== toJson(field, now[field.key]),
  );

/** The body of a write, with these fields. */
export const bodyOf = (fields: readonly FieldModel[], draft: Draft): string =>
  `{${fields.map((field) => `${JSON.stringify(field.key)}:${toJson(field, draft[field.key])}`).join(',')}}`;

/** Texts of the service by the place that they are about: `lines[0].amount`; '' for those about none. */
export function faultsByPlace(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(texts, (text) => /^'([^']+)'/.exec(text)?.[1] ?? '');
}

/** A text of the service without the place that it begins with. */
export const withoutPlace = (text: string): string => {
  const rest = peopleText(text.replace(/^'[^']+' /, '').replaceAll(/'([a-z][a-zA-Z0-9_]*)'/g, '`$1`'));
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

/** The label of a place in a record: `lines[0].amount` → Lines 1: amount. */
export function placeLabel(fields: readonly FieldModel[], place: string): string {
  const [, first = '', index, rest] = /^([^.[]+)(?:\[(\d+)\])?\.?(.*)$/.exec(place) ?? [];
  const field = fields.find(({ key, name }) => key === first || name === first);
  const own = field === undefined ? wordsOf(first) : labelOf(field);
  const numbered = index === undefined ? own : `${own} ${Number(index) + 1}`;
  return rest === undefined || rest === ''
    ? numbered
    : `${numbered}: ${placeLabel(field?.fields ?? [], rest).toLowerCase()}`;
}

/** What a control holds at a place. */
export function controlAt(draft: Draft, place: string): unknown {
  let here: unknown = draft;
  for (const step of place.split(/[.[\]]+/).filter((part) => part !== ''))
    here = typeof here === 'object' && here !== null ? (here as Readonly<Record<string, unknown>>)[step] : undefined;
  return here;
}
