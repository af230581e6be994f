// The rules that a schema cannot say, of one descriptor by itself. Each is a sentence and a function; the sentence is
// what the reader of a fault should know. Rules across descriptors are in `check-links.ts`.
import type { JSONPath } from 'jsonc-parser';
import { type ConditionName, compileCondition, simpleCondition } from './condition.ts';
import { didYouMean } from './faults.ts';
import type { RuleSignature } from './model.ts';
import { conditionNames, keyOf, parseShownAs } from './normalise.ts';
import { keywordShapes, type RawDescriptor, type RawField, reservedNames, type Shape, shapeOf } from './vocabulary.ts';

/** Reports one fault at a path of the descriptor. */
export type Report = (path: JSONPath, text: string, where?: 'key' | 'value') => void;

type Fields = Readonly<Record<string, RawField | true>>;

interface FieldCase {
  readonly name: string;
  readonly field: RawField;
  readonly shape: Shape;
  readonly path: JSONPath;
  /** Names of the enclosing record. */
  readonly names: ReadonlyMap<string, ConditionName>;
  readonly isItem: boolean;
  readonly report: Report;
}

/** Each rule looks at one field whose shape is known. */
const fieldRules: Record<string, (field: FieldCase) => void> = {
  'a keyword stands only where it means something': ({ field, shape, path, report }) => {
    for (const keyword of Object.keys(field) as (keyof RawField)[]) {
      const shapes: readonly Shape[] = keywordShapes[keyword];
      if (!shapes.includes(shape)) report([...path, keyword], `"${keyword}" does not fit a ${shape} field`, 'key');
    }
  },
  'a field says what it means': ({ field, path, report }) => {
    if (field.description === undefined) report(path, 'has no "description"', 'key');
  },
  'a text has a length, a set of values or a format': ({ field, shape, path, report }) => {
    if (shape === 'text' && field.maxLength === undefined && field.enum === undefined && field.format === undefined) {
      report(path, 'has no "maxLength" (characters)', 'key');
    }
    if (shape === 'text' && (field.format === 'money' || field.format === 'decimal')) {
      report([...path, 'format'], `format "${field.format}" needs "type": "number"`);
    }
  },
  'a number is money, or a decimal with its digits': ({ field, shape, path, report }) => {
    if (shape !== 'number') return;
    if (field.format === undefined)
      report(path, 'has no "format"; "money" or "decimal" say how many digits it has', 'key');
    else if (field.format !== 'money' && field.format !== 'decimal')
      report([...path, 'format'], `format "${field.format}" needs "type": "string"`);
    if (field.format === 'decimal' && (field.precision === undefined || field.scale === undefined)) {
      report(path, 'a decimal needs "precision" and "scale"', 'key');
    }
    if ((field.precision ?? 18) < (field.scale ?? 0)) report([...path, 'scale'], 'is more than "precision"');
  },
  'bounds leave something between them': ({ field, path, report }) => {
    if (field.minimum !== undefined && field.maximum !== undefined && field.minimum > field.maximum) {
      report([...path, 'minimum'], `is more than "maximum" (${field.maximum})`);
    }
    if (field.minItems !== undefined && field.maxItems !== undefined && field.minItems > field.maxItems) {
      report([...path, 'minItems'], `is more than "maxItems" (${field.maxItems})`);
    }
  },
  'every list has an end': ({ field, shape, path, report }) => {
    if ((shape === 'list' || shape === 'objects') && field.maxItems === undefined) {
      report(path, 'has no "maxItems"; a list without an end lets one request fill the memory', 'key');
    }
    const items = field.items === undefined ? undefined : shapeOf(field.items);
    const isPlain = items === 'text' || items === 'integer' || items === 'number' || items === 'boolean';
    if (shape === 'list' && !isPlain) report([...path, 'items'], 'must be plain values or objects', 'key');
    if (shape === 'objects' && field.items?.properties === undefined)
      report([...path, 'items'], 'has no "properties"', 'key');
  },
  'an object has properties': ({ field, shape, path, report }) => {
    if (shape === 'object' && field.properties === undefined) report(path, 'has no "properties"', 'key');
  },
  'nesting ends at lists and objects of the record': ({ shape, isItem, path, report }) => {
    if (isItem && (shape === 'objects' || shape === 'object' || shape === 'references')) {
      report(path, `a ${shape} field cannot stand inside another list or object`, 'key');
    }
  },
  'a default is a value that the field may have': ({ field, shape, path, report }) => {
    if (field.default === undefined) return;
    const wrong = defaultFault(field, shape);
    if (wrong !== undefined) report([...path, 'default'], wrong);
  },
  'a filter fits its field': ({ field, shape, path, report }) => {
    if (field.filter === undefined) return;
    const allowed = filtersOf(field, shape);
    if (!allowed.includes(field.filter)) {
      const may =
        allowed.length === 0 ? 'it cannot be filtered' : `allowed: ${allowed.map((word) => `"${word}"`).join(', ')}`;
      report([...path, 'filter'], `"${field.filter}" does not fit this field; ${may}`);
    }
    if (field.transient === true || field.derived?.use === 'inEffect') {
      report([...path, 'filter'], 'the field is not kept, so it cannot be filtered');
    }
  },
  'only a reference that may be null can be cleared': ({ field, shape, isItem, path, report }) => {
    // In a list the item goes instead.
    if (!isItem && shape === 'reference' && field.onDelete === 'clear' && field.nullable !== true) {
      report([...path, 'onDelete'], '"clear" needs "nullable": true');
    }
    if (shape === 'references' && field.onDelete === 'cascade')
      report([...path, 'onDelete'], 'a list can only "restrict" or "clear"');
  },
  'a field is written in one way': ({ field, path, report }) => {
    const isReadOnly =
      field.readOnly === true || field.derived !== undefined || field.from !== undefined || field.via !== undefined;
    if (isReadOnly && (field.immutable === true || field.updateOnly === true))
      report(path, 'is read-only, so "immutable" and "updateOnly" mean nothing', 'key');
    if (field.immutable === true && field.updateOnly === true)
      report(path, 'is both "immutable" and "updateOnly", so nothing can set it', 'key');
    if (field.transient === true && field.writeOnly !== true)
      report([...path, 'transient'], 'needs "writeOnly": true; nothing is kept to show', 'key');
    if (field.readOnly === true && field.writeOnly === true)
      report([...path, 'writeOnly'], 'is "readOnly" too; nothing would be left', 'key');
  },
  'transitions name values of the enum': ({ field, path, report }) => {
    for (const [from, targets] of Object.entries(field.transitions ?? {})) {
      for (const value of [from, ...targets]) {
        if (!field.enum?.includes(value))
          report(
            [...path, 'transitions', from],
            `"${value}" is not in "enum"${didYouMean(value, field.enum ?? [])}`,
            'key',
          );
      }
    }
  },
  'conditions are expressions over the record': ({ field, path, names, report }) => {
    for (const keyword of ['onlyWhen', 'requiredWhen', 'lockedWhen'] as const) {
      const source = field[keyword];
      if (source !== undefined) reportCondition(source, names, [...path, keyword], report);
    }
    for (const [index, { when }] of (field.inherits ?? []).entries()) {
      const simple = simpleCondition(when, names);
      if (typeof simple === 'string') report([...path, 'inherits', index, 'when'], simple);
    }
  },
};

