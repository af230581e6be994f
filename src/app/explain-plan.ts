// Explains at the command line what a write of a group locks, reads, computes and judges, in its order.

import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { type LockSpec, lockPlanOf } from '../engine/explain/lock-plan.ts';
import { type Following, followingOf } from '../engine/explain/what-follows.ts';
import { type WritePlan, writePlanOf } from '../engine/explain/write-plan.ts';
import { Groups } from '../engine/plan/groups.ts';
import { dialects } from '../storage/dialects.ts';
import type { Dialect } from '../storage/schema/dialect.ts';
import { didYouMean } from '../text/nearest.ts';
import { unreachable } from '../unreachable.ts';
import { registryOf, rulesOf } from './registry.ts';

const operations = ['create', 'update', 'delete'] as const;

/** Where one writes at a time nothing is locked: the plan is that of an engine where several do. */
function ofServer(): Dialect {
  const found = Object.values(dialects).find(({ hasOneWriter }) => !hasOneWriter);
  if (found === undefined) unreachable('no engine lets several write');
  return found;
}

/** The plan of one write. */
export interface PlanExplained {
  readonly group: string;
  readonly operation: (typeof operations)[number];
  /** Fields that the body sends, where not any may be. */
  readonly sent: readonly string[] | undefined;
  readonly plan: WritePlan;
  readonly locks: readonly LockSpec[];
  /** What it brings about, which locks as a write of its own. */
  readonly follows: readonly Following[];
}

/** The plan of a write, of groups of an engine where several write. */
export const planOf = (
  groups: Groups,
  group: string,
  { operation, sent }: Pick<PlanExplained, 'operation' | 'sent'>,
): PlanExplained => ({
  group,
  operation,
  sent,
  plan: writePlanOf(groups, group, { operation, sent }),
  locks: lockPlanOf(groups, group, operation),
  follows: followingOf(groups, group, operation),
});

/** Of a write: the operation, and fields that the body sends. @throws ConfigurationFault for what there is not */
export function explainPlan(config: Config, name: string, [word = '', ...fields]: readonly string[]): PlanExplained {
  const registry = registryOf(config);
  const resource = registry.resources.get(name);
  if (resource === undefined)
    throw new ConfigurationFault(`"${name}" is not a group${didYouMean(name, registry.resources.keys())}`);
  const operation = operations.find((each) => each === word);
  if (operation === undefined || !resource.operations.has(operation))
    throw new ConfigurationFault(
      `"${name}" has no write "${word}"; there is ${operations.filter((each) => resource.operations.has(each)).join(', ') || 'none'}`,
    );
  const groups = new Groups(registry, rulesOf(config), ofServer());
  const keys = [...resource.byKey.keys()];
  const sent = fields.map((field) => {
    const key = resource.byName.get(field)?.key ?? field;
    if (!keys.includes(key))
      throw new ConfigurationFault(`"${name}" has no field "${field}"${didYouMean(field, keys)}`);
    return key;
  });
  return planOf(groups, name, { operation, sent: sent.length > 0 ? sent : undefined });
}
