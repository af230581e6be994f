// Payments towards invoices (domain: Payments).
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { add, compare } from '../values/decimal.ts';
import { risingTime } from '../values/id.ts';
import { amountOf, sumOf } from './amounts.ts';
import { dueOf, stateOf } from './invoice-totals.ts';
import { isChanged, itemsOf } from './record-values.ts';
import {
  type Aftermath,
  guardedBy,
  type HoldingItem,
  keyArgument,
  keyOfName,
  type Moment,
  type Rule,
  textArgument,
  textArguments,
} from './rule.ts';

/**
 * The items of `list` say which part of `amount` goes to which invoice (`id`, `amount`) of the client `owner`. Every
 * write keeps on the invoices named before and after: the sum in `into`, the parts in the list `shown`, with the fields
 * `copies` of this record, and what follows for what is due and for their state.
 */
export const settlement = {
  says: 'The items of {list} say which part of {amount} goes to which invoice of the same {owner}, in the same {currency}. Each invoice keeps the sum in {into} and the parts in {shown}[, with {copies}].',
  parameters: {
    list: { field: 'objects' },
    amount: { field: 'decimal' },
    currency: { field: 'currency' },
    owner: { field: 'reference' },
    into: { field: 'decimal', in: 'list.id' },
    shown: { field: 'objects', in: 'list.id' },
    copies: { list: { field: 'any', kept: true } },
  },
  needs: {
    list: { id: 'reference', amount: 'decimal' },
    'list.id': {
      statusId: 'enum',
      total: 'decimal',
      amountPaid: 'decimal',
      amountCredited: 'decimal',
      amountDue: 'decimal',
      modifiedAt: 'dateTime',
    },
  },
  looksAt: (use, resource) => [
    ...['list', 'amount', 'currency'].map((name) => keyArgument(resource, use, name)),
    ...textArguments(use, 'copies').map((name) => keyOfName(resource, name)),
  ],
  guard: (moment) => {
    const { use, resource, values } = moment;
    const owner = resource.byKey.get(keyArgument(resource, use, 'owner'));
    return [...guardedBy(owner, values), { group: groupOf(use, resource), ids: invoicesOf(moment) }];
  },
  check: async (moment) => {
    const { use, resource, operation, before, values, refuse } = moment;
    if (operation === 'delete') return;
    const list = keyArgument(resource, use, 'list');
    const amount = keyArgument(resource, use, 'amount');
    const currency = keyArgument(resource, use, 'currency');
    const items = itemsOf(values, list);
    const isBound = items.length > 0 && itemsOf(before, list).length > 0;
    if (isBound && moment.isSound(currency) && isChanged(before, values, currency)) {
      refuse(currency, `cannot change from '${before?.[currency]}' to '${values[currency]}'`);
    }
    if (!moment.isSound(list, amount, currency)) return;
    if (compare(sumOf(items, 'amount'), amountOf(values, amount)) > 0) {
      refuse(list, `must add up to at most ${amountOf(values, amount)}`);
    }
    const ids = items.map(({ id }) => String(id));
    const invoices = await moment.records.many(groupOf(use, resource), ids);
    for (const [index, item] of items.entries())
      checkItem(moment, item, { invoice: invoices.get(String(item.id)), place: `${list}[${index}]` });
  },
  after: async (moment) => {
    const { use, resource, records } = moment;
    const ids = invoicesOf(moment);
    const invoices = await records.many(groupOf(use, resource), ids);
    const list = keyArgument(resource, use, 'list');
    const parts = Map.groupBy(await records.itemsWith(resource.name, { list, key: 'id', ids }), ({ item }) => item.id);
    for (const [id, invoice] of invoices) await settle(moment, invoice, parts.get(id) ?? []);
  },
} as const satisfies Rule;

const groupOf = (use: RuleUse, resource: Resource): string => {
  const list = resource.byKey.get(keyArgument(resource, use, 'list'));
  const field = list?.kind === 'objects' ? list.fields.find(({ key }) => key === 'id') : undefined;
  return field?.kind === 'reference' ? field.target : '';
};

/** Ids of the invoices named before and after. */
function invoicesOf({ use, resource, operation, before, values }: Moment): readonly string[] {
  const list = keyArgument(resource, use, 'list');
  const items = [...itemsOf(before, list), ...(operation === 'delete' ? [] : itemsOf(values, list))];
  return [...new Set(items.map(({ id }) => String(id)))];
}

interface Judged {
  readonly invoice: Readonly<Values> | undefined;
  readonly place: string;
}

function checkItem({ use, resource, before, refuse }: Moment, item: Values, { invoice, place }: Judged): void {
  if (invoice === undefined) return;
  if (invoice.statusId !== 'issued' && invoice.statusId !== 'paid') {
    refuse(`${place}.id`, 'must be an issued or paid invoice');
    return;
  }
  // What this payment has paid so far is free again for it.
  const own = itemsOf(before, keyArgument(resource, use, 'list')).find(({ id }) => id === item.id);
  const most = add(amountOf(invoice, 'amountDue'), own === undefined ? '0' : amountOf(own, 'amount'));
  if (compare(amountOf(item, 'amount'), most) > 0) refuse(`${place}.amount`, `must be at most ${most}`);
}

/** Keeps on an invoice what all payments now say. */
async function settle(
  { use, resource, effects }: Aftermath,
  invoice: Readonly<Values>,
  items: readonly HoldingItem[],
): Promise<void> {
  const parts = items.map(({ record, item }): Values => {
    const copies = textArguments(use, 'copies').map((key) => [key, record[key] ?? null] as const);
    return { id: record.id, ...Object.fromEntries(copies), amount: amountOf(item, 'amount') };
  });
  const now: Values = { ...invoice, [textArgument(use, 'into')]: sumOf(parts, 'amount') };
  now.amountDue = dueOf(now);
  now.statusId = stateOf(now);
  const kept: Values = {
    [textArgument(use, 'into')]: now[textArgument(use, 'into')],
    [textArgument(use, 'shown')]: parts,
    amountDue: now.amountDue,
    statusId: now.statusId,
  };
  // Only a change of state is a change of the invoice.
  if (now.statusId !== invoice.statusId) kept.modifiedAt = risingTime();
  await effects.refresh(groupOf(use, resource), [String(invoice.id)], kept);
}
