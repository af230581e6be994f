// `praxis verify`: prints computed fields that differ from their formula on standard output, progress on standard
// error.
import { type Verified, verifyRecords } from '../../app/verify.ts';
import type { Config } from '../../config.ts';
import { counted } from '../output/counted.ts';
import { progressOn } from '../output/progress.ts';
import { print } from '../output/terminal.ts';
import { awaitDatabase } from './wait.ts';

interface VerifyOptions {
  readonly repair?: boolean;
  /** A line of JSON a difference, and one of the counts. */
  readonly json?: boolean;
}

/**
 * Verifies groups, all of them where none is named.
 * @returns whether nothing differs, or nothing does any more
 * @throws ConfigurationFault
 */
export async function verify(
  config: Config,
  groups: readonly string[],
  { repair = false, json = false }: VerifyOptions,
): Promise<boolean> {
  await awaitDatabase(config, 'praxis verify');
  const progress = progressOn(process.stderr);
  const verified = await verifyRecords(config, {
    groups,
    repair,
    onDifference: ({ group, id, place, kept, right, stays }) => {
      progress.clear();
      const line = json
        ? JSON.stringify({ group, id, field: place, kept, right, repaired: repair && stays === undefined, stays })
        : `${group} ${id} ${place}: ${shown(kept)} is kept, ${shown(right)} is right${stays === undefined ? '' : `; it stays: ${stays}`}`;
      print(line);
    },
    onWrongFile: (sha256) => {
      progress.clear();
      const words = `file ${sha256}: its bytes are not there, or not what was uploaded`;
      print(json ? JSON.stringify({ group: 'file', sha256, repaired: false }) : words);
    },
    onRecords: (group, count) => progress.show(`${group}: ${counted(count, 'record')}`),
  }).finally(progress.end);
  print(json ? JSON.stringify(verified) : summary(verified, repair));
  return verified.left === 0;
}

const shown = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value));

function summary({ groups, records, differences, left }: Verified, repair: boolean): string {
  const looked = `${counted(groups, 'group')}, ${counted(records, 'record')}`;
  if (differences === 0) return `${looked}: nothing differs`;
  const found = `${looked}: ${counted(differences, 'difference')}`;
  if (!repair) return `${found}; to put that right: praxis verify --repair`;
  return left === 0 ? `${found}, put right` : `${found}, ${left.toLocaleString('en')} of them left`;
}
