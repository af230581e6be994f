// Entries by the names of today → JSON as callers read it, without what nobody is shown.

import type { Field, Registry, Resource, Scalar, Value } from '../registry/model/model.ts';
import type { CauseKind, EntryData, FieldChange, KeptEntry, NamedRecord } from '../storage/log/entry.ts';
import { isObject } from '../values/json.ts';

/** Of one field, what it was and what it is; neither where the log keeps no values of it. */
export interface ChangeShown {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly removed?: readonly string[] | { readonly field: string; readonly id: string };
}

/** An entry as callers read it. Of one that is `gone` there is no more than its group and its id. */
export interface EntryShown {
  /** In a history its place there, in the feed its position. */
  readonly entry?: string;
  readonly position?: string;
  readonly write: string;
  readonly part: number;
  readonly parts: number;
  readonly at: string;
  readonly operation: string;
  /** Null, as the id and the name, where all records are to be read anew. */
  readonly group: string | null;
  readonly id: string | null;
  readonly name?: string | null;
  readonly changes?: Readonly<Record<string, ChangeShown>> | null;
  readonly cause?: {
    readonly kind: string;
    /** The record behind it. */
    readonly of?: NamedRecord;
    /** Of what is undone. */
    readonly write?: string;
    readonly day?: string;
  };
  /** Fields that came by another cause than the entry. */
  readonly also?: Readonly<Record<string, string>>;
  readonly by?: {
    readonly member: { readonly id: string; readonly name?: string } | null;
    readonly token: { readonly name: string };
  } | null;
}

/** What of an entry its reader may see, besides what nobody sees. */
export interface EntrySight {
  /** Whether a field of the record is seen. */
  isSeen(field: Field): boolean;
  /** Whether what references call the record is. */
  readonly isNamed: boolean;
}

export const seesAll: EntrySight = { isSeen: () => true, isNamed: true };

/** What the page knows of its entries besides these. */
export interface EntrySurroundings {
  readonly registry: Registry;
  /** How many entries each write has. */
  readonly parts: ReadonlyMap<string, number>;
  /** Names of members, by their ids. */
  readonly members: ReadonlyMap<string, string>;
}

/** The path of a record, or of a group, below that of the interface. */
function pathOf({ path, singleton }: Resource, id: string): string {
  return singleton ? path : `${path}/${id}`;
}

/**
 * An entry as JSON; undefined where nothing of it may be seen.
 * @param place Its first member: the position, or the entry itself.
 */
export function entryJson(
  entry: KeptEntry,
  { registry, parts, members }: EntrySurroundings,
  { place, sight = seesAll }: { readonly place: string; readonly sight?: EntrySight | undefined },
): string | undefined {
  const { write, part, step, at, operation, version, data } = entry;
  const head = [
    place,
    `"write":"${write}"`,
    `"part":${part}`,
    `"parts":${Math.max(part, parts.get(write) ?? part)}`,
    ...(step === null ? [] : [`"step":${step}`]),
    `"at":"${at}"`,
  ];
  const cause = `"cause":${JSON.stringify(data.cause)}`;
  if (operation === 'reset') {
    const group = entry.group === '' ? null : entry.group;
    const of = `"operation":"reset","group":${JSON.stringify(group)},"path":null,"id":null,"name":null,"version":null`;
    return `{${head.join(',')},${of},${cause},"by":null,"request":null,"trace":null}`;
  }
  const resource = registry.resources.get(entry.group);
  if (resource === undefined) return undefined;
  const changes = changesJson(resource, data, sight);
  if (changes === undefined && operation !== 'delete' && data.changes !== null) return undefined;
  const also = Object.entries(data.also ?? {}).flatMap(([key, kind]): [string, CauseKind][] => {
    const field = resource.byKey.get(key);
    return field?.shown === true && sight.isSeen(field) ? [[field.key, kind]] : [];
  });
  return `{${[
    ...head,
    `"operation":"${operation}"`,
    `"group":"${resource.name}"`,
    `"path":${JSON.stringify(pathOf(resource, entry.record))}`,
    `"id":"${entry.record}"`,
    `"name":${JSON.stringify(sight.isNamed ? data.name : null)}`,
    `"version":${version}`,
    ...(data.changes === null ? ['"changes":null,"isLong":true'] : [`"changes":${changes ?? '{}'}`]),
    cause,
    ...(also.length === 0 ? [] : [`"also":${JSON.stringify(Object.fromEntries(also))}`]),
    `"by":${byJson(data, members)}`,
    `"request":${JSON.stringify(data.request)}`,
    `"trace":${JSON.stringify(data.trace)}`,
  ].join(',')}}`;
}

/** The entry of a record that has left the sight of its reader. */
export function goneJson({ at, record, write }: KeptEntry, { name }: Resource, place: string): string {
  return `{${place},"write":"${write}","at":"${at}","operation":"gone","group":"${name}","id":"${record}"}`;
}

function byJson({ by }: EntryData, members: ReadonlyMap<string, string>): string {
  if (by === null) return 'null';
  const name = by.member === null ? undefined : members.get(by.member);
  const member = by.member === null ? null : name === undefined ? { id: by.member } : { id: by.member, name };
  return JSON.stringify({ member, token: by.token });
}

/** The changes of fields that are seen; undefined where there are none. */
function changesJson(resource: Resource, data: EntryData, sight: EntrySight): string | undefined {
  const shown = Object.entries(data.changes ?? {}).flatMap(([key, change]) => {
    const field = resource.byKey.get(key);
    if (field === undefined || !field.shown || !field.stored || !sight.isSeen(field)) return [];
    return [`"${field.key}":${changeJson(field, change)}`];
  });
  return shown.length === 0 ? undefined : `{${shown.join(',')}}`;
}

function changeJson(field: Field, { from, to, removed }: FieldChange): string {
  if (removed !== undefined) return `{"removed":${JSON.stringify(removed)}}`;
  return `{${[
    ...(from === undefined ? [] : [`"from":${valueJson(field, from)}`]),
    ...(to === undefined ? [] : [`"to":${valueJson(field, to)}`]),
  ].join(',')}}`;
}

/** A value as bodies have it: references as ids, decimals as numbers, lists whole. */
function valueJson(field: Field, value: Value): string {
  if (value === null) return 'null';
  switch (field.kind) {
    case 'reference':
    case 'choice':
    case 'references':
      return JSON.stringify(value);
    case 'list':
      return `[${itemsOf(value)
        .map((item) => scalarJson(field.item, item))
        .join(',')}]`;
    case 'object':
      return partsJson(field.fields, value);
    case 'objects':
      return `[${itemsOf(value)
        .map((item) => partsJson(field.fields, item))
        .join(',')}]`;
    default:
      return scalarJson(field, value);
  }
}

const itemsOf = (value: Value): readonly Value[] => (Array.isArray(value) ? (value as Value[]) : []);

/** Numbers with digits behind the point, and JSON, are text inside; a field may have become, or been, a decimal since. */
const asText: ReadonlySet<Scalar['kind']> = new Set(['decimal', 'integer', 'json'] as const);

const scalarJson = ({ kind }: Scalar, value: Value): string =>
  asText.has(kind) && typeof value === 'string' ? value : JSON.stringify(value);

function partsJson(fields: readonly Field[], value: Value): string {
  if (!isObject(value)) return 'null';
  const parts = fields.flatMap((field) => {
    const part = value[field.key];
    return field.shown && part !== undefined ? [`"${field.key}":${valueJson(field, part as Value)}`] : [];
  });
  return `{${parts.join(',')}}`;
}
