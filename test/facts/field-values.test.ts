// What becomes of a value of a formula in the field that takes it, kind by kind: how it is kept, and what is refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../src/engine/draft/draft.ts';
import { fieldValue, held } from '../../src/engine/draft/field-value.ts';
import { recordValue } from '../../src/formulas/evaluate/facts.ts';
import type { Known } from '../../src/formulas/language/value.ts';
import type { Field, Resource, Value } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { memoryUrl, openDatabase } from '../../src/storage/database.ts';
import { Project } from '../support/commands/project.ts';
import { serveOn } from '../support/service/serve-on.ts';

let project: Project;
let thing: Resource;
beforeAll(async () => {
  project = await Project.open('SQLite');
  const word = { type: 'string', maxLength: 4 };
  const count = { type: 'integer', minimum: 0, maximum: 9 };
  project.describe({
    pet: { properties: { name: word, nick: { ...word, default: '', onlyWhen: "name == 'Tom'" } } },
    thing: {
      properties: {
        name: word,
        code: { ...word, pattern: '^[a-z]*$', examples: ['abc'], default: '' },
        note: { ...word, type: ['string', 'null'] },
        mail: { type: ['string', 'null'], format: 'email' },
        isOpen: { type: 'boolean', formula: "name == 'a'" },
        isSure: { type: ['boolean', 'null'], formula: "name == 'a'" },
        count: { ...count, formula: 'name.size()' },
        some: { ...count, type: ['integer', 'null'] },
        usual: { ...count, default: 3 },
        price: { type: ['number', 'null'], format: 'decimal', precision: 4, scale: 2, signed: true },
        on: { type: 'string', format: 'date' },
        since: { type: ['string', 'null'], format: 'date' },
        words: { type: 'array', items: word, maxItems: 2 },
        peers: { references: 'thing', description: 'Peers.', maxItems: 2 },
        lines: {
          type: 'array',
          maxItems: 2,
          items: { type: 'object', properties: { size: { ...count }, text: word } },
        },
      },
    },
  });
  const registry = loadRegistry(project.env['RESOURCES'] ?? '', ruleSignatures);
  thing = registry.resources.get('thing') as Resource;
});
afterAll(() => project.close());

const one = { ...recordValue({ id: 'one' }), id: 'one' };
const made = (entries: Readonly<Record<string, Known>>) => ({ kind: 'map', entries }) as unknown as Known;

test.for<readonly [key: string, value: Known, kept: Value, refused?: readonly string[]]>([
  ['name', 'abcd', 'abcd'],
  ['name', 'abcde', 'abcde', ['must be at most 4 characters']],
  ['name', '😀😀😀😀', '😀😀😀😀'],
  ['name', ' ', ''],
  ['name', null, null, ['is required']],
  ['code', null, ''],
  ['code', 'A', 'A', [expect.stringMatching(/^must be /)]],
  ['code', '', ''],
  ['note', ' ', null],
  ['note', null, null],
  ['mail', 'a@example.com', 'a@example.com'],
  ['mail', 'a', 'a', [expect.stringMatching(/^must be /)]],
  ['isOpen', true, true],
  ['isOpen', null, false],
  ['isSure', null, null],
  ['isSure', false, false],
  ['count', '2.5', 3],
  ['count', '9.4', 9],
  ['count', '9.5', 10, ['must be from 0 to 9']],
  ['count', '-0.5', -1, ['must be from 0 to 9']],
  ['count', null, null, ['is required']],
  ['some', null, null],
  ['usual', null, 3],
  ['price', '1.005', '1.01'],
  ['price', '-99.994', '-99.99'],
  ['price', '99.995', '100', [expect.stringMatching(/^must be /)]],
  ['price', null, null],
  ['on', '2026-03-01', '2026-03-01'],
  ['on', null, null, ['must be a date of the years 1000 to 9999']],
  ['since', null, null],
  ['words', ['ab', null, 'cd'], ['ab', 'cd']],
  ['words', ['a', 'b', 'c'], ['a', 'b', 'c'], ['must have at most 2 items']],
  ['words', ['a', 'abcde'], ['a', 'abcde'], ['[1] must be at most 4 characters']],
  ['peerIds', [one, null, one], ['one']],
  ['lines', [made({ size: '1.5', text: 'x' }), null], [{ size: 2, text: 'x' }]],
  [
    'lines',
    [made({ size: '10', text: 'abcde' })],
    [{ size: 10, text: 'abcde' }],
    ['[0].size must be from 0 to 9', '[0].text must be at most 4 characters'],
  ],
])('%s of %o', ([key, value, kept, refused = []]) => {
  const field = thing.byKey.get(key) as Field;
  const faults: string[] = [];
  const draft = { refuse: (place: string, text: string) => faults.push(`${place} ${text}`.trimStart()) };
  expect(held(draft as unknown as Draft, { field, value, place: '' })).toEqual(kept);
  expect(faults).toEqual(refused);
  expect(fieldValue(field, value)).toEqual(kept);
});

test('a value that became too long on its way is told, and none is kept', () => {
  const faults: string[] = [];
  const draft = { refuse: (place: string, text: string) => faults.push(`${place} ${text}`) } as unknown as Draft;
  const taken = { field: thing.byKey.get('some') as Field, value: '1', overlong: 'must not grow on', place: 'some' };
  expect(held(draft, taken)).toBe(null);
  expect(faults).toEqual(['some must not grow on']);
});

test('a record stands for its id', () => {
  expect(fieldValue(thing.byKey.get('note') as Field, one)).toBe('one');
  expect(fieldValue(thing.byKey.get('note') as Field, made({ size: '1' }))).toBe(null);
});

test('a text that is empty where nobody sends it is empty, too, where it does not apply', async () => {
  const registry = loadRegistry(project.env['RESOURCES'] ?? '', ruleSignatures);
  const ask = await serveOn(await openDatabase(memoryUrl), { registry });
  const told = async (method: string, path: string, body: object) => {
    const { status, text } = await ask(method, path, body);
    return { status, body: JSON.parse(text) };
  };
  const { body: made } = await told('POST', '/pets', { name: 'Kim' });
  expect(made).toMatchObject({ name: 'Kim', nick: '' });
  const path = `/pets/${made.id}`;
  expect(await told('PATCH', path, { name: 'Tom', nick: 'T' })).toMatchObject({ status: 200, body: { nick: 'T' } });
  expect(await told('PATCH', path, { name: 'Kim' })).toMatchObject({ status: 200, body: { nick: '' } });
});
