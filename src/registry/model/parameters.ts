// Parameters of rules, as data: a rule declares them, and the checks of descriptors use them.
import type { Code, Kind } from './kind-name.ts';

/** What one field holds, as finely as rules tell fields apart: codes are kinds of their own, and so are lists of texts. */
export type FieldKind = Exclude<Kind, 'list'> | Code | 'id' | 'texts' | 'values';

/** Several kinds under one word: numbers, what rules find records by, all. */
export type Family = 'number' | 'single' | 'any';

export type FieldType = FieldKind | Family;
type FieldTypes = FieldType | readonly FieldType[];

/** What a field must be. */
export interface FieldNeed {
  readonly field: FieldTypes;
  /** Always has a value. */
  readonly neverNull?: boolean;
  /** Is a column or a list of the record: neither transient nor read from elsewhere. */
  readonly kept?: boolean;
  /** Of the type of the field that this argument names; `@key` for the key of the map around. */
  readonly like?: string;
  /** Of the type of the items of the list that this argument names. */
  readonly itemOf?: string;
  /** Leads to this group: `this`, or what an argument names. */
  readonly to?: string;
  /** The rule may give the field a value that a body leaves out. */
  readonly filled?: true;
}

/** Fields that a rule looks for by its own names. */
export type Needs = Readonly<Record<string, FieldTypes | FieldNeed>>;

/** What a derivation puts into its field. */
export interface Gift extends FieldNeed {
  /** Null too: always, or with these arguments, if they are conditions or fields that may be null. */
  readonly nullBy?: 'always' | readonly string[];
}

/**
 * The name of a field: of the record itself, or `in` what another argument names (a group; a reference, so the group that
 * it leads to; a list or an object, so what is inside; further steps behind a point), in `workspace`, or in `@key`.
 */
export interface FieldArgument extends FieldNeed {
  readonly in?: string;
  /** It may also stand in the items of a list there: `lines.projectId`. */
  readonly inLists?: true;
  /** With that argument beside it the field is of another type. */
  readonly instead?: { readonly with: string; readonly field: FieldTypes };
  /** Of a computed record, a field that callers choose. */
  readonly parameter?: true;
}

/** Loose ones, for whoever writes rules of their own: any name of a field, any object. */
type ParameterWord =
  | 'field'
  | 'fields'
  | 'parameter'
  | 'reference'
  | 'group'
  | 'text'
  /** A text with formulas in braces. */
  | 'message'
  /** Over the record and those behind its references. */
  | 'condition'
  /** Over any records, over the day, over who acts and over the record before the write. */
  | 'judgement'
  /** True, or left out. */
  | 'flag'
  | 'values';

export type ParameterType =
  | ParameterWord
  | FieldArgument
  /** A path from the record, from the workspace, or from what is `in` an argument; or one of the words `or`. */
  | { readonly path: FieldTypes; readonly like?: string; readonly in?: string; readonly or?: readonly string[] }
  /** One or more. */
  | { readonly list: ParameterType }
  /** An object; its keys are one thing, its values another, which may look at their key as `@key`. */
  | { readonly map: ParameterType; readonly to: ParameterType }
  | { readonly object: Readonly<Record<string, ParameterType>> }
  /** The first that the value looks like. */
  | { readonly either: readonly ParameterType[] }
  | { readonly oneOf: readonly string[] }
  /** A literal that the field can hold which that argument, or `@key`, names. */
  | { readonly literalOf: string }
  /** A word that tells of which group the ids in that list are. */
  | { readonly branchOf: string }
  /** The lists that lead to the items in which that group names this record: `lines.sources`. */
  | { readonly listsIn: string }
  | { readonly number: 'integer' }
  /** A number above 0, as a text. */
  | { readonly numeral: 'positive' };

/** Whether an argument is the name of a group. */
export const namesGroup = (type: ParameterType | undefined): boolean => type === 'group';

/** Which part of a type a value is meant for: alternatives differ in what they look like. */
export function meantType(type: ParameterType, value: unknown): Exclude<ParameterType, { readonly either: unknown }> {
  if (typeof type === 'string' || !('either' in type)) return type;
  const meant = type.either.find((one) => looksLike(one, value)) ?? type.either[0];
  return meant === undefined ? 'text' : meantType(meant, value);
}

function looksLike(type: ParameterType, value: unknown): boolean {
  if (type === 'values') return typeof value === 'object';
  if (type === 'fields') return Array.isArray(value);
  if (type === 'flag') return typeof value === 'boolean';
  if (typeof type === 'string') return typeof value === 'string';
  if ('either' in type) return type.either.some((one) => looksLike(one, value));
  if ('list' in type) return Array.isArray(value);
  if ('map' in type || 'object' in type) return typeof value === 'object' && value !== null && !Array.isArray(value);
  return 'literalOf' in type || typeof value === ('number' in type ? 'number' : 'string');
}

/** A piece of an argument that is one word of one type: the names and paths in it. */
export interface Leaf {
  readonly type: ParameterType;
  readonly text: string;
}

/** Every word in an argument, with what it stands for. Values that do not fit their type have none. */
export function leavesOf(type: ParameterType, value: unknown): readonly Leaf[] {
  const meant = meantType(type, value);
  if (typeof value === 'string') return [{ type: meant, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  if (meant === 'fields' || meant === 'values') return textsIn(value).map((text) => ({ type: 'field', text }));
  if (typeof meant === 'string') return [];
  const entries = Object.entries(value);
  if ('list' in meant) return entries.flatMap(([, item]) => leavesOf(meant.list, item));
  if ('map' in meant)
    return entries.flatMap(([key, item]) => [...leavesOf(meant.map, key), ...leavesOf(meant.to, item)]);
  if (!('object' in meant)) return [];
  const { object } = meant;
  return entries.flatMap(([key, item]) => (object[key] === undefined ? [] : leavesOf(object[key], item)));
}

/** Every text in a value of no known type, keys too: any of them may name a field. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)]
    : [];
}
