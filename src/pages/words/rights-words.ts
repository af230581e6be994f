// What roles may do with a group, in words, of the letters that `praxis access` prints.
import type { Resource } from '../../registry/model/model.ts';
import type { Site } from '../site/site.ts';

const names: Readonly<Record<string, string>> = {
  C: 'create',
  R: 'get',
  U: 'update',
  D: 'delete',
  L: 'list',
  H: 'history',
};

/** A role, and what it may do with a group. */
interface RoleRights {
  readonly name: string;
  /** Its title. */
  readonly role: string;
  /** `create, list`; with all records of the group. */
  readonly all: string;
  /** With those alone for which a condition holds. */
  readonly some: string;
}

/** `CrUdLH` → `create, update, list, history` and `get, delete`. */
function wordsOf(cell: string): Omit<RoleRights, 'name' | 'role'> {
  const of = (letters: readonly string[]): string => letters.map((letter) => names[letter.toUpperCase()]).join(', ');
  const granted = [...cell].filter((letter) => letter !== '-');
  const isAll = (letter: string): boolean => letter === letter.toUpperCase();
  return { all: of(granted.filter(isAll)), some: of(granted.filter((letter) => !isAll(letter))) };
}

/** The roles that may do something with a group, in their order; none where there are no roles. */
export function rightsOn({ roles }: Site, { name }: Resource): readonly RoleRights[] {
  const cells = roles?.cells().get(name) ?? [];
  return (roles?.all ?? [])
    .map(({ name: role, title }, place) => ({ name: role, role: title, ...wordsOf(cells[place] ?? '') }))
    .filter(({ all, some }) => all !== '' || some !== '');
}
