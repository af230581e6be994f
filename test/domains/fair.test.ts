// What callers set and ask for beyond days and texts: moments, amounts within bounds.
import { expect, test } from 'vitest';
import { accessToken, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const general = 'There was a problem processing your request. See errors for more details.';
const momentWords = 'must be a date-time in UTC (YYYY-MM-DDTHH:mm:ss.sssZ)';

onEveryDatabase(
  'the fair',
  (context) => {
    const titles = async (query: string): Promise<unknown> => {
      const { body } = await context.call('GET', `/talks?${query}`);
      if (!isObject(body) || !Array.isArray(body['results'])) return body;
      return body['results'].map((row: Json) => row['title']).toReversed();
    };
    const talk = (body: Json) => context.make('talk', body);

    test('moments keep their milliseconds, and are shown as they were sent', async () => {
      const sent = { startsAt: '2026-03-01T09:30:00.120Z', endsAt: '2026-03-01T10:30:00Z' };
      const made = await talk({
        title: 'Dawn',
        ...sent,
        breaks: ['2026-03-01T09:45:00.5Z', '9999-12-31T23:59:59.999Z'],
      });
      const shown = {
        startsAt: '2026-03-01T09:30:00.120Z',
        endsAt: '2026-03-01T10:30:00.000Z',
        openedAt: '2026-01-01T00:00:00.000Z',
        breaks: ['2026-03-01T09:45:00.500Z', '9999-12-31T23:59:59.999Z'],
        isEarly: true,
      };
      expect(made).toMatchObject(shown);
      expect((await context.call('GET', `/talks/${made.id}`)).body).toMatchObject(shown);
      const same = await context.call('PATCH', `/talks/${made.id}`, { endsAt: '2026-03-01T10:30:00.00Z' });
      expect(same.body).toEqual(made);
      const { body } = await context.call('PATCH', `/talks/${made.id}`, { startsAt: '2026-03-01T12:00:00.000Z' });
      expect(body).toMatchObject({ startsAt: '2026-03-01T12:00:00.000Z', isEarly: false });
    });

    test('moments have no offset, and messages say so', async () => {
      const wrong = { title: 'No', startsAt: '2026-03-01T09:30:00+01:00', openedAt: '2026-03-01', breaks: ['soon'] };
      expect((await context.call('POST', '/talks', wrong)).body).toEqual({
        status: 400,
        message: general,
        errors: [`'startsAt' ${momentWords}`, `'openedAt' ${momentWords}`, `'breaks[0]' ${momentWords}`],
      });
      expect((await context.call('POST', '/talks', { title: 'No', endsAt: '1999-12-31T23:59:59Z' })).body).toEqual({
        status: 400,
        message: general,
        errors: ["'endsAt' must be in this century, not 1999-12-31T23:59:59.000Z"],
      });
      expect(await titles('startsAfter=2026-03-01')).toEqual({
        status: 400,
        message: `Parameter 'startsAfter' ${momentWords}.`,
      });
    });

    test('moments are filtered by their bounds, to the millisecond', async () => {
      for (const ms of ['000', '001', '002', '003'])
        await talk({ title: `At ${ms}`, startsAt: `2027-05-01T00:00:00.${ms}Z` });
      const at = (ms: string): string => `2027-05-01T00:00:00.${ms}Z`;
      expect(await titles(`startsAt=${at('002')}`)).toEqual(['At 002']);
      expect(await titles(`startsAfter=${at('001')}`)).toEqual(['At 002', 'At 003']);
      expect(await titles(`startsOnAfter=${at('001')}&startsBefore=${at('003')}`)).toEqual(['At 001', 'At 002']);
      expect(await titles(`startsOnBefore=${at('001')}&startsOnAfter=2027-01-01T00:00:00Z`)).toEqual([
        'At 000',
        'At 001',
      ]);
      expect(await titles('startsAtAfter=x')).toEqual({
        status: 400,
        message: "Parameter 'startsAtAfter' is not allowed; did you mean 'startsAfter'?",
      });
    });

    test('what has changed since a moment is found, without what has not', async () => {
      const one = await talk({ title: 'Changes' });
      const other = await talk({ title: 'Stays' });
      const since = String(other['modifiedAt']);
      expect(await titles(`titleStartsWith=changes&modifiedAfter=${since}`)).toEqual([]);
      const { body } = await context.call('PATCH', `/talks/${one.id}`, { title: 'Changes now' });
      const now = isObject(body) ? String(body['modifiedAt']) : '';
      expect(now >= since).toBe(true);
      const found = await titles(`modifiedOnAfter=${now}`);
      expect(found).toContain('Changes now');
      expect(await titles(`modifiedAt=${now}&titleStartsWith=changes`)).toEqual(['Changes now']);
      expect(await titles(`modifiedBefore=${now}&titleStartsWith=changes`)).toEqual([]);
      // Where a group does not ask for it, there is no such parameter.
      expect((await context.call('GET', `/halls?modifiedAfter=${now}`)).body).toEqual({
        status: 400,
        message: "Parameter 'modifiedAfter' is not allowed.",
      });
    });

    test('texts have the form that their pattern says, as a whole, and messages show one', async () => {
      for (const code of ['AB-1', 'ABCD-0099/main/b2', ''])
        expect(await talk({ title: 'Coded', code })).toMatchObject({ code });
      const codeWords = "'code' must be like KEY-12/main (^[A-Z]{2,4}-[0-9]+(/[a-z0-9]+)*$)";
      for (const code of ['ab-1', 'AB-1/', 'xAB-1', 'AB-1x', 'AB-1\n', 'AB-\u0661'])
        expect((await context.call('POST', '/talks', { title: 'No', code })).body).toEqual({
          status: 400,
          message: general,
          errors: [codeWords],
        });
      expect((await context.call('POST', '/talks', { title: 'No', colour: 'red', code: 'x'.repeat(21) })).body).toEqual(
        {
          status: 400,
          message: general,
          errors: ["'code' must be at most 20 characters", "'colour' must be like #00ff7f (^#(\\d|[a-f]){6}$)"],
        },
      );
      expect(await titles('code=AB-1')).toEqual(['Coded']);
    });

    test('objects of any form are shown as they were sent, their keys in their order', async () => {
      const raw =
        '{"z":1,"2":"two","a":[{"10":null,"9":-0.5,"b":12345678901234567890}],"1":{},"é\\u00e9 \\"":"\\ud83d\\ude00"}';
      const shown = raw;
      const send = async (method: string, path: string, body?: string): Promise<string> => {
        const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
        const answer = await fetch(`${context.address}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body }),
        });
        return answer.text();
      };
      const made = await send('POST', '/talks', `{ "title": "Free", "extra":  ${raw.replaceAll(':', ' : ')} }`);
      expect(made).toContain(`"extra":${shown.replaceAll(' : ', ':')}`);
      expect(made).toContain('"options":{"stream":false,"languages":["en"]}');
      const { id } = JSON.parse(made) as { id: string };
      expect(await send('GET', `/talks/${id}`)).toBe(made);
      expect(await send('GET', '/talks?titleStartsWith=free')).toContain(shown);
      // In a batch too.
      const operation = `{"method":"POST","path":"/talks","body":{"title":"Free","extra":${raw}}}`;
      expect(await send('POST', '/batch', `{"operations":[${operation}]}`)).toContain(`"extra":${shown}`);
      // An update replaces the whole, null unsets it, and what is not sent stays.
      expect(await send('PATCH', `/talks/${id}`, '{"extra":{"only":true}}')).toContain(
        '"extra":{"only":true},"options":{"stream"',
      );
      expect(await send('PATCH', `/talks/${id}`, '{"extra":null}')).toContain('"extra":null');
      const refused = await send('PATCH', `/talks/${id}`, '{"options":null,"extra":[1]}');
      expect(JSON.parse(refused)).toMatchObject({
        status: 400,
        errors: ["'extra' must be an object", "'options' is required"],
      });
      expect((await context.call('GET', '/talks?extra=x')).body).toMatchObject({ status: 400 });
    });

    test('numbers are filtered by their bounds, to the last digit', async () => {
      const fees = [0, 0.0001, 99_999_999_999.9999, 99_999_999_999.9998, null];
      for (const fee of fees) await talk({ title: `Fee ${fee}`, fee, places: fee === null ? null : 7000 });
      const of = (query: string) => titles(`titleStartsWith=fee&${query}`);
      expect(await of('feeAbove=0')).toEqual(['Fee 0.0001', 'Fee 99999999999.9999', 'Fee 99999999999.9998']);
      expect(await of('feeAbove=-1&feeBelow=99999999999.9999')).toEqual([
        'Fee 0',
        'Fee 0.0001',
        'Fee 99999999999.9998',
      ]);
      expect(await of('feeAtLeast=99999999999.9999')).toEqual(['Fee 99999999999.9999']);
      expect(await of('feeAtMost=0.0001')).toEqual(['Fee 0', 'Fee 0.0001']);
      expect(await of('fee=99999999999.9998')).toEqual(['Fee 99999999999.9998']);
      expect(await of('placesAtLeast=7000&placesAtMost=7000&feeBelow=1')).toEqual(['Fee 0', 'Fee 0.0001']);
      // What must be greater than 0 can be asked for above 0, and below what no field of its digits holds.
      await talk({ title: 'Cheap', cost: 0.5 });
      expect(await titles('titleStartsWith=cheap&ratingBelow=100000')).toEqual(['Cheap']);
      expect(await titles('cost=0')).toEqual({
        status: 400,
        message: "Parameter 'cost' must be a number greater than 0 with at most 15 digits, 4 of them decimals.",
      });
      expect(await titles('feeAbove=0.00001')).toEqual({
        status: 400,
        message: "Parameter 'feeAbove' must be a number with at most 15 digits, 4 of them decimals.",
      });
      expect(await titles('placesAbove=1.5')).toMatchObject({ status: 400 });
    });
  },
  'fair',
);
