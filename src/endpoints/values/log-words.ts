// The words by which entries of the log of changes are asked for, and that they have.

/** What an entry says was done: `gone` of a record that has left its reader's sight, `reset` of all records of a group. */
export const entryOperations = ['create', 'update', 'delete', 'gone', 'reset'] as const;

/** Why a record has changed. */
export const entryCauses = [
  ...(['caller', 'undo', 'effect', 'figure', 'cascade', 'clear'] as const),
  ...(['day', 'repair', 'setup', 'migration', 'switch'] as const),
] as const;
