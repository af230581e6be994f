import { type Case, done, example, refused } from './case.ts';

export const tasks: readonly Case[] = [
  example({
    says: 'A task may end on the day on which it starts',
    given: ({ make }) => make('project'),
    when: ({ id }) => ['POST', '/tasks', { name: 'Kick-off', projectId: id, start: '2026-03-02', end: '2026-03-02' }],
    gives: done({ start: '2026-03-02', end: '2026-03-02' }),
  }),
  example({
    says: 'A task does not end before it starts',
    given: ({ make }) => make('project'),
    when: ({ id }) => ['POST', '/tasks', { name: 'Kick-off', projectId: id, start: '2026-03-02', end: '2026-03-01' }],
    gives: refused("'end' must be on or after start"),
  }),
];
