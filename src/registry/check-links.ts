// The rules across descriptors: references that lead somewhere, addresses and tables that do not clash, sizes that
// MySQL accepts. They run on raw descriptors, because a set with a fault has no model.
import type { JSONPath } from 'jsonc-parser';
import type { Report } from './check.ts';
import { didYouMean } from './faults.ts';
import { snakeCase } from './naming.ts';
import { defaultSources, keyOf, parseShownAs, recordName } from './normalise.ts';
import { type RawDescriptor, type RawField, shapeOf } from './vocabulary.ts';

/** A descriptor whose structure is sound, with the way to report a fault in it. */
export interface Linked {
  readonly name: string;
  readonly raw: RawDescriptor;
  readonly report: Report;
}

type Groups = ReadonlyMap<string, Linked>;

/** Paths of the service itself, and table names that it keeps its own records in. */
const reservedPaths = new Set(['/healthz', '/readyz', '/metrics', '/docs', '/openapi']);

/** Checks all descriptors against each other. */
export function checkLinks(groups: Groups): void {
  checkClashes([...groups.values()]);
  checkCycles(groups);
  const workspaces = [...groups.values()].filter(({ raw }) => raw.resource.workspace === true);
  for (const { report } of workspaces.slice(1))
    report(['resource', 'workspace'], `"${workspaces[0]?.name}" is the workspace record already`);
  for (const group of groups.values()) {
    checkFields(group, groups, workspaces[0], group.raw.properties, ['properties']);
    checkFeature(group, workspaces[0]);
    for (const part of parseShownAs(group.raw.resource.shownAs) ?? []) {
      if (part.kind !== 'value') continue;
      for (const path of part.paths)
        checkPath(path, group, groups, workspaces[0], ['resource', 'shownAs'], group.report);
    }
    for (const [index, rule] of (group.raw.resource.rules ?? []).entries()) {
      const target = rule['group'];
      if (typeof target === 'string' && !groups.has(target)) {
        group.report(
          ['resource', 'rules', index, 'group'],
          `"${target}" is no group${didYouMean(target, groups.keys())}`,
        );
      }
    }
    checkSizes(group);
  }
}

function checkClashes(groups: readonly Linked[]): void {
  const uses: readonly [string, JSONPath, (group: Linked) => string][] = [
    ['path', ['resource', 'path'], ({ raw }) => raw.resource.path],
    ['title', ['title'], ({ raw }) => raw.title],
  ];
  for (const [what, place, read] of uses) {
    const first = new Map<string, string>();
    for (const group of groups) {
      const value = read(group);
      const other = first.get(value);
      if (other !== undefined) group.report(place, `the ${what} "${value}" is that of "${other}" too`);
      else first.set(value, group.name);
    }
  }
  for (const { raw, report } of groups) {
    if (reservedPaths.has(raw.resource.path))
      report(['resource', 'path'], `"${raw.resource.path}" is an address of the service itself`);
  }
  const tables = new Map<string, string>();
  for (const group of groups) {
    const names = [snakeCase(group.name), ...listTables(group)];
    for (const name of names) {
      const other = tables.get(name);
      if (other !== undefined) group.report([], `its table "${name}" would be that of "${other}" too`);
      tables.set(name, group.name);
      if (name.length > 60) group.report([], `its table name "${name}" is longer than 60 characters`);
      if (name.startsWith('praxis_'))
        group.report([], 'names that begin with "praxis" are those of the service itself');
    }
  }
}

const listTables = (group: Linked): string[] =>
  Object.entries(group.raw.properties).flatMap(([name, field]) => {
    const shape = field === true ? undefined : shapeOf(field);
    const isTable = field !== true && (shape === 'objects' || (shape === 'references' && field.via === undefined));
    return isTable ? [`${snakeCase(group.name)}_${snakeCase(name)}`] : [];
  });

