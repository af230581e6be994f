// Checks the arguments of rules: fields of the right types, words, values and paths.

import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import { isObject } from '../../../values/json.ts';
import { valueFault } from '../../model/kinds.ts';
import {
  type FieldArgument,
  type FieldNeed,
  type FieldType,
  meantType,
  type ParameterType,
} from '../../model/parameters.ts';
import { isKept, own } from '../../model/vocabulary.ts';
import {
  branchesOf,
  fieldIn,
  type Home,
  homesOf,
  type KeyedField,
  type MapKey,
  pathGroups,
  placedOf,
  type Scope,
  type Use,
} from '../fields/argument-homes.ts';
import { checkJudgement, checkMessage, checkRuleCondition } from '../fields/conditions.ts';
import {
  fieldKind,
  isInRecord,
  isOneOf,
  mayBeNull,
  type Placed,
  targetOf,
  typesInWords,
  typesOf,
  unlikeness,
} from '../fields/field-types.ts';
import { followPath, isKnown } from '../fields/paths.ts';

interface At extends Scope {
  readonly value: unknown;
  readonly place: JSONPath;
  /** A key of a map. */
  readonly where?: 'key';
  /** Where the fields are that the argument may name. */
  readonly home?: Home;
}

/** Checks one argument of a use. */
export function checkArgument(use: Use, name: string, type: ParameterType): void {
  check(type, { use, value: own(use.rule, name), place: [...use.path, name], keys: [] });
}

const say = ({ use, place, where }: At, text: string): void => use.group.report(place, text, where);

function check(declared: ParameterType, at: At): void {
  const type = meantType(declared, at.value);
  if (typeof type === 'string') checkWord(type, at);
  else if ('field' in type) checkField(type, at);
  else if ('path' in type) checkPath(type, at);
  else if ('list' in type) checkList(type.list, at);
  else if ('map' in type) checkMap(type, at);
  else if ('object' in type) checkObject(type.object, at);
  else if ('oneOf' in type) checkOneOf(type.oneOf, at);
  else if ('literalOf' in type) checkValue(type.literalOf, at);
  else if ('branchOf' in type) checkOneOf(Object.keys(branchesOf(type.branchOf, at)), at);
  else if ('listsIn' in type) checkLists(type.listsIn, at);
  else if ('number' in type) {
    if (!Number.isSafeInteger(at.value)) say(at, `must be an integer, found ${JSON.stringify(at.value)}`);
  } else if (typeof at.value !== 'string' || !/^(?!0+(?:\.0+)?$)\d+(?:\.\d+)?$/.test(at.value))
    say(at, `must be a number above 0 as a text ("60"), found ${JSON.stringify(at.value)}`);
}

function checkWord(word: Extract<ParameterType, string>, at: At): void {
  const { use, value, place } = at;
  switch (word) {
    case 'field':
      checkField({ field: 'any' }, at);
      return;
    case 'fields':
      checkList('field', at);
      return;
    case 'reference':
      checkField({ field: 'reference' }, at);
      return;
    case 'parameter':
      checkField({ field: 'any', parameter: true }, at);
      return;
    case 'text':
      if (typeof value !== 'string' || value === '') say(at, 'must be a text');
      return;
    case 'group':
      if (typeof value !== 'string' || value === '') say(at, 'must be the name of a group');
      else isKnown(value, place, use);
      return;
    case 'condition':
      if (typeof value !== 'string') say(at, 'must be a CEL expression');
      else checkRuleCondition(value, place, use);
      return;
    case 'judgement':
      if (typeof value === 'string') checkJudgement(value, place, use);
      else if (isLines(value)) checkJudgement(value.join('\n'), place, use);
      else say(at, 'must be a formula, or a list of its lines');
      return;
    case 'message':
      if (typeof value !== 'string' || value === '') say(at, 'must be a text');
      else checkMessage(value, place, use);
      return;
    case 'flag':
      if (value !== true) say(at, 'must be true, or absent');
      return;
    case 'values':
      if (typeof value !== 'object' || value === null) say(at, 'must be an object or an array');
  }
}

const isLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string');

function checkList(type: ParameterType, at: At): void {
  const isOfFields = type === 'field' || (typeof type === 'object' && 'field' in type);
  if (!Array.isArray(at.value) || at.value.length === 0)
    say(at, isOfFields ? 'must be an array of field names' : 'must be an array with at least one item');
  else for (const [index, value] of at.value.entries()) check(type, { ...at, value, place: [...at.place, index] });
}