function reportCondition(
  source: string,
  names: ReadonlyMap<string, ConditionName>,
  path: JSONPath,
  report: Report,
): void {
  const compiled = compileCondition(source, names);
  if (typeof compiled === 'string') report(path, compiled);
  else if (compiled.paths.length > 0)
    report(path, `looks into another record ("${compiled.paths[0]}"), which only rules can do`);
}

function defaultFault(field: RawField, shape: Shape): string | undefined {
  const value = field.default;
  const is = `is ${JSON.stringify(value)}`;
  if (field.enum !== undefined && !(typeof value === 'string' && field.enum.includes(value))) {
    return `${is}, which is not in "enum"${didYouMean(String(value), field.enum)}`;
  }
  if (shape === 'text' && typeof value !== 'string') return `${is}, not a text`;
  if (shape === 'text' && typeof value === 'string' && [...value].length > (field.maxLength ?? 65_535))
    return `is longer than "maxLength"`;
  if (shape === 'boolean' && typeof value !== 'boolean') return `${is}, not true or false`;
  if (shape === 'list' && !Array.isArray(value)) return `${is}, not an array`;
  if (shape === 'integer' && !Number.isSafeInteger(value)) return `${is}, not an integer`;
  if (shape === 'number' && typeof value !== 'number') return `${is}, not a number`;
  if (typeof value === 'number') {
    if (value < (field.minimum ?? (field.signed === true ? -Infinity : 0))) return `${is}, below the least value`;
    if (value > (field.maximum ?? Infinity)) return `${is}, above "maximum" (${field.maximum})`;
  }
  return undefined;
}

