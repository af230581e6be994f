// `praxis verify`: prints computed fields and derived columns that differ on standard output, progress on standard error.
import { type Difference, type FrozenValue, type Verified, verifyRecords } from '../../app/verify.ts';
import type { Config } from '../../config.ts';
import { counted } from '../output/counted.ts';
import { progressOn } from '../output/progress.ts';
import { print } from '../output/terminal.ts';
import { awaitDatabase } from './wait.ts';

interface VerifyOptions {
  readonly repair?: boolean;
  /** Prints one line of JSON for each difference, and one with the counts. */
  readonly json?: boolean;
}

/**
 * Verifies groups; all groups if the list is empty.
 * @returns whether no difference is left
 * @throws ConfigurationFault
 */
export async function verify(
  config: Config,
  groups: readonly string[],
  { repair = false, json = false }: VerifyOptions,
): Promise<boolean> {
  await awaitDatabase(config, 'praxis verify');
  const progress = progressOn(process.stderr);
  let hasFrozen = false;
  const verified = await verifyRecords(config, {
    groups,
    repair,
    onDifference: (difference) => {
      progress.clear();
      print(json ? differenceJson(difference, repair) : differenceText(difference));
    },
    onFrozenValue: (value) => {
      progress.clear();
      if (!hasFrozen && !json) print(frozenHeading);
      hasFrozen = true;
      print(json ? frozenJson(value) : frozenText(value));
    },
    onWrongFile: (sha256) => {
      progress.clear();
      const words = `file ${sha256}: its bytes are missing or damaged`;
      print(json ? JSON.stringify({ group: 'file', sha256, repaired: false }) : words);
    },
    onRecords: (group, count) => progress.show(`${group}: ${counted(count, 'record')}`),
  }).finally(progress.end);
  print(json ? JSON.stringify(verified) : summary(verified, repair));
  return verified.left === 0;
}

const frozenHeading =
  'Frozen values that differ from the current result of their formula (not faults, never repaired):';

function frozenText({ group, id, place, stored, today, refusal }: FrozenValue): string {
  const result = refusal === undefined ? `the formula gives ${shown(today)}` : `the formula is refused: ${refusal}`;
  return `${group} ${id} ${place}: ${shown(stored)} is frozen, ${result}`;
}

const frozenJson = ({ group, id, place, stored, today, refusal }: FrozenValue): string =>
  JSON.stringify({ group, id, field: place, frozen: stored, today, refused: refusal });

function differenceText({ group, id, place, column, stored, right, stays }: Difference): string {
  const field = column === undefined ? place : `${place} (column ${column})`;
  const reason = stays === undefined ? '' : `; it was not repaired: ${stays}`;
  return `${group} ${id} ${field}: ${shown(stored)} is stored, ${shown(right)} is correct${reason}`;
}

function differenceJson({ group, id, place, column, stored, right, stays }: Difference, repair: boolean): string {
  return JSON.stringify({
    group,
    id,
    field: place,
    column,
    kept: stored,
    right,
    repaired: repair && stays === undefined,
    stays,
  });
}

const shown = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value));

function summary({ groups, records, differences, left, frozen }: Verified, repair: boolean): string {
  const verified = `${counted(groups, 'group')}, ${counted(records, 'record')}`;
  const end = frozen === 0 ? '' : `; ${counted(frozen, 'frozen value')} by an older formula`;
  if (differences === 0) return `${verified}: no differences${end}`;
  const found = `${verified}: ${counted(differences, 'difference')}`;
  if (!repair) return `${found}; to repair: praxis verify --repair${end}`;
  return left === 0
    ? `${found}, all repaired${end}`
    : `${found}, ${left.toLocaleString('en')} of them not repaired${end}`;
}
