// Backfill during migrations: the engine computes fields whose formula is new or has changed.

import { backfillFigures } from '../engine/backfill.ts';
import { Groups } from '../engine/plan/groups.ts';
import { allRows, schemaOf } from '../migration/plan/schema.ts';
import { type FigureFiller, refuseOtherTables } from '../migration/run/figures.ts';
import type { Field, Registry } from '../registry/model/model.ts';
import type { Rule } from '../rules/support/rule.ts';
import type { Database } from '../storage/schema/session.ts';
import { tablesOf } from '../storage/schema/tables.ts';
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts';
import { prepareDay } from '../storage/workspace-day.ts';

/** No further try of a portion begins after this time. */
const deadlineMs = 60_000;

interface FillerParts {
  readonly groups: Groups;
  readonly unit: UnitOfWork;
  readonly database: Database;
}

/** Who computes the figures of groups. */
export const figuresIn =
  ({ groups, unit, database }: FillerParts): FigureFiller =>
  (schema) => {
    const { registry } = groups;
    refuseOtherTables(schemaOf(registry), schema);
    return async (columns, hooks) => {
      // Those that hang on the day are filled as of the one that was reached.
      if (groups.hasDays) await prepareDay(database);
      const fields = new Set<Field>();
      for (const table of tablesOf(registry)) {
        if (table.list !== undefined && columns.get(table.name)?.includes(allRows) === true) fields.add(table.list);
        for (const { name, field } of table.columns)
          if (field !== undefined && columns.get(table.name)?.includes(name) === true) fields.add(field);
      }
      return backfillFigures({ groups, unit, fields, ...hooks });
    };
  };

/** The same with nothing but a database. @param rules Those that the descriptors of `registry` use. */
export const figuresOf = (
  registry: Registry,
  database: Database,
  rules: Readonly<Record<string, Rule>>,
): FigureFiller =>
  figuresIn({
    groups: new Groups(registry, rules, database.dialect),
    unit: createUnitOfWork(database, { deadlineMs }),
    database,
  });
