// Groups whose records are made of several of another one: a payment of invoices.
import { Adder } from 'd3-array';
import { newAddress } from '../../browser/router.ts';
import type { Shown } from '../../service/api.ts';
import { can, type FieldModel, type GroupModel, groups } from '../../service/model.ts';

export interface Maker {
  readonly maker: GroupModel;
  /** Its list of items. */
  readonly field: FieldModel;
}

/** Groups whose records are made of several of these: they have a list of items that name one each. */
export function makersOf({ name }: GroupModel): readonly Maker[] {
  return groups()
    .all.filter((maker) => can(maker, 'create'))
    .flatMap((maker) =>
      maker.fields
        .filter(
          ({ kind, onCreate, via, fields = [] }) =>
            kind === 'objects' &&
            onCreate &&
            via === undefined &&
            fields.some(({ target, required, kind: inner }) => inner === 'reference' && target === name && required),
        )
        .map((field) => ({ maker, field })),
    );
}

/** Fields that one record has for all of them, and each of them by itself: a client, a currency. */
const sharedBy = (maker: GroupModel, group: GroupModel): readonly (readonly [of: FieldModel, own: FieldModel])[] =>
  maker.fields.flatMap((field) => {
    if (!field.onCreate || (field.kind !== 'reference' && field.format !== 'currency')) return [];
    const own = group.fields.find(
      ({ name, kind, target }) => name === field.name && kind === field.kind && target === field.target,
    );
    return own === undefined ? [] : [[field, own] as const];
  });

/** Whether one record can be made of all: they have in common what it has once. */
export const areAlike = ({ maker }: Maker, group: GroupModel, records: readonly Shown[]): boolean =>
  sharedBy(maker, group).every(([, { name }]) => {
    const values = new Set(records.map((record) => idOrText(record[name])));
    return values.size === 1 && !values.has(undefined);
  });

/** What is still to come of a record: an amount that is called so. */
const dueOf = ({ fields }: GroupModel): FieldModel | undefined =>
  fields.find(({ name, currency, shown }) => shown && currency !== undefined && /due|outstanding|balance/i.test(name));

/** A new record of several: each with what is due of it, and what they have in common (a client, a currency) taken over. */
export function newWith({ maker, field: list }: Maker, group: GroupModel, records: readonly Shown[]): string {
  const [due, sum] = [dueOf(group), sumDue(group, records)];
  const items = records.map((record) =>
    typeof record[due?.name ?? ''] === 'number' ? `${record.id}:${record[due?.name ?? '']}` : record.id,
  );
  const address = new URLSearchParams({ [`_items.${list.key}`]: items.join(',') });
  const amount = maker.fields.find(({ required, currency }) => required && currency !== undefined);
  if (sum !== undefined && amount !== undefined) address.set(amount.key, String(sum));
  for (const [field, { name }] of sharedBy(maker, group)) {
    const value = idOrText(records[0]?.[name]);
    if (value !== undefined) address.set(field.key, value);
  }
  return newAddress(maker.path, address);
}

const idOrText = (value: unknown): string | undefined => {
  if (typeof value === 'object' && value !== null && 'id' in value) return String(value.id);
  return typeof value === 'string' ? value : undefined;
};

/** Records that one is made of, by what they have in common. */
export const alike = (
  { maker }: Maker,
  group: GroupModel,
  records: readonly Shown[],
): readonly (readonly Shown[])[] => [
  ...Map.groupBy(records, (record) =>
    sharedBy(maker, group)
      .map(([, { name }]) => idOrText(record[name]))
      .join(' '),
  ).values(),
];

/** The sum of what is due of records, exact; undefined where nothing of them is called so. */
export function sumDue(group: GroupModel, records: readonly Shown[]): number | undefined {
  const due = dueOf(group);
  if (due === undefined) return undefined;
  const adder = new Adder();
  for (const record of records) adder.add(Number(record[due.name] ?? 0));
  // A sum of amounts has no more digits than they have.
  return Number(Number(adder).toFixed(4));
}

/** The body of a new record of some that are alike. */
export function bodyOf({ maker, field: list }: Maker, group: GroupModel, records: readonly Shown[]): object {
  const [due, sum] = [dueOf(group), sumDue(group, records)];
  const { fields = [] } = list;
  const reference = fields.find(
    ({ kind, target, required }) => kind === 'reference' && target === group.name && required,
  );
  const part = fields.find(({ currency, required }) => currency !== undefined && required);
  const amount = maker.fields.find(({ required, currency }) => required && currency !== undefined);
  return {
    ...Object.fromEntries(sharedBy(maker, group).map(([field, { name }]) => [field.key, idOrText(records[0]?.[name])])),
    ...(amount && sum !== undefined && { [amount.key]: sum }),
    [list.key]: records.map((record) => ({
      ...(reference && { [reference.key]: record.id }),
      ...(part && due && { [part.key]: record[due.name] }),
    })),
  };
}
