// Writes that are tried: what they would fill in, and what their conditions have looked at.
import { expect, test } from 'vitest';
import { tryWrite } from '../../src/app/try.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, type Folder, folders, type Json, onEveryDatabase } from '../support/service/praxis.ts';

type Attempted = Parameters<typeof tryWrite>[1];
type Seen = Awaited<ReturnType<typeof tryWrite>>['filled'][number]['seen'];

const seenLines = (seen: Seen): string[] =>
  seen.map(
    ({ words, value, name, isAfter, before, from, count }) =>
      `  ${words}: ${JSON.stringify({ value, name, isAfter, before })}${count === 0 ? '' : ` of ${from.join(', ')} (${count})`}`,
  );

const toldIn =
  (folder: Folder, context: Context) =>
  async (attempted: Attempted): Promise<unknown> => {
    const config = readConfig({ DATABASE_URL: context.databaseUrl, RESOURCES: folders[folder] });
    const { refused, filled, conditions } = await tryWrite(config, attempted);
    return [
      ...(refused === null ? [] : [refused.status, ...refused.errors]),
      ...filled.flatMap(({ name, kind, value, shownAs, before, words, seen }) => [
        `${kind} ${name}: ${JSON.stringify({ value, shownAs, before })} ${words}`,
        ...seenLines(seen),
      ]),
      ...conditions.flatMap(({ group, field, refuses, words, seen }) => [
        `${refuses ? 'refuses' : 'holds'} ${group}.${field}: ${words}`,
        ...seenLines(seen),
      ]),
    ];
  };

onEveryDatabase(
  'a write that is tried',
  (context) => {
    const told = toldIn('garage', context);

    test('tells what it fills in', async () => {
      const { id: customerId } = await context.make('customer', { name: 'Ada', discount: 0.5 });
      await context.make('card', { customerId, price: 80, start: '2026-01-01' });
      const lines = [
        { part: 'Disc', count: 2 },
        { part: 'Pad', count: 4 },
      ];
      const job = { title: 'Brakes', customerId, day: '2026-03-01', hours: 3, lines, tint: { coats: 2 } };
      const { id } = await context.make('job', job);
      const figures = (hours: number, price: number, before?: { readonly hours: number; readonly price: number }) => [
        `figure estimate: ${JSON.stringify({ value: '0' })} hours`,
        'figure parts: {"value":6} pieces for 0',
        `figure price: ${JSON.stringify({ value: `${price}`, before: before && `${before.price}` })} fee for hours`,
        `figure isDear: ${JSON.stringify({ value: hours > 5, before: before && before.hours > 5 })} is above for 5`,
        'figure isOwn: {"value":false} is of for customer, title',
        'figure first: {"value":"Disc"} first line\'s part',
        `figure total: ${JSON.stringify({ value: `${hours * 1.5}`, before: before && `${before.hours * 1.5}` })} hours × 1.5`,
        `  hours: ${JSON.stringify({ value: `${hours}`, before: before && `${before.hours}` })}`,
        'figure ready: {"value":"2026-03-03"} day + 2',
        '  day: {"value":"2026-03-01"}',
        'figure label: {"value":"Brakes!"} title + !',
        '  title: {"value":"Brakes"}',
        'figure isLong: {"value":false} hours > 8',
        `  hours: ${JSON.stringify({ value: `${hours}`, before: before && `${before.hours}` })}`,
        `figure who: ${JSON.stringify({ value: customerId, shownAs: 'Ada' })} customer`,
        'figure firstTitle: {"value":"Brakes"} title',
      ];
      expect(await told({ group: 'job', id: undefined, body: job })).toEqual([
        'default statusId: {"value":"open"} by default',
        'default isSettled: {"value":false} by default',
        ...figures(3, 120),
        'holds job.customer: customer is served',
        "holds job.tint.price: tint's price is tint's price rounded to 0 decimal places or 0.1 rounded to the workspace's currency is not 0",
        '  tint\'s price: {"value":null}',
        '  the workspace\'s currency: {"value":"EUR"}',
        'holds job.cost: cost is cost rounded to 0 decimal places or 0.1 rounded to cost currency is not 0',
      ]);
      // What an update does not touch is not judged again.
      const before = { hours: 3, price: 120 };
      expect(await told({ group: 'job', id, body: { hours: 6 } })).toEqual(figures(6, 240, before));
      expect((await context.call('GET', `/jobs/${id}`)).body).toMatchObject({ hours: 3, price: 120 });
    });
  },
  'garage',
);

onEveryDatabase(
  'a default by formula',
  (context) => {
    test('is told where it is not sent', async () => {
      const told = toldIn('bakery', context);
      const { id: ovenId } = await context.make('oven');
      const attempted = (more: Json): Attempted => ({ group: 'cake', id: undefined, body: { ovenId, ...more } });
      expect(await told(attempted({ isLayered: true, layers: 4 }))).toEqual([
        'default candles: {"value":8} (layers, or 1 if not set) × 2',
        '  layers: {"value":"4"}',
      ]);
      expect(await told(attempted({ isLayered: true, layers: 4, candles: 1 }))).toEqual([]);
    });
  },
  'bakery',
);

onEveryDatabase(
  'a default without a formula',
  (context) => {
    const told = toldIn('product', context);
    const defaultsOf = async (attempted: Attempted): Promise<unknown> =>
      ((await told(attempted)) as string[]).filter((line) => line.startsWith('default '));

    test('is listed with its sources, unless the value is sent or empty', async () => {
      const { id: clientId } = await context.make('client', { currency: 'USD' });
      const payment = { clientId, amount: 10 };
      expect(await defaultsOf({ group: 'payment', id: undefined, body: payment })).toEqual([
        expect.stringMatching(/^default receivedOn: \{"value":"[0-9-]{10}"\} by default: today$/),
        'default currency: {"value":"USD"} by default: client\'s currency',
      ]);
      const sent = { ...payment, receivedOn: '2026-03-01', currency: 'EUR' };
      expect(await defaultsOf({ group: 'payment', id: undefined, body: sent })).toEqual([]);
      const type = { group: 'project-type', id: undefined, body: { name: 'Audit' } };
      expect(await defaultsOf(type)).toEqual([
        'default isActive: {"value":true} by default',
        expect.stringMatching(
          /^default invoiceItem: \{"value":".+","shownAs":"Service"\} by default: invoice item where name is Service and read only is true$/,
        ),
      ]);
    });

    test('is listed in an update only if the update fills it in', async () => {
      const { id } = await context.make('cost-period', { costMethodId: 'hourly', costPerHour: 10 });
      expect(await defaultsOf({ group: 'cost-period', id, body: { costPerHour: 20 } })).toEqual([]);
      expect(await defaultsOf({ group: 'cost-period', id, body: { costMethodId: 'fixed_monthly' } })).toEqual([
        'default costPerMonth: {"value":"0","before":null} by default',
        'default overheadCostPerMonth: {"value":"0","before":null} by default',
      ]);
    });
  },
  'product',
);
