// Additive migrations: those during which processes of an older version continue to write.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMigrations } from '../../../src/migration/files/folder.ts';
import { areAdditive } from '../../../src/migration/plan/additive.ts';
import { type Groups, Project } from '../../support/commands/project.ts';
import type { Json } from '../../support/service/client.ts';

const text = { type: 'string', maxLength: 100 };
const optional = { type: ['string', 'null'], maxLength: 100 };
const notes = (more: Json = {}, rest: Json = {}, others: Groups = {}): Groups => ({
  note: { properties: { name: text, size: { type: 'integer', default: 1 }, ...more }, ...rest },
  ...others,
});
const group = (properties: Json): Groups => ({ tag: { properties: { name: text, ...properties } } });

const additive: readonly (readonly [what: string, after: Groups])[] = [
  ['a nullable field', notes({ nick: optional })],
  ['a nullable reference', notes({ above: { reference: 'note', nullable: true } })],
  ['a group', notes({}, {}, group({}))],
  ['a group that refers to another', notes({}, {}, group({ note: { reference: 'note' } }))],
  [
    'a group with a formula of its own',
    notes({}, {}, group({ twice: { type: 'integer', formula: 'size(name) * 2' } })),
  ],
  ['an index', notes({ size: { type: 'integer', default: 1, filter: 'range' } })],
];
const others: readonly (readonly [what: string, after: Groups])[] = [
  ['a field with a default', notes({ nick: { ...text, default: '' } })],
  ['a nullable field with a default', notes({ nick: { ...optional, default: 'x' } })],
  ['a nullable field that writes fill', notes({ nick: { ...optional, defaultFrom: 'name' } })],
  ['a nullable field with a condition', notes({ nick: { ...optional, onlyWhen: 'size > 1' } })],
  ['a formula', notes({ twice: { type: 'integer', formula: 'size * 2' } })],
  ['a text filter', notes({ name: { ...text, filter: 'text' } })],
  ['a unique key', notes({}, { unique: [['name']] })],
  ['a list', notes({ lines: { type: 'array', maxItems: 9, items: { type: 'object', properties: { label: text } } } })],
  ['an upper bound', notes({ size: { type: 'integer', default: 1, maximum: 9 } })],
  [
    'a group that is computed from another',
    notes({}, {}, group({ count: { type: 'integer', formula: 'notes.filter(n, n.name == name).count()' } })),
  ],
  [
    'a group that changes with the day',
    notes(
      {},
      {},
      group({ due: { type: 'string', format: 'date' }, isLate: { type: 'boolean', formula: 'due < today' } }),
    ),
  ],
  ['a removed field', { note: { properties: { name: text } } }],
  [
    'a renamed field',
    { note: { properties: { name: text, count: { type: 'integer', default: 1, renamedFrom: 'size' } } } },
  ],
];

describe('a migration', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.open('SQLite');
    project.describe(notes());
    project.generate();
  });
  afterAll(() => project.close());

  const cases = [
    ...additive.map(([what, after]) => [what, true, after] as const),
    ...others.map(([what, after]) => [what, false, after] as const),
  ];
  test.each(cases)('with %s: additive is %s', (_what, isAdditive, after) => {
    project.describe(after);
    expect(() => project.generate(undefined, { check: true })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(isAdditive ? '\nAdditive: ' : '\nNot additive: '),
      }),
    );
    const said = project.generate('next', { allowDrop: true });
    expect(said).toContain(isAdditive ? 'Additive: it can be applied while older processes run.' : 'Not additive:');
    const written = readMigrations(project.migrations).at(-1);
    expect(written && areAdditive(written.steps, written.before)).toBe(isAdditive);
    rmSync(written?.file ?? '');
  });
});
