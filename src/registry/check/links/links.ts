// Checks descriptors against each other: references must lead somewhere, paths and tables must not clash. Works on raw
// descriptors, because a set with a fault has no model.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import { compileFigure, isFormulaSource } from '../../formulas/figures.ts';
import type { Shapes } from '../../formulas/shapes.ts';
import { defaultSources } from '../../link/normalise-fields.ts';
import { ruled } from '../../model/faults.ts';
import { fileDescriptor } from '../../model/file-fields.ts';
import { isScalarKind, kindOf, kinds, rowOf, scalarKindOf, valueFault } from '../../model/kinds.ts';
import type { RuleSignature } from '../../model/model.ts';
import { collectionName } from '../../model/naming.ts';
import { parseShownAs, solePaths } from '../../model/shown-as.ts';
import { isKept, isTakenAtRead, own, type RawField } from '../../model/vocabulary.ts';
import { checkCurrencies } from '../fields/currency.ts';
import {
  checkReadCircles,
  type Found,
  followPath,
  type Groups,
  isKnown,
  type Linked,
  type Links,
  misfit,
  readPath,
  ruledGroup,
  type Start,
  stepField,
} from '../fields/paths.ts';
import { checkRules } from '../groups/rules.ts';
import { checkTable, rawTables } from '../groups/tables.ts';
import { checkSetupLinks } from './setup.ts';

export type { Linked } from '../fields/paths.ts';

/** Paths of the service itself. */
const reservedPaths = new Set([
  '/access',
  '/batch',
  '/explain',
  '/changes',
  '/history',
  '/writes',
  '/webhooks',
  '/summary',
  '/sign-out',
  '/export',
  '/files',
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs',
  '/openapi',
]);

interface CheckContext {
  /** What the catalogue's rules take as arguments. */
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  readonly shapes: Shapes;
}

/**
 * Checks all descriptors against each other.
 * @param broken Names of groups whose file has faults of its own, so that it is not among `groups`.
 */
export function checkLinks(groups: Groups, { signatures, shapes }: CheckContext, broken: ReadonlySet<string>): void {
  const all = [...groups.values()];
  const workspaces = all.filter(({ raw }) => raw.resource.workspace === true);
  for (const { report } of workspaces.slice(1))
    report(['resource', 'workspace'], `"${workspaces[0]?.name}" is the workspace record already`, { rule: 'clash' });
  const links: Links = { groups, workspace: workspaces[0], broken, shapes };
  checkClashes(all.map((group) => ruledGroup(group, 'clash')));
  checkCycles(groups);
  for (const group of all) {
    const about = (rule: string): Start => ({ group: ruledGroup(group, rule), links });
    checkFields(about('other-groups'), ['properties']);
    checkFeature(ruledGroup(group, 'feature'), links);
    checkShownAs(ruledGroup(group, 'shown-as'), links);
    checkCurrencies(about('currency'));
    checkRules(about('rules'), signatures);
    checkSetupLinks(ruledGroup(group, 'setup'), links);
    const { renamedFrom } = group.raw;
    if (renamedFrom === undefined) continue;
    const report = ruled(group.report, 'renamed');
    if (groups.has(renamedFrom) || broken.has(renamedFrom))
      report(['renamedFrom'], `"${renamedFrom}" is still a group`);
    const heir = all.find(({ raw }) => raw.renamedFrom === renamedFrom);
    if (heir !== group) report(['renamedFrom'], `"${renamedFrom}" was already renamed to "${heir?.name}"`);
  }
  checkReadCircles(links);
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
      if (other !== undefined) group.report(place, `the ${what} "${value}" is also used by "${other}"`);
      else first.set(value, group.name);
    }
  }
  checkClientNames(groups);
  const tables = new Map<string, string>();
  for (const { name: group, raw, report } of groups) {
    if (reservedPaths.has(raw.resource.path) && raw !== fileDescriptor)
      report(['resource', 'path'], `"${raw.resource.path}" is an address of the service itself`);
    for (const table of rawTables(group, raw)) {
      const other = tables.get(table.name);
      if (other !== undefined) report(table.path, `needs the table "${table.name}", and so does "${other}"`, 'key');
      else tables.set(table.name, group);
      checkTable(table, report);
    }
  }
}

