// `praxis verify --conditions`: prints the conditions that stored records break on standard output, progress on standard error.
import {
  type CheckedCondition,
  type ConditionName,
  type ConditionTally,
  type UncheckedCondition,
  verifyConditions,
} from '../../app/verify.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { counted } from '../output/counted.ts';
import { progressOn } from '../output/progress.ts';
import { print } from '../output/terminal.ts';
import { awaitDatabase } from './wait.ts';

interface ConditionOptions {
  readonly repair?: boolean;
  /** Prints one line of JSON for each condition, and one with the counts. */
  readonly json?: boolean;
}

/**
 * Verifies the conditions of groups; of all groups if the list is empty.
 * @returns whether no record breaks a condition
 * @throws ConfigurationFault
 */
export async function verifyStored(
  config: Config,
  groups: readonly string[],
  { repair = false, json = false }: ConditionOptions,
): Promise<boolean> {
  if (repair) throw new ConfigurationFault('--repair has no effect with --conditions; remove it.');
  await awaitDatabase(config, 'praxis verify --conditions');
  const progress = progressOn(process.stderr);
  const unchecked: UncheckedCondition[] = [];
  const tally = await verifyConditions(config, {
    groups,
    onBroken: (condition) => {
      progress.clear();
      print(json ? brokenJson(condition) : brokenText(condition));
    },
    onUnchecked: (condition) => unchecked.push(condition),
    onRecords: (group, count) => progress.show(`${group}: ${counted(count, 'record')}`),
  }).finally(progress.end);
  for (const { reason, ...name } of unchecked)
    print(json ? JSON.stringify({ ...name, notChecked: reason }) : `not checked: ${nameText(name)}: ${reason}`);
  print(json ? JSON.stringify(tally) : summary(tally));
  return tally.broken === 0;
}

const nameText = ({ group, rule, field, source }: ConditionName): string =>
  [group, field, source === '' ? rule : JSON.stringify(source)].filter((word) => word !== '').join(' ');

function brokenText({ broken, firstIds, ...name }: CheckedCondition): string {
  const records = broken === 1 ? '1 record breaks it' : `${counted(broken, 'record')} break it, the first`;
  return `${nameText(name)}: ${records}: ${firstIds.join(', ')}`;
}

const brokenJson = ({ broken, firstIds, ...name }: CheckedCondition): string =>
  JSON.stringify({ ...name, records: broken, ids: firstIds });

function summary({ conditions, records, broken, unchecked }: ConditionTally): string {
  const verified = `${counted(conditions, 'condition')}, ${counted(records, 'record')}`;
  const result = broken === 0 ? 'every record satisfies them' : `records break ${counted(broken, 'condition')}`;
  const rest = unchecked === 0 ? '' : `; ${counted(unchecked, 'condition')} not checked`;
  return `${verified}: ${result}${rest}`;
}
