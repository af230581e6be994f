// Messages and labels of the history of a record, of recent changes, and of undo.
export const historyMessages = {
  after: 'After',
  allChanges: 'Everything this changed',
  before: 'Before',
  changedFields: (count: string) => `${count} fields`,
  empty: 'Nothing has changed since the change log was turned on.',
  includeComputed: 'Include computed fields that changed because of other records',
  incomplete: 'The change log was turned on after this record was created. Earlier changes are not available.',
  it: 'it',
  /** Replacement for the last comma of a list. */
  lastOfList: ' and $1',
  lostItems: 'lost the items of deleted records',
  lostRecords: (count: number) => (count === 1 ? 'lost one deleted record' : `lost ${count} deleted records`),
  notLogged: 'changed; its values are not logged',
  older: 'Show older',
  service: 'The service',
  title: (name: string) => `History of ${name}`,
  token: (name: string) => `Token “${name}”`,
  tooLarge: 'This change is too large for the change log.',
  value: 'Value',
  values: (count: string, isOne: boolean) => `${count} ${isOne ? 'value' : 'values'}`,
};

/** The operation of an entry, before the name of its record. */
export const operationMessages: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};
export const undoneMessage = 'undid a change of';

/** Causes of an entry that name another record. */
export const recordCauseMessages: Readonly<Record<string, string>> = {
  effect: 'caused by a change of',
  figure: 'computed from',
  cascade: 'deleted with',
  clear: 'lost its reference to',
};

/** Causes of an entry that name no record. */
export const causeMessages: Readonly<Record<string, string>> = {
  setup: 'when the service was set up',
  repair: 'corrected by a repair',
  switch: 'because a feature was turned on or off',
  migration: 'by a migration',
  day: 'because the day changed',
};

export const undoMessages = {
  checking: 'Checking …',
  done: 'Undone',
  noConflicts: 'Calculated values update automatically. No conflicts found.',
  question: 'Undo this change?',
  reverts: (records: string | undefined, writer: string, at: string) =>
    records === undefined
      ? `This reverts the change by ${writer} on ${at}.`
      : `This reverts ${records} records changed by ${writer} on ${at}.`,
  undo: 'Undo',
  undoMore: 'Undo …',
};
