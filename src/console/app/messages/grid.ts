// Messages and labels of the page of a group: its grid, filters, selection and saved views.
export const gridMessages = {
  about: 'About',
  address: 'Address',
  addressOfView: 'Address of this view',
  asClientCode: 'As client code',
  asCurl: 'As curl',
  code: 'Code',
  columns: 'Columns',
  columnWidth: (column: string) => `Width of ${column}`,
  continueImport: (count: string) => `Continue import (${count} rows)`,
  copy: 'Copy',
  copyLoadedRows: 'Copy loaded rows as CSV',
  defaultColumns: 'Default columns',
  editCell: (field: string, record: string) => `Edit ${field} of ${record}`,
  editHere: 'Edit in place',
  exportCsv: 'Export CSV',
  exportJson: 'Export JSON',
  import: 'Import',
  loaded: (count: string) => `${count} loaded`,
  newRecords: 'New records. Refresh',
  records: (count: string, isOne: boolean) => `${count} ${isOne ? 'record' : 'records'}`,
  selectAllLoaded: 'Select all loaded rows',
  selectRow: (record: string) => `Select ${record}`,
  shownAs: 'View as',
  sortBy: (column: string) => `Sort by ${column}`,
  changedMeanwhile: 'Another user changed this value. Check the new value and edit again.',
};

export const pickerMessages = {
  clear: 'Clear',
  noResults: 'No results',
  results: 'Results',
  search: (names: string) => `Search ${names}`,
};

export const filterMessages = {
  add: '+ Filter',
  apply: 'Apply',
  clear: (field: string) => `Clear ${field}`,
  clearAll: 'Clear all',
  contains: (field: string) => `${field} contains`,
  filters: 'Filters',
  from: 'From',
  is: 'Is',
  to: 'To',
};

/** Comparisons in a filter's chip, by the name that the model gives them. */
export const comparisonMessages: Readonly<Record<string, string>> = {
  equals: '',
  holds: '',
  foldedEquals: 'is',
  foldedContains: 'contains',
  foldedStartsWith: 'starts with',
  foldedEndsWith: 'ends with',
  after: 'after',
  onAfter: 'from',
  before: 'before',
  onBefore: 'to',
};

/** Comparisons of numbers in a filter chip. */
export const numberComparisonMessages: Readonly<Record<string, string>> = {
  after: 'above',
  onAfter: 'at least',
  before: 'below',
  onBefore: 'at most',
};

export const periodMessages = {
  today: 'Today',
  thisWeek: 'This week',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  thisQuarter: 'This quarter',
  thisYear: 'This year',
  lastYear: 'Last year',
  last30Days: 'Last 30 days',
  next30Days: 'Next 30 days',
  beforeToday: 'Before today',
  fromToday: 'From today',
};

export const savedViewMessages = {
  delete: (name: string) => `Delete ${name}`,
  forAll: 'for everyone',
  save: 'Save',
  saveAs: 'Save this view as',
  shared: 'Shared with everyone',
  views: 'Views',
};

export const selectionMessages = {
  amount: 'Amount',
  canAllChange: (count: string) => `All ${count} can be changed.`,
  cannotChange: (count: string) => `${count} can't be changed:`,
  change: 'Change',
  changed: 'changed',
  changeMore: 'Change …',
  check: 'Check first',
  checking: 'Checking …',
  clear: 'Clear selection',
  copyAsCsv: 'Copy as CSV',
  create: (names: string) => `Create ${names}`,
  created: (names: string) => `${names} created`,
  createFrom: (names: string, count: string, sources: string) => `New ${names} from ${count} ${sources}`,
  createFromSelection: (names: string) => `Create ${names} from these`,
  createMoreFromSelection: (names: string) => `Create ${names} from these …`,
  deleted: 'deleted',
  escape: 'Esc',
  from: 'From',
  newValue: (field: string) => `${field} of all selected records`,
  outOf: (count: string, all: string) => `${count} of ${all}`,
  progress: (count: string, all: string) => `${count} of ${all} …`,
  referredToBy: (message: string, users: string) => `${message} Used by ${users}.`,
  selectAll: (count: string) => `Select all ${count}`,
  selected: 'selected',
  selectedRecords: 'Selected records',
  selectFirst: (count: string) => `Select the first ${count}`,
  wereRefused: (count: string) => `${count} couldn't be changed:`,
};
