// What a write does to other records by declaration.
import type { Draft, Write } from './draft.ts';
import { evaluate, fieldNamed, holds } from './evaluate.ts';
import { heldValue, Unheld } from './figures.ts';
import { type Effect, type Group, groupIn } from './model.ts';
import { bodyInvalid, Refused } from './refusal.ts';
import type { Happening, Shape } from './shape.ts';
import { isMade, listOf, type Row, rowsOf, type Value } from './values.ts';
import type { World } from './world.ts';

export interface Acting {
  readonly row: Row;
  readonly before: Row | undefined;
  readonly events: readonly Happening[];
  readonly operation: Draft['operation'];
  readonly sent?: ReadonlySet<string>;
  readonly past: World | undefined;
}

/** Carries out the effects of what has happened to a record, in the order of the descriptor. */
export function declaredEffects(write: Write, acting: Acting): void {
  for (const effect of groupIn(write.world.model, acting.row.group).effects)
    if (acting.events.some((event) => effect.on.includes(event)) && isWanted(write, effect, acting))
      carryOut(write, effect, acting);
}

/** Finds what a delete changes and removes while it is still named. @returns carries it out */
export function effectsOfDelete(write: Write, row: Row, past: World | undefined): () => void {
  const acting: Acting = { row, before: row, events: ['delete'], operation: 'delete', past };
  const found = groupIn(write.world.model, row.group)
    .effects.filter((effect) => effect.on.includes('delete') && isWanted(write, effect, acting))
    .map((effect) => ({ effect, targets: targetsOf(write, effect, acting) }));
  return () => {
    for (const { effect, targets } of found) carryOut(write, effect, acting, targets);
  };
}

const standingOf = ({ world }: Write, { row, before, operation, past }: Acting) => ({
  world,
  past,
  self: row,
  old: operation === 'create' ? null : (before ?? null),
});

const isWanted = (write: Write, { when }: Effect, acting: Acting): boolean => holds(when, standingOf(write, acting));

function targetsOf(write: Write, { change, remove }: Effect, acting: Acting): readonly Row[] {
  const node = change ?? remove;
  if (node === undefined) return [];
  const rows = rowsOf(evaluate(node, standingOf(write, acting)).value);
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function carryOut(write: Write, effect: Effect, acting: Acting, found?: readonly Row[]): void {
  const { make, change } = effect;
  const { model } = write.world;
  if (make !== undefined) {
    const group = groupIn(model, make);
    write.acts.create(write, group, settingsOf(write, group, effect, acting));
    return;
  }
  const targets = (found ?? targetsOf(write, effect, acting)).filter(({ group, id }) => write.world.find(group, id));
  const values = targets[0] && change && settingsOf(write, groupIn(model, targets[0].group), effect, acting);
  for (const row of targets) {
    if (values === undefined) write.acts.remove(write, row);
    else write.acts.update(write, row, values);
  }
}

/** Items that a formula gives as the values of their fields. */
const itemsOf = ({ group, lists, fields }: Shape, value: Value): readonly Row[] =>
  listOf(value)
    .filter(isMade)
    .map(({ entries }, index) => {
      const values: Record<string, Value> = {};
      for (const field of fields) {
        const given = entries[field.key] ?? entries[field.name];
        if (given !== undefined) values[field.key] = heldValue(field, given);
      }
      return { group, lists, id: '', owner: undefined, index, values };
    });

/** What the formulas of an effect give, by the keys of the other record. */
function settingsOf(write: Write, { shape }: Group, { settings }: Effect, acting: Acting): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, node] of settings) {
    const field = fieldNamed(shape, name) ?? shape.fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`${shape.group} has no ${name}`);
    try {
      const { value } = evaluate(node, standingOf(write, acting));
      values[field.key] = field.items === undefined ? heldValue(field, value) : itemsOf(field.items, value);
    } catch (error) {
      if (!(error instanceof Unheld)) throw error;
      const text = error.message === 'is required' ? error.message : `must be ${error.message}`;
      throw new Refused([bodyInvalid([`'${field.key}' ${text}`])]);
    }
  }
  return values;
}