/** Groups that need each other before either can be made. An edge that may be null, or is part of a list, breaks the circle. */
function checkCycles(groups: Groups): void {
  const needs = (group: Linked): [string, string][] =>
    Object.entries(group.raw.properties).flatMap(([name, field]) =>
      field !== true && field.reference !== undefined && field.nullable !== true && field.from === undefined
        ? [[name, field.reference]]
        : [],
    );
  const settled = new Set<string>();
  const visit = (group: Linked, trail: readonly string[]): void => {
    if (settled.has(group.name)) return;
    for (const [field, target] of needs(group)) {
      const start = [...trail, group.name].indexOf(target);
      if (start >= 0) {
        const circle = [...[...trail, group.name].slice(start), target].join(' → ');
        group.report(
          ['properties', field, 'reference'],
          `closes the circle ${circle}, so none of them can be made first; let one of its references be "nullable"`,
        );
      } else {
        const next = groups.get(target);
        if (next !== undefined) visit(next, [...trail, group.name]);
      }
    }
    settled.add(group.name);
  };
  for (const group of groups.values()) visit(group, []);
}

function checkFields(
  group: Linked,
  groups: Groups,
  workspace: Linked | undefined,
  fields: Readonly<Record<string, RawField | true>>,
  path: JSONPath,
): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field === true || typeof field !== 'object') continue;
    const place = [...path, name];
    const keyword = field.reference === undefined ? 'references' : 'reference';
    const targetName = field.reference ?? field.references;
    if (targetName !== undefined) {
      const target = groups.get(targetName);
      if (target === undefined) {
        group.report([...place, keyword], `"${targetName}" is no group${didYouMean(targetName, groups.keys())}`);
      } else checkTarget(field, target, place, group);
    }
    const inside = field.properties ?? field.items?.properties;
    const insidePath = field.properties === undefined ? [...place, 'items', 'properties'] : [...place, 'properties'];
    if (inside !== undefined)
      checkFields({ ...group, raw: { ...group.raw, properties: inside } }, groups, workspace, inside, insidePath);
    if (field.from !== undefined) checkPath(field.from, group, groups, workspace, [...place, 'from'], group.report);
    for (const [index, { from }] of (field.inherits ?? []).entries()) {
      checkPath(from, group, groups, workspace, [...place, 'inherits', index, 'from'], group.report);
    }
    for (const [index, source] of defaultSources(field.defaultFrom).entries()) {
      const sourcePlace = Array.isArray(field.defaultFrom)
        ? [...place, 'defaultFrom', index]
        : [...place, 'defaultFrom'];
      checkDefaultSource(source, group, groups, workspace, sourcePlace);
    }
  }
}

function checkTarget(field: RawField, target: Linked, place: JSONPath, group: Linked): void {
  for (const [index, word] of (field.include ?? []).entries()) {
    const included = target.raw.properties[word];
    if (included === undefined) {
      group.report(
        [...place, 'include', index],
        `"${word}" is not a field of "${target.name}"${didYouMean(word, Object.keys(target.raw.properties))}`,
      );
    } else if (included !== true) {
      const shape = shapeOf(included);
      if (shape === 'objects' || shape === 'object' || shape === 'references')
        group.report([...place, 'include', index], `a ${shape} field cannot be included`);
    }
  }
  if (field.via !== undefined) {
    const back = target.raw.properties[field.via];
    if (back === undefined || back === true || back.reference === undefined) {
      group.report(
        [...place, 'via'],
        `"${field.via}" is not a reference of "${target.name}"${didYouMean(field.via, Object.keys(target.raw.properties))}`,
      );
    }
  }
}

/** Follows a path over references from a group; reports the first step that does not exist. */
function checkPath(
  path: string,
  group: Linked,
  groups: Groups,
  workspace: Linked | undefined,
  place: JSONPath,
  report: Report,
): void {
  const steps = path.split('.');
  let here: Linked | undefined = group;
  if (steps[0] === 'workspace') {
    steps.shift();
    here = workspace;
    if (here === undefined) return report(place, 'no descriptor says "workspace": true');
  }
  for (const [index, step] of steps.entries()) {
    const fields: Readonly<Record<string, RawField | true>> = here.raw.properties;
    const field = stepField(fields, step);
    if (field === undefined && !(step === 'createdAt' || step === 'id')) {
      return report(place, `"${step}" is not a field of "${here.name}"${didYouMean(step, Object.keys(fields))}`);
    }
    if (index === steps.length - 1) return undefined;
    const target: string | undefined = field === true ? undefined : field?.reference;
    if (target === undefined) return report(place, `"${step}" is no reference, so the path cannot go on`);
    const next = groups.get(target);
    if (next === undefined) return undefined;
    here = next;
  }
  return undefined;
}

