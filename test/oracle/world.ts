// The records of a domain, as a map and nothing else.
import type { Model } from './model.ts';
import { isList, isRow, type Row, type Value } from './values.ts';

export class World {
  /** In the order of making. */
  readonly records: Map<string, Map<string, Row>>;
  /** Which request is done, and how many records it has made: their ids, so that other requests may go out of a history. */
  tag = 0;
  count = 0;

  readonly model: Model;
  readonly today: string;

  constructor(model: Model, today: string, from?: World) {
    this.model = model;
    this.today = today;
    this.records = new Map(
      [...model.groups.keys()].map((name) => [
        name,
        new Map([...(from?.records.get(name) ?? [])].map(([id, row]) => [id, copyOf(row)])),
      ]),
    );
  }

  /** A world that can go on by itself. */
  fork(): World {
    return new World(this.model, this.today, this);
  }

  rows(group: string): readonly Row[] {
    return [...(this.records.get(group)?.values() ?? [])];
  }

  find(group: string, id: Value): Row | undefined {
    return typeof id === 'string' ? this.records.get(group)?.get(id) : undefined;
  }

  put(row: Row): void {
    this.records.get(row.group)?.set(row.id, row);
  }

  drop({ group, id }: Pick<Row, 'group' | 'id'>): void {
    this.records.get(group)?.delete(id);
  }

  nextId(): string {
    this.count += 1;
    return `@${String(this.tag).padStart(5, '0')}.${String(this.count).padStart(2, '0')}`;
  }
}

/** A row that shares nothing with the other. */
export function copyOf(row: Row, owner?: Row): Row {
  const copy: Row = { ...row, owner, values: {} };
  for (const [key, value] of Object.entries(row.values)) copy.values[key] = copyValue(value, copy);
  return copy;
}

const copyValue = (value: Value, owner: Row): Value =>
  isList(value) ? value.map((one) => (isRow(one) ? copyOf(one, owner) : one)) : value;
