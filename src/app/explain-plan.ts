// What a write of a group locks, looked at from the command line.

import type { WriteOperation } from '../behaviours/rule.ts';
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { Groups } from '../engine/groups.ts';
import { type LockSpec, lockPlanOf } from '../engine/plan/lock-plan.ts';
import { type Following, followingOf } from '../engine/plan/what-follows.ts';
import type { Dialect } from '../storage/dialect.ts';
import { dialects } from '../storage/dialects.ts';
import { didYouMean } from '../text/nearest.ts';
import { registryOf, rulesOf } from './registry.ts';

const operations = ['create', 'update', 'delete'] as const;

/** Where one writes at a time nothing is locked: the plan is that of an engine where several do. */
function ofServer(): Dialect {
  const found = Object.values(dialects).find(({ hasOneWriter }) => !hasOneWriter);
  if (found === undefined) throw new Error('no engine lets several write');
  return found;
}

/** The plan of one write. */
export interface PlanExplained {
  readonly group: string;
  readonly operation: (typeof operations)[number];
  readonly locks: readonly LockSpec[];
  /** What it brings about, which locks as a write of its own. */
  readonly follows: readonly Following[];
}

/** The plan of a write, of groups of an engine where several write. */
export const planOf = (groups: Groups, group: string, operation: WriteOperation): PlanExplained => ({
  group,
  operation,
  locks: lockPlanOf(groups, group, operation),
  follows: followingOf(groups, group, operation),
});

/** @throws ConfigurationFault for a group or an operation that there is not */
export function explainPlan(config: Config, name: string, word: string): PlanExplained {
  const registry = registryOf(config);
  const resource = registry.resources.get(name);
  if (resource === undefined)
    throw new ConfigurationFault(`there is no group "${name}"${didYouMean(name, registry.resources.keys())}`);
  const operation = operations.find((each) => each === word);
  if (operation === undefined || !resource.operations.has(operation))
    throw new ConfigurationFault(
      `"${name}" has no write "${word}"; there is ${operations.filter((each) => resource.operations.has(each)).join(', ') || 'none'}`,
    );
  const groups = new Groups(registry, rulesOf(config), ofServer());
  return planOf(groups, name, operation);
}
