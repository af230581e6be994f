// Explains a value, at the command line and over HTTP: its formula in the descriptors, and the records behind it.
import { checkLimits } from '../access/limits.ts';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { Behind, namesGiven, placesUnder } from '../engine/explain/explain.ts';
import type { ExplainedPart, Told } from '../engine/explain/explained.ts';
import type { Eyes } from '../engine/explain/eyes.ts';
import type { Scope } from '../engine/transaction/scope.ts';
import { shownName } from '../engine/transaction/shown-name.ts';
import type { Service } from '../http/request/service.ts';
import type { DescribedField } from '../pages/described.ts';
import { problems } from '../problems.ts';
import { type Explanation, explanationOf, fieldNamed, namesIn } from '../registry/guide/explanation.ts';
import { type FieldName, graphOf, type Saying } from '../registry/guide/graph.ts';
import type { Field, Registry, Resource, Value, Values } from '../registry/model/model.ts';
import { didYouMean, nearest } from '../text/nearest.ts';
import { isUuid } from '../values/format.ts';
import { describeField } from './explain-group.ts';
import { registryOf } from './registry.ts';
import { openAsItIs, type Workspace } from './workspace.ts';

/** What a formula gives for a record, and the values that it is made of. */
export interface Numbers extends Told {
  /** The formula among those of the field: `when`, the value of a state; '' for the one. */
  readonly part: string;
  /** `lines[0].amount` */
  readonly place: string;
  /** What the record keeps there; undefined for what is not kept. */
  readonly kept: Value | undefined;
  readonly parts: readonly ExplainedPart[];
}

interface RecordExplained {
  readonly id: string;
  readonly name: string;
  readonly numbers: readonly Numbers[];
}

export interface Explaining {
  /** `invoice.amountDue`, `invoice.lines.amount`, `project.cardOn` */
  readonly name: string;
  /** The id of a record whose numbers are told. */
  readonly record: string | undefined;
  /** So many levels of figures are taken apart. */
  readonly depth: number;
}

export interface FieldExplained extends Explanation {
  /** What may be in it; undefined for a named formula. */
  readonly field: DescribedField | undefined;
  readonly record?: RecordExplained;
}

/** @throws ConfigurationFault for names that there are not, with the nearest right word, and for a record that there is not */
export async function explain(config: Config, { name, record, depth }: Explaining): Promise<FieldExplained> {
  const registry = registryOf(config);
  const meant = nameIn(registry, name);
  const explanation = { ...explanationOf(registry, meant), field: describeField(config, registry, meant) };
  if (record === undefined) return explanation;
  if (!isUuid(record)) throw new ConfigurationFault(`--record must be the id of a record, not '${record}'`);
  const workspace = await openAsItIs(config);
  try {
    const looking = { id: record, depth, mostSources: Number.POSITIVE_INFINITY };
    const found = await workspace.engine.inspect((scope) => recordExplained(scope, meant, looking));
    if (found === undefined) throw new ConfigurationFault(noRecord(registry, meant, record));
    return { ...explanation, record: found };
  } finally {
    await workspace.close();
  }
}

function nameIn({ resources }: Registry, text: string): FieldName {
  const [group = '', ...inside] = text.split('.');
  const name = inside.join('.').replaceAll('[]', '');
  const resource = resources.get(group);
  if (resource === undefined)
    throw new ConfigurationFault(`"${group}" is not a group${didYouMean(group, resources.keys())}`);
  const names = namesIn(resource);
  if (!names.includes(name))
    throw new ConfigurationFault(`"${group}" has no field or formula "${name}"${didYouMean(name, names)}`);
  return { group, name };
}

const noRecord = ({ resources }: Registry, { group }: FieldName, id: string): string =>
  `No ${resources.get(group)?.title ?? group} has the id '${id}'.`;

interface Looking {
  readonly id: string;
  readonly depth: number;
  readonly mostSources: number;
  /** What a caller with rights sees of it; undefined: everything. */
  readonly eyes?: Eyes | undefined;
}

