// Path id and query string → the part of an Intent that needs no body. Our own parser, because the usual ones turn
// repeated parameters into arrays, brackets into objects and undecodable bytes into question marks.
import { type Endpoint, isTimeOfMaking, type Order, type ValueParameter } from '../endpoints/routes/endpoint.ts';
import { rowOf } from '../endpoints/values/kinds.ts';
import { enumWords } from '../endpoints/values/words.ts';
import { problems } from '../problems.ts';
import type { Values } from '../registry/model/model.ts';
import { isUuid } from '../values/format.ts';
import type { Cursor, Intent, UsedFilter } from './intent.ts';

export type Address = Pick<Intent, 'id' | 'idAsSent' | 'limit' | 'cursor' | 'filters' | 'order' | 'given'>;

const defaultLimit = 10;
const none: Pick<Address, 'cursor' | 'filters' | 'given'> = Object.freeze({
  cursor: undefined,
  filters: Object.freeze([]),
  given: Object.freeze({}),
});

/** Checks the id of the path, then the parameters. @throws Problem 400 with the name of the first that is wrong. */
export function parseAddress(endpoint: Endpoint, id: string, query: string): Address {
  if (endpoint.hasId && !isUuid(id)) throw problems.uuidMalformed('id');
  const address = { id: id.toLowerCase(), idAsSent: id, limit: defaultLimit, ...none };
  return query === '' ? address : { ...address, ...parseParameters(endpoint, query) };
}

function parseParameters(endpoint: Endpoint, query: string): Partial<Address> {
  const given = readQuery(endpoint, query);
  if (given.has('startingAfter') && given.has('endingBefore')) throw problems.cursorsExclusive();
  let limit = defaultLimit;
  let cursor: Cursor | undefined;
  let order: Order | undefined;
  const filters: UsedFilter[] = [];
  const values: Values = {};
  for (const [name, text] of given) {
    if (name === 'limit') limit = parseLimit(text);
    else if (name === 'startingAfter' || name === 'endingBefore') {
      if (!isUuid(text)) throw problems.uuidMalformed(name);
      cursor = { direction: name === 'startingAfter' ? 'after' : 'before', id: text.toLowerCase() };
    } else if (name === 'sort' && endpoint.sorts.size > 0) order = parseOrder(endpoint, text);
    else {
      const filter = endpoint.filters.get(name);
      if (filter !== undefined)
        filters.push({ filter, value: parseValue(filter, filter.comparison === 'equals', text) });
      const parameter = endpoint.parameters.get(name);
      if (parameter !== undefined) values[parameter.field.key] = parseValue(parameter, true, text);
    }
  }
  filters.sort((a, b) => (a.filter.name < b.filter.name ? -1 : 1));
  return { limit, cursor, filters, given: values, ...(order !== undefined && { order }) };
}

/** Splits and decodes a query string (application/x-www-form-urlencoded). Refuses what is unknown, repeated or no UTF-8. */
function readQuery(endpoint: Endpoint, query: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const rawName = at < 0 ? pair : pair.slice(0, at);
    const name = decode(rawName);
    if (name === undefined || !isKnown(endpoint, name)) throw problems.parameterUnknown(name ?? rawName);
    if (given.has(name)) throw problems.parameterTwice(name);
    const value = decode(at < 0 ? '' : pair.slice(at + 1));
    if (value === undefined) throw problems.parameterInvalid(name, 'percent-encoded UTF-8');
    if (value.includes('\0')) throw problems.parameterInvalid(name, 'without U+0000');
    given.set(name, value);
  }
  return given;
}

const isKnown = (endpoint: Endpoint, name: string): boolean =>
  endpoint.parameters.has(name) ||
  (endpoint.operation === 'list' &&
    (name === 'limit' ||
      name === 'startingAfter' ||
      name === 'endingBefore' ||
      endpoint.filters.has(name) ||
      // Where the list has one order alone, it is the name of a filter, or of nothing.
      (name === 'sort' && endpoint.sorts.size > 0)));

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** @returns undefined for the order that a list has in any case */
function parseOrder({ sorts }: Endpoint, text: string): Order | undefined {
  const order = sorts.get(text);
  if (order === undefined) throw problems.parameterInvalid('sort', enumWords([...sorts.keys()]));
  return isTimeOfMaking(order.field) && order.isDescending ? undefined : order;
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) throw problems.parameterInvalid('limit', 'an integer from 1 to 100');
  return limit;
}

/** @param isWhole Whether the text stands for a whole value, and not for a part of one. */
function parseValue({ name, accepts }: ValueParameter, isWhole: boolean, text: string): string | number | boolean {
  const row = rowOf(accepts);
  const value = row.fromText(accepts, text, isWhole);
  if (value !== undefined) return value;
  throw accepts.kind === 'uuid'
    ? problems.uuidMalformed(name)
    : problems.parameterInvalid(name, row.textWords(accepts));
}
