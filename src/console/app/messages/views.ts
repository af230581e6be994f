// Messages and labels of the board, the timeline, the calendar and the chart.
export const viewMessages = {
  board: 'Board',
  calendar: 'Calendar',
  chart: 'Chart',
  timeline: 'Timeline',
  all: 'All',
  countOfRecords: 'Number of records',
  cut: (count: string) => `The view shows ${count}; there are more.`,
  earlier: 'Earlier',
  earlierBy: (step: string) => `Earlier by a ${step}`,
  hours: 'Hours',
  imageFailed: 'The browser could not create the image.',
  imageTooLarge: 'the image is too large',
  later: 'Later',
  laterBy: (step: string) => `Later by a ${step}`,
  loadMore: (count: string) => `Load ${count} more`,
  loading: (count: string) => `Loading … ${count}`,
  options: 'View options',
  others: (count: number) => `${count} others`,
  png: 'PNG, for documents',
  records: 'Records',
  saveImage: 'Save image',
  show: 'Show',
  svg: 'SVG, at any size',
  today: 'Today',
};

export const boardMessages = {
  above: (column: string) => `Over ${column}`,
  allowedNext: (state: string, next: string) => `${state} can change only to: ${next}`,
  cancelled: 'Cancelled',
  cardsIn: (column: string) => `Cards in ${column}`,
  changedMeanwhile: 'Another user changed this record. The card shows the new version. Move it again if needed.',
  filteredOut: 'Hidden by the filters',
  handleHelp: (field: string) =>
    `${field}: press Enter to pick up the card, arrow keys to choose a column, Enter to drop it, Escape to cancel.`,
  moved: (state: string) => `Now ${state}`,
  moveHere: 'Move here',
  move: (name: string) => `Move ${name}`,
  noneAllowedNext: (state: string) => `${state} cannot change to another state`,
  pickedUp: (card: string, column: string) =>
    `Picked up ${card}, over ${column}. Arrow keys choose a column, Enter drops, Escape cancels.`,
};

export const calendarMessages = {
  caption: (title: string, field: string, month: string) => `${title} per day, ${field} in ${month}`,
  keys: 'Arrow keys move by a day, Page Up and Page Down by a month.',
  month: 'Month',
  partial: 'The sums cover only these.',
  stepMonth: 'month',
  week: 'Week',
};

export const chartMessages = {
  addingUp: 'Calculating …',
  allMonths: 'All months',
  barPerMonth: (title: string, unit: string) => `${title}${unit === '' ? '' : ` in ${unit}`}, one bar per month`,
  by: 'by',
  cumulative: 'Cumulative',
  cumulativeNote: ', cumulative',
  emptyPeriod: (period: string) => `No records in ${period}.`,
  month: 'Month',
  months: (count: string) => `${count} months`,
  newestOnly: 'The chart shows only the newest.',
  notLoaded: 'not loaded',
  numbers: (unit: string) => `Values of the chart${unit === '' ? '' : `, ${unit}`}`,
  of: (month: string, series: string) => `${month}, ${series}`,
  over: 'over',
  partialMonths: 'The chart leaves out months that are not complete.',
  noSplit: 'nothing',
  splitBy: 'split by',
  stepYear: 'year',
  title: (title: string, field: string) => `${title} by ${field}`,
  total: 'Total',
};

export const timelineMessages = {
  atOnce: (count: number) => `${count} at the same time`,
  colouredBy: 'Colour by',
  days: 'Days',
  each: (name: string) => `each ${name}`,
  emptyPeriod: 'No records in this period.',
  from: 'From',
  keys: (title: string, period: string) =>
    `${title}, ${period}. Arrow keys move between bars, Page Up and Page Down through time, + and − zoom.`,
  lanesBy: 'Lanes by',
  newestOnly: 'The timeline leaves out the oldest.',
  open: 'open',
  sameAsTable: 'The timeline as a table:',
  span: (start: string, end: string) => `${start} to ${end}`,
  stepHalf: 'half of the visible period',
  zoom: 'Zoom',
};

export const zoomMessages = {
  weeks: '6 weeks',
  quarter: '3 months',
  half: '6 months',
  year: '1 year',
  years: '3 years',
};
