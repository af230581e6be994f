// What parts of formulas were before a write: kept from before anything of it changed until it is judged.

import { dependenciesOf } from '../formulas/analyse/dependencies.ts';
import type { Noted } from '../formulas/evaluate/memo.ts';
import type { Tree, TreeOf } from '../formulas/language/tree.ts';
import { notKnown, type RecordValue } from '../formulas/language/value.ts';

/** What one write has found, by the part of a formula and by what it stands on. */
export class Befores {
  readonly #known = new Map<Tree, Map<string, Noted>>();

  of(tree: Tree, self: RecordValue): Noted | undefined {
    return this.#known.get(tree)?.get(placeOf(self));
  }

  put(tree: Tree, self: RecordValue, noted: Noted): void {
    if (noted.value === notKnown || noted.isPartial === true) return;
    const places = this.#known.get(tree) ?? new Map<string, Noted>();
    this.#known.set(tree, places);
    places.set(placeOf(self), noted);
  }
}

/** Where an item stands in the lists of the record; empty for the record itself. */
function placeOf({ owner, place }: RecordValue): string {
  return owner === undefined ? '' : `${placeOf(owner)}/${place}`;
}

/** Whether it was nothing before a create: of the record itself there was nothing. What leads to others begins at what is written. */
export const isOfItself = ({ of }: TreeOf<'before'>): boolean => {
  const { beyond, paths } = dependenciesOf(of);
  return paths.size === 0 && beyond.every(({ what }) => what === 'known' || what === 'around');
};

/** What a formula stands on as it was: the record itself where it was none yet. */
export const asBefore = (self: RecordValue, old: RecordValue | null): RecordValue =>
  self.owner === undefined ? (old ?? self) : { ...self, owner: asBefore(self.owner, old) };
