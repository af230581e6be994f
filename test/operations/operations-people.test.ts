// Operations 8, 9, 13 to 17 and 20 of the interface: expense reports, named records, tax rates, skills.
import { describe, expect, test } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  pageOf,
  recordOf,
  type Shown,
  unknownId,
  unknownRecord,
} from '../support/service/answers.ts';
import { onEveryDatabase } from '../support/service/praxis.ts';

const namedFields = ['id', 'name', 'isActive', 'createdAt'];
const taxRateFields = ['id', 'name', 'isActive', 'rate', 'createdAt'];
const reportFields = ['id', 'number', 'title', 'notes', 'date', 'createdAt', 'member'];

onEveryDatabase(
  'people',
  (context) => {
    describe('named records', () => {
      const create = (body: unknown) => context.call('POST', '/job-titles', body);

      test('creates a job title, whose name is required', async () => {
        const shown = recordOf(await create({ name: ' Boss ' }));
        expect(Object.keys(shown)).toEqual(namedFields);
        expect(shown).toMatchObject({ name: ' Boss ', isActive: true });
        expect(recordOf(await create({ name: 'Former', isActive: false })).isActive).toBe(false);
        expect(recordOf(await create({ name: 'Unsaid', isActive: null })).isActive).toBe(true);
        for (const body of [{}, { name: null }, { name: '' }, { name: ' \t\u2003' }, { isActive: true }]) {
          expectFaults(await create(body), "'name' is required");
        }
        expectFaults(
          await create({ name: 5, isActive: 'yes', x: 1 }),
          "'name' must be a string",
          "'isActive' must be a boolean",
          "'x' is not allowed",
        );
        expect(recordOf(await create({ name: 'ß'.repeat(255) })).name).toBe('ß'.repeat(255));
        expectFaults(await create({ name: 'ß'.repeat(256) }), "'name' must be at most 255 characters");
      });

      test('takes each name of a job title once, in whatever case and with whatever spaces around it', async () => {
        recordOf(await create({ name: 'Größe É' }));
        const message = 'A Job Title with the same name already exists.';
        for (const name of ['Größe É', 'größe é', ' GRÖSSE É\n', 'Gro\u0308ße E\u0301']) {
          expectProblem(await create({ name }), 409, message);
        }
        for (const name of ['Große É', 'Größe E', 'Größe  É', 'Größe']) recordOf(await create({ name }));
        const other = recordOf(await create({ name: 'Other' }));
        expectProblem(await context.call('PATCH', `/job-titles/${other.id}`, { name: 'gröSSe é' }), 409, message);
        expect(recordOf(await context.call('PATCH', `/job-titles/${other.id}`, { name: 'OTHER' })).name).toBe('OTHER');
      });

      test.each([
        ['member-tag', 'Member Tag'],
        ['location', 'Location'],
      ])('lists %s records by exact name', async (group, title) => {
        const { path } = context.resource(group);
        const made: Shown[] = [];
        for (const name of ['Alpha', 'alpha x', 'Al%', '😀', 'Béta']) made.push(await context.make(group, { name }));
        expect(pageOf(await context.call('GET', path))).toEqual({ results: made.toReversed(), hasMore: false });
        for (const record of made) {
          expect(Object.keys(record)).toEqual(namedFields);
          const query = `?name=${encodeURIComponent(String(record.name))}`;
          expect(pageOf(await context.call('GET', path + query))).toEqual({ results: [record], hasMore: false });
        }
        for (const name of ['alpha', 'Alpha%20', 'A', 'Al%25x', '%25', '_____', '%F0%9F%98%81', 'Beta', '']) {
          expect(pageOf(await context.call('GET', `${path}?name=${name}`)).results, name).toEqual([]);
        }
        const article = title === 'Location' ? 'A Location' : 'A Member Tag';
        expectProblem(
          await context.call('POST', path, { name: 'ALPHA' }),
          409,
          `${article} with the same name already exists.`,
        );
      });

      test.each([
        ['tax-rate', taxRateFields],
        ['member-certification', namedFields],
        ['project-tag', namedFields],
      ])('gets a %s', async (group, fields) => {
        const made = await context.make(group);
        const { path } = context.resource(group);
        const shown = recordOf(await context.call('GET', `${path}/${made.id.toUpperCase()}`));
        expect(shown).toEqual(made);
        expect(Object.keys(shown)).toEqual(fields);
        expectProblem(await context.call('GET', `${path}/${unknownId}`), 404, unknownRecord(unknownId));
        expectProblem(await context.call('GET', `${path}/${made.id}x`), 400, "Parameter 'id' is not a valid UUID.");
        expectProblem(await context.call('GET', `${path}/${made.id}?name=x`), 400, "Parameter 'name' is not allowed.");
      });

      test('keeps tax rates of six decimals from 0 to 1', async () => {
        for (const rate of [0, 0.000001, 0.123456, 0.2, 1])
          expect((await context.make('tax-rate', { rate })).rate).toBe(rate);
        const refused = async (rate: unknown, words: string) =>
          expectFaults(await context.call('POST', '/tax-rates', { name: 'x', rate }), `'rate' ${words}`);
        await refused(1.000001, 'must be from 0 to 1');
        await refused(-0.1, 'must be from 0 to 1');
        await refused(0.1234567, 'must be a number with at most 6 decimals');
        await refused(null, 'is required');
        await refused('0.2', 'must be a number');
      });

      test('takes a skill out of the lists of members when it is deleted', async () => {
        const [one, other] = [await context.make('skill'), await context.make('skill')];
        const member = await context.make('member', { skillIds: [one.id, other.id] });
        expectGone(await context.call('DELETE', `/skills/${one.id.toUpperCase()}`));
        const shown = recordOf(await context.call('GET', `/members/${member.id}`));
        expect(shown).toEqual({ ...member, skills: [{ id: other.id, name: other.name }] });
        expectProblem(await context.call('DELETE', `/skills/${one.id}`), 404, unknownRecord(one.id));
        expectProblem(await context.call('DELETE', '/skills/x'), 400, "Parameter 'id' is not a valid UUID.");
      });
    });

    describe('expense reports', () => {
      const create = (body: unknown) => context.call('POST', '/expense-reports', body);

      test('numbers reports one after the other, without a number for a refused one', async () => {
        const member = await context.make('member', { name: 'Traveller' });
        const one = recordOf(await create({ title: 'One', memberId: member.id }));
        expect(Object.keys(one)).toEqual(reportFields);
        const today = new Date().toISOString().slice(0, 10);
        expect(one).toMatchObject({
          number: 1,
          title: 'One',
          notes: '',
          date: today,
          member: { id: member.id, name: 'Traveller' },
        });
        expectFaults(
          await create({ title: 'Two', memberId: unknownId }),
          "'memberId' does not refer to an existing Member",
        );
        expectFaults(
          await create({ number: 9, notes: 'x' }),
          "'number' is not allowed",
          "'title' is required",
          "'memberId' is required",
        );
        const two = recordOf(await create({ title: 'Two', memberId: member.id, date: '2024-02-29', notes: 'n' }));
        expect(two).toMatchObject({ number: 2, notes: 'n', date: '2024-02-29' });
        expectGone(await context.call('DELETE', `/expense-reports/${two.id}`));
        expect(recordOf(await create({ title: 'Three', memberId: member.id })).number).toBe(3);
        expect(await context.all('expense-report', '&number=1')).toEqual([one]);
      });

      test('updates title, notes and date, and nothing else', async () => {
        const report = await context.make('expense-report');
        const patch = (body: unknown) => context.call('PATCH', `/expense-reports/${report.id}`, body);
        const body = { title: 'New', notes: 'a\nb', date: '9999-12-31' };
        expect(recordOf(await patch(body))).toEqual({ ...report, ...body });
        expect(recordOf(await patch({ notes: null }))).toEqual({ ...report, ...body, notes: '' });
        expect(recordOf(await patch({}))).toEqual({ ...report, ...body, notes: '' });
        expectFaults(await patch({ title: '', date: null }), "'title' is required", "'date' is required");
        const readOnly = { id: report.id, number: 5, createdAt: 'x', memberId: unknownId, member: {} };
        expectFaults(
          await patch(readOnly),
          ...[
            "'id' is not allowed",
            "'number' is not allowed",
            "'createdAt' is not allowed",
            "'memberId' is not allowed",
            "'member' is not allowed",
          ],
        );
        expect(recordOf(await patch({ title: 'x'.repeat(255), notes: 'x'.repeat(5000) })).title).toHaveLength(255);
        const tooLong = { title: 'x'.repeat(256), notes: 'x'.repeat(5001) };
        expectFaults(
          await patch(tooLong),
          "'title' must be at most 255 characters",
          "'notes' must be at most 5000 characters",
        );
        expectProblem(
          await context.call('PATCH', `/expense-reports/${unknownId}`, body),
          404,
          unknownRecord(unknownId),
        );
      });

      test.each(['1000-01-01', '1900-02-28', '2000-02-29', '9999-12-31'])('takes the date %s', async (date) => {
        expect((await context.make('expense-report', { date })).date).toBe(date);
      });

      test.each([
        '0999-12-31',
        '0000-00-00',
        '1900-02-29',
        '2023-02-29',
        '2024-02-30',
        '2024-13-01',
        '2024-1-1',
        '2024-01-01T00:00:00Z',
        '10000-01-01',
        ' 2024-01-01',
        'today',
      ])('refuses the date %s', async (date) => {
        const body = await context.bodyOf('expense-report', { date });
        expectFaults(await create(body), "'date' must be a date (YYYY-MM-DD)");
        const answer = await context.call('GET', `/expense-reports?dateOnAfter=${encodeURIComponent(date)}`);
        expectProblem(answer, 400, "Parameter 'dateOnAfter' must be a date (YYYY-MM-DD).");
      });

      test('finds reports by member, by title and by ranges of dates', async () => {
        const { id: memberId } = await context.make('member');
        const reports: Shown[] = [];
        for (const [date, title] of [
          ['2020-01-01', 'Paris trip'],
          ['2020-01-02', 'PARIS fair'],
          ['2020-01-03', 'Rome'],
        ]) {
          reports.unshift(await context.make('expense-report', { memberId, date, title }));
        }
        const [third, second, first] = reports;
        const find = (query: string) => context.all('expense-report', `&memberId=${memberId}${query}`);
        expect(await find('')).toEqual(reports);
        expect(await find('&titleStartsWith=paris')).toEqual([second, first]);
        expect(await find('&date=2020-01-02')).toEqual([second]);
        expect(await find('&dateAfter=2020-01-02')).toEqual([third]);
        expect(await find('&dateOnAfter=2020-01-02')).toEqual([third, second]);
        expect(await find('&dateBefore=2020-01-02')).toEqual([first]);
        expect(await find('&dateOnBefore=2020-01-02&dateAfter=2020-01-01&titleContains=FAIR')).toEqual([second]);
      });
    });
  },
  'product',
);
