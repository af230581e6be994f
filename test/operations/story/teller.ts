// How the story is told: records have names, what is asked must be answered so, and what is refused must have changed nothing.
import { expect } from 'vitest';
import {
  expectFaults,
  expectGone,
  expectProblem,
  pageOf,
  recordOf,
  type Shown,
} from '../../support/service/answers.ts';
import type { Context, Json } from '../../support/service/praxis.ts';

export type Asked = readonly [method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json];

export interface Teller {
  /** Creates a record, from now on known by a name. @param shows What the answer must show at least. */
  make(name: string, path: string, body: Json, shows?: Json): Promise<Shown>;
  /** Gives a name to the only record that a list shows; by default that of the same name. */
  know(name: string, path: string, query?: string): Promise<Shown>;
  /** Id of a record by its name. */
  the(name: string): string;
  /** Path of a record by its name. */
  at(name: string): string;
  change(name: string, body: Json, shows?: Json): Promise<Shown>;
  /** Changes the settings of the workspace. */
  settle(body: Json, shows?: Json): Promise<void>;
  remove(name: string): Promise<void>;
  see(name: string, shows: Json): Promise<Shown>;
  /** A list must show exactly these records, newest first, and of each at least these values. */
  list(path: string, shows: readonly Json[]): Promise<void>;
  /** What is asked is a 400 with exactly these texts, and nothing has changed anywhere. */
  refused(asked: Asked, ...texts: readonly string[]): Promise<void>;
  /** What is asked is a 409 with this message, and nothing has changed anywhere. */
  held(asked: Asked, message: string): Promise<void>;
}

/** @param digest What is the same as long as nothing has changed. */
export function tellerOf(context: Context, digest: () => Promise<unknown>): Teller {
  const known = new Map<string, { readonly path: string; readonly id: string }>();
  const of = (name: string) => {
    const found = known.get(name);
    if (found === undefined) throw new Error(`nobody has told of ${name}`);
    return found;
  };
  const the = (name: string): string => of(name).id;
  const at = (name: string): string => `${of(name).path}/${of(name).id}`;

  /** Asked once between two writes. */
  let before: Promise<unknown> | undefined;
  const write = (...[method, path, body]: Asked) => {
    before = undefined;
    return context.call(method, path, body);
  };
  const unchanged = async (ask: () => Promise<void>): Promise<void> => {
    before ??= digest();
    const found = await before;
    await ask();
    expect(await digest()).toEqual(found);
  };

  return {
    the,
    at,
    make: async (name, path, body, shows = {}) => {
      const record = recordOf(await write('POST', path, body));
      expect(record).toMatchObject(shows);
      known.set(name, { path, id: record.id });
      return record;
    },
    know: async (name, path, query = `name=${encodeURIComponent(name)}`) => {
      const { results } = pageOf(await context.call('GET', `${path}?${query}`));
      const [record] = results;
      if (record === undefined || results.length > 1) throw new Error(`${results.length} records are ${name}`);
      known.set(name, { path, id: record.id });
      return record;
    },
    change: async (name, body, shows = body) => {
      const record = recordOf(await write('PATCH', at(name), body));
      expect(record).toMatchObject(shows);
      return record;
    },
    settle: async (body, shows = body) => {
      expect(recordOf(await write('PATCH', '/workspace-settings', body))).toMatchObject(shows);
    },
    remove: async (name) => {
      expectGone(await write('DELETE', at(name)));
      known.delete(name);
    },
    see: async (name, shows) => {
      const record = recordOf(await context.call('GET', at(name)));
      expect(record).toMatchObject(shows);
      return record;
    },
    list: async (path, shows) => {
      expect(pageOf(await context.call('GET', path)).results).toMatchObject(shows);
    },
    refused: (asked, ...texts) => unchanged(async () => expectFaults(await context.call(...asked), ...texts)),
    held: (asked, message) => unchanged(async () => expectProblem(await context.call(...asked), 409, message)),
  };
}
