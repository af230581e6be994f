import { test, expect } from 'vitest';
import { onEveryDatabase, type Folder } from './support/praxis.ts';
for (const folder of ['test', 'product'] as Folder[]) onEveryDatabase(`smoke ${folder}`, (context) => {
  for (const { name, operations } of context.registry.resources.values()) {
    if (!operations.has('create')) continue;
    for (const extent of ['required', 'all'] as const) test(`${name} ${extent}`, async () => {
      const made = await context.make(name, {}, extent);
      const got = await context.call('GET', `${context.resource(name).path}/${made.id}`);
      expect(got.body).toEqual(made);
    });
  }
}, folder);
