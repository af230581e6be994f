// A process that applies migrations and kills itself on the way: `node dying-apply.ts <database> <migrations> <resources> <point>`.
// Two points a statement that writes: while the database works on it, and when it has answered. Without a point it runs to
// its end and prints how many there are.
import { setTimeout as delay } from 'node:timers/promises';
import { figuresOf } from '../../../src/app/figures.ts';
import { readMigrations } from '../../../src/migration/files/folder.ts';
import { applyMigrations } from '../../../src/migration/run/apply.ts';
import { loadRegistry } from '../../../src/registry/registry.ts';
import { rules } from '../../../src/rules/catalogue.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import type { Database, Session } from '../../../src/storage/schema/session.ts';

const [url = '', folder = '', resources = '', deadly] = process.argv.slice(2);
let points = 0;

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};

async function pass(): Promise<void> {
  points += 1;
  if (points === Number(deadly)) await die();
}

const watched = (session: Session): Session => ({
  all: (sql, values) => session.all(sql, values),
  async run(sql, values) {
    const answer = session.run(sql, values);
    // Should it fail while the process dies, nobody hears of it.
    answer.catch(() => {});
    if (points + 1 === Number(deadly)) await delay(2);
    await pass();
    const count = await answer;
    await pass();
    return count;
  },
});

function watchedDatabase(database: Database): Database {
  return {
    ...database,
    ...watched(database),
    transact: async (work) => {
      const result = await database.transact((session) => work(watched(session)));
      await pass();
      return result;
    },
    restructure: async (work) => {
      const result = await database.restructure((session) => work(watched(session)));
      await pass();
      return result;
    },
    script: (statements) =>
      database.restructure(async (session) => {
        for (const sql of statements) await watched(session).run(sql, []);
      }),
  };
}

const database = await openDatabase(url);
const watchedOne = watchedDatabase(database);
await applyMigrations({
  database: watchedOne,
  figures: (schema) => figuresOf(loadRegistry(resources, rules), watchedOne, rules)(schema),
  migrations: readMigrations(folder),
  consent: { allowDrop: true, allowRebuild: true, allowLoss: true },
});
await database.close();
process.stdout.write(String(points));
