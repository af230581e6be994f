// Where references lead: nowhere, or round.
import type { Draft } from './draft.ts';
import { groupIn, type Line } from './model.ts';
import { Open } from './refusal.ts';
import type { Shape } from './shape.ts';
import { type Row, rowsOf, type Value } from './values.ts';
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

/** What leads back along a list, or along links, is refused before anything follows from it. */
export function refuseLines(draft: Draft): void {
  const { group, row, world } = draft;
  for (const line of group.lines) {
    const [upper, starts] =
      line.list === undefined
        ? [row.values[line.from] ?? null, [{ id: row.values[line.to] ?? null, place: line.to }]]
        : [
            row.id,
            rowsOf(row.values[line.list]).map(({ values, index }) => ({
              id: values[line.key] ?? null,
              place: `${line.list}[${index}].${line.key}`,
            })),
          ];
    const text =
      line.list === undefined
        ? `must not lead back to the record in '${line.from}'`
        : `must be another ${group.title}, and not lead back to this one`;
    for (const { id, place } of starts) if (leadsTo(world, group.name, line, id, upper)) draft.refuse(place, text);
  }
}

/** Whether a record is another one, or leads to it. */
function leadsTo(world: World, group: string, line: Line, from: Value, to: Value): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (id !== null && id === to) return true;
    for (const next of nextOf(world, group, line, id)) if (next !== null) seen.add(next);
  }
  return false;
}

function nextOf(world: World, group: string, line: Line, id: Value): readonly Value[] {
  if (line.list !== undefined)
    return rowsOf(world.find(group, id)?.values[line.list] ?? null).map(({ values }) => values[line.key] ?? null);
  return world
    .rows(group)
    .filter(({ values }) => values[line.from] === id)
    .map(({ values }) => values[line.to] ?? null);
}

/** Trees are no business of formulas: no history asks for a circle. @throws Open */
export function refuseCircle(world: World, row: Row, key: string): void {
  let above = world.find(row.group, row.values[key] ?? null);
  for (let step = 0; above !== undefined && step < 50; step += 1) {
    if (above === row) throw new Open();
    above = world.find(row.group, above.values[key] ?? null);
  }
}
