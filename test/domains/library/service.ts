// A small service of its own on the engine: descriptors, one rule, one middleware.
import { join } from 'node:path';
import type { Middleware } from 'koa';
import {
  createPraxis,
  keyArgument,
  loadRegistry,
  openDatabase,
  type Praxis,
  type Rule,
  rulesWith,
  textOf,
} from '../../../src/library.ts';

/** The last digit of a book's number follows from the others: no formula goes through the letters of a text. */
const checkDigit: Rule = {
  parameters: { field: { field: 'text' } },
  on: ['create', 'update'],
  isLocal: true,
  check: ({ use, resource, values, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'field');
    const number = textOf(values, key);
    if (number === null || !isSound(key)) return;
    const sum = [...number].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
    if (!/^\d{13}$/.test(number) || sum % 10 !== 0) refuse(key, 'must be a number of 13 digits with its check digit');
  },
};

const greet: Middleware = async (ctx, next) => {
  if (ctx.path !== '/') return next();
  ctx.body = 'Open from 9 to 5.';
};

export async function createLibrary(databaseUrl: string, accessToken: string): Promise<Praxis> {
  const rules = rulesWith({ checkDigit });
  return createPraxis({
    registry: loadRegistry(join(import.meta.dirname, 'resources'), rules),
    database: await openDatabase(databaseUrl),
    rules,
    accessToken,
    middleware: [greet],
  });
}
