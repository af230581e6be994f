// Effects that change others of their own group, and the record itself once more.
import { expect, test } from 'vitest';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

onEveryDatabase(
  'effects among siblings',
  (context) => {
    const pins = async (badgeId: string): Promise<unknown> =>
      (await context.all('pin', `&badgeId=${badgeId}`)).toReversed().map(({ name, isFirst }) => [name, isFirst]);
    const pin = (badgeId: string, body: Json): Promise<Json & { readonly id: string }> =>
      context.make('pin', { badgeId, isFirst: false, rank: 0, ...body });
    const change = (id: string, body: Json) => context.call('PATCH', `/pins/${id}`, body);

    test('keep one of them first, whoever is made or becomes so', async () => {
      const { id: badgeId } = await context.make('badge', { day: null });
      const { id: other } = await context.make('badge', { day: null });
      await pin(other, { name: 'elsewhere', isFirst: true });
      const { id } = await pin(badgeId, { name: 'one', isFirst: true });
      await pin(badgeId, { name: 'two', isFirst: true });
      expect(await pins(badgeId)).toEqual([
        ['one', false],
        ['two', true],
      ]);
      expect((await change(id, { isFirst: true, name: 'One' })).status).toBe(200);
      expect(await pins(badgeId)).toEqual([
        ['One', true],
        ['two', false],
      ]);
      expect(await pins(other)).toEqual([['elsewhere', true]]);
    });

    test('go on as long as their condition holds, and not without end', async () => {
      const { id: badgeId } = await context.make('badge', { day: null });
      const { id } = await pin(badgeId, { name: 'ranked' });
      expect((await change(id, { rank: 70 })).status).toBe(200);
      expect((await context.call('GET', `/pins/${id}`)).body).toMatchObject({ rank: 100 });
      const { status, body } = await change(id, { rank: 101 });
      expect([status, (body as Json)['errors']]).toEqual([
        400,
        ["'pin → pin' must not be more than 50 effects within each other"],
      ]);
      expect((await context.call('GET', `/pins/${id}`)).body).toMatchObject({ rank: 100 });
    });

    test('of those that go together, each sees which have gone before it', async () => {
      const { id } = await context.make('badge', { day: null });
      for (const rank of [1, 1, 1]) await pin(id, { name: 'Left', rank });
      expect((await context.call('DELETE', `/badges/${id}`)).status).toBe(204);
      expect((await context.all('badge')).filter(({ code }) => code === 'Left')).toHaveLength(1);
    });
  },
  'badges',
);

// Folders within folders: whoever goes along is judged while the folder above it is still kept.
const word = { type: 'string', maxLength: 20, description: 'Word' };
const described = (title: string, properties: Json, more: Json = {}): Json => ({
  ...{ title, description: 'A record.', type: 'object', properties, required: ['name'] },
  resource: {
    ...{ path: `/${title.toLowerCase()}s`, shownAs: '{name}', operations: ['list', 'get', 'create', 'delete'] },
    ...more,
  },
});
const descriptors = {
  folder: described(
    'Folder',
    {
      name: word,
      above: { reference: 'folder', nullable: true, onDelete: 'cascade', description: 'Folder above' },
    },
    {
      effects: [
        {
          on: ['delete'],
          when: 'folders.filter(f, f.name == name).count() == 0',
          make: 'note',
          with: { name: 'name' },
        },
      ],
    },
  ),
  note: described('Note', { name: word }),
};
const registry = buildRegistry(
  Object.entries(descriptors).flatMap(
    ([name, descriptor]) => parseSource(`${name}.json`, name, JSON.stringify(descriptor)).source ?? [],
  ),
  ruleSignatures,
);

onEveryDatabase(
  'effects of records that go along with one of their group',
  (context) => {
    test('count it no longer, though it goes last', async () => {
      const made = async (body: Json): Promise<string> =>
        String((await send(context, 'POST /folders', { body })).body.id);
      const above = await made({ name: 'Old' });
      await made({ name: 'Old', aboveId: above });
      expect((await send(context, `DELETE /folders/${above}`)).status).toBe(204);
      expect((await send(context, 'GET /notes')).body.results).toMatchObject([{ name: 'Old' }]);
    });
  },
  'test',
  { parts: { registry } },
);
