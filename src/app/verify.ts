// Compares stored computed fields with what their formulas give, and repairs them, from the command line.
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Difference } from '../engine/verify.ts';
import { wrongFiles } from '../files/copy.ts';
import { graphOf, groupsInOrder } from '../registry/guide/graph.ts';
import type { Registry } from '../registry/model/model.ts';
import { didYouMean } from '../text/nearest.ts';
import { openAsItIs, type Workspace } from './workspace.ts';

/** What is looked at, and who is told. */
export interface Verifying {
  /** All groups where none is named. */
  readonly groups: readonly string[];
  readonly repair: boolean;
  /** Each difference as it is found. */
  readonly onDifference: (difference: Difference) => void;
  /** Each file whose bytes are not there, or are not what was uploaded: its digest. */
  readonly onWrongFile?: (sha256: string) => void;
  /** After some hundred records. */
  readonly onRecords: (group: string, count: number) => void;
}

export interface Verified {
  /** Groups that keep what can be verified. */
  readonly groups: number;
  readonly records: number;
  readonly differences: number;
  /** Differences that are left. */
  readonly left: number;
}

/** More passes than figures are deep: what is not right then is made wrong again by somebody. */
const mostPasses = 20;

/**
 * Computes from scratch what is always true, in bounded memory. With `repair` again and again until nothing differs that
 * can be put right.
 * @throws ConfigurationFault for a group that there is not, and where the database does not fit the descriptors
 */
export async function verifyRecords(config: Config, verifying: Verifying): Promise<Verified> {
  const workspace = await openAsItIs(config);
  try {
    const groups = groupsToVerify(workspace.registry, verifying.groups);
    let differences = 0;
    for (let pass = 1; ; pass += 1) {
      const { records, repaired, left } = await lookThrough(workspace, groups, verifying);
      differences += repaired + (pass === 1 ? left : 0);
      const isDone = repaired === 0 || pass === mostPasses;
      if (!isDone) continue;
      const files = await countWrongFiles(workspace, verifying);
      differences += files;
      // What was put right last has not been looked at again.
      return { groups: groups.length, records, differences, left: left + repaired + files };
    }
  } finally {
    await workspace.close();
  }
}

/** Only where all is looked at. */
async function countWrongFiles(
  { unit, files }: Pick<Workspace, 'unit' | 'files'>,
  { groups, onWrongFile }: Verifying,
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
  /** Differences that have been put right. */
  readonly repaired: number;
  readonly left: number;
}

async function lookThrough(
  { engine }: Pick<Workspace, 'engine'>,
  groups: readonly string[],
  { repair, onDifference, onRecords }: Verifying,
): Promise<Pass> {
  let records = 0;
  let repaired = 0;
  let left = 0;
  for (const group of groups) {
    let inGroup = 0;
    const count = (more: number): void => {
      records += more;
      inGroup += more;
      onRecords(group, inGroup);
    };
    for await (const difference of engine.verify(group, repair, count)) {
      onDifference(difference);
      if (repair && difference.stays === undefined) repaired += 1;
      else left += 1;
    }
  }
  return { records, repaired, left };
}

/** Those that keep anything that follows from formulas, those that others look at first: one pass puts most right. */
function groupsToVerify(registry: Registry, wanted: readonly string[]): readonly string[] {
  for (const name of wanted)
    if (!registry.resources.has(name))
      throw new ConfigurationFault(`there is no group "${name}"${didYouMean(name, registry.resources.keys())}`);
  const keeping = new Set(
    graphOf(registry).sayings.flatMap(({ group, role, figure }) =>
      role === 'state' || (role === 'figure' && figure?.taken === 'always') ? [group] : [],
    ),
  );
  const order = groupsInOrder(registry).filter((name) => keeping.has(name));
  return wanted.length === 0 ? order : order.filter((name) => wanted.includes(name));
}
