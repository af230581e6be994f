// The model of all groups, loaded once, with what is granted to who is signed in.
import { signal } from '@preact/signals';
import { unreachable } from '../../../unreachable.ts';
import { narrowed } from '../../granted.ts';
import type { ConsoleModel, FieldModel, FilterModel, GroupModel } from '../../model.ts';
import { commonMessages } from '../messages/common.ts';
import { type Access, readAccess } from './allowed.ts';
import { token } from './session.ts';

export type { FieldModel, FilterModel, GroupModel } from '../../model.ts';

/** A group whose lists can be narrowed to the records that name another one. */
interface Referring {
  readonly group: GroupModel;
  readonly filter: FilterModel;
}

class Groups {
  readonly all: readonly GroupModel[];
  readonly #byName: ReadonlyMap<string, GroupModel>;
  readonly #byPath: ReadonlyMap<string, GroupModel>;
  /** Whether there are pages about the groups. */
  readonly hasPages: boolean;
  /** How people sign in, beside tokens. */
  readonly signIn: readonly ('password' | 'oidc')[];

  /** Whether it can be followed what becomes of records. */
  readonly isFollowed: boolean;

  /** @param access What is granted; everything where that is not known: the service refuses what it is. */
  constructor({ groups, hasPages, signIn = [] }: ConsoleModel, access: Access | undefined) {
    this.hasPages = hasPages;
    this.signIn = signIn;
    this.all = groups
      .map((group) => {
        const allowed = access?.groups[group.name];
        return allowed === undefined ? group : narrowed(group, allowed);
      })
      .filter(({ operations }) => operations.length > 0);
    this.isFollowed = access?.may.includes('changes') !== false && this.all.some(({ isLogged }) => isLogged === true);
    this.#byName = new Map(this.all.map((group) => [group.name, group]));
    this.#byPath = new Map(this.all.map((group) => [group.path.slice(1), group]));
  }

  named(name: string): GroupModel | undefined {
    return this.#byName.get(name);
  }

  /** @param path Without its slash. */
  at(path: string): GroupModel | undefined {
    return this.#byPath.get(path);
  }

  /** Areas with their groups that can be looked at, in alphabetical order of both. */
  areas(): readonly (readonly [area: string, groups: readonly GroupModel[]])[] {
    const seen = this.all.filter((group) => can(group, group.isSingle ? 'get' : 'list'));
    const byArea = Map.groupBy(seen, ({ area }) => area);
    return [...byArea]
      .map(([area, groups]) => [area, groups.toSorted((a, b) => a.plural.localeCompare(b.plural, 'en'))] as const)
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  }

  /** Groups whose lists have a filter that takes ids of this one. */
  referringTo(name: string): readonly Referring[] {
    return this.all.flatMap((group) =>
      group.filters.flatMap((filter) => (filter.target === name ? [{ group, filter }] : [])),
    );
  }
}

let model: ConsoleModel | undefined;
let known: Groups | undefined;
let access: Access | undefined;

/** The token for which it is known what is granted. */
export const grantedTo = signal<string | undefined>(undefined);

/** Reads the model. @throws Error where the service is not reached */
export async function loadGroups(): Promise<void> {
  const response = await fetch('/console/model.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(commonMessages.serviceUnavailable);
  model = (await response.json()) as ConsoleModel;
  known = new Groups(model, access);
}

/** Reads what is granted to the holder of a token; without one it is forgotten. */
export async function loadAccess(of: string | undefined): Promise<void> {
  const found = of === undefined ? undefined : await readAccess().catch(() => undefined);
  if (token.peek() !== of) return;
  access = found;
  if (model !== undefined) known = new Groups(model, access);
  grantedTo.value = of;
}

/** All groups; to be asked once they are loaded. */
export function groups(): Groups {
  if (known === undefined) unreachable('the groups are not loaded');
  return known;
}

export const fieldOf = (group: GroupModel, name: string): FieldModel | undefined =>
  group.fields.find((field) => field.name === name);

export const can = (group: GroupModel, operation: string): boolean => group.operations.includes(operation);
