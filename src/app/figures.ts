// Migrations that meet the engine: figures that are new, or have another formula, are computed by it.
import type { Rule } from '../behaviours/rule.ts';
import { fillFigures } from '../engine/fill-figures.ts';
import { Groups } from '../engine/groups.ts';
import { allRows, schemaOf } from '../migration/plan/schema.ts';
import { type FigureFiller, refuseOtherTables } from '../migration/run/figures.ts';
import type { Field, Registry } from '../registry/model.ts';
import { createUnitOfWork, type UnitOfWork } from '../storage/run.ts';
import type { Database } from '../storage/session.ts';
import { tablesOf } from '../storage/tables.ts';

/** No further try of a portion begins after this time. */
const deadlineMs = 60_000;

/** Who computes the figures of groups. */
export const figuresIn =
  ({ groups, unit }: { readonly groups: Groups; readonly unit: UnitOfWork }): FigureFiller =>
  (schema) => {
    const { registry } = groups;
    refuseOtherTables(schemaOf(registry), schema);
    return (columns, portion) => {
      const fields = new Set<Field>();
      for (const table of tablesOf(registry)) {
        if (table.list !== undefined && columns.get(table.name)?.includes(allRows) === true) fields.add(table.list);
        for (const { name, field } of table.columns)
          if (field !== undefined && columns.get(table.name)?.includes(name) === true) fields.add(field);
      }
      return fillFigures({ groups, unit, fields, portion });
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
  });
