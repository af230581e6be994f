// What holds wherever one record of a group is the default.
import { type Case, conflict, done, example, refused, type World } from './case.ts';

interface Group {
  readonly path: string;
  /** The human name of a record. */
  readonly human: string;
  /** What a new record needs beside its name. */
  readonly body?: object;
}

/** Cases of a group with the switches `isDefault` and `isActive`. */
export function oneDefault({ path, human, body = {} }: Group): Case[] {
  const bodyOf = ({ unique }: World, values: object = {}) => ({ name: `${human} of ${unique}`, ...body, ...values });
  const made = (world: World, values?: object) => world.send('POST', path, bodyOf(world, values));
  const holder = (world: World) => made(world, { isDefault: true });
  const placeOf = ({ id }: { readonly id: string }) => `${path}/${id}`;
  const both = async (world: World, values?: object) => ({
    old: await holder(world),
    other: await made(world, values),
  });
  const kept = 'must be true until another';
  return [
    example({
      says: `A new ${human} is not the default`,
      given: async (world) => ({ old: await holder(world), body: bodyOf(world) }),
      when: ({ body }) => ['POST', path, body],
      gives: done({ isDefault: false }),
      also: ({ old }) => [[placeOf(old), { isDefault: true }]],
    }),
    example({
      says: `A new ${human} that is the default takes this from the one before`,
      given: async (world) => ({ old: await holder(world), body: bodyOf(world, { isDefault: true }) }),
      when: ({ body }) => ['POST', path, body],
      gives: done({ isDefault: true }),
      also: ({ old }) => [[placeOf(old), { isDefault: false, isActive: true }]],
    }),
    example({
      says: `A ${human} that becomes the default takes this from the one before`,
      given: both,
      when: ({ other }) => ['PATCH', placeOf(other), { isDefault: true }],
      gives: done({ isDefault: true }),
      also: ({ old }) => [[placeOf(old), { isDefault: false }]],
    }),
    example({
      says: `The default ${human} stays it when that is sent again`,
      given: holder,
      when: (old) => ['PATCH', placeOf(old), { isDefault: true }],
      gives: done({ isDefault: true }),
    }),
    example({
      says: `The default ${human} can be renamed`,
      given: async (world) => ({ old: await holder(world), name: `Renamed ${world.unique}` }),
      when: ({ old, name }) => ['PATCH', placeOf(old), { name }],
      gives: ({ name }) => done({ name, isDefault: true }),
    }),
    example({
      says: `A workspace is never without a default ${human}`,
      given: holder,
      when: (old) => ['PATCH', placeOf(old), { isDefault: false }],
      gives: refused(`'isDefault' ${kept} ${human} takes it`),
    }),
    example({
      says: `A ${human} that is not the default may say so`,
      given: both,
      when: ({ other }) => ['PATCH', placeOf(other), { isDefault: false }],
      gives: done({ isDefault: false }),
      also: ({ old }) => [[placeOf(old), { isDefault: true }]],
    }),
    example({
      says: `The default ${human} cannot be deleted`,
      given: holder,
      when: (old) => ['DELETE', placeOf(old)],
      gives: conflict(`The ${human} is in use and cannot be deleted.`),
    }),
    example({
      says: `A ${human} that is no longer the default can be deleted`,
      given: async (world) => ({ old: await holder(world), other: await holder(world) }),
      when: ({ old }) => ['DELETE', placeOf(old)],
      gives: done(),
      also: ({ other }) => [[placeOf(other), { isDefault: true }]],
    }),
    example({
      says: `The default ${human} cannot be made inactive`,
      given: holder,
      when: (old) => ['PATCH', placeOf(old), { isActive: false }],
      gives: conflict(`The ${human} is read-only.`),
    }),
    example({
      says: `The default ${human} cannot be made inactive by giving that up at once`,
      given: holder,
      when: (old) => ['PATCH', placeOf(old), { isActive: false, isDefault: false }],
      gives: conflict(`The ${human} is read-only.`),
    }),
    example({
      says: `A ${human} that is not the default can be made inactive`,
      given: both,
      when: ({ other }) => ['PATCH', placeOf(other), { isActive: false }],
      gives: done({ isActive: false, isDefault: false }),
      also: ({ old }) => [[placeOf(old), { isActive: true, isDefault: true }]],
    }),
    example({
      says: `A new inactive ${human} cannot be the default`,
      given: async (world) => bodyOf(world, { isActive: false, isDefault: true }),
      when: (body) => ['POST', path, body],
      gives: refused("'isDefault' must be false while isActive is false"),
    }),
    example({
      says: `An inactive ${human} cannot become the default`,
      given: (world) => both(world, { isActive: false }),
      when: ({ other }) => ['PATCH', placeOf(other), { isDefault: true }],
      gives: refused("'isDefault' must be false while isActive is false"),
    }),
    example({
      says: `An inactive ${human} can become active and the default at once`,
      given: (world) => both(world, { isActive: false }),
      when: ({ other }) => ['PATCH', placeOf(other), { isActive: true, isDefault: true }],
      gives: done({ isActive: true, isDefault: true }),
      also: ({ old }) => [[placeOf(old), { isDefault: false }]],
    }),
  ];
}
