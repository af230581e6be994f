// What of the descriptors grows with the number of records, on any engine.
import type { Config } from '../config.ts';
import { Groups } from '../engine/groups.ts';
import { type Growing, growingIn } from '../engine/growing.ts';
import type { Registry } from '../registry/model.ts';
import { dialects } from '../storage/dialects.ts';
import { rulesOf } from './registry.ts';

/** The figures and conditions whose cost does, each with the reason. */
export function growthIn(config: Pick<Config, 'rules'>, registry: Registry): readonly Growing[] {
  const rules = rulesOf(config);
  return growingIn(
    registry,
    Object.values(dialects).map((dialect) => new Groups(registry, rules, dialect)),
  );
}
