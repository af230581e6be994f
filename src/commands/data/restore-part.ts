// `praxis import --from-backup`: brings records that are gone back out of a backup, with what went along with them.
import { restorePart } from '../../app/data/restore-part.ts';
import { registryOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { isUuid } from '../../values/format.ts';
import { counted } from '../output/counted.ts';
import { type JsonFlag, print, printJson } from '../output/terminal.ts';
import { groupNamed } from './groups.ts';

interface PartArguments extends JsonFlag {
  readonly fromBackup: string;
  readonly group: string | undefined;
  readonly id: readonly string[];
  readonly isTrial: boolean;
}

/** @returns the status of the command: 1 where they are refused. @throws ConfigurationFault where nothing can be begun */
export async function bringBack(
  config: Config,
  { fromBackup, group, id, isTrial, json }: PartArguments,
): Promise<0 | 1> {
  if (group === undefined || id.length === 0)
    throw new ConfigurationFault('The restore needs records: --group <name> --id <id>, with one --id per record.');
  const { name, singleton, computed } = groupNamed(registryOf(config), group);
  if (singleton || computed !== undefined)
    throw new ConfigurationFault(`Records of ${name} cannot be deleted, so they cannot be restored.`);
  const wrong = id.find((each) => !isUuid(each.toLowerCase()));
  if (wrong !== undefined) throw new ConfigurationFault(`--id must be the id of a record, not '${wrong}'.`);
  const ids = [...new Set(id.map((each) => each.toLowerCase()))];
  const { back, there, errors } = await restorePart(config, { backup: fromBackup, group: name, ids, isTrial });
  if (json === true) printJson({ back: Object.fromEntries(back), there, errors, isTrial });
  else if (errors.length > 0) print(`${errors.join('\n')}\nNothing was written.`);
  else print(words(back, there, isTrial));
  return errors.length === 0 ? 0 : 1;
}

function words(back: ReadonlyMap<string, number>, there: number, isTrial: boolean): string {
  const total = [...back.values()].reduce((sum, count) => sum + count, 0);
  const groups = [...back].map(([name, count]) => `${count} ${name}`).join(', ');
  const which = total === 0 ? '' : ` (${groups})`;
  const others = there === 0 ? '' : `; ${counted(there, 'other')} ${there === 1 ? 'is' : 'are'} there`;
  const verb = isTrial ? 'would be restored' : total === 1 ? 'was restored' : 'were restored';
  return `${counted(total, 'record')} ${verb}${which}${others}.${isTrial ? ' Nothing was written.' : ''}`;
}
