// Lines that use up what a client has paid in advance (domain: Project Prepayments).
import type { Resource, RuleUse, Values } from '../registry/model.ts';
import { add, compare, subtract } from '../values/decimal.ts';
import { amountOf, sumOf } from './amounts.ts';
import { itemsOf } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/**
 * Items of `list` that name a prepayment under `key` are of its project, have an amount below 0, and use no more than it
 * has left.
 */
export const prepaymentLines = {
  says: 'Items of {list} that name a prepayment by {key} are of its project, have an amount below 0, and use no more than it has left.',
  parameters: {
    list: { field: 'objects' },
    key: { field: 'reference', in: 'list' },
  },
  needs: {
    this: { statusId: 'enum' },
    list: { projectId: 'reference', amount: 'decimal' },
  },
  looksAt: (use, resource) => [keyArgument(resource, use, 'list'), 'statusId'],
  guard: (moment) => [{ group: groupOf(moment.use, moment.resource), ids: namedIds(moment) }],
  check: async (moment) => {
    const { use, resource, operation, values, records, refuse } = moment;
    const list = keyArgument(resource, use, 'list');
    if (operation === 'delete' || !moment.isSound(list)) return;
    const key = textArgument(use, 'key');
    const used = new Map<string, string>();
    for (const [index, line] of itemsOf(values, list).entries()) {
      const id = textOf(line, key);
      const prepayment = id === null ? undefined : await records.find(groupOf(use, resource), id);
      if (id === null || prepayment === undefined) continue;
      if (prepayment.projectId !== line.projectId) refuse(`${list}[${index}].${key}`, "must be of the line's project");
      if (compare(amountOf(line, 'amount'), '0') >= 0) refuse(`${list}[${index}].amount`, 'must be less than 0');
      used.set(id, subtract(used.get(id) ?? '0', amountOf(line, 'amount')));
      const most = await leftFor(moment, prepayment);
      if (compare(used.get(id) ?? '0', most) > 0)
        refuse(`${list}[${index}].amount`, `must be at least ${subtract('0', most)}`);
    }
  },
} as const satisfies Rule;

const groupOf = (use: RuleUse, resource: Resource): string => {
  const list = resource.byKey.get(keyArgument(resource, use, 'list'));
  const field = list?.kind === 'objects' && list.fields.find(({ key }) => key === textArgument(use, 'key'));
  return field && field.kind === 'reference' ? field.target : '';
};

/** Ids of the prepayments named before and after. */
function namedIds({ use, resource, before, values }: Moment): readonly string[] {
  const list = keyArgument(resource, use, 'list');
  const items = [...itemsOf(before, list), ...itemsOf(values, list)];
  const used = items.flatMap((item) => textOf(item, textArgument(use, 'key')) ?? []);
  return [...new Set(used)];
}

const isCounted = (invoice: Readonly<Values> | undefined): boolean =>
  invoice?.statusId === 'issued' || invoice?.statusId === 'paid';

/** What lines take from a prepayment: their amounts are less than 0. */
const takenBy = (lines: readonly Readonly<Values>[]): string => subtract('0', sumOf(lines, 'amount'));

/** What this invoice may use: what remains, and what it has used itself so far. */
async function leftFor({ use, resource, before }: Moment, prepayment: Readonly<Values>): Promise<string> {
  const lines = isCounted(before) ? itemsOf(before, keyArgument(resource, use, 'list')) : [];
  const own = takenBy(lines.filter((line) => line[textArgument(use, 'key')] === prepayment.id));
  return add(amountOf(prepayment, 'amountRemaining'), own);
}