function filtersOf(field: RawField, shape: Shape): readonly string[] {
  switch (shape) {
    case 'text':
      if (field.format === 'date') return ['exact', 'range'];
      return field.enum === undefined && (field.maxLength ?? 255) <= 255 ? ['exact', 'text'] : ['exact'];
    case 'integer':
    case 'boolean':
    case 'reference':
    case 'references':
      return ['exact'];
    default:
      return [];
  }
}

function checkFields(
  fields: Fields,
  path: JSONPath,
  required: readonly string[],
  isItem: boolean,
  report: Report,
): void {
  const names = conditionNames(fields);
  const keys = new Map<string, string>();
  for (const [name, field] of Object.entries(fields)) {
    const place = [...path, 'properties', name];
    if (field === true) {
      if (name !== 'createdAt' || isItem) report(place, 'only "createdAt" may be true (its place in the record)');
      continue;
    }
    if (typeof field !== 'object') {
      report(place, 'must be an object');
      continue;
    }
    const isOwnId = isItem && name === 'id';
    if (reservedNames.has(name) && !isOwnId)
      report(place, `"${name}" is a name of every record or a word of the engine; choose another`, 'key');
    const key = keyOf(name, field);
    const twin = keys.get(key);
    if (twin !== undefined) report(place, `is called "${key}" in bodies, and so is "${twin}"`, 'key');
    keys.set(key, name);
    const shape = shapeOf(field);
    if (shape === undefined) {
      report(place, 'has neither "type" nor "reference" nor "references"', 'key');
      continue;
    }
    for (const rule of Object.values(fieldRules)) rule({ name, field, shape, path: place, names, isItem, report });
    if (shape === 'object') checkFields(field.properties ?? {}, place, field.required ?? [], true, report);
    if (shape === 'objects') checkItems(field, place, report);
  }
  checkRequired(fields, path, required, report);
}

function checkItems(field: RawField, path: JSONPath, report: Report): void {
  const items = field.items ?? {};
  const properties = items.properties ?? {};
  checkFields(properties, [...path, 'items'], items.required ?? [], true, report);
  if (field.distinct !== undefined && !Object.hasOwn(properties, field.distinct)) {
    report(
      [...path, 'distinct'],
      `"${field.distinct}" is not a field of the items${didYouMean(field.distinct, Object.keys(properties))}`,
    );
  }
}

function checkRequired(fields: Fields, path: JSONPath, required: readonly string[], report: Report): void {
  for (const [index, name] of required.entries()) {
    const field = fields[name];
    const place = [...path, 'required', index];
    if (field === undefined) report(place, `"${name}" is not a field${didYouMean(name, Object.keys(fields))}`);
    else if (field !== true) {
      if (Array.isArray(field.type) || field.nullable === true)
        report(place, `"${name}" may be null, so it cannot be required`);
      if (field.readOnly === true || field.derived !== undefined)
        report(place, `"${name}" is read-only, so nobody can send it`);
      if (field.default !== undefined) report(place, `"${name}" has a default, so it need not be sent`);
      if (field.updateOnly === true) report(place, `"${name}" is "updateOnly", so a create cannot bring it`);
    }
  }
}

/** Checks one descriptor whose structure the meta-schema has accepted. */
export function checkDescriptor(
  raw: RawDescriptor,
  signatures: Readonly<Record<string, RuleSignature>>,
  report: Report,
): void {
  checkFields(raw.properties, [], raw.required ?? [], false, report);
  const { resource } = raw;
  const names = conditionNames(raw.properties);
  for (const which of ['update', 'delete'] as const) {
    const source = resource.locked?.[which];
    if (source !== undefined) reportCondition(source, names, ['resource', 'locked', which], report);
  }
  if (parseShownAs(resource.shownAs) === undefined)
    report(['resource', 'shownAs'], 'has a brace without its partner; write {field}');
  if (resource.singleton === true) {
    for (const [index, operation] of resource.operations.entries()) {
      if (operation !== 'get' && operation !== 'update')
        report(['resource', 'operations', index], `a single record offers "get" and "update", not "${operation}"`);
    }
  }
  if (resource.workspace === true && resource.singleton !== true)
    report(['resource', 'workspace'], 'needs "singleton": true', 'key');
  checkUnique(raw, report);
  checkSetup(raw, report);
  for (const [index, rule] of (resource.rules ?? []).entries())
    checkRule(rule, raw, names, signatures, ['resource', 'rules', index], report);
  for (const [name, field] of Object.entries(raw.properties)) {
    if (field !== true && field.derived !== undefined && !isFilledByRule(field.derived, resource.rules))
      checkRule(field.derived, raw, names, signatures, ['properties', name, 'derived'], report);
  }
}

