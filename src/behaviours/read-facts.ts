// What formulas look at beyond their own record, read as a write sees it and in rounds: all that one round has asked for
// together.
import { evaluate } from '../formulas/evaluate.ts';
import { type Facts, type RecordValue, recordValue, type Wanted } from '../formulas/facts.ts';
import type { Collection, Tree } from '../formulas/tree.ts';
import { type Known, notKnown, type Unknown } from '../formulas/value.ts';
import type { Values } from '../registry/model.ts';
import type { Moment } from './rule.ts';

/** The write in which formulas are evaluated. */
interface Surroundings {
  readonly records: Moment['records'];
  /** The write itself; conditions of rules ask for nothing of it. */
  readonly write?: Pick<Moment, 'today' | 'actingMember' | 'before' | 'values' | 'resource'>;
}

/** What one formula has come to. */
interface Judged {
  readonly value: Known;
  /** Whether it was read through a reference of the record that is null. */
  readonly throughNull: boolean;
}

/** Something that is asked for until it is read. */
class Asked<T> {
  readonly #found = new Map<string, T>();
  readonly #wanted = new Map<string, () => Promise<T>>();

  ask(key: string, read: () => Promise<T>): T | Unknown {
    if (this.#found.has(key)) return this.#found.get(key) as T;
    this.#wanted.set(key, read);
    return notKnown;
  }

  /** @returns whether anything was asked for */
  async read(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [key, read] of wanted) this.#found.set(key, await read());
    return wanted.length > 0;
  }
}

export class ReadFacts implements Facts {
  readonly #records: Moment['records'];
  readonly #write: Surroundings['write'];
  readonly #known = new Map<string, Map<string, RecordValue | null>>();
  readonly #ids = new Map<string, Set<string>>();
  readonly #values = new Asked<RecordValue | readonly RecordValue[] | string>();

  constructor({ records, write }: Surroundings) {
    this.#records = records;
    this.#write = write;
  }

  /** @param self What the formula stands on. */
  async evaluate(tree: Tree, self: RecordValue): Promise<Judged> {
    const [judged] = await this.evaluateAll(tree, [self]);
    if (judged === undefined) throw new Error('a formula has no value');
    return judged;
  }

  /** The same formula on several records or items, in as many rounds as on one. */
  async evaluateAll(tree: Tree, selves: readonly RecordValue[]): Promise<readonly Judged[]> {
    for (;;) {
      const found = selves.map((self) => evaluate(tree, self, this));
      const judged = found.flatMap(({ value, throughNull }) => (value === notKnown ? [] : [{ value, throughNull }]));
      if (judged.length === selves.length) return judged;
      if (!(await this.#read())) throw new Error('a formula is not known, and asks for nothing');
    }
  }

  record(group: string, id: string): RecordValue | null | Unknown {
    const found = this.#known.get(group)?.get(id);
    if (found !== undefined) return found;
    const ids = this.#ids.get(group) ?? new Set();
    this.#ids.set(group, ids.add(id));
    return notKnown;
  }

  collection({ group, lists }: Collection, wanted: readonly Wanted[]): readonly RecordValue[] | Unknown {
    if (lists.length > 0 || wanted.some(({ isAmong, up }) => isAmong || up > 0))
      throw new Error(`${group}: items of lists are not looked for`);
    const where: Values = Object.fromEntries(wanted.map(({ key, value }) => [key, value]));
    return this.#values.ask(JSON.stringify([group, where]), async () => {
      const found = await this.#records.list(group, where);
      return this.#withOwn(group, where, found).map(recordValue);
    }) as readonly RecordValue[] | Unknown;
  }

  workspace(): RecordValue | Unknown {
    return this.#values.ask('workspace', async () => recordValue(await this.#records.workspace())) as
      | RecordValue
      | Unknown;
  }

  old(): RecordValue | null {
    return this.#write?.before === undefined ? null : recordValue(this.#write.before);
  }

  today(): string | Unknown {
    return this.#values.ask('today', async () => (await this.#write?.today()) ?? '') as string | Unknown;
  }

  actor(): string | null {
    return this.#write?.actingMember ?? null;
  }

  /** The record that is written counts as it will be. */
  #withOwn(group: string, where: Readonly<Values>, found: readonly Values[]): readonly Values[] {
    if (this.#write === undefined || this.#write.resource.name !== group) return found;
    const { values } = this.#write;
    const isMeant = Object.entries(where).every(([key, value]) => (values[key] ?? null) === value);
    const place = found.findIndex(({ id }) => id === values['id']);
    if (place < 0) return isMeant ? [...found, values] : found;
    return isMeant ? found.with(place, values) : found.toSpliced(place, 1);
  }

  /** Reads what has been asked for. @returns whether anything has been */
  async #read(): Promise<boolean> {
    const groups = [...this.#ids];
    this.#ids.clear();
    for (const [group, ids] of groups) {
      const found = await this.#records.many(group, [...ids]);
      const known = this.#known.get(group) ?? new Map<string, RecordValue | null>();
      this.#known.set(group, known);
      for (const id of ids) {
        const record = found.get(id);
        known.set(id, record === undefined ? null : recordValue(record));
      }
    }
    const hasRead = await this.#values.read();
    return hasRead || groups.length > 0;
  }
}
