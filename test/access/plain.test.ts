// What is known of callers with roles before anything is read: which of their writes are judged by nothing but whether they are
// allowed at all, and what is bound for their conditions.
import { expect, test } from 'vitest';
import { Groups } from '../../src/engine/plan/groups.ts';
import { CallerSight } from '../../src/engine/sight/caller-sight.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { dialects } from '../../src/storage/dialects.ts';
import { registryOf } from '../support/service/praxis.ts';
import { type RoleText, rolesIn } from './callers.ts';

const registry = registryOf('studio');

function sightOf(allow: readonly RoleText[], of = registry): CallerSight {
  const groups = new Groups(of, rules, dialects.sqlite);
  const book = rolesIn(of, { some: { allow } });
  const rights = book.of({ roles: ['some'], others: undefined, cut: undefined });
  if (rights === undefined) throw new Error('there is no role');
  return new CallerSight(groups, rights);
}

const read = (...on: readonly string[]): RoleText => ({ on, to: ['read'] });
const write = (...on: readonly string[]): RoleText => ({ on, to: ['read', 'write'] });
const everything = [...registry.resources.keys()];
const others = (...names: readonly string[]): RoleText => read(...everything.filter((name) => !names.includes(name)));

test.each<[what: string, allow: readonly RoleText[], plain: string, not: string]>([
  ['all is granted', [write(...everything)], 'create update put delete', ''],
  ['it is not granted', [others()], '', 'create update put delete'],
  ['one half of a put is not', [others(), { on: ['entry'], to: ['create'] }], 'create', 'put update'],
  ['it hangs on the record', [others(), { ...write('entry'), when: 'minutes < 60' }], '', 'create update put delete'],
  [
    'its answer hides a field',
    [others('entry'), { ...write('entry'), fields: { hide: ['rate'] } }],
    '',
    'create update',
  ],
  [
    'one of the references may be to what is called by its name and not seen',
    [others('project'), { ...read('project'), when: "name != 'Secret'", names: 'all' }, write('entry')],
    '',
    'create update put delete',
  ],
  // Of one that is not there no other word is said than of one that is not seen.
  ['one of the references is to what is not seen', [others('project'), write('entry')], '', 'create update put delete'],
])('a write is judged by nothing else where, and only where %s', (_what, allow, plain, not) => {
  const sight = sightOf(allow);
  const found = (words: string): readonly string[] =>
    words.split(' ').filter((word) => word !== '' && sight.isPlainWrite('entry', word as 'create'));
  expect(found(`${plain} ${not}`).join(' ')).toBe(plain);
});

test('a delete is judged by who refers to the record, where these are not all seen', () => {
  expect(sightOf([write(...everything)]).isPlainWrite('project', 'delete')).toBe(true);
  const hidden = sightOf([others('staffing'), write('project')]);
  expect([hidden.isPlainWrite('project', 'delete'), hidden.isPlainWrite('project', 'update')]).toEqual([false, true]);
});

test('a write is judged by what its items refer to, where that is not all seen', () => {
  const books = registryOf('books');
  const isPlain = (hidden: string): boolean => {
    const seen = read(...[...books.resources.keys()].filter((name) => name !== hidden));
    return sightOf([seen, write('journal')], books).isPlainWrite('journal', 'create');
  };
  expect(books.resources.get('journal')?.byKey.get('lines')).toMatchObject({
    fields: expect.arrayContaining([expect.objectContaining({ key: 'accountId', target: 'account' })]),
  });
  expect([isPlain(''), isPlain('account')]).toEqual([true, false]);
});

test('the day is bound where any condition of a role looks at it', () => {
  const boundFor = (...when: readonly string[]): number => {
    const sight = sightOf(when.map((each) => ({ ...read('entry'), when: each })));
    return Object.keys(sight.values(null, () => '2026-03-02')).length;
  };
  expect([boundFor('minutes < 60'), boundFor('minutes < 60', 'date >= today'), boundFor('date >= today')]).toEqual([
    1, 2, 2,
  ]);
});
