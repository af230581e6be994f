// Changes that a start has made to an embedded database without a migration. The next migration begins with them, because its
// other steps, such as renames, build on what is there.
import type { Registry } from '../../registry/model/model.ts';
import type { Dialect } from '../../storage/schema/dialect.ts';
import { isAddition } from '../editors/changes.ts';
import { lastSchema, type Migration } from '../files/folder.ts';
import { diffSchemas } from '../plan/diff.ts';
import { type Origins, originsOf } from '../plan/origins.ts';
import { isSameSchema, type Schema, schemaOf } from '../plan/schema.ts';
import { applyStep, type Step } from '../plan/steps.ts';
import { fileReports } from './apply.ts';
import type { Recorded } from './history.ts';

/**
 * The steps from where the migrations lead to where a start has brought a database.
 * @returns none where the database has not seen all migrations, is what the descriptors ask, or has more than additions besides
 */
export function startedSteps(
  registry: Registry,
  migrations: readonly Migration[],
  { schema, done, dialect }: Recorded & { readonly dialect: Dialect },
): readonly Step[] {
  const last = lastSchema(migrations);
  if (fileReports(migrations, done).some(({ state }) => state !== 'applied')) return [];
  if (isSameSchema(schema, schemaOf(registry))) return [];
  const steps = diffSchemas(last, schema, { origins: earlierOf(originsOf(registry)) });
  let now: Schema = last;
  for (const step of steps) {
    if (!isAddition(step, now, dialect)) return [];
    now = applyStep(now, step);
  }
  return steps;
}

/** The same of tables and columns under the names that they had before, of which nothing has been renamed. */
function earlierOf({ tables, columns }: Origins): Origins {
  const namesOf = (table: string): readonly string[] => [table, ...(tables.get(table)?.earlier ?? [])];
  return {
    tables: new Map(
      [...tables].flatMap(([name, origin]) =>
        namesOf(name).map((each) => [each, { ...origin, earlier: [], groupBefore: undefined }] as const),
      ),
    ),
    columns: new Map(
      [...columns].flatMap(([place, origin]) => {
        const [table = '', column = ''] = place.split('.');
        const known = { ...origin, earlier: [], renamedValues: {} };
        return namesOf(table).flatMap((each) =>
          [column, ...origin.earlier].map((name) => [`${each}.${name}`, known] as const),
        );
      }),
    ),
  };
}
