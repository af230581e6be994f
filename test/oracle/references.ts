// Where references lead: nowhere, or round.
import type { Draft } from './draft.ts';
import { groupIn } from './model.ts';
import { Open } from './refusal.ts';
import type { Shape } from './shape.ts';
import { type Row, rowsOf } from './values.ts';
import type { World } from './world.ts';

/** What goes with the write cannot be named by what its effects write. */
export function checkReferences(draft: Draft): void {
  const check = ({ fields }: Shape, row: Row, place: string, isAll: boolean): void => {
    for (const { key, kind, target, items } of fields) {
      const value = row.values[key] ?? null;
      if (!isAll && !draft.sent.has(key)) continue;
      if (kind === 'reference' && value !== null && draft.world.find(target, value) === undefined)
        draft.refuse(place + key, `does not refer to an existing ${groupIn(draft.world.model, target).title}`);
      for (const [index, item] of rowsOf(items && value).entries())
        if (items !== undefined) check(items, item, `${place}${key}[${index}].`, true);
    }
  };
  check(draft.group.shape, draft.row, '', false);
}

/** Trees are no business of formulas: no history asks for a circle. @throws Open */
export function refuseCircle(world: World, row: Row, key: string): void {
  let above = world.find(row.group, row.values[key] ?? null);
  for (let step = 0; above !== undefined && step < 50; step += 1) {
    if (above === row) throw new Open();
    above = world.find(row.group, above.values[key] ?? null);
  }
}
