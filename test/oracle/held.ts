// What restricts a record that goes: what goes along itself restricts nothing.
import type { Draft } from './draft.ts';
import { Open } from './refusal.ts';
import { isRow, listOf, type Row } from './values.ts';

/** Whether a record that stays restricts one that goes. @throws Open where it goes by an effect, or in a circle */
export function isHeld({ holders, row, write: { world, judged } }: Draft): boolean {
  const gone = judged.filter(({ operation }) => operation === 'delete');
  for (const holder of holders.filter(({ group, id }) => world.find(group, id) === undefined)) {
    const cause = gone.find((draft) => draft.row.id === holder.id)?.cause;
    if (cause !== 'cascade' || namedFrom(row, gone).has(holder.id)) throw new Open();
  }
  return holders.some(({ group, id }) => world.find(group, id) !== undefined);
}

/** Ids of the records that one names, and that these name, as far as they go. */
function namedFrom(row: Row, gone: readonly Draft[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (of: Row): void => {
    for (const value of Object.values(of.values))
      for (const one of listOf([value].flat()))
        if (isRow(one)) add(one);
        else if (typeof one === 'string') found.add(one);
  };
  add(row);
  for (const id of found) {
    const next = gone.find((draft) => draft.row.id === id)?.row;
    if (next !== undefined) add(next);
  }
  return found;
}
