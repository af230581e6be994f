// Names that are wrong and near enough to a right one: who sends them is told of it.
const near: Readonly<Record<string, string>> = {
  field: 'fields',
  page: 'startingAfter',
  offset: 'startingAfter',
  'limit[gte]': 'limit',
  dateAfter: 'date',
  Limit: 'limit',
  LIMIT: 'limit',
  'limit[]': 'limit',
  ' limit': 'limit',
  'limit ': 'limit',
  'limit\t': 'limit',
  starting_after: 'startingAfter',
  Date: 'date',
  toCurrency: 'fromCurrency',
  'fromCurrency[]': 'fromCurrency',
  ' name': 'name',
  NAME: 'name',
  'name.x': 'name',
  businessUnit: 'businessUnitId',
  'isActive\u200b': 'isActive',
};

/** What stands behind `is not allowed` of a name: the one that is meant, or nothing. */
export const meant = (name: string): string => (Object.hasOwn(near, name) ? `; did you mean '${near[name]}'?` : '');

/** How a parameter of this name is refused. @param own Names that mean another one in this list alone. */
export const unknownParameter = (name: string, own: Readonly<Record<string, string>> = {}): string =>
  `Parameter '${name}' is not allowed${Object.hasOwn(own, name) ? `; did you mean '${own[name]}'?` : meant(name) || '.'}`;
