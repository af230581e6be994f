// Time entries and expense items are submitted, decided on, taken back and opened again.
import { type Case, conflict, done, example, type Made, refused, type World } from './case.ts';

const states = ['not_submitted', 'pending_approval', 'approved', 'rejected'] as const;
type State = (typeof states)[number];

/** What may follow each state. */
const next: Readonly<Record<State, readonly State[]>> = {
  not_submitted: ['pending_approval'],
  pending_approval: ['approved', 'rejected', 'not_submitted'],
  approved: ['not_submitted'],
  rejected: ['pending_approval', 'not_submitted'],
};

interface Kind {
  /** With its article. */
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** A record in a state. */
  readonly made: (world: World, statusId: State) => Promise<Made>;
  /** A change of it that is no decision. */
  readonly edit: object;
}

export function approval({ name, title, path, made, edit }: Kind): Case[] {
  const at = ({ id }: Made) => `${path}/${id}`;
  return states.flatMap((from) => {
    const given = (world: World) => made(world, from);
    const isLocked = from === 'pending_approval' || from === 'approved';
    return [
      ...states
        .filter((to) => to !== from)
        .map((to) =>
          example({
            says: `${name} that is ${from} ${next[from].includes(to) ? 'can become' : 'cannot become'} ${to}`,
            given,
            when: (record) => ['PATCH', at(record), { statusId: to }],
            gives: next[from].includes(to)
              ? done({ statusId: to })
              : refused(`'statusId' cannot change from '${from}' to '${to}'`),
          }),
        ),
      example({
        says: `${name} that is ${from} ${isLocked ? 'cannot' : 'can'} be edited`,
        given,
        when: (record) => ['PATCH', at(record), edit],
        gives: isLocked ? conflict(`The ${title} is read-only.`) : done({ ...edit, statusId: from }),
      }),
      example({
        says: `${name} that is ${from} ${isLocked ? 'cannot' : 'can'} be deleted`,
        given,
        when: (record) => ['DELETE', at(record)],
        gives: isLocked ? conflict(`The ${title} is read-only.`) : done(),
      }),
    ];
  });
}
