// Loads a registry: descriptor files are parsed, checked against the meta-schema and by rules beyond it, normalised and linked.
// All faults of all files are reported at once.
import { basename } from 'node:path';
import { unreachable } from '../unreachable.ts';
import { formFaults, formOf, meantErrors } from './check/form.ts';
import { checkDescriptor } from './check/groups/check.ts';
import { checkEffectCircles, checkEffects } from './check/groups/effects.ts';
import { checkCircles } from './check/links/circles.ts';
import { checkLinks, type Linked } from './check/links/links.ts';
import dialectSchema from './dialect.json' with { type: 'json' };
import { Shapes } from './formulas/shapes.ts';
import { withLookupIndexes } from './guide/lookup-indexes.ts';
import { normaliseDescriptor } from './link/normalise.ts';
import { expandReferenceNames } from './link/reference-names.ts';
import { DescriptorFaults, type Fault } from './model/faults.ts';
import { fileDescriptor, fileGroup, withFileFields } from './model/file-fields.ts';
import type {
  Field,
  ObjectsField,
  ReferenceField,
  ReferencesField,
  Referrer,
  Registry,
  Resource,
  RuleSignature,
} from './model/model.ts';
import type { RawDescriptor } from './model/vocabulary.ts';
import { type Mended, mended } from './read/mend.ts';
import { type DescriptorSource, readSources } from './read/source.ts';

/**
 * Loads a folder of descriptors.
 * @param signatures What the catalogue's rules take as arguments.
 * @throws DescriptorFaults with every fault of every file.
 */
export function loadRegistry(folder: string, signatures: Readonly<Record<string, RuleSignature>>): Registry {
  const { sources, faults } = readSources(folder);
  return buildRegistry(sources, signatures, faults);
}

/** The same, from files that have been read. */
export function buildRegistry(
  sources: readonly DescriptorSource[],
  signatures: Readonly<Record<string, RuleSignature>>,
  found: readonly Fault[] = [],
): Registry {
  const faults = [...found];
  validator ??= dialectForm();
  const isDescriptor = validator;
  const groups = new Map<string, Linked>();
  const names = sources.map(({ name }) => name);
  let hasFiles = false;
  for (const source of sources) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(source.name))
      faults.push(
        source.fault([], `the file name "${source.name}" must be lower-case words joined by "-"`, {
          rule: 'file-name',
        }),
      );
    let read: Mended | undefined = { data: source.data, isTold: () => true };
    if (!isDescriptor(source.data)) {
      const errors = meantErrors(isDescriptor.errors ?? []);
      faults.push(...errors.flatMap((error) => formFaults(error, source, names)));
      read = mended(source.data, errors);
      if (read === undefined || !isDescriptor(read.data)) continue;
    }
    const { data, isTold } = read;
    const raw = withFileFields(data as RawDescriptor);
    hasFiles ||= raw !== data;
    const report: Linked['report'] = (path, text, about) => {
      if (isTold(path)) faults.push(source.fault(path, text, about));
    };
    groups.set(source.name, { name: source.name, raw, report });
  }
  if (hasFiles) addFiles(groups);
  const lost = sources.filter(({ name }) => !groups.has(name));
  const shapes = new Shapes(new Map([...groups].map(([name, { raw }]) => [name, raw])), lost);
  // References to a group whose file is broken are not faults of their own.
  const broken = new Set(lost.map(({ name }) => name));
  for (const { file } of found) if (!groups.has(basename(file, '.json'))) broken.add(basename(file, '.json'));
  const known = { signatures, shapes, isWhole: broken.size === 0 };
  const sound = [...groups.values()].filter((group) => checkDescriptor(group, known));
  checkCircles(sound, { signatures, scopes: (group, fields) => shapes.scopeInside(group, fields) });
  for (const group of sound) checkEffects(group, { groups, scope: shapes.scope(group.name) });
  checkEffectCircles(new Map(sound.map((group) => [group.name, group])), (group) => shapes.scope(group));
  checkLinks(groups, { signatures, shapes }, broken);
  if (faults.length > 0) throw new DescriptorFaults(faults);
  const files = new Map(sources.map(({ name, file }) => [name, file]));
  const resources = [...groups.values()].map(({ name, raw }) =>
    normaliseDescriptor({ name, file: files.get(name) ?? '', raw }, { signatures, shapes }),
  );
  return linkRegistry(withLookupIndexes(expandReferenceNames(resources)), (group) => shapes.scope(group), hasFiles);
}