function checkUnique(raw: RawDescriptor, report: Report): void {
  for (const [index, key] of (raw.resource.unique ?? []).entries()) {
    for (const [place, name] of key.entries()) {
      const field = raw.properties[name];
      const path = ['resource', 'unique', index, place];
      if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(raw.properties))}`);
      else if (field !== true) {
        const shape = shapeOf(field);
        if (shape === 'list' || shape === 'objects' || shape === 'object' || shape === 'references')
          report(path, `a ${shape} field cannot be part of a key`);
        if (field.transient === true || field.from !== undefined)
          report(path, `"${name}" is not kept, so it cannot be part of a key`);
      }
    }
  }
}

function checkSetup(raw: RawDescriptor, report: Report): void {
  for (const [index, record] of (raw.resource.setup ?? []).entries()) {
    for (const name of Object.keys(record)) {
      if (!name.startsWith('$') && !Object.hasOwn(raw.properties, name)) {
        report(
          ['resource', 'setup', index, name],
          `"${name}" is not a field${didYouMean(name, Object.keys(raw.properties))}`,
          'key',
        );
      }
    }
  }
}

function checkRule(
  rule: Readonly<Record<string, unknown>> & { readonly use: string },
  raw: RawDescriptor,
  names: ReadonlyMap<string, ConditionName>,
  signatures: Readonly<Record<string, RuleSignature>>,
  path: JSONPath,
  report: Report,
): void {
  const signature = signatures[rule.use];
  if (signature === undefined) {
    report(
      [...path, 'use'],
      `"${rule.use}" is no rule of the catalogue${didYouMean(rule.use, Object.keys(signatures))}`,
    );
    return;
  }
  const { parameters, optional = [] } = signature;
  for (const name of Object.keys(rule)) {
    if (name !== 'use' && !Object.hasOwn(parameters, name)) {
      report(
        [...path, name],
        `"${rule.use}" has no argument "${name}"${didYouMean(name, Object.keys(parameters))}`,
        'key',
      );
    }
  }
  const keys = new Set(
    Object.entries(raw.properties).flatMap(([name, field]) => (field === true ? [name] : [name, keyOf(name, field)])),
  );
  for (const [name, kind] of Object.entries(parameters)) {
    const value = rule[name];
    if (value === undefined) {
      if (!optional.includes(name)) report(path, `"${rule.use}" needs the argument "${name}"`);
    } else if (kind === 'field' || kind === 'reference') reportName(value, keys, [...path, name], report);
    else if (kind === 'fields') {
      if (!Array.isArray(value)) report([...path, name], 'must be an array of field names');
      else for (const [index, item] of value.entries()) reportName(item, keys, [...path, name, index], report);
    } else if (kind === 'condition') {
      const compiled = typeof value === 'string' ? compileCondition(value, names) : 'must be a CEL expression';
      if (typeof compiled === 'string') report([...path, name], compiled);
    } else if (kind === 'text' && typeof value !== 'string') report([...path, name], 'must be a text');
  }
}

function reportName(value: unknown, keys: ReadonlySet<string>, path: JSONPath, report: Report): void {
  if (typeof value !== 'string') report(path, 'must be the name of a field');
  else if (!keys.has(value)) report(path, `"${value}" is not a field${didYouMean(value, keys)}`);
}

/** `"derived": {"use": "periodChain"}` says no more than that the rule of that name, with its arguments in `rules`, fills the field. */
function isFilledByRule(derived: Readonly<Record<string, unknown>> & { readonly use: string }, rules: readonly { readonly use: string }[] | undefined): boolean {
  return Object.keys(derived).length === 1 && (rules ?? []).some(({ use }) => use === derived.use);
}
