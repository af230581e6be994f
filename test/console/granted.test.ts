// What is granted of a group is what the console offers of it.
import { expect, it } from 'vitest';
import { narrowed } from '../../src/console/granted.ts';
import { consoleModel } from '../../src/console/groups.ts';
import { registryOf } from '../support/service/praxis.ts';

const client = consoleModel(registryOf('product'), true).groups.find(({ name }) => name === 'client');
if (client === undefined) throw new Error('there are no clients');
const everything = { list: 'all', get: 'all', create: 'all', update: 'all', delete: 'all', history: 'all' } as const;
const open = { operations: everything, hidden: [], kept: [] };

it('is as it is where everything is granted', () => {
  expect(narrowed(client, open)).toEqual({ ...client, partly: [] });
});

it('has the operations that are granted, and knows those that hang on the record', () => {
  const operations = { ...everything, create: 'no', update: 'some', delete: 'some' } as const;
  const { operations: left, partly } = narrowed(client, { ...open, operations });
  expect(left).toEqual(['list', 'get', 'update', 'delete']);
  expect(partly).toEqual(['update', 'delete']);
});

it('shows no field that is hidden, neither filters nor sorts by it, and sends none that is kept', () => {
  const { fields, filters, sorts } = narrowed(client, { ...open, hidden: ['name', 'createdAt'], kept: ['currency'] });
  const field = (key: string) => fields.find((one) => one.key === key);
  // A name that is not shown can be sent all the same.
  expect(field('name')).toMatchObject({ shown: false, onUpdate: true });
  expect(field('createdAt')).toBeUndefined();
  expect(field('currency')).toMatchObject({ shown: true, onCreate: false, onUpdate: false });
  expect(filters.length).toBeLessThan(client.filters.length);
  expect(filters.filter(({ path }) => path === 'name')).toEqual([]);
  expect(sorts.filter((sort) => /^-?name$/.test(sort))).toEqual([]);
});

it('tells what was where everything that is is shown, alone', () => {
  const isLogged = (operations: object, hidden: readonly string[] = []) =>
    narrowed(client, { ...open, operations: { ...everything, ...operations }, hidden }).isLogged;
  expect(isLogged({})).toBe(true);
  expect([isLogged({ history: 'no' }), isLogged({ history: 'some' }), isLogged({ get: 'some' })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(isLogged({}, ['notes'])).toBeUndefined();
});
