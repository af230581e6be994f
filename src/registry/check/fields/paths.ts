// Checks paths over references (`client.businessUnit.companyName`): each step must exist, and the last field must fit the use.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import type { Shapes } from '../../formulas/shapes.ts';
import { type Report, ruled } from '../../model/faults.ts';
import { keyOf, recordName } from '../../model/field-names.ts';
import { rowOf } from '../../model/kinds.ts';
import { isTakenAtRead, own, type RawDescriptor, type RawField, shapeOf, shapeWords } from '../../model/vocabulary.ts';

/** A descriptor whose structure is sound, with the way to report a fault in it. */
export interface Linked {
  readonly name: string;
  readonly raw: RawDescriptor;
  readonly report: Report;
}

export type Groups = ReadonlyMap<string, Linked>;

/** All descriptors, and what is known of the rest of the folder. */
export interface Links {
  readonly groups: Groups;
  readonly workspace: Linked | undefined;
  /** Groups whose file has faults of its own: whatever refers to them is taken as right. */
  readonly broken: ReadonlySet<string>;
  /** Their records, as formulas see them. */
  readonly shapes: Shapes;
}

/** Where a path begins. */
export interface Start {
  readonly group: Linked;
  readonly links: Links;
}

/** Whether a group exists and keeps records; reports it where it does not. */
export function isKnown(name: string, place: JSONPath, { group, links }: Start): boolean {
  const { groups, broken } = links;
  const found = groups.get(name);
  if (found?.raw.resource.computed !== undefined) {
    group.report(place, `"${name}" is computed, so there are no records of it`);
    return false;
  }
  if (found !== undefined) return true;
  if (!broken.has(name)) group.report(place, `"${name}" is not a group${didYouMean(name, groups.keys())}`);
  return false;
}

/** A field on the way of a path, under its own name. */
interface Step {
  readonly group: Linked;
  readonly name: string;
  readonly field: RawField;
}

/** The end of a path, and every field on the way to it. */
export interface Found extends Step {
  readonly passed: readonly Step[];
}

const builtIn: Readonly<Record<string, RawField>> = {
  id: { type: 'string', format: 'uuid' },
  createdAt: { type: 'string', format: 'date-time' },
};

/**
 * Follows a path from a group.
 * @param say Takes the fault that it ends in.
 * @returns undefined when it ends in a fault or in a broken file.
 */
export function followPath(path: string, { group, links }: Start, say: (text: string) => void): Found | undefined {
  const steps = path.split('.');
  const passed: Step[] = [];
  let here: Linked = group;
  const fail = (text: string): undefined => {
    say(text);
    return undefined;
  };
  if (steps[0] === 'workspace') {
    steps.shift();
    if (steps.length === 0) return fail('"workspace" is the whole record; add one of its fields');
    if (links.workspace === undefined)
      return links.broken.size > 0 ? undefined : fail('no descriptor has "workspace": true');
    here = links.workspace;
  }
  for (const [index, step] of steps.entries()) {
    const found = stepField(here.raw.properties, step);
    if (found === undefined)
      return fail(`"${step}" is not a field of "${here.name}"${didYouMean(step, Object.keys(here.raw.properties))}`);
    const { name, field } = found;
    // A write has the transient values of its own record, and those of no other.
    if ((field.transient === true && (here !== group || index > 0)) || field.via !== undefined || isTakenAtRead(field))
      return fail(`"${step}" is not stored, so a path cannot use it`);
    if (index === steps.length - 1) return { field, name, group: here, passed };
    passed.push({ group: here, name, field });
    if (field.reference === undefined) return fail(`"${step}" is not a reference, so the path cannot continue`);
    const next = links.groups.get(field.reference);
    if (next === undefined) return undefined;
    here = next;
  }
  return undefined;
}

/** A step names a field, its key, or the record behind a bare id (`member` for `memberId`). */
export function stepField(
  fields: Readonly<Record<string, RawField | true>>,
  step: string,
): { name: string; field: RawField } | undefined {
  const direct = own(fields, step);
  if (typeof direct === 'object') return { name: step, field: direct };
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field !== 'object') continue;
    if (keyOf(name, field) === step || (field.referenceFormat === 'id' && recordName(name) === step))
      return { name, field };
  }
  const always = own(builtIn, step);
  return always && { name: step, field: always };
}

/** The same for what records show: no write is there to have a transient value. */
export function readPath(path: string, start: Start, say: (text: string) => void): Found | undefined {
  const found = followPath(path, start, say);
  const [first] = found?.passed ?? [];
  if (found === undefined || (first ?? found).field.transient !== true) return found;
  say(`"${(first ?? found).name}" is not stored, so a path cannot use it`);
  return undefined;
}

/** Why a value at the end of a path does not fit the field that takes it, or undefined. */
export function misfit(field: RawField, found: RawField): string | undefined {
  const [wanted, given] = [shapeOf(field), shapeOf(found)];
  if (wanted === undefined || given === undefined) return undefined;
  if (rowOf(found)?.isOneColumn !== true) return `ends at ${shapeWords[given]}, which paths cannot read`;
  if (wanted !== given) return `ends at ${shapeWords[given]}, but this field is ${shapeWords[wanted]}`;
  if (wanted === 'reference') {
    return field.reference === found.reference
      ? undefined
      : `ends at a "${found.reference}", but this field refers to a "${field.reference}"`;
  }
  if (wanted === 'list') return field.items && found.items && misfit(field.items, found.items);
  if (field.enum !== undefined) {
    const strange = (found.enum ?? ['any text']).find((value) => !field.enum?.includes(value));
    return strange === undefined ? undefined : `can give '${strange}', which is not in "enum"`;
  }
  const isFormed = wanted === 'text' && field.format !== undefined;
  return isFormed && field.format !== found.format
    ? `ends at a text of another format, but this field has "format": "${field.format}"`
    : undefined;
}

/** The group, whose faults are breaches of one rule. */
export const ruledGroup = (group: Linked, rule: string): Linked => ({ ...group, report: ruled(group.report, rule) });

/** Values that are read through each other in a circle have no value. */
export function checkReadCircles(links: Links): void {
  const settled = new Set<string>();
  const visit = ({ group, name, field }: Step, trail: readonly string[]): void => {
    const node = `${group.name}.${name}`;
    if (settled.has(node)) return;
    for (const [path, place] of readPaths(name, field)) {
      const found = followPath(path, { group, links }, () => undefined);
      const reads = found === undefined ? [] : [...found.passed, found];
      for (const next of reads) {
        const start = [...trail, node].indexOf(`${next.group.name}.${next.name}`);
        if (start < 0) visit(next, [...trail, node]);
        else {
          const circle = [...[...trail, node].slice(start), `${next.group.name}.${next.name}`].join(' → ');
          group.report(place, `is read through itself: ${circle}`, { rule: 'circle' });
        }
      }
    }
    settled.add(node);
  };
  for (const group of links.groups.values()) {
    for (const [name, field] of Object.entries(group.raw.properties))
      if (typeof field === 'object' && isRead(field)) visit({ group, name, field }, []);
  }
}

const isRead = (field: RawField): boolean => field.lookup !== undefined || field.inherits !== undefined;

function readPaths(name: string, field: RawField): [string, JSONPath][] {
  const place = ['properties', name];
  const inherited = (field.inherits ?? []).map(({ from }, index): [string, JSONPath] => [
    from,
    [...place, 'inherits', index, 'from'],
  ]);
  return field.lookup === undefined ? inherited : [[field.lookup, [...place, 'lookup']], ...inherited];
}