function checkMap({ map, to }: { readonly map: ParameterType; readonly to: ParameterType }, at: At): void {
  if (!isObject(at.value) || Object.keys(at.value).length === 0) {
    say(at, 'must be an object that is not empty');
    return;
  }
  for (const [key, value] of Object.entries(at.value)) {
    const place = [...at.place, key];
    check(map, { ...at, value: key, place, where: 'key' });
    const around: MapKey = { type: meantType(map, key), text: key };
    check(to, { use: at.use, value, place, keys: [...at.keys, around] });
  }
}

function checkObject(parts: Readonly<Record<string, ParameterType>>, at: At): void {
  if (!isObject(at.value)) {
    say(at, `must be an object with ${inQuotes(Object.keys(parts))}`);
    return;
  }
  for (const key of Object.keys(at.value)) {
    const { use, place } = at;
    if (!Object.hasOwn(parts, key))
      use.group.report([...place, key], `unknown word "${key}"${hintOf(key, Object.keys(parts))}`, 'key');
  }
  for (const [key, type] of Object.entries(parts)) {
    if (at.value[key] === undefined) say(at, `lacks "${key}"`);
    else check(type, { ...at, value: at.value[key], place: [...at.place, key] });
  }
}

function checkOneOf(words: readonly string[], at: At): void {
  const { value } = at;
  if (typeof value === 'string' && words.includes(value)) return;
  // Where nothing would do, something else is wrong, and is told there.
  if (words.length > 0) say(at, `${JSON.stringify(value)} is not allowed${hintOf(String(value), words)}`);
}

function checkValue(name: string, at: At): void {
  const placed = placedOf(name, at);
  if (placed === undefined) return;
  const { field } = placed;
  const isReference = field.reference !== undefined;
  const canBe = isReference ? field.nullable === true : mayBeNull(field);
  const wrong =
    at.value === null
      ? !canBe && `is null, which "${placed.name}" cannot be`
      : isReference
        ? 'must be null: no record can be named here'
        : valueFault(field, at.value);
  if (wrong) say(at, wrong);
}

/** `lines.sources`: lists, one inside the other, of which the last names records of this group. */
function checkLists(name: string, at: At): void {
  if (typeof at.value !== 'string') {
    say(at, 'must be the names of lists, joined by "."');
    return;
  }
  for (const home of homesOf(name, at) ?? []) {
    let here: Home | undefined = home;
    for (const step of at.value.split('.')) {
      const inside: Home['fields'] | undefined = here && fieldIn(here, step)?.field.items?.properties;
      if (here !== undefined && inside === undefined) {
        const lists = Object.entries(here.fields).flatMap(([list, field]) =>
          field !== true && field.items?.properties !== undefined ? [list] : [],
        );
        say(at, `"${step}" is not a list of objects of "${here.label}"${hintOf(step, lists)}`);
      }
      here = inside && { fields: inside, group: home.group, label: step, isOwn: false, isRecord: false };
    }
    const { group } = at.use;
    const names = Object.values(here?.fields ?? {}).some(
      (field) =>
        field !== true && (field.reference === group.name || Object.values(field.groups ?? {}).includes(group.name)),
    );
    if (here !== undefined && !names) say(at, `the items of "${here.label}" name no "${group.name}"`);
  }
}

function checkPath(type: Extract<ParameterType, { readonly path: unknown }>, at: At): void {
  const { use, value } = at;
  if (typeof value !== 'string' || value === '') {
    say(at, 'must be a path of fields, joined by "."');
    return;
  }
  if (type.or?.includes(value)) return;
  for (const group of pathGroups(type.in, at) ?? []) {
    const end = followPath(value, { group, links: use.links }, (text) => say(at, text));
    if (end === undefined) continue;
    const placed = { name: end.name, field: end.field, group: end.group.name };
    checkNeed({ field: type.path, ...(type.like !== undefined && { like: type.like }) }, placed, at);
  }
}

function checkField(type: FieldArgument, at: At): void {
  const { value } = at;
  if (typeof value !== 'string') {
    say(at, 'must be the name of a field');
    return;
  }
  const need =
    type.instead !== undefined && at.use.rule[type.instead.with] !== undefined ? { ...type, ...type.instead } : type;
  if (type.in === 'workspace' && at.use.links.workspace === undefined && at.use.links.broken.size === 0)
    say(at, 'no descriptor has "workspace": true');
  for (const home of homesOf(type.in, at) ?? []) {
    const [list, inner] = type.inLists === true && value.includes('.') ? value.split('.') : [undefined, value];
    const inside = list === undefined ? home : listIn(home, list, at);
    if (inside === undefined || inner === undefined) continue;
    const found = fieldIn(inside, inner);
    if (found === undefined) {
      const where = home.isOwn ? '' : ` of "${inside.label}"`;
      say(at, `"${inner}" is not a field${where}${didYouMean(inner, wordsFor(need, inside, at))}`);
      continue;
    }
    const wrongKey = keyFault(found, inner, inside);
    if (wrongKey !== undefined) say(at, wrongKey);
    else if (need.parameter === true && found.field.parameter !== true) say(at, `"${value}" is not a parameter`);
    else if (checkNeed(need, found, { ...at, home: inside })) {
      const wrongPlace = placeFault(need, found, inside);
      if (wrongPlace !== undefined) say(at, wrongPlace);
    }
  }
}

