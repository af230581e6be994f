// Where a value comes from, looked at from the command line: what the descriptors say, and the records behind it.

import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { Behind, namesGiven, type Part, placesUnder } from '../engine/behind.ts';
import type { Scope } from '../engine/scope.ts';
import { shownName } from '../engine/shown-name.ts';
import { type Explanation, explanationOf, fieldNamed, namesIn } from '../registry/explanation.ts';
import { type FieldName, graphOf, type Saying } from '../registry/graph.ts';
import type { Field, Registry, Resource, Value, Values } from '../registry/model.ts';
import { didYouMean } from '../text/nearest.ts';
import { isUuid } from '../values/format.ts';
import { registryOf } from './registry.ts';
import { openAsItIs } from './workspace.ts';

/** What a formula gives for a record, and the values that it is made of. */
export interface Numbers {
  /** The formula among those of the field: `when`, the value of a state; '' for the one. */
  readonly part: string;
  /** `lines[0].amount` */
  readonly place: string;
  /** What the record keeps there; undefined for what is not kept. */
  readonly kept: Value | undefined;
  readonly value: Value;
  readonly parts: readonly Part[];
}

export interface RecordExplained {
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

/** @throws ConfigurationFault for names that there are not, with the nearest right word, and for a record that there is not */
export async function explain(
  config: Config,
  { name, record, depth }: Explaining,
): Promise<Explanation & { readonly record?: RecordExplained }> {
  const registry = registryOf(config);
  const meant = nameIn(registry, name);
  const explanation = explanationOf(registry, meant);
  if (record === undefined) return explanation;
  if (!isUuid(record)) throw new ConfigurationFault(`--record must be the id of a record, not '${record}'`);
  const workspace = await openAsItIs(config);
  try {
    const found = await workspace.engine.inspect((scope) => recordExplained(scope, meant, { id: record, depth }));
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
    throw new ConfigurationFault(`there is no group "${group}"${didYouMean(group, resources.keys())}`);
  const names = namesIn(resource);
  if (name === '')
    throw new ConfigurationFault(
      `say which field of "${group}": praxis explain ${group}.${figureOf(resource) ?? names[1]}`,
    );
  if (!names.includes(name))
    throw new ConfigurationFault(`"${group}" has no field or formula "${name}"${didYouMean(name, names)}`);
  return { group, name };
}

const figureOf = ({ fields }: Resource): string | undefined => fields.find(({ figure }) => figure !== undefined)?.name;

interface Looking {
  readonly id: string;
  readonly depth: number;
}

async function recordExplained(scope: Scope, meant: FieldName, { id, depth }: Looking): Promise<RecordExplained> {
  const { registry } = scope.groups;
  const resource = scope.records.resource(meant.group);
  const record = resource.computed === undefined ? await scope.records.whole(meant.group, id.toLowerCase()) : undefined;
  if (record === undefined) throw new ConfigurationFault(`there is no ${resource.title} with the id '${id}'`);
  const behind = new Behind(scope, resource, record);
  const numbers: Numbers[] = [];
  for (const saying of graphOf(registry).about(meant))
    numbers.push(...(await numbersOf(behind, saying, { record, field: fieldNamed(resource, meant.name), depth })));
  return { id: String(record['id']), name: await shownName(scope, meant.group, record), numbers };
}

interface Of {
  readonly record: Readonly<Values>;
  readonly field: Field | undefined;
  readonly depth: number;
}

/** What conditions of rules compare with is a write, and there is none. */
const isTold = ({ role, formulas }: Saying): boolean => role !== 'condition' && formulas.length > 0;

async function numbersOf(behind: Behind, saying: Saying, { record, field, depth }: Of): Promise<readonly Numbers[]> {
  if (!isTold(saying)) return [];
  const numbers: Numbers[] = [];
  const { name = '', role, formulas } = saying;
  const lists = role === 'formula' ? [] : name.split('.').slice(0, -1);
  const isPlain = (part: string): boolean => part === '' && (role === 'figure' || role === 'default');
  for (const { self, path } of placesUnder(record, lists))
    for (const { part, source, tree } of formulas) {
      if (namesGiven(tree)) continue;
      const standing = { source, tree, self };
      const value = await behind.valueOf(standing, isPlain(part) ? field : undefined);
      const kept = field?.stored !== true ? undefined : ((self.values[field.key] as Value | undefined) ?? null);
      const place = `${path}${field?.name ?? name}`;
      numbers.push({ part, place, kept, value, parts: await behind.parts(standing, depth) });
    }
  return numbers;
}
