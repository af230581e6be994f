// The world of an example: the records that it gives and nothing else, as formulas read them.
import type { Facts, Wanted } from '../../formulas/evaluate/facts.ts';
import { noFacts, recordValue } from '../../formulas/evaluate/facts.ts';
import type { RecordValue } from '../../formulas/language/value.ts';
import type { Field, Registry, Resource, Value, Values } from '../../registry/model/model.ts';
import type { Example } from '../model.ts';

type Given = Readonly<Record<string, unknown>>;

export class ExampleWorld {
  readonly resource: Resource;
  /** The record as it is stored, by keys; of a create as it will be. */
  readonly stored: Values;
  /** The record as it will be, and the keys of what is sent. */
  readonly next: Values;
  readonly sent: ReadonlySet<string>;
  readonly #registry: Registry;
  readonly #records = new Map<string, Map<string, Values>>();
  readonly #actor: string | null;
  #made = 0;

  constructor(registry: Registry, resource: Resource, { as, record, body, records, to }: Example) {
    this.#registry = registry;
    this.resource = resource;
    for (const [group, byId] of Object.entries(records))
      for (const [id, values] of Object.entries(byId)) this.#add(group, { ...values, id });
    const { actors } = registry;
    this.#actor = as === undefined || actors === undefined ? null : this.#add(actors, { id: 'me', ...as });
    const id = String(record['id'] ?? 'record');
    this.stored = { ...this.#valuesOf(resource, record), id };
    const change = body === undefined ? {} : this.#given(resource, body);
    this.next = { ...this.stored, ...change };
    const isCreate = to === 'create';
    const sent = body === undefined && isCreate ? Object.keys(this.#given(resource, record)) : Object.keys(change);
    this.sent = new Set(sent.filter((key) => isSendable(resource.byKey.get(key))));
  }

  /** What is known where the record is as it is stored, or as it will be. */
  facts(of: 'stored' | 'new', isCreate: boolean): Facts {
    const own = of === 'new' ? this.next : this.stored;
    return {
      ...noFacts,
      actor: () => this.#actor,
      today: () => new Date().toISOString().slice(0, 10),
      workspace: () => {
        const { workspace } = this.#registry;
        const [first] = workspace === undefined ? [] : this.#all(workspace.name, own);
        return first ?? recordValue(workspace === undefined ? {} : this.#valuesOf(workspace, {}));
      },
      old: () => (isCreate ? null : recordValue(this.stored)),
      sent: (key) => this.sent.has(key),
      record: (group, id) => this.#all(group, own).find((each) => each.id === id) ?? null,
      collection: ({ group, lists }, wanted) =>
        lists
          .reduce((owners, list) => owners.flatMap((owner) => itemsOf(owner, list)), this.#all(group, own))
          .filter((each) => wanted.every((one) => hasValue(each, one))),
    };
  }

  #all(group: string, own: Values): readonly RecordValue[] {
    const others = [...(this.#records.get(group)?.values() ?? [])].filter(({ id }) => id !== own['id']);
    return [...others, ...(group === this.resource.name ? [own] : [])].map(recordValue);
  }

  /** Adds a record. @returns its id */
  #add(group: string, given: Given): string {
    const resource = this.#registry.resources.get(group);
    this.#made += 1;
    const id = String(given['id'] ?? `${group}-${this.#made}`);
    const byId = this.#records.get(group) ?? new Map<string, Values>();
    this.#records.set(group, byId);
    byId.set(id, { ...(resource === undefined ? {} : this.#valuesOf(resource, given)), id });
    return id;
  }

  /** All fields of a record: those that are not given have their defaults. */
  #valuesOf(resource: Resource, given: Given): Values {
    const values: Values = {};
    for (const field of resource.fields) values[field.key] = field.default ?? emptyOf(field);
    return { ...values, ...this.#given(resource, given) };
  }

  /** What is given, by keys. A reference may be given as the record behind it. */
  #given({ byKey, byName }: Resource, given: Given): Values {
    const values: Values = {};
    for (const [name, value] of Object.entries(given)) {
      const field = byKey.get(name) ?? byName.get(name);
      if (field === undefined) continue;
      const isRecord = field.kind === 'reference' && typeof value === 'object' && value !== null;
      values[field.key] = isRecord ? this.#add(field.target, value as Given) : (value as Value); // by its names, which are checked
    }
    return values;
  }
}

const isSendable = (field: Field | undefined): boolean => field?.onCreate === true || field?.onUpdate === true;

const emptyOf = ({ kind, unset }: Field): Value =>
  kind === 'list' || kind === 'references' || kind === 'objects' ? [] : unset === 'empty' ? '' : null;

function itemsOf(owner: RecordValue, key: string): readonly RecordValue[] {
  const list = owner.values[key];
  return (Array.isArray(list) ? list : []).map((values: Given, place) => ({ ...recordValue(values), owner, place }));
}

function hasValue(record: RecordValue, { key, up, isAmong, value }: Wanted): boolean {
  let holder: RecordValue | undefined = record;
  for (let step = 0; step < up; step += 1) holder = holder?.owner;
  const found = holder?.values[key];
  return isAmong ? Array.isArray(found) && found.includes(value) : found === value;
}
