// What holds wherever the periods of a member follow each other without gaps.
import { type Case, conflict, done, example, type Made, type World } from './case.ts';

interface Group {
  readonly path: string;
  /** The human name of a record. */
  readonly human: string;
  /** What a new period needs beside member and start. */
  readonly body?: object;
}

/** Cases of a group of periods; each scene begins with a member whose first period starts on 2026-01-01. */
export function chain({ path, human, body = {} }: Group): Case[] {
  const article = /^[AEIO]/.test(human) ? 'An' : 'A';
  const at = ({ id }: Made) => `${path}/${id}`;
  const bodyOf = (member: Made, start: string) => ({ memberId: member.id, start, ...body });
  const allOf = (member: Made) => `${path}?memberId=${member.id}`;

  /** A member, and the member's periods in the order of these days. */
  async function scene(world: World, ...starts: readonly string[]): Promise<{ member: Made; periods: Made[] }> {
    const member = await world.make('member', { activeStartDate: '2026-01-01' });
    const { results } = (await world.send('GET', allOf(member))) as unknown as { results: Made[] };
    const periods = [...results];
    for (const start of starts) periods.push(await world.send('POST', path, bodyOf(member, start)));
    return { member, periods };
  }
  const place = ({ periods }: { periods: Made[] }, index: number) => at(periods[index] as Made);
  const shown = (isDefault: boolean, start: string, end: string | null) => ({ isDefault, start, end });

  return [
    example({
      says: `A later ${human} ends the one before on the day before it starts`,
      given: (world) => scene(world),
      when: ({ member }) => ['POST', path, bodyOf(member, '2026-03-01')],
      gives: done(shown(false, '2026-03-01', null)),
      // 2026 is no leap year.
      also: (given) => [[place(given, 0), shown(true, '2026-01-01', '2026-02-28')]],
    }),
    example({
      says: `An earlier ${human} is the default from then on`,
      given: (world) => scene(world, '2026-06-01'),
      when: ({ member }) => ['POST', path, bodyOf(member, '2025-07-01')],
      gives: done(shown(true, '2025-07-01', '2025-12-31')),
      also: (given) => [
        [place(given, 0), shown(false, '2026-01-01', '2026-05-31')],
        [place(given, 1), shown(false, '2026-06-01', null)],
      ],
    }),
    example({
      says: `${article} ${human} between two others ends on the day before the second starts`,
      given: (world) => scene(world, '2028-03-01'),
      when: ({ member }) => ['POST', path, bodyOf(member, '2027-01-01')],
      // 2028 is a leap year.
      gives: done(shown(false, '2027-01-01', '2028-02-29')),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-12-31')],
        [place(given, 1), shown(false, '2028-03-01', null)],
      ],
    }),
    example({
      says: `Two neighbouring days can each have ${article.toLowerCase()} ${human} of their own`,
      given: (world) => scene(world),
      when: ({ member }) => ['POST', path, bodyOf(member, '2026-01-02')],
      gives: done(shown(false, '2026-01-02', null)),
      also: (given) => [[place(given, 0), shown(true, '2026-01-01', '2026-01-01')]],
    }),
    example({
      says: `No two of a member start on the same day (${human})`,
      given: (world) => scene(world),
      when: ({ member }) => ['POST', path, bodyOf(member, '2026-01-01')],
      gives: conflict(`${article} ${human} with the same start already exists.`),
    }),
    example({
      says: `${article} ${human} does not move to the start of another one`,
      given: (world) => scene(world, '2026-06-01'),
      when: (given) => ['PATCH', place(given, 1), { start: '2026-01-01' }],
      gives: conflict(`${article} ${human} with the same start already exists.`),
    }),
    example({
      says: `Every member has a chain of their own (${human})`,
      given: async (world) => ({ ...(await scene(world, '2026-06-01')), other: await scene(world) }),
      when: ({ other }) => ['POST', path, bodyOf(other.member, '2026-03-01')],
      gives: done(shown(false, '2026-03-01', null)),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-05-31')],
        [place(given.other, 0), shown(true, '2026-01-01', '2026-02-28')],
      ],
    }),
    example({
      says: `${article} ${human} whose start moves takes the end of the one before with it`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['PATCH', place(given, 1), { start: '2026-05-01' }],
      gives: done(shown(false, '2026-05-01', '2026-05-31')),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-04-30')],
        [place(given, 2), shown(false, '2026-06-01', null)],
      ],
    }),
    example({
      says: `${article} ${human} that moves behind another one leaves its days to the one before`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['PATCH', place(given, 1), { start: '2026-09-01' }],
      gives: done(shown(false, '2026-09-01', null)),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-05-31')],
        [place(given, 2), shown(false, '2026-06-01', '2026-08-31')],
      ],
    }),
    example({
      says: `${article} ${human} that moves before all others becomes the default`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['PATCH', place(given, 2), { start: '2024-03-01' }],
      gives: done(shown(true, '2024-03-01', '2025-12-31')),
      also: (given) => [
        [place(given, 0), shown(false, '2026-01-01', '2026-03-31')],
        [place(given, 1), shown(false, '2026-04-01', null)],
      ],
    }),
    example({
      says: `The earliest ${human} stays the default while it stays the earliest`,
      given: (world) => scene(world, '2026-04-01'),
      when: (given) => ['PATCH', place(given, 0), { start: '2026-03-31' }],
      gives: done(shown(true, '2026-03-31', '2026-03-31')),
      also: (given) => [[place(given, 1), shown(false, '2026-04-01', null)]],
    }),
    example({
      says: `Without ${article.toLowerCase()} ${human} in the middle the one before covers its days`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['DELETE', place(given, 1)],
      gives: done(),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-05-31')],
        [place(given, 2), shown(false, '2026-06-01', null)],
      ],
    }),
    example({
      says: `Without the earliest ${human} the next one is the default`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['DELETE', place(given, 0)],
      gives: done(),
      also: (given) => [
        [place(given, 1), shown(true, '2026-04-01', '2026-05-31')],
        [place(given, 2), shown(false, '2026-06-01', null)],
      ],
    }),
    example({
      says: `Without the last ${human} the one before has no end`,
      given: (world) => scene(world, '2026-04-01', '2026-06-01'),
      when: (given) => ['DELETE', place(given, 2)],
      gives: done(),
      also: (given) => [
        [place(given, 0), shown(true, '2026-01-01', '2026-03-31')],
        [place(given, 1), shown(false, '2026-04-01', null)],
      ],
    }),
    example({
      says: `The only ${human} of a member cannot be deleted`,
      given: (world) => scene(world),
      when: (given) => ['DELETE', place(given, 0)],
      gives: conflict(`The ${human} is in use and cannot be deleted.`),
    }),
    example({
      says: `One of two can go, also the first (${human})`,
      given: (world) => scene(world, '2026-04-01'),
      when: (given) => ['DELETE', place(given, 0)],
      gives: done(),
      also: (given) => [[place(given, 1), shown(true, '2026-04-01', null)]],
    }),
    example({
      says: `A member who goes takes every ${human} along`,
      given: async (world) => ({ ...(await scene(world, '2026-04-01')), other: await scene(world) }),
      when: ({ member }) => ['DELETE', `/members/${member.id}`],
      gives: done(),
      also: ({ member, other }) => [
        [allOf(member), { results: [] }],
        [place(other, 0), shown(true, '2026-01-01', null)],
      ],
    }),
  ];
}