/** What a client has besides groups. */
const clientNames: ReadonlySet<string> = new Set(['batch', 'access', 'can', 'changes', 'history', 'undo']);

/** A client calls each group by one name, which follows from its path. */
function checkClientNames(groups: readonly Linked[]): void {
  const paths = new Map<string, string>();
  for (const { raw, report } of groups) {
    const { path } = raw.resource;
    if (reservedPaths.has(path)) continue;
    const name = collectionName(path);
    const words = `"${path}" is called ${name} in the client`;
    const other = paths.get(name);
    if (clientNames.has(name))
      report(['resource', 'path'], `${words}, which has a function of that name; change the path`);
    else if (other === undefined) paths.set(name, path);
    else if (other !== path) report(['resource', 'path'], `${words}, as is "${other}"; change one`);
  }
}

/** Groups that need each other before either can be made. An edge that may be null, or is part of a list, breaks the circle. */
function checkCycles(groups: Groups): void {
  const needs = (group: Linked): [string, string][] =>
    Object.entries(group.raw.properties).flatMap(([name, field]) =>
      field !== true && field.reference !== undefined && field.nullable !== true && field.lookup === undefined
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
          `closes the circle ${circle}, so none of them can be created first; make one of its references "nullable"`,
          { rule: 'circle' },
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

function checkFields(start: Start, path: JSONPath): void {
  const { group, links } = start;
  for (const [name, field] of Object.entries(group.raw.properties)) {
    if (field === true) continue;
    const place = [...path, name];
    const taker = { ...start, field, place };
    const keyword = field.reference === undefined ? 'references' : 'reference';
    const targetName = field.reference ?? field.references;
    if (targetName !== undefined && isKnown(targetName, [...place, keyword], start)) {
      const target = links.groups.get(targetName);
      if (target !== undefined) checkTarget(taker, target);
    }
    for (const [value, name] of Object.entries(field.groups ?? {})) isKnown(name, [...place, 'groups', value], start);
    if (kindOf(field) === 'objects' && field.via !== undefined) {
      checkOtherSide(taker);
      continue;
    }
    const reads: [string, JSONPath][] = (field.inherits ?? []).map(({ from }, index) => [
      from,
      ['inherits', index, 'from'],
    ]);
    if (field.lookup !== undefined) reads.push([field.lookup, ['lookup']]);
    for (const [read, steps] of reads) {
      const at = [...place, ...steps];
      const found = readPath(read, start, (text) => group.report(at, text));
      reportMisfit(found, { ...taker, place: at });
    }
    for (const [index, source] of defaultSources(field.defaultFrom).entries()) {
      const isMany = Array.isArray(field.defaultFrom);
      const at = [...place, 'defaultFrom', ...(isMany ? [index] : [])];
      checkDefaultSource(source, { ...taker, place: at });
    }
    const inside = field.properties ?? field.items?.properties;
    if (inside === undefined) continue;
    const insidePath = field.properties === undefined ? [...place, 'items', 'properties'] : [...place, 'properties'];
    // Paths begin at the fields beside the one that names them.
    checkFields({ group: { ...group, raw: { ...group.raw, properties: inside } }, links }, insidePath);
  }
}

/** A field that takes something of other records, and where it says so. */
interface Taker extends Start {
  readonly field: RawField;
  readonly place: JSONPath;
}

/** Reports a path whose value the field cannot take as its own. */
function reportMisfit(found: Found | undefined, { field, place, group }: Taker): void {
  const wrong = found && misfit(field, found.field);
  if (wrong !== undefined) group.report(place, wrong);
}

function checkTarget({ field, place, group }: Taker, target: Linked): void {
  const fields = target.raw.properties;
  for (const [index, word] of (field.include ?? []).entries()) {
    const included = own(fields, word);
    const at = [...place, 'include', index];
    if (word === 'id' || word === 'name') group.report(at, `"${word}" is part of every reference`);
    else if (included === undefined)
      group.report(at, `"${word}" is not a field of "${target.name}"${didYouMean(word, Object.keys(fields))}`);
    else if (included !== true) {
      const row = rowOf(included);
      if (row?.isOneColumn === false) group.report(at, `${row.words} cannot be included`);
      if (included.writeOnly === true || included.hidden === true) group.report(at, `"${word}" is never shown`);
      if (isTakenAtRead(included))
        group.report(at, `"${word}" is computed when its own record is read, so other records cannot show it`);
    }
  }
  if (field.via !== undefined) checkBack(field.via, target, { place: [...place, 'via'], group });
}

/** The field of another group that names the record which shows it. */
function checkBack(name: string, target: Linked, { place, group }: Pick<Taker, 'place' | 'group'>): void {
  const fields = target.raw.properties;
  const back = own(fields, name);
  if (back === undefined || back === true || back.reference === undefined || back.lookup !== undefined)
    group.report(
      place,
      `"${name}" is not a reference that "${target.name}" keeps${didYouMean(name, Object.keys(fields))}`,
    );
  else if (back.reference !== group.name)
    group.report(place, `"${name}" of "${target.name}" refers to "${back.reference}", not to this group`);
}

/** A list of objects that are the records which name this one: its items are fields of theirs. */
function checkOtherSide(taker: Taker): void {
  const { field, place, group, links } = taker;
  const [name = '', back] = field.via?.split('.') ?? [];
  const at = [...place, 'via'];
  if (back === undefined) {
    group.report(at, `needs the group too: "group.${name}"`);
    return;
  }
  if (!isKnown(name, at, taker)) return;
  const target = links.groups.get(name);
  if (target === undefined) return;
  checkBack(back, target, { place: at, group });
  const fields = target.raw.properties;
  for (const [item, shown] of Object.entries(field.items?.properties ?? {})) {
    const here = [...place, 'items', 'properties', item];
    const found = stepField(fields, item)?.field;
    if (found === undefined)
      group.report(here, `"${item}" is not a field of "${name}"${didYouMean(item, Object.keys(fields))}`, 'key');
    else if (scalarKindOf(found) === undefined)
      group.report(here, 'is not a plain value there; only plain values can be shown', 'key');
    else {
      const wrong = misfit(shown, found);
      if (wrong !== undefined) group.report(here, wrong, 'key');
      const mayBeNull = Array.isArray(found.type) || found.onlyWhen !== undefined;
      if (mayBeNull && !Array.isArray(shown.type)) group.report(here, 'may be null there, and cannot here', 'key');
      if (found.writeOnly === true || found.hidden === true) group.report(here, `"${item}" is never shown`, 'key');
      if (isTakenAtRead(found))
        group.report(here, `"${item}" is computed when its own record is read, so other records cannot show it`, 'key');
    }
  }
  if (field.orderBy === undefined) return;
  const sorted = own(fields, field.orderBy);
  if (typeof sorted !== 'object' || scalarKindOf(sorted) === undefined || !isKept(sorted))
    group.report(
      [...place, 'orderBy'],
      `"${field.orderBy}" is not a stored plain value of "${name}"${didYouMean(field.orderBy, Object.keys(fields))}`,
    );
}

function checkDefaultSource(source: unknown, taker: Taker): void {
  const { field, place, group } = taker;
  if (source === 'today') {
    if (field.format !== 'date') group.report(place, '"today" is a date, but this field is not');
  } else if (source === 'actingMember') {
    if (field.reference === undefined)
      group.report(place, '"actingMember" is a record, but this field is not a reference');
  } else if (typeof source === 'string') {
    const found = followPath(source, taker, (text) => group.report(place, text));
    reportMisfit(found, taker);
    if (field.parameter === true && found !== undefined && mayBeUnset(found))
      group.report(place, 'may give no value, but a parameter needs one');
  } else if (isFormulaSource(source)) {
    const figure = field.parameter === true && compileFigure(source, taker.links.shapes.scope(group.name), 'onCreate');
    if (typeof figure === 'object' && figure.tree.nullable && field.nullable !== true)
      group.report(place, 'may give no value, but a parameter needs one; use coalesce(…, …)');
  } else if (typeof source === 'object' && source !== null && 'find' in source) checkFind(source, taker);
}

/** Whether the end of a path, or a record on the way to it, may be null or empty. */
const mayBeUnset = ({ field, passed }: Found): boolean =>
  [field, ...passed.map((step) => step.field)].some(
    ({ type, nullable, default: standard, ...other }) =>
      Array.isArray(type) ||
      nullable === true ||
      standard === '' ||
      [other.onlyWhen, other.inherits, other.lookup].some((keyword) => keyword !== undefined),
  );

function checkFind(source: { readonly find: unknown; readonly where?: unknown }, taker: Taker): void {
  const { field, place, group, links } = taker;
  const name = String(source.find);
  if (!isKnown(name, [...place, 'find'], taker)) return;
  if (field.reference !== name)
    group.report([...place, 'find'], `"${name}" is not the group that this field refers to`);
  const fields = links.groups.get(name)?.raw.properties ?? {};
  const { where = {} } = source;
  if (typeof where !== 'object' || where === null || Array.isArray(where)) {
    group.report([...place, 'where'], 'must be an object of fields and values');
    return;
  }
  for (const [word, value] of Object.entries(where)) {
    const at = [...place, 'where', word];
    const asked = own(fields, word);
    if (asked === undefined || asked === true)
      group.report(at, `"${word}" is not a field of "${name}"${didYouMean(word, Object.keys(fields))}`, 'key');
    else {
      const wrong = valueFault(asked, value);
      if (wrong !== undefined) group.report(at, wrong);
    }
  }
}

function checkFeature(group: Linked, { workspace, broken }: Links): void {
  const { feature } = group.raw.resource;
  if (feature === undefined || (workspace === undefined && broken.size > 0)) return;
  const features = workspace && own(workspace.raw.properties, workspace.raw.resource.features ?? '');
  const switches = typeof features === 'object' ? features.items?.enum : undefined;
  if (switches === undefined)
    group.report(['resource', 'feature'], 'needs a workspace record with "features", the list of enabled features');
  else if (!switches.includes(feature.switch)) {
    group.report(
      ['resource', 'feature', 'switch'],
      `"${feature.switch}" is not one of the workspace's features${didYouMean(feature.switch, switches)}`,
    );
  }
}

/** A name is made of plain values that callers may see, and of names of other records. */
function checkShownAs(group: Linked, links: Links): void {
  const place = ['resource', 'shownAs'];
  for (const part of parseShownAs(group.raw.resource.shownAs) ?? []) {
    for (const path of part.kind === 'value' ? part.paths : []) {
      const found = readPath(path, { group, links }, (text) => group.report(place, text));
      if (found === undefined) continue;
      const kind = kindOf(found.field);
      if (kind === 'reference') {
        const text = nameFault(found, links, [group.name]);
        if (text !== undefined) group.report(place, `{${path}} ${text}`);
      } else if (kind === undefined || !isScalarKind(kind))
        group.report(
          place,
          `{${path}} ends at ${kind === undefined ? 'nothing' : kinds[kind].words}; a name consists of plain values`,
        );
      if (found.field.writeOnly === true || found.field.hidden === true)
        group.report(place, `{${path}} is never shown`);
    }
  }
}

/** Returns why another name cannot contain the name of the record at the end of a path; undefined if it can. */
function nameFault({ field }: Found, links: Links, trail: readonly string[]): string | undefined {
  const target = links.groups.get(field.reference ?? '');
  if (target === undefined) return undefined;
  const paths = solePaths(parseShownAs(target.raw.resource.shownAs) ?? []);
  if (paths === undefined)
    return `ends at a reference to "${target.name}", whose name has several parts; write a path to each part`;
  if (trail.includes(target.name)) return `leads back to the name of "${target.name}"; write a path to a plain value`;
  for (const path of paths) {
    const end = followPath(path, { group: target, links }, () => undefined);
    const fault = end?.field.reference && nameFault(end, links, [...trail, target.name]);
    if (fault) return fault;
  }
  return undefined;
}
