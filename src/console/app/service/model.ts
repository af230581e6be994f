// The model of all groups, loaded once.
import { unreachable } from '../../../unreachable.ts';
import type { ConsoleModel, FieldModel, FilterModel, GroupModel } from '../../model.ts';

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

  constructor({ groups, hasPages, signIn = [] }: ConsoleModel) {
    this.hasPages = hasPages;
    this.signIn = signIn;
    this.all = groups;
    this.#byName = new Map(groups.map((group) => [group.name, group]));
    this.#byPath = new Map(groups.map((group) => [group.path.slice(1), group]));
  }

  named(name: string): GroupModel | undefined {
    return this.#byName.get(name);
  }

  /** @param path Without its slash. */
  at(path: string): GroupModel | undefined {
    return this.#byPath.get(path);
  }

  /** Areas with their groups, in alphabetical order of both. */
  areas(): readonly (readonly [area: string, groups: readonly GroupModel[]])[] {
    const byArea = Map.groupBy(this.all, ({ area }) => area);
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

let known: Groups | undefined;

/** Reads the model. @throws Error where the service is not reached */
export async function loadGroups(): Promise<void> {
  const response = await fetch('/console/model.json', { credentials: 'same-origin' });
  if (!response.ok) throw new Error('The service cannot be reached.');
  known = new Groups((await response.json()) as ConsoleModel);
}

/** All groups; to be asked once they are loaded. */
export function groups(): Groups {
  if (known === undefined) unreachable('the groups are not loaded');
  return known;
}

export const fieldOf = (group: GroupModel, name: string): FieldModel | undefined =>
  group.fields.find((field) => field.name === name);

export const can = (group: GroupModel, operation: string): boolean => group.operations.includes(operation);
