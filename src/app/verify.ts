// `praxis verify`: compares all groups with their formulas and derived columns, and repairs differences.
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Difference } from '../engine/verify/difference.ts';
import { type FrozenValue, listFrozenValues } from '../engine/verify/frozen-values.ts';
import {
  type CheckedCondition,
  type ConditionName,
  checkConditions,
  type UncheckedCondition,
} from '../engine/verify/stored-conditions.ts';
import { verifyGroup } from '../engine/verify/verify.ts';
import { wrongFiles } from '../files/copy.ts';
import { graphOf, groupsInOrder } from '../registry/guide/graph.ts';
import type { Registry } from '../registry/model/model.ts';
import { tablesOf } from '../storage/schema/tables.ts';
import { didYouMean } from '../text/nearest.ts';
import { openAsItIs, type Workspace } from './workspace.ts';

export type { CheckedCondition, ConditionName, Difference, FrozenValue, UncheckedCondition };

export interface VerifyOptions {
  /** Names of groups; empty: all groups. */
  readonly groups: readonly string[];
  readonly repair: boolean;
  readonly onDifference: (difference: Difference) => void;
  /** Called, after all differences, with each frozen value that the rest of its formula gives otherwise. */
  readonly onFrozenValue?: (value: FrozenValue) => void;
  /** Called with the digest of each file whose bytes are missing or differ from the upload. */
  readonly onWrongFile?: (sha256: string) => void;
  /** Called after each chunk of records with the number of records so far. */
  readonly onRecords: (group: string, count: number) => void;
}

export interface Verified {
  /** Number of groups with computed fields, computed states or derived columns. */
  readonly groups: number;
  readonly records: number;
  readonly differences: number;
  /** Differences that are left. */
  readonly left: number;
  /** Frozen values that the rest of their formula gives otherwise; they are not differences. */
  readonly frozen: number;
}

/** Maximum number of passes, more than computed fields are deep: later differences come from concurrent writes. */
const maxPasses = 20;

/**
 * Compares records from scratch, in memory that does not grow with their number. With `repair` it starts again until it finds
 * no difference that it can repair.
 * @throws ConfigurationFault for an unknown group, or if the database does not fit the descriptors
 */
export async function verifyRecords(config: Config, options: VerifyOptions): Promise<Verified> {
  const workspace = await openAsItIs(config, { isScanned: true });
  try {
    const groups = listGroups(workspace.registry, options.groups);
    let differences = 0;
    for (let pass = 1; ; pass += 1) {
      const { records, repaired, left } = await verifyGroups(workspace, groups, options);
      differences += repaired + (pass === 1 ? left : 0);
      const isDone = repaired === 0 || pass === maxPasses;
      if (!isDone) continue;
      const files = await countWrongFiles(workspace, options);
      differences += files;
      const frozen = await countFrozenValues(workspace, options);
      // Repairs of the last pass have not been verified.
      return { groups: groups.length, records, differences, left: left + repaired + files, frozen };
    }
  } finally {
    await workspace.close();
  }
}

/** Counts the records of a group, and reports their number after each chunk. */
function countRecords(group: string, onRecords: VerifyOptions['onRecords']) {
  let records = 0;
  return {
    add: (more: number): void => {
      records += more;
      onRecords(group, records);
    },
    count: (): number => records,
  };
}

/** Compares frozen values with their formulas, if the caller wants to know of them. */
async function countFrozenValues(
  { engine, registry }: Pick<Workspace, 'engine' | 'registry'>,
  { groups, onFrozenValue, onRecords }: VerifyOptions,
): Promise<number> {
  let count = 0;
  if (onFrozenValue === undefined) return count;
  for (const name of groups.length === 0 ? registry.resources.keys() : groups) {
    const counter = countRecords(name, onRecords);
    for await (const value of listFrozenValues(engine.verifyContext, name, { onRecords: counter.add })) {
      onFrozenValue(value);
      count += 1;
    }
  }
  return count;
}

