// Finds formulas in descriptors whose cost grows with the number of records, on every database.
import type { Config } from '../config.ts';
import { type Growing, growingIn } from '../engine/explain/growing.ts';
import { Groups } from '../engine/plan/groups.ts';
import type { Registry } from '../registry/model/model.ts';
import { dialects } from '../storage/dialects.ts';
import { rulesOf } from './registry.ts';

/** Computed fields and conditions whose cost grows, each with the reason. */
export function growthIn(config: Pick<Config, 'rules'>, registry: Registry): readonly Growing[] {
  const rules = rulesOf(config);
  return growingIn(
    registry,
    Object.values(dialects).map((dialect) => new Groups(registry, rules, dialect)),
  );
}
