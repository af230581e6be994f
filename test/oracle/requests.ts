// Requests by chance, for the state in which the records are.
import { labels } from './made.ts';
import { groupIn } from './model.ts';
import type { Random } from './random.ts';
import type { Field, Shape } from './shape.ts';
import { isDay, isNumeric, type Row, type Value } from './values.ts';
import type { World } from './world.ts';
import type { Request } from './write.ts';

const fewest = 3;
const most = 9;

/** @returns undefined where nothing can be asked for yet */
export function requestBy(random: Random, world: World, tag: number): Request | undefined {
  const group = random.one([...world.model.groups.keys()]);
  const rows = world.rows(group);
  const { shape } = groupIn(world.model, group);
  const isFull = rows.length >= most || (rows.length >= fewest && !random.chance(35));
  if (!isFull) {
    const body = bodyOf(random, { world, shape, row: undefined, isPart: false });
    return body && { tag, group, operation: 'create', body };
  }
  const row = random.one(rows);
  if (random.chance(rows.length >= most ? 25 : 12)) return { tag, group, operation: 'delete', id: row.id };
  const body = bodyOf(random, { world, shape, row, isPart: true });
  return body && { tag, group, operation: 'update', id: row.id, body };
}

interface Asked {
  readonly world: World;
  readonly shape: Shape;
  readonly row: Row | undefined;
  /** Whether only some of the fields are sent. */
  readonly isPart: boolean;
}

function bodyOf(random: Random, asked: Asked): Record<string, unknown> | undefined {
  const { shape, row, isPart } = asked;
  const body: Record<string, unknown> = {};
  for (const field of shape.fields) {
    const { key, isRequired, figure, becomes, raw } = field;
    const isSent =
      figure === undefined
        ? raw.readOnly !== true && (becomes.length === 0 || random.chance(20))
        : isClaimed(random, field);
    if (!isSent || (isPart ? !random.chance(40) : !isRequired && !random.chance(70))) continue;
    const value =
      figure !== undefined && row !== undefined && random.chance(50)
        ? jsonOf(row.values[key])
        : valueFor(random, field, asked);
    if (value === undefined && isRequired && !isPart) return undefined;
    if (value !== undefined) body[key] = value;
  }
  return body;
}

/** What is computed is sent now and then where it may be. */
const isClaimed = (random: Random, { figure }: Field): boolean =>
  (figure?.isAccepted === true || figure?.when !== undefined) && random.chance(40);

const jsonOf = (value: Value | undefined): unknown =>
  isNumeric(value) ? value.toNumber() : isDay(value) ? value.iso : (value ?? undefined);

/** @returns undefined where there is none */
function valueFor(random: Random, field: Field, asked: Asked): unknown {
  const { kind, isNullable, raw, items, target } = field;
  if (isNullable && random.chance(20)) return null;
  switch (kind) {
    case 'integer':
      return random.upTo(6);
    case 'decimal':
      return random.upTo(60) / 4;
    case 'bool':
      return random.chance(50);
    case 'date':
      return `2026-03-${10 + random.upTo(9)}`;
    case 'text':
      if (raw.format === 'time') return `${10 + random.upTo(9)}:${random.one(['00', '15', '30'])}`;
      return raw.enum === undefined ? random.one(labels) : random.one(raw.enum);
    case 'reference':
      return referenceFor(random, field, asked) ?? (isNullable ? null : undefined);
    case 'references':
      return [
        ...new Set(
          random.some(3, () =>
            random.one(
              asked.world
                .rows(target)
                .map(({ id }) => id)
                .concat(''),
            ),
          ),
        ),
      ].filter((id) => id !== '');
    case 'items': {
      if (items === undefined) return [];
      const made = random.some(3, () => bodyOf(random, { ...asked, shape: items, row: undefined, isPart: false }));
      return made.includes(undefined) ? undefined : made;
    }
  }
}

/** A record that there is; in a tree none that stands below. */
function referenceFor(random: Random, { target, key }: Field, { world, row }: Asked): string | undefined {
  const isBelow = (other: Row): boolean => {
    let here: Row | undefined = other;
    for (let step = 0; here !== undefined && step < 50; step += 1) {
      if (here.id === row?.id) return true;
      here = world.find(target, here.values[key] ?? null);
    }
    return false;
  };
  const possible = world.rows(target).filter((other) => row === undefined || row.group !== target || !isBelow(other));
  return possible.length === 0 ? undefined : random.one(possible).id;
}
