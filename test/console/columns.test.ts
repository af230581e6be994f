// Default columns of a grid.
import { describe, expect, test } from 'vitest';
import { allColumns, nameKey, shownKeys } from '../../src/console/app/grid/columns/columns.ts';
import { consoleModel } from '../../src/console/groups.ts';
import type { FieldModel, GroupModel } from '../../src/console/model.ts';
import { registryOf } from '../support/service/praxis.ts';

const groups = consoleModel(registryOf('product'), true).groups.filter(({ operations }) => operations.includes('list'));
const withoutChoice = groups.filter(({ shows }) => shows === undefined);
const isComputed = ({ figure }: FieldModel): boolean => figure !== undefined;

/** A required, filtered field: as heavy as a computed field can be. */
const computedField = (kind: string, more: Partial<FieldModel> = {}): FieldModel => ({
  ...{ name: 'added', key: 'added', kind, description: 'Added', unset: 'never', figure: 'write' },
  ...{ shown: true, onCreate: false, onUpdate: false, required: true },
  ...more,
});

const added: readonly FieldModel[] = [
  computedField('decimal', { currency: 'currency' }),
  computedField('decimal', { maximum: 1 }),
  computedField('integer'),
  computedField('enum', { values: ['low', 'high'] }),
  computedField('reference', { target: 'client' }),
  computedField('text', { maxLength: 255 }),
  computedField('date'),
  computedField('boolean'),
];

const withField = (group: GroupModel, index: number, field: FieldModel): GroupModel => ({
  ...group,
  fields: group.fields.toSpliced(index, 0, field),
  filters: [...group.filters, { name: field.name, path: field.name, comparison: 'equal', kind: field.kind }],
});

describe('the default columns of a grid', () => {
  test('keep their places if a computed field is added at the end of a record', () => {
    expect(withoutChoice.length).toBeGreaterThan(60);
    for (const group of withoutChoice)
      for (const field of added) {
        const before = shownKeys(group, null);
        const after = shownKeys(withField(group, group.fields.length, field), null);
        expect(after.filter((key) => key !== 'added').slice(0, before.length)).toEqual(before);
      }
  });

  test('keep the fields that callers send if a computed field is added anywhere', () => {
    for (const group of withoutChoice)
      for (const field of added)
        for (const index of group.fields.keys()) {
          const sent = (one: GroupModel) => {
            const computed = new Set(one.fields.filter(isComputed).map(({ name }) => name));
            return shownKeys(one, null).filter((key) => !computed.has(key));
          };
          expect(sent(withField(group, index, field))).toEqual(sent(group));
        }
  });

  test('have a computed number or amount after the others if a place is free', () => {
    const [term] = groups.filter(({ name }) => name === 'payment-term');
    if (term === undefined) throw new Error('no payment terms');
    const before = shownKeys(term, null);
    expect(before).toEqual([nameKey, 'type', 'days']);
    const columns = (field: FieldModel) => shownKeys(withField(term, 0, field), null);
    expect(columns(computedField('integer'))).toEqual([...before, 'added']);
    expect(columns(computedField('decimal', { currency: 'currency' }))).toEqual([...before, 'added']);
    expect(columns(computedField('boolean', { required: false }))).toEqual(before);
  });

  test('are the fields of "shows", computed or not, that the group has', () => {
    const [invoice] = groups.filter(({ name }) => name === 'invoice');
    if (invoice === undefined) throw new Error('no invoices');
    expect(shownKeys(invoice, null)).toEqual([
      ...[nameKey, 'statusId', 'client', 'issuedOn', 'dueOn', 'total', 'amountDue'],
    ]);
    for (const group of groups) {
      const keys = new Set(allColumns(group).map(({ key }) => key));
      expect(shownKeys(group, null).filter((key) => !keys.has(key))).toEqual([]);
    }
  });

  test('show the totals of money of each group that bills or credits', () => {
    const columns = (name: string) => groups.flatMap((one) => (one.name === name ? shownKeys(one, null) : []));
    expect(columns('credit-note')).toEqual(expect.arrayContaining(['total', 'amountRemaining']));
    expect(columns('project-prepayment')).toEqual(expect.arrayContaining(['amount', 'amountRemaining']));
    expect(columns('expense-item')).toEqual(expect.arrayContaining(['amount', 'total']));
    expect(columns('project-expense')).toEqual(expect.arrayContaining(['amount', 'total']));
    expect(columns('project-service-item')).toContain('fee');
  });
});
