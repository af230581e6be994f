// What is always true, made true: figures of all records until nothing changes, and states that follow from them.
import type { Write } from './draft.ts';
import { declaredEffects } from './effects.ts';
import { holds } from './evaluate.ts';
import { figuresOf, hasMoved, keptValue, shapeOfRow, takeFigure } from './figures.ts';
import { bodyInvalid, Refused } from './refusal.ts';
import { equals, type Row } from './values.ts';
import { copyOf, type World } from './world.ts';

/** Chains are no longer than there are records in a domain. */
const mostRounds = 100;

const allRows = (world: World): readonly Row[] => [...world.model.groups.keys()].flatMap((name) => world.rows(name));

/** Takes what hangs on a version of a record that has changed since: what is always true, and what is taken again. */
function takeAgain(world: World, row: Row, since: Row): boolean {
  let hasChanged = false;
  for (const placed of figuresOf(shapeOfRow(world, row))) {
    const { figure } = placed.field;
    const isAgain = figure?.taken === 'onCreate' && isAgainMoved(world, row, since, figure.again);
    if (figure?.taken !== 'always' && !isAgain) continue;
    const refuse = (place: string, text: string): void => {
      throw new Refused([bodyInvalid([`'${place}' ${text}`])]);
    };
    if (takeFigure(placed, { world, row, old: since, refuse })) hasChanged = true;
  }
  return hasChanged;
}

/** Whether one of the fields that call for a formula again has moved. */
export const isAgainMoved = (world: World, row: Row, since: Row | undefined, again: readonly string[]): boolean =>
  shapeOfRow(world, row)
    .fields.filter(({ key, name }) => again.includes(key) || again.includes(name))
    .some(({ key }) => hasMoved(since, row, key));

/** Makes all figures true. */
export function takeAll(world: World): void {
  const since = new Map(allRows(world).map((row) => [row, copyOf(row)]));
  for (let round = 0; round < mostRounds; round += 1) {
    let hasChanged = false;
    for (const [row, before] of since) if (takeAgain(world, row, before)) hasChanged = true;
    if (!hasChanged) return;
  }
  throw new Error('the figures of this domain have no end');
}

interface Following {
  readonly world: World;
  readonly row: Row;
  readonly old: Row | undefined;
  /** Keys of states that stand as they are for now. */
  readonly standing?: ReadonlySet<string>;
}

/** Lets the states of a record follow; each value is entered once at most. @returns the keys that have become others */
export function followStates({ world, row, old, standing }: Following): ReadonlySet<string> {
  const entered = new Set<string>();
  const changed = new Set<string>();
  for (;;) {
    const next = nextState({ world, row, old, ...(standing && { standing }) });
    if (next === undefined || entered.has(`${next.key}=${next.to}`)) return changed;
    const since = copyOf(row);
    entered.add(`${next.key}=${next.to}`);
    changed.add(next.key);
    row.values[next.key] = next.to;
    takeAgain(world, row, since);
  }
}

function nextState({ world, row, old, standing }: Following): { key: string; to: string | boolean } | undefined {
  for (const field of shapeOfRow(world, row).fields) {
    if (standing?.has(field.key) === true) continue;
    const found = field.becomes.find(({ when }) => holds(when, { world, self: row, old: old ?? null }));
    if (found === undefined || equals(row.values[field.key] ?? null, keptValue(field, found.to))) continue;
    return { key: field.key, to: found.to };
  }
  return undefined;
}

/** States that would follow if their records were looked at again. */
export const restless = (world: World): readonly { row: Row; key: string; to: string | boolean }[] =>
  allRows(world).flatMap((row) => {
    const next = nextState({ world, row, old: row });
    return next === undefined ? [] : [{ row, ...next }];
  });

/** All that follows from what a write has done: figures and states of all records. */
export function settle(write: Write): void {
  for (let round = 0; round < mostRounds; round += 1) {
    takeAll(write.world);
    if (follow(write, []) || release(write)) continue;
    return;
  }
  throw new Error('the states of this domain have no end');
}

/** Lets states of all records follow. @returns whether any has */
function follow(write: Write, since: readonly { readonly row: Row; readonly old: Row | undefined }[]): boolean {
  const { world } = write;
  const held = new Set(write.held.map(({ row }) => row));
  const followed: (readonly [Row, Row])[] = [];
  for (const row of allRows(world)) {
    const before = copyOf(row);
    const released = since.find((one) => one.row === row);
    // States that a body has sent stand until the effects have run.
    if (held.has(row) && released === undefined) continue;
    if (followStates({ world, row, old: released === undefined ? before : released.old }).size > 0)
      followed.push([row, before]);
  }
  for (const [row, before] of followed)
    declaredEffects(write, { row, before, events: ['becomes'], operation: 'update', past: undefined });
  return followed.length > 0;
}

function release(write: Write): boolean {
  const held = write.held.splice(0);
  return held.length > 0 && follow(write, held);
}
