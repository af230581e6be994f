// Conditions that look at other records: `project.isBillable`, `project.client.isInternal`.
import { evaluate } from '../formulas/evaluate.ts';
import type { Facts, RecordValue } from '../formulas/facts.ts';
import { notKnown } from '../formulas/value.ts';
import type { Condition, Resource, Values } from '../registry/model.ts';
import type { Moment } from './rule.ts';

/** What a condition over other records is judged on. */
type Judged = Pick<Moment, 'values' | 'records' | 'isSound'>;

/** Whether a condition holds. Undefined, so that nothing is said, where a reference on one of its paths is null. */
export async function holds(
  { values, records, isSound }: Judged,
  condition: Condition | undefined,
): Promise<boolean | undefined> {
  if (condition === undefined || !isSound(...condition.keys)) return undefined;
  const facts = new ReadFacts(records);
  const self = recordValue(values);
  for (;;) {
    const { value, throughNull } = evaluate(condition.tree, self, facts);
    if (value !== notKnown) return throughNull ? undefined : value === true;
    if (!(await facts.read())) throw new Error(`${condition.source}: nothing more to ask for`);
  }
}

/**
 * Keys whose change calls for a condition. One over other records is judged at every write: they may have changed, and
 * that alone changes nothing here.
 */
export const keysLookedAt = (resource: Resource, condition: Condition | undefined): readonly string[] =>
  condition === undefined || condition.paths.length > 0 ? [...resource.byKey.keys()] : condition.keys;

const recordValue = (values: Readonly<Values>): RecordValue => ({
  values,
  id: typeof values['id'] === 'string' ? values['id'] : undefined,
  owner: undefined,
  place: 0,
});

/** Records as a write sees them, read in rounds: all that one round has asked for together, a statement for each group. */
class ReadFacts implements Facts {
  readonly #records: Moment['records'];
  readonly #known = new Map<string, Map<string, RecordValue | null>>();
  readonly #asked = new Map<string, Set<string>>();
  #settings: RecordValue | undefined;
  #asksSettings = false;

  constructor(records: Moment['records']) {
    this.#records = records;
  }

  record(group: string, id: string): RecordValue | null | typeof notKnown {
    const found = this.#known.get(group)?.get(id);
    if (found !== undefined) return found;
    const asked = this.#asked.get(group) ?? new Set();
    this.#asked.set(group, asked.add(id));
    return notKnown;
  }

  workspace(): RecordValue | typeof notKnown {
    this.#asksSettings ||= this.#settings === undefined;
    return this.#settings ?? notKnown;
  }

  /** Reads what has been asked for. @returns whether anything has been */
  async read(): Promise<boolean> {
    const hasAsked = this.#asksSettings || this.#asked.size > 0;
    if (this.#asksSettings) this.#settings = recordValue(await this.#records.workspace());
    this.#asksSettings = false;
    for (const [group, ids] of this.#asked) {
      const found = await this.#records.many(group, [...ids]);
      const known = this.#known.get(group) ?? new Map<string, RecordValue | null>();
      this.#known.set(group, known);
      for (const id of ids) {
        const record = found.get(id);
        known.set(id, record === undefined ? null : recordValue(record));
      }
    }
    this.#asked.clear();
    return hasAsked;
  }

  collection(): never {
    throw new Error('conditions of rules look at no collections');
  }

  old(): never {
    throw new Error('conditions of rules do not look at the record before');
  }

  today(): never {
    throw new Error('conditions of rules do not ask for the day');
  }

  actor(): never {
    throw new Error('conditions of rules do not ask who acts');
  }
}
