// Roles × groups: what each role may do with each group, a letter an operation.
import type { Registry } from '../../registry/model/model.ts';
import type { AccessOperation, Role, Roles } from '../model.ts';
import { extentOf, RightsBook } from '../rights.ts';
import { operationsIn } from '../words.ts';

/** In the order of a cell: create, get (read), update, delete, list, history. */
const letters: readonly (readonly [AccessOperation, string])[] = [
  ['create', 'C'],
  ['get', 'R'],
  ['update', 'U'],
  ['delete', 'D'],
  ['list', 'L'],
  ['history', 'H'],
];

const letterBy = {
  all: (letter: string): string => letter,
  some: (letter: string): string => letter.toLowerCase(),
  no: (): string => '-',
} as const;

interface AccessRow {
  readonly group: string;
  /** A cell for each role: `CRUDLH`, lower case under a condition, `-` for what it may not. */
  readonly cells: readonly string[];
}

export interface AccessTable {
  readonly roles: readonly Role[];
  readonly rows: readonly AccessRow[];
}

/** The rules of all roles, in the order of the names of groups and roles. */
export function accessTable(roles: Roles, { resources }: Registry): AccessTable {
  const book = new RightsBook(roles);
  const columns = [...roles.byName.values()];
  const rights = columns.map(({ name }) => book.of({ roles: [name] }));
  const rows = [...resources.values()]
    .toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1))
    .map((resource) => {
      const served = operationsIn(resource);
      const cell = (index: number): string =>
        letters
          .filter(([operation]) => served.has(operation))
          .map(([operation, letter]) => letterBy[extentOf(rights[index]?.on(resource.name, operation))](letter))
          .join('');
      return { group: resource.name, cells: columns.map((_role, index) => cell(index)) };
    });
  return { roles: columns, rows };
}
