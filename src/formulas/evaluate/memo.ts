// Memo of evaluations: what was found once is not computed again.

import type { Tree } from '../language/tree.ts';
import { type Known, notKnown, type RecordValue, type Unknown } from '../language/value.ts';

/** What a part has given, and whether it was read through a reference that is null. */
export interface Noted {
  readonly value: Known | Unknown;
  readonly throughNull: boolean;
  /** Where a part became longer than values may be, and counts as null: what to say of the field, in words. */
  readonly overlong: string | undefined;
  /** Whether something was not known on the way: what is met there may be something else when it is. */
  readonly isPartial?: boolean | undefined;
}

/** An entry that goes when more is known. */
interface Open {
  readonly map: Map<unknown, Noted>;
  readonly key: unknown;
}

/**
 * What evaluations on the same records have found, for those that ask for the same again. It holds as long as neither what they
 * stand on nor what is known of others changes. Most find nothing that is to be kept: the maps are made when they are needed.
 */
export class Memo {
  #found: Map<Tree, Map<RecordValue, Noted>> | undefined;
  /** What named formulas have given for a record, by what they were given as a text: several parts, and the turns of a loop, ask for the same. */
  named: Map<Tree, Map<RecordValue, Map<string, Noted>>> | undefined;
  /** What was not known, or looked at that. */
  #open: Open[] = none;

  /** Records that were found by nothing but what the formula stands on: in a loop they are the same each time. */
  found(tree: Tree): Map<RecordValue, Noted> {
    this.#found ??= new Map();
    let found = this.#found.get(tree);
    if (found === undefined) {
      found = new Map();
      this.#found.set(tree, found);
    }
    return found;
  }

  keepNamed(
    tree: Tree,
    self: RecordValue,
    { question, found }: { readonly question: string; readonly found: Noted },
  ): void {
    this.named ??= new Map();
    let records = this.named.get(tree);
    if (records === undefined) {
      records = new Map();
      this.named.set(tree, records);
    }
    let known = records.get(self);
    if (known === undefined) {
      known = new Map();
      records.set(self, known);
    }
    this.keep(known, question, found);
  }

  /** Keeps what was found in a map of these; whoever knows that all of it was known may do so himself. */
  keep<K>(map: Map<K, Noted>, key: K, found: Noted): void {
    map.set(key, found);
    if (found.value !== notKnown && found.isPartial !== true) return;
    if (this.#open === none) this.#open = [];
    this.#open.push({ map: map as Map<unknown, Noted>, key });
  }

  forget(): void {
    this.#found = undefined;
    this.named = undefined;
    this.#open = none;
  }

  /** Forgets what was not known, or looked at that: all else stays as it is when more is known. */
  forgetUnknown(): void {
    for (const { map, key } of this.#open) map.delete(key);
    this.#open = none;
  }
}

const none: Open[] = [];