/** Makes the function that answers a caller who asks where a value comes from. */
export function createExplainAnswer({ registry, engine, unit, book }: Workspace): Service['explain'] {
  const byPath = new Map([...registry.resources.values()].map((resource) => [resource.path.slice(1), resource]));
  return async ({ caller, path, query, deadline }) => {
    const [group = '', id = '', field = '', ...rest] = path.split('/').map(decoded);
    const resource = byPath.get(group);
    if (resource === undefined || rest.length > 0 || !resource.operations.has('get') || resource.singleton)
      throw problems.pathUnknown();
    const { feature, name } = resource;
    if (feature !== undefined && !book.isEnabled(feature)) throw problems.featureDisabled(feature.name);
    checkLimits(caller, 'get', resource);
    if (!isUuid(id)) throw problems.uuidMalformed('id');
    const meant = { group: name, name: field.replaceAll('[]', '') };
    if (!shownIn(resource, meant.name)) throw problems.pathUnknown();
    const looking = { id, depth: depthIn(query), mostSources };
    const record = await unit.attend('read', deadline, (own) =>
      engine.on(own).inspectAs(caller, { group: name, id: id.toLowerCase() }, (scope, eyes) => {
        // As for a field that there is not.
        if (eyes?.shows(meant.name) === false) throw problems.pathUnknown();
        return recordExplained(scope, meant, { ...looking, eyes });
      }),
    );
    if (record === undefined) throw problems.recordUnknown(id);
    return { status: 200, body: JSON.stringify({ ...explanationOf(registry, meant), record }) };
  };
}

/** So many records behind each part are told to callers, and how many more there are. */
const mostSources = 100;

/** Named formulas are no part of what callers see; neither are fields that are kept for a filter alone. */
function shownIn(resource: Resource, name: string): boolean {
  const field = fieldNamed(resource, name);
  return field !== undefined && (field.shown || field.onCreate || field.onUpdate);
}

/** What cannot be decoded stays as it was sent, and names nothing then. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How many levels of figures are taken apart. @throws Problem 400 */
function depthIn(query: string): number {
  let depth: number | undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'depth') throw problems.parameterUnknown(name, nearest(name, ['depth']));
    if (depth !== undefined) throw problems.parameterTwice(name);
    if (!/^[1-9]$/.test(value)) throw problems.parameterInvalid(name, 'an integer from 1 to 9');
    depth = Number(value);
  }
  return depth ?? 1;
}

/** Undefined where there is no such record. */
async function recordExplained(
  scope: Scope,
  meant: FieldName,
  { id, depth, mostSources: most, eyes }: Looking,
): Promise<RecordExplained | undefined> {
  const { registry } = scope.groups;
  const resource = scope.records.resource(meant.group);
  const record = resource.computed === undefined ? await scope.records.whole(meant.group, id.toLowerCase()) : undefined;
  if (record === undefined) return undefined;
  const behind = new Behind(scope, { resource, record, mostSources: most, eyes });
  const numbers: Numbers[] = [];
  for (const saying of graphOf(registry).about(meant))
    numbers.push(
      ...(await numbersOf(behind, saying, { record, field: fieldNamed(resource, meant.name), depth, eyes })),
    );
  const name = eyes?.isNamed === false ? '' : await shownName(scope, meant.group, record);
  return { id: String(record['id']), name, numbers };
}

interface Of {
  readonly record: Readonly<Values>;
  readonly field: Field | undefined;
  readonly depth: number;
  readonly eyes: Eyes | undefined;
}

/** What conditions of rules compare with is a write, and there is none. */
const isTold = ({ role, formulas }: Saying): boolean => role !== 'condition' && formulas.length > 0;

async function numbersOf(
  behind: Behind,
  saying: Saying,
  { record, field, depth, eyes }: Of,
): Promise<readonly Numbers[]> {
  if (!isTold(saying)) return [];
  const numbers: Numbers[] = [];
  const { name = '', role, formulas } = saying;
  const lists = role === 'formula' ? [] : name.split('.').slice(0, -1);
  const isPlain = (part: string): boolean => part === '' && (role === 'figure' || role === 'default');
  for (const { self, path } of placesUnder(record, lists))
    for (const { part, source, tree } of formulas) {
      if (namesGiven(tree)) continue;
      const standing = { source, tree, self };
      // What a condition or a default would give is no value that the record shows.
      if (eyes !== undefined && !(isPlain(part) && role === 'figure')) continue;
      const told = await behind.valueOf(standing, isPlain(part) ? field : undefined);
      const kept = field?.stored !== true ? undefined : ((self.values[field.key] as Value | undefined) ?? null);
      const place = `${path}${field?.name ?? name}`;
      numbers.push({ part, place, kept, ...told, parts: await behind.parts(standing, depth) });
    }
  return numbers;
}
