// Which parts of the conditions of roles no statement can say, in one database or another: told when roles are loaded.
import type { Tree } from '../../formulas/language/tree.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { Dialect } from '../schema/dialect.ts';
import { surelyOfNobody, surelySql } from './rule-sql.ts';

/**
 * Finds the first part of a condition that SQL cannot say; undefined where there is none.
 * @param group Whose records the condition stands on; undefined: on none.
 */
export const unsaidIn =
  (registry: Registry, dialects: readonly Dialect[]) =>
  (tree: Tree, group: string | undefined): Tree | undefined =>
    judgedIn(tree).find((part) =>
      dialects.some((dialect) => {
        const ground = { registry, dialect };
        if (group === undefined) return surelyOfNobody(part, ground) === undefined;
        return [true, false].some((wanted) => surelySql(part, wanted, { group, alias: 't', ground }) === undefined);
      }),
    );

/** The parts that are true or false by themselves. */
function judgedIn(tree: Tree): readonly Tree[] {
  if (tree.op === 'not') return judgedIn(tree.of);
  return tree.op === 'and' || tree.op === 'or' ? [...judgedIn(tree.left), ...judgedIn(tree.right)] : [tree];
}
