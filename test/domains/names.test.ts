// Display names that contain the names of other records.
import { expect, test } from 'vitest';
import { type Json, onEveryDatabase } from '../support/service/praxis.ts';

onEveryDatabase(
  'a name with the name of a referenced record',
  (context) => {
    test('follows references until a plain value is set', async () => {
      const { id: cityId } = await context.make('city', { name: 'Bern' });
      const { id: siteId } = await context.make('site', { short: null, cityId });
      const { id: visitId } = await context.make('visit', { siteId, day: '2026-03-02' });
      const { id } = await context.make('note', { visitId });
      const nameOfVisit = async (): Promise<unknown> => {
        const { body } = await context.call('GET', `/notes/${id}`);
        return ((body as Json)['visit'] as Json)['name'];
      };
      expect(await nameOfVisit()).toBe('Bern on 2026-03-02');
      await context.call('PATCH', `/cities/${cityId}`, { name: 'Basel' });
      expect(await nameOfVisit()).toBe('Basel on 2026-03-02');
      await context.call('PATCH', `/sites/${siteId}`, { short: 'North' });
      expect(await nameOfVisit()).toBe('North on 2026-03-02');
      await context.call('PATCH', `/sites/${siteId}`, { short: null, cityId: null });
      expect(await nameOfVisit()).toBe('nowhere on 2026-03-02');
    });
  },
  'names',
);