/** A step names a field, or the record behind a bare id (`member` for `memberId`). */
function stepField(fields: Readonly<Record<string, RawField | true>>, step: string): RawField | true | undefined {
  if (Object.hasOwn(fields, step)) return fields[step];
  return Object.entries(fields).find(
    ([name, field]) =>
      field !== true && (keyOf(name, field) === step || (field.as === 'id' && recordName(name) === step)),
  )?.[1];
}

function checkDefaultSource(
  source: unknown,
  group: Linked,
  groups: Groups,
  workspace: Linked | undefined,
  place: JSONPath,
): void {
  if (source === 'today' || source === 'actingMember') return;
  if (typeof source === 'string') return checkPath(source, group, groups, workspace, place, group.report);
  if (typeof source !== 'object' || source === null)
    return group.report(place, 'must be a path, "today", "actingMember", {"find"} or {"value"}');
  if ('find' in source) {
    const target = groups.get(String(source.find));
    if (target === undefined)
      return group.report(
        [...place, 'find'],
        `"${String(source.find)}" is no group${didYouMean(String(source.find), groups.keys())}`,
      );
    const where =
      'where' in source && typeof source.where === 'object' && source.where !== null ? Object.keys(source.where) : [];
    for (const name of where) {
      if (!Object.hasOwn(target.raw.properties, name)) {
        group.report(
          [...place, 'where', name],
          `"${name}" is not a field of "${target.name}"${didYouMean(name, Object.keys(target.raw.properties))}`,
          'key',
        );
      }
    }
    return;
  }
  if (!('value' in source)) group.report(place, 'has neither "find" nor "value"');
}

function checkFeature(group: Linked, workspace: Linked | undefined): void {
  const { feature } = group.raw.resource;
  if (feature === undefined) return;
  const features = workspace?.raw.properties['features'];
  const switches = features === true ? undefined : features?.items?.enum;
  if (switches === undefined) group.report(['resource', 'feature'], 'needs a workspace record with a list "features"');
  else if (!switches.includes(feature.switch)) {
    group.report(
      ['resource', 'feature', 'switch'],
      `"${feature.switch}" is not one of the workspace's features${didYouMean(feature.switch, switches)}`,
    );
  }
}

/** Bytes that a column adds to a row of MySQL (utf8mb4: up to 4 a character; longer texts are kept apart). */
function columnBytes(field: RawField): number {
  switch (shapeOf(field)) {
    case 'text': {
      if (field.format === 'date' || field.format === 'date-time') return 8;
      const length =
        field.enum === undefined ? (field.maxLength ?? 255) : Math.max(...field.enum.map((value) => value.length));
      return length <= 255 ? length * 4 + 2 : 12;
    }
    case 'reference':
      return 36;
    case 'object':
      return (
        1 +
        Object.values(field.properties ?? {}).reduce(
          (sum, inside) => sum + columnBytes(inside as RawField),
          0,
        )
      );
    case 'list':
      return 12;
    case 'integer':
    case 'number':
      return 9;
    case 'boolean':
      return 1;
    default:
      return 0;
  }
}

/** Limits of InnoDB: 65,535 bytes a row, 64 indexes a table, names of 64 characters. */
function checkSizes(group: Linked): void {
  const fields = Object.entries(group.raw.properties).flatMap(([name, field]) =>
    field === true ? [] : [[name, field] as const],
  );
  const bytes = fields.reduce((sum, [, field]) => sum + columnBytes(field), 200);
  if (bytes > 65_535)
    group.report(
      ['properties'],
      `a row takes up to ${bytes} bytes, and MySQL allows 65535; shorten texts, or give long ones a "maxLength" above 255 (kept apart)`,
      'key',
    );
  const indexes =
    fields.filter(([, field]) => field.filter !== undefined || field.reference !== undefined).length +
    (group.raw.resource.unique?.length ?? 0) +
    2;
  if (indexes > 64) group.report(['properties'], `needs ${indexes} indexes, and MySQL allows 64`, 'key');
}
