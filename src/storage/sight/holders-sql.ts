// Who holds roles, as one statement: conditions over the acting member that stand on no record.
import { sql } from 'kysely';
import type { Tree } from '../../formulas/language/tree.ts';
import { unreachable } from '../../unreachable.ts';
import { compile, type Statement } from '../schema/compiler.ts';
import type { RuleGround } from './rule-rows.ts';
import { surelyOfNobody } from './rule-sql.ts';

/** Whether each condition surely holds, a cell of 1 or 0 for each. Values: `actorValue`, `dayValue`. */
export function holdingOf(conditions: readonly Tree[], ground: RuleGround): Statement {
  const cells = conditions.map((tree) => {
    const held = surelyOfNobody(tree, ground) ?? unreachable('who holds a role cannot be told in SQL');
    return sql`case when ${held} then 1 else 0 end`;
  });
  return compile(sql`select ${sql.join(cells)}`, ground.dialect);
}
