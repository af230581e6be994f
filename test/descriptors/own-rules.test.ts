// Rules of a project's own beside figures: each derivation is taken after what it looks at, wherever it stands.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planOf } from '../../src/app/explain-plan.ts';
import { setUpWorkspace, type Workspace } from '../../src/app/workspace.ts';
import { writeText } from '../../src/commands/explain/plan.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { rules as ownRules } from '../../src/rules/catalogue.ts';
import { keyArgument, type Rule, textOf } from '../../src/rules/support/rule.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { Project } from '../support/commands/project.ts';

const shout = {
  says: '{of} in capitals.',
  example: { properties: {} },
  parameters: { of: { field: 'text' } },
  gives: { field: 'text' },
  isLocal: true,
  looksAt: (use, resource) => [keyArgument(resource, use, 'of')],
  derive: ({ use, resource, values, key }) => {
    values[key] = textOf(values, keyArgument(resource, use, 'of'))?.toUpperCase() ?? '';
  },
} as const satisfies Rule;

let project: Project;
let workspace: Workspace | undefined;
beforeEach(async () => {
  project = await Project.open('SQLite');
});
afterEach(async () => {
  await workspace?.close();
  await project.close();
});

test('a rule that gives a field stands behind the figure that it looks at, and before the one that looks at it', async () => {
  const text = { type: 'string', maxLength: 40 };
  project.describe({
    cry: {
      properties: {
        far: { ...text, formula: "loud + '?'" },
        loud: { ...text, readOnly: true, computedBy: { use: 'shout', of: 'near' } },
        near: { ...text, formula: "name + '!'" },
        name: text,
        note: { ...text, default: '' },
      },
    },
  });
  const rules = { ...ownRules, shout };
  const registry = loadRegistry(project.env['RESOURCES'] ?? '', rules);
  const database = await openDatabase('sqlite::memory:');
  workspace = await setUpWorkspace({ registry, database, rules });
  await workspace.engine.together((batch) => batch.create('cry', { values: { name: 'hey' } }));
  expect(await database.all('select name, near, loud, far from cry', [])).toEqual([['hey', 'hey!', 'HEY!', 'HEY!?']]);
  // So it is told, of writes that call for it.
  const { groups } = workspace;
  const plan = (operation: 'create' | 'update', sent?: readonly string[]): string =>
    writeText(planOf(groups, 'cry', { operation, sent }));
  const computed = '  figure near\n  derived loud\n  figure far';
  expect(plan('create')).toContain(computed);
  expect(plan('update', ['name'])).toContain(computed);
  expect(plan('update', ['note'])).not.toContain('loud');
});