/** Compares the bytes of files, only if all groups are verified. */
async function countWrongFiles(
  { unit, files }: Pick<Workspace, 'unit' | 'files'>,
  { groups, onWrongFile }: VerifyOptions,
): Promise<number> {
  let count = 0;
  if (files === undefined || groups.length > 0) return count;
  for await (const sha256 of wrongFiles(unit, files)) {
    onWrongFile?.(sha256);
    count += 1;
  }
  return count;
}

interface Pass {
  readonly records: number;
  readonly repaired: number;
  readonly left: number;
}

async function verifyGroups(
  { engine }: Pick<Workspace, 'engine'>,
  groups: readonly string[],
  { repair, onDifference, onRecords }: VerifyOptions,
): Promise<Pass> {
  let records = 0;
  let repaired = 0;
  let left = 0;
  for (const group of groups) {
    const counter = countRecords(group, onRecords);
    for await (const difference of verifyGroup(engine.verifyContext, group, { repair, onRecords: counter.add })) {
      onDifference(difference);
      if (repair && difference.stays === undefined) repaired += 1;
      else left += 1;
    }
    records += counter.count();
  }
  return { records, repaired, left };
}

/** Lists the groups to verify. A group comes after those that its formulas read, so that one pass repairs most. */
function listGroups(registry: Registry, names: readonly string[]): readonly string[] {
  refuseUnknown(registry, names);
  const computing = graphOf(registry).sayings.filter(
    ({ role, figure }) => role === 'state' || (role === 'figure' && figure?.taken === 'always'),
  );
  const copying = tablesOf(registry).filter(
    ({ list, columns }) => list !== undefined || columns.some(({ madeFrom }) => madeFrom !== undefined),
  );
  const verifiable = new Set([...computing, ...copying].map(({ group }) => group));
  const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
  return groupsInOrder(registry).filter((name) => verifiable.has(name) && isWanted(name));
}

function refuseUnknown(registry: Registry, names: readonly string[]): void {
  for (const name of names)
    if (!registry.resources.has(name))
      throw new ConfigurationFault(`"${name}" is not a group${didYouMean(name, registry.resources.keys())}`);
}

export interface ConditionOptions extends Pick<VerifyOptions, 'groups' | 'onRecords'> {
  /** Called with each condition that stored records break. */
  readonly onBroken: (condition: CheckedCondition) => void;
  readonly onUnchecked: (condition: UncheckedCondition) => void;
}

/** Numbers of conditions and records. */
export interface ConditionTally {
  readonly conditions: number;
  readonly records: number;
  /** Conditions that at least one record breaks. */
  readonly broken: number;
  readonly unchecked: number;
}

/**
 * Evaluates the conditions of rules on stored records, in memory that does not grow with their number.
 * @throws ConfigurationFault for an unknown group, or if the database does not fit the descriptors
 */
export async function verifyConditions(config: Config, options: ConditionOptions): Promise<ConditionTally> {
  const { groups, onRecords, onBroken, onUnchecked } = options;
  const { registry, engine, close } = await openAsItIs(config, { isScanned: true });
  try {
    refuseUnknown(registry, groups);
    const tally = { conditions: 0, records: 0, broken: 0, unchecked: 0 };
    for (const name of groups.length === 0 ? registry.resources.keys() : groups) {
      const counter = countRecords(name, onRecords);
      const { checked, unchecked } = await checkConditions(engine.verifyContext, name, { onRecords: counter.add });
      const broken = checked.filter((condition) => condition.broken > 0);
      for (const condition of broken) onBroken(condition);
      for (const condition of unchecked) onUnchecked(condition);
      tally.records += counter.count();
      tally.conditions += checked.length;
      tally.broken += broken.length;
      tally.unchecked += unchecked.length;
    }
    return tally;
  } finally {
    await close();
  }
}
