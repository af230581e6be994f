// A small service of its own on the engine: descriptors, one rule, one middleware.
import { join } from 'node:path';
import type { Middleware } from 'koa';
import {
  createPraxis,
  guardedBy,
  keyArgument,
  loadRegistry,
  openDatabase,
  type Praxis,
  type Rule,
  rulesWith,
  textOf,
} from '../../src/library.ts';

/** A book can be taken home only while nobody has it. */
const onShelf: Rule = {
  parameters: { book: 'reference' },
  on: ['create'],
  // Two readers at once: the row of the book is where their writes meet.
  guard: ({ use, resource, values }) => guardedBy(resource.byKey.get(keyArgument(resource, use, 'book')), values),
  check: async ({ use, resource, values, records, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'book');
    if (!isSound(key)) return;
    const id = textOf(values, key) ?? '';
    if ((await records.find('book', id))?.isForReadingRoom === true)
      refuse(key, 'must be a book that may leave the house');
    else if (await records.exists('loan', { [key]: id, returnedOn: null })) refuse(key, 'must be on the shelf');
  },
};

const greet: Middleware = async (ctx, next) => {
  if (ctx.path !== '/') return next();
  ctx.body = 'Open from 9 to 5.';
};

export async function createLibrary(databaseUrl: string, accessToken: string): Promise<Praxis> {
  const rules = rulesWith({ onShelf });
  return createPraxis({
    registry: loadRegistry(join(import.meta.dirname, 'resources'), rules),
    database: await openDatabase(databaseUrl),
    rules,
    accessToken,
    middleware: [greet],
  });
}
