// What can be done with the rows that are chosen, and what they come to.
import { Adder } from 'd3-array';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { filtersIn, newAddress, query } from '../../browser/router.ts';
import { copyText } from '../../parts/menu.tsx';
import { say } from '../../parts/say.tsx';
import type { Shown } from '../../service/api.ts';
import { can, type FieldModel, type GroupModel, groups } from '../../service/model.ts';
import { amountText, countText, currencyOf, labelOf, plainText } from '../../values/format.ts';
import { choiceOf } from '../../values/names.ts';
import { askedFields, type Column } from '../columns/columns.ts';
import { csvOf } from '../columns/csv.ts';
import type { RecordWindow } from '../list/record-window.ts';
import { allMatching, mostChosen, type Selection } from '../list/selection.ts';
import { ChangeDialog, DeleteManyDialog } from './of-many.tsx';

interface ChosenBarProps {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
  readonly selection: Selection;
  /** Something has been written. */
  readonly onWritten: () => void;
}

export function ChosenBar({ group, columns, records, selection, onWritten }: ChosenBarProps): JSX.Element | null {
  const [doing, setDoing] = useState<'change' | 'delete' | undefined>(undefined);
  const { count } = selection;
  if (count === 0) return null;
  const total = records.isEnd ? records.count : records.total?.count;
  const chooseAll = async (): Promise<void> => {
    const asked = filtersIn(query.value);
    asked.set(
      'fields',
      askedFields(
        group,
        columns.map(({ key }) => key),
      ).join(','),
    );
    selection.choose(await allMatching(group.path, asked));
  };
  const end = (isWritten: boolean): void => {
    setDoing(undefined);
    if (isWritten) onWritten();
  };
  return (
    <section class="chosen-bar" aria-label="Chosen records">
      <span role="status">
        <b>{countText(count)}</b> chosen
      </span>
      <Totals columns={columns} records={selection.records} />
      {total !== undefined && total > count && count < mostChosen && (
        <button
          type="button"
          class="bare"
          onClick={() => void chooseAll().catch((error: unknown) => say(String(error)))}
        >
          {total > mostChosen ? `The first ${countText(mostChosen)}` : `All ${countText(total)}`}
        </button>
      )}
      <span class="spacer" />
      {makersOf(group)
        .filter((made) => areAlike(made, group, selection.records))
        .map((made) => (
          <a
            key={made.maker.name}
            class="button"
            href={newWith(made, group, selection.records)}
            // They are known there by their names at once.
            onClick={() => {
              for (const record of selection.records) choiceOf(group.name, record);
            }}
          >
            New {made.maker.title.toLowerCase()} of these
          </a>
        ))}
      {can(group, 'update') && (
        <button type="button" onClick={() => setDoing('change')}>
          Change …
        </button>
      )}
      {can(group, 'delete') && (
        <button type="button" class="danger" onClick={() => setDoing('delete')}>
          Delete …
        </button>
      )}
      <button type="button" onClick={() => copyText(csvOf(group, columns, selection.records), 'CSV')}>
        Copy as CSV
      </button>
      <button type="button" class="clear" aria-label="Choose none" title="Esc" onClick={() => selection.clear()}>
        ×
      </button>
      {doing === 'change' && <ChangeDialog group={group} records={selection.records} onClose={end} />}
      {doing === 'delete' && <DeleteManyDialog group={group} records={selection.records} onClose={end} />}
    </section>
  );
}

/** Numbers of which a sum says something: amounts by their currency, and what is shown in hours. */
function Totals({ columns, records }: { readonly columns: readonly Column[]; readonly records: readonly Shown[] }) {
  const sums = columns.flatMap(({ field }) => (field === undefined ? [] : sumsOf(field, records)));
  return (
    <>
      {sums.map(({ key, label, text }) => (
        <span key={key} class="chosen-sum">
          <span class="quiet">{label}</span> <b class="number">{text}</b>
        </span>
      ))}
    </>
  );
}

function sumsOf(field: FieldModel, records: readonly Shown[]) {
  const label = labelOf(field);
  const numberOf = (record: Shown): number => {
    const value = record[field.name];
    return typeof value === 'number' ? value : 0;
  };
  const sum = (some: readonly Shown[]): number => {
    const adder = new Adder();
    for (const record of some) adder.add(numberOf(record));
    return Number(adder);
  };
  if (field.shownIn === 'hours') return [{ key: field.name, label, text: plainText(field, sum(records), []) }];
  if (field.currency === undefined) return [];
  const known = records.filter((record) => currencyOf(field, [record]) !== undefined && numberOf(record) !== 0);
  return [...Map.groupBy(known, (record) => currencyOf(field, [record]) ?? '')].map(([currency, some]) => ({
    key: `${field.name} ${currency}`,
    label,
    text: amountText(sum(some), currency),
  }));
}

interface Maker {
  readonly maker: GroupModel;
  /** Its list of items. */
  readonly field: FieldModel;
}

/** Groups whose records are made of several of these: they have a list of items that name one each. */
function makersOf({ name }: GroupModel): readonly Maker[] {
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
const areAlike = ({ maker }: Maker, group: GroupModel, records: readonly Shown[]): boolean =>
  sharedBy(maker, group).every(([, { name }]) => new Set(records.map((record) => idOrText(record[name]))).size === 1);

/** What is still to come of a record: an amount that is called so. */
const dueOf = ({ fields }: GroupModel): FieldModel | undefined =>
  fields.find(({ name, currency, shown }) => shown && currency !== undefined && /due|outstanding|balance/i.test(name));

/** A new record of several: each with what is due of it, and what they have in common (a client, a currency) taken over. */
function newWith({ maker, field: list }: Maker, group: GroupModel, records: readonly Shown[]): string {
  const due = dueOf(group);
  const items = records.map((record) =>
    typeof record[due?.name ?? ''] === 'number' ? `${record.id}:${record[due?.name ?? '']}` : record.id,
  );
  const address = new URLSearchParams({ [`_items.${list.key}`]: items.join(',') });
  const amount = maker.fields.find(({ required, currency }) => required && currency !== undefined);
  if (due !== undefined && amount !== undefined) {
    const adder = new Adder();
    for (const record of records) adder.add(Number(record[due.name] ?? 0));
    // A sum of amounts has no more digits than they have.
    address.set(amount.key, String(Number(Number(adder).toFixed(4))));
  }
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
