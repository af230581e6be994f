// Puts together what several searches have found: each record once, in the order of their making.
import { asList, isRecord, type Known, type RecordValue } from '../language/value.ts';

/** @param lists What each search has found. */
export function united(lists: Known): readonly Known[] {
  const found = asList(lists).map(asList);
  const [first, ...others] = found.filter((list) => list.length > 0);
  if (first === undefined || others.length === 0) return first ?? [];
  const placed = [first, ...others].flat().flatMap((item) => (isRecord(item) ? [placedItem(item)] : []));
  placed.sort(compared);
  return placed
    .filter((one, place) => place === 0 || compared(placed[place - 1] ?? one, one) !== 0)
    .map(({ item }) => item);
}

/** An item, with what tells where it stands among all others. */
interface Placed {
  readonly item: RecordValue;
  /** Ids rise with the time of their making; the time goes first. */
  readonly madeAt: string;
  readonly places: readonly number[];
}

function placedItem(item: RecordValue): Placed {
  const places: number[] = [];
  let root = item;
  for (; root.owner !== undefined; root = root.owner) places.unshift(root.place);
  return { item, madeAt: `${String(root.values['createdAt'])} ${root.id}`, places };
}

function compared(one: Placed, other: Placed): number {
  if (one.madeAt !== other.madeAt) return one.madeAt < other.madeAt ? -1 : 1;
  const place = one.places.findIndex((each, index) => each !== other.places[index]);
  return place < 0 ? 0 : (one.places[place] ?? 0) - (other.places[place] ?? 0);
}