/** The group of files comes with the first field that holds one. */
function addFiles(groups: Map<string, Linked>): void {
  groups
    .get(fileGroup)
    ?.report(
      ['resource', 'path'],
      '"file" is the group of the files that "format": "file" asks for; choose another name',
      { rule: 'reserved-name' },
    );
  groups.set(fileGroup, {
    name: fileGroup,
    raw: fileDescriptor,
    report: () => unreachable('the descriptor of files is wrong'),
  });
}

let validator: ReturnType<typeof dialectForm> | undefined;

/** The meta-schema as a function. */
function dialectForm(): ReturnType<typeof formOf> {
  const { $schema: _own, ...rest } = dialectSchema;
  // Arguments of rules are checked in words of their own; what the dialect says of them is for editors, too.
  return formOf({ ...rest, $defs: { ...rest.$defs, arguments: true } });
}

/** Puts resources into the order of creation, and finds who refers to whom. */
function linkRegistry(resources: readonly Resource[], scopeOf: Registry['scopeOf'], hasFiles: boolean): Registry {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const ordered = new Map<string, Resource>();
  const workspace = resources.find((resource) => resource.isWorkspace);
  const visit = (resource: Resource, trail: ReadonlySet<string>): void => {
    if (ordered.has(resource.name) || trail.has(resource.name)) return;
    const within = new Set([...trail, resource.name]);
    for (const target of targetsOf(resource)) {
      const next = byName.get(target);
      if (next !== undefined) visit(next, within);
    }
    ordered.set(resource.name, resource);
  };
  // The workspace record first: other groups take their defaults from it.
  if (workspace !== undefined) visit(workspace, new Set());
  for (const resource of resources) visit(resource, new Set());
  const referrers = new Map<string, Referrer[]>(resources.map(({ name }) => [name, []]));
  for (const resource of ordered.values()) {
    for (const { field, key, lists } of storedReferences(resource.fields, []))
      referrers.get(field.target)?.push({ resource, field, key, list: lists.at(-1), outer: lists.at(-2) });
  }
  const acting = resources
    .flatMap(({ fields }) => fields)
    .find((field) => field.kind === 'reference' && field.defaultFrom.some(({ kind }) => kind === 'actingMember'));
  return Object.freeze({
    resources: ordered,
    workspace,
    files: hasFiles ? byName.get(fileGroup) : undefined,
    referrers,
    actors: acting?.kind === 'reference' ? acting.target : undefined,
    scopeOf,
  });
}

interface StoredReference {
  readonly field: ReferenceField | ReferencesField;
  readonly key: string;
  /** The lists that lead to it, from the record inwards. */
  readonly lists: readonly ObjectsField[];
}

const isStoredReference = (field: Field): field is ReferenceField | ReferencesField =>
  (field.kind === 'reference' || field.kind === 'references') && field.stored;

/** Every reference that a record keeps, in its own row and in the items of its lists. */
function storedReferences(fields: readonly Field[], lists: readonly ObjectsField[]): StoredReference[] {
  return fields.flatMap((field): StoredReference[] => {
    if (isStoredReference(field)) return [{ field, key: field.key, lists }];
    if (field.kind === 'choice')
      return field.branches.map(({ reference }) => ({ field: reference, key: field.key, lists }));
    return field.kind === 'objects' && field.stored ? storedReferences(field.fields, [...lists, field]) : [];
  });
}

function targetsOf(resource: Resource): string[] {
  const own = storedReferences(resource.fields, []).map(({ field }) => field.target);
  const found = resource.fields.flatMap((field) =>
    field.defaultFrom.flatMap((source) => (source.kind === 'find' ? [source.group] : [])),
  );
  return [...own, ...found];
}
