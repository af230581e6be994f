// Defaults that go by others, and figures that move by what has changed: what is expected is counted here by hand.
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'a bakery',
  (context) => {
    const bake = async (body: Json): Promise<Json> => {
      const { status, body: cake } = await context.call('POST', '/cakes', body);
      expect([status, cake]).toEqual([200, cake]);
      return cake as Json;
    };
    const candlesOf = async (ovenId: string): Promise<unknown> =>
      ((await context.call('GET', `/ovens/${ovenId}`)).body as Json)['candles'];

    test('a default that looks at a field with a condition comes behind it', async () => {
      const { id: ovenId } = await context.make('oven');
      expect(await bake({ ovenId, isLayered: true })).toMatchObject({ layers: 3, candles: 6 });
      expect(await bake({ ovenId, isLayered: true, layers: 5 })).toMatchObject({ layers: 5, candles: 10 });
      expect(await bake({ ovenId })).toMatchObject({ layers: null, candles: 2 });
      expect(await candlesOf(ovenId)).toBe(18);
    });

    test('a required field with a default need not be sent', async () => {
      const { id: ovenId } = await context.make('oven');
      expect(await bake({ ovenId })).toMatchObject({ isLayered: false });
      const document = (await (await fetch(context.address.replace('/api', '/openapi.json'))).json()) as {
        readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
      };
      expect(document.components.schemas['CakeCreate']?.required).toEqual(['ovenId']);
    });

    test('what is inherited while another field is null is found by what is shown', async () => {
      const { id: ovenId } = await context.make('oven', { name: 'Big oven' });
      const [bare, topped] = [
        await bake({ ovenId, label: 'Own' }),
        await bake({ ovenId, label: 'Own', topping: 'Jam' }),
      ];
      expect([bare['label'], topped['label']]).toEqual(['Big oven', 'Own']);
      const found = async (label: string): Promise<unknown> =>
        (await context.all('cake', `&label=${encodeURIComponent(label)}`)).map(({ id }) => id);
      expect([await found('Big oven'), await found('Own')]).toEqual([[bare['id']], [topped['id']]]);
    });

    test('a sum moves by what has changed, and what stands is not added up again', async () => {
      const { id: ovenId } = await context.make('oven');
      const { id } = await bake({ ovenId, candles: 4 });
      const database = await openDatabase(context.databaseUrl);
      await database.run('update oven set candles = 1000 where id = ?', [ovenId]);
      await database.close();
      await bake({ ovenId, candles: 7 });
      expect(await candlesOf(ovenId)).toBe(1007);
      await context.call('PATCH', `/cakes/${String(id)}`, { candles: 1 });
      expect(await candlesOf(ovenId)).toBe(1004);
    });
  },
  'bakery',
);
