// Finds fields that every create must send: never null, without a default, and filled by nothing.
import type { Report, ReportedPlace } from '../../model/faults.ts';
import { keyOf } from '../../model/field-names.ts';
import { rowOf } from '../../model/kinds.ts';
import type { RuleSignature } from '../../model/model.ts';
import { leavesOf, type ParameterType } from '../../model/parameters.ts';
import { isReadOnly, own, type RawDescriptor, type RawField, type RawRule } from '../../model/vocabulary.ts';

type Signatures = Readonly<Record<string, RuleSignature>>;

/** Names of the fields without which no record can be made. */
export function givenFields(raw: RawDescriptor, signatures: Signatures): string[] {
  const filled = filledWords(raw.resource.rules ?? [], signatures);
  return Object.entries(raw.properties).flatMap(([name, field]) => {
    if (field === true || !isGiven(field) || isSwitchedOff(field)) return [];
    return isFilled(filled, '', namesOf(name, field)) ? [] : [name];
  });
}

/** Reports such fields that no create can bring, and those that a create must bring though nobody says so. */
export function checkGiven(raw: RawDescriptor, signatures: Signatures, report: Report): void {
  if (raw.resource.operations.includes('create')) {
    for (const name of givenFields(raw, signatures)) {
      const field = raw.properties[name];
      if (typeof field === 'object') checkField(name, field, { path: [], required: raw.required, report });
    }
  }
  const filled = filledWords(raw.resource.rules ?? [], signatures);
  for (const [name, field] of Object.entries(raw.properties))
    if (field !== true && !isReadOnly(field)) checkInside(name, field, { path: ['properties', name], filled, report });
}

interface Holder extends ReportedPlace {
  readonly required: readonly string[] | undefined;
}

function checkField(name: string, field: RawField, { path, required = [], report }: Holder): void {
  const why = isReadOnly(field) ? 'readOnly' : field.updateOnly === true ? 'updateOnly' : undefined;
  if (why === undefined && required.includes(name)) return;
  const text =
    why === undefined
      ? 'is never null and has no default, so every create must bring it; it must be in "required", or have a default, or be nullable'
      : `is never null, and a create can neither bring it ("${why}") nor find it; give it a default, or let it be null`;
  report([...path, 'properties', name], text, 'key');
}

interface Inside extends ReportedPlace {
  readonly filled: ReadonlySet<string>;
}

/** Objects and items are whole whenever they are sent, whatever the record offers. */
function checkInside(list: string, field: RawField, { path, filled, report }: Inside): void {
  const isList = field.properties === undefined;
  const holder = isList ? field.items : field;
  if (holder?.properties === undefined || field.via !== undefined) return;
  const place = isList ? [...path, 'items'] : path;
  for (const [name, inside] of Object.entries(holder.properties)) {
    const isId = name === 'id' && inside.format === 'uuid';
    if (!isId && !isReadOnly(inside) && isGiven(inside) && !isFilled(filled, list, namesOf(name, inside)))
      checkField(name, inside, { path: place, required: holder.required, report });
    checkInside(name, inside, { path: [...place, 'properties', name], filled, report });
  }
}

function isGiven(field: RawField): boolean {
  const row = rowOf(field);
  // Lists are empty where nobody says otherwise; a choice is required in any case, which is told with what it is.
  if (row === undefined || row.isMany || row.shape === 'choice') return false;
  if (Array.isArray(field.type) || field.nullable === true) return false;
  const sources = ['default', 'defaultFrom', 'computedBy', 'formula', 'lookup', 'via', 'onlyWhen', 'inherits'] as const;
  return sources.every((keyword) => field[keyword] === undefined);
}

/** Switches that only the service sets are off until it does. */
const isSwitchedOff = (field: RawField): boolean => rowOf(field)?.isSwitch === true && field.readOnly === true;

/** Whether a rule fills a field: of the record (`list` is empty), or of the items of a list. */
const isFilled = (filled: ReadonlySet<string>, list: string, names: readonly string[]): boolean =>
  names.some((name) => filled.has(`${list}/${name}`));

/** What rules may call a field. */
const namesOf = (name: string, field: RawField): readonly string[] => [name, keyOf(name, field)];

/** `<list>/<name>` of the fields that rules may fill; of a rule that is not known, all that it names. */
function filledWords(rules: readonly RawRule[], signatures: Signatures): ReadonlySet<string> {
  const words = rules.flatMap((rule) => {
    const { parameters = {}, needs = {} } = own(signatures, rule.use) ?? {};
    const listOf = (word: string): string =>
      word === 'this' ? '' : String(own(rule, word) ?? word.split('.')[1] ?? '');
    const named = Object.entries(rule).flatMap(([name, value]) =>
      leavesOf(own(parameters, name) ?? 'values', value).flatMap(({ type, text }) =>
        mayFill(type) ? [`${listOf(homeOf(type))}/${text}`] : [],
      ),
    );
    const found = Object.entries(needs).flatMap(([word, fields]) =>
      Object.entries(fields).flatMap(([name, need]) =>
        typeof need === 'object' && 'filled' in need ? [`${listOf(word)}/${name}`] : [],
      ),
    );
    return [...named, ...found];
  });
  return new Set(words);
}

/** A rule that says no more than "a field" may do anything with it. */
const mayFill = (type: ParameterType): boolean =>
  type === 'field' || type === 'reference' || type === 'values' || (typeof type === 'object' && 'filled' in type);

const homeOf = (type: ParameterType): string =>
  typeof type === 'object' && 'in' in type ? (type.in ?? 'this') : 'this';
