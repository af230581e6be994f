// Lists of which a caller sees what many other records lead to: what they hold, and how many rows that takes.
import { expect, test } from 'vitest';
import { copyRecord } from '../support/databases/many.ts';
import { openCounter } from '../support/databases/rows-read.ts';
import type { Json } from '../support/service/praxis.ts';
import { withRoles } from './callers.ts';

/** More than one statement has ways, more than one is read first, as many as both have, and few. */
const numbers = [60, 700, 1100, 12];
const projectCount = 1500;
/** As if for years: those of each project lie together. */
const entryCount = 3000;

const roles = {
  staff: {
    allow: [
      {
        on: ['entry'],
        to: ['read'],
        when: 'staffings.exists(s, s.projectId == projectId && s.memberId == actor)',
      },
    ],
  },
  either: {
    allow: [
      {
        on: ['entry'],
        to: ['read'],
        when: 'memberId == actor || staffings.exists(s, s.projectId == projectId && s.memberId == actor)',
      },
    ],
  },
  own: { allow: [{ on: ['entry'], to: ['read'], when: 'memberId == actor' }] },
};

withRoles('lists of what many others lead to', { folder: 'studio', roles }, (context) => {
  const idsIn = (body: unknown): string[] => (body as { results: { id: string }[] }).results.map(({ id }) => id);

  test('hold what they lead to, and read little besides', { timeout: 300_000 }, async () => {
    const { make, workspace, databaseUrl } = context;
    const people = await Promise.all(numbers.map((n) => make('member', { name: `P${n}`, email: `p${n}@example.com` })));
    const other = await make('member', { name: 'Other', email: 'other@example.com' });
    const pattern = await make('project', { name: 'Pattern' });
    const projects = await copyRecord(workspace, { group: 'project', id: pattern.id, count: projectCount });
    for (const [index, person] of people.entries()) {
      const staffing = await make('staffing', { projectId: pattern.id, memberId: person.id });
      // The oldest of all, so that a walk along the list finds them last.
      await copyRecord(
        workspace,
        { group: 'staffing', id: staffing.id, count: (numbers[index] ?? 0) - 1 },
        (place) => ({
          project_id: projects[place] ?? null,
          id: `0${index + 1}890a5d-ac96-774b-bcce-${String(place).padStart(12, '0')}`,
        }),
      );
    }
    const entry = await make('entry', { memberId: other.id, projectId: null, date: '2026-03-02', minutes: 60 });
    const entries = await copyRecord(workspace, { group: 'entry', id: entry.id, count: entryCount }, (place) => ({
      project_id: projects[Math.floor((place * projectCount) / entryCount)] ?? null,
      // One of a hundred is of the first person, too.
      ...(place % 100 === 7 ? { member_id: people[0]?.id ?? null } : {}),
    }));

    const counter = await openCounter(databaseUrl);
    const rowsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const { reads, readValues } = context;
      const before = reads.length;
      await work();
      let rows = 0;
      for (let place = before; place < reads.length; place += 1)
        rows += await counter.count(reads[place] ?? '', readValues[place] ?? []);
      return rows;
    };
    const expectedOf = (role: string, index: number): string[] =>
      entries
        .filter((_id, place) => {
          const isStaffed = Math.floor((place * projectCount) / entryCount) < (numbers[index] ?? 0) - 1;
          const isOwn = index === 0 && place % 100 === 7;
          return role === 'own' ? isOwn : isStaffed || (role === 'either' && isOwn);
        })
        .toReversed();
    try {
      for (const role of Object.keys(roles))
        for (const [index, person] of people.entries()) {
          const call = context.as(person.id, role);
          const expected = expectedOf(role, index);
          const where = `${role} of ${numbers[index]}`;
          const before = context.reads.length;
          const page = (await call('GET', '/entries?limit=100&count=true')).body as Json;
          // What is read first says what is seen: no record is asked for itself, unless that is too much.
          const isAsked = context.reads.slice(before).some((text) => text.includes('exists'));
          expect(isAsked, where).toBe(role !== 'own' && (numbers[index] ?? 0) > 1000);
          expect(idsIn(page), where).toEqual(expected.slice(0, 100));
          expect(page['count'], where).toBe(expected.length);
          const last = (await call('GET', `/entries?limit=3&endingBefore=${expected.at(-1) ?? entry.id}`)).body;
          expect(idsIn(last), where).toEqual(expected.slice(-4, -1));
          const sum = (await call('GET', '/summary/entries?sum=minutes')).body as Json;
          expect(sum['rows'], where).toBe(expected.length);
          const filtered = (await call('GET', '/summary/entries?sum=minutes&statusId=open&dateOnAfter=2026-03-01'))
            .body;
          expect((filtered as Json)['rows'], where).toBe(expected.length);
          const sorted = (await call('GET', '/entries?limit=100&sort=-minutes')).body;
          expect(idsIn(sorted).length, where).toBe(Math.min(100, expected.length));
          expect(expected, where).toEqual(expect.arrayContaining(idsIn(sorted)));
          if (role === 'own' && index === 0)
            expect(await rowsOf(() => call('GET', '/entries?limit=1&count=true')), where).toBeLessThan(200);
        }
    } finally {
      await counter.close();
    }
  });
});