function listIn(home: Home, name: string, at: At): Home | undefined {
  const inside = fieldIn(home, name)?.field.items?.properties;
  if (inside !== undefined) return { fields: inside, group: home.group, label: name, isOwn: false, isRecord: false };
  const lists = Object.entries(home.fields).flatMap(([list, field]) =>
    field !== true && field.items?.properties !== undefined ? [list] : [],
  );
  say(at, `"${name}" is not a list of objects of "${home.label}"${hintOf(name, lists)}`);
  return undefined;
}

/** Fields of the record and of its items go by either name; other records are read by the names that they are kept under. */
function keyFault({ key, field }: KeyedField, word: string, home: Home): string | undefined {
  return home.isOwn || !home.isRecord || word === key || field.references !== undefined
    ? undefined
    : `is called "${key}" in the records of "${home.label}"`;
}

/** Where a rule reads a value, it must be in the record that it reads. */
function placeFault(need: FieldArgument, { field, name }: KeyedField, home: Home): string | undefined {
  const isRead = need.field !== 'any' || !home.isOwn;
  const isThere = home.isOwn && need.kept !== true ? isInRecord(field) : isKept(field);
  return isRead && need.parameter !== true && !isThere
    ? `"${name}" is not kept, so the rule would find nothing`
    : undefined;
}

/** Whether a field is what it must be, as to its type and what it leads to; says so where it is not. */
export function checkNeed(need: FieldNeed, placed: Placed, at: At): boolean {
  const { field, name } = placed;
  const kind = fieldKind(field);
  if (kind === undefined) return false;
  const types = typesOf(need);
  const wrong = isOneOf(kind, types)
    ? (isWrongTarget(need, placed, at) ??
      (need.neverNull === true && mayBeNull(field)
        ? `"${name}" may be null, and this must always have a value`
        : undefined) ??
      wrongLikeness(need, placed, at))
    : `"${name}" is ${typesInWords([kind])}, and this must be ${typesInWords(types)}${fitting(need, at)}`;
  if (wrong !== undefined) say(at, wrong);
  return wrong === undefined;
}

function isWrongTarget({ to }: FieldNeed, placed: Placed, at: At): string | undefined {
  const leads = targetOf(placed);
  if (to === undefined || leads === undefined) return undefined;
  const wanted = to === 'this' ? at.use.group.name : homesOf(to, at)?.[0]?.group;
  return wanted === undefined || wanted === leads
    ? undefined
    : `"${placed.name}" refers to a "${leads}", and this must refer to a "${wanted}"`;
}

function wrongLikeness({ like, itemOf }: FieldNeed, placed: Placed, at: At): string | undefined {
  const model = like === undefined ? undefined : placedOf(like, at);
  const list = itemOf === undefined ? undefined : placedOf(itemOf, at);
  const item = list?.field.items && { ...list, field: list.field.items };
  const other = model ?? item;
  const wrong = other && unlikeness(placed, other);
  return wrong === undefined ? undefined : `"${placed.name}" ${wrong}`;
}

/** Names of the fields that would do, and of all when none would. */
function wordsFor(need: FieldNeed, home: Home, at: At): readonly string[] {
  const fits = fittingNames(typesOf(need), home);
  const all = Object.keys(home.fields);
  const word = String(at.value);
  return didYouMean(word, fits) === '' ? all : fits;
}

const fittingNames = (types: readonly FieldType[], home: Home): readonly string[] =>
  Object.keys(home.fields).flatMap((name) => {
    const found = fieldIn(home, name);
    const kind = found && fieldKind(found.field);
    return found !== undefined && kind !== undefined && isOneOf(kind, types) ? [home.isOwn ? name : found.key] : [];
  });

function fitting(need: FieldNeed, { home, value }: At): string {
  if (home === undefined) return '';
  const names = fittingNames(typesOf(need), home);
  return names.length === 0 ? '; there are no such names here' : hintOf(String(value), names);
}

const mostNamed = 8;
const inQuotes = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(', ');

/** The nearest word, or all where they are few. */
function hintOf(word: string, words: readonly string[]): string {
  const near = didYouMean(word, words);
  if (near !== '' || words.length === 0) return near;
  const rest = words.length > mostNamed ? ', …' : '';
  return `; allowed: ${inQuotes(words.slice(0, mostNamed))}${rest}`;
}
