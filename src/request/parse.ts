// Path id and query string → the part of an Intent that needs no body. Our own parser, because the usual ones turn
// repeated parameters into arrays, brackets into objects and undecodable bytes into question marks.
import {
  type Endpoint,
  type FilterParameter,
  isTimeOfMaking,
  type Order,
  type ValueParameter,
} from '../endpoints/routes/endpoint.ts';
import { keysOf, keyWords } from '../endpoints/routes/unique-keys.ts';
import { rowOf } from '../endpoints/values/kinds.ts';
import { enumWords } from '../endpoints/values/words.ts';
import { type Problem, problems } from '../problems.ts';
import type { Values } from '../registry/model/model.ts';
import { isUuid } from '../values/format.ts';
import { suggestParameter } from './foreign-names.ts';
import type { Cursor, Intent, UsedFilter } from './intent.ts';
import { type Shows, ShowsReader } from './shows.ts';

export type Address = Pick<
  Intent,
  'id' | 'idAsSent' | 'limit' | 'cursor' | 'filters' | 'order' | 'given' | 'shows' | 'counts'
>;

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
  const parsed = query === '' ? address : { ...address, ...parseParameters(endpoint, query) };
  if (endpoint.operation === 'put') checkKey(endpoint, parsed.given);
  return parsed;
}

/** @throws Problem 400 unless the parameters are the fields of one unique key */
function checkKey({ resource }: Endpoint, given: Readonly<Values>): void {
  const named = Object.keys(given);
  const keys = keysOf(resource).map(({ fields }) => fields.map(({ key }) => key));
  if (keys.some((key) => key.length === named.length && key.every((each) => named.includes(each)))) return;
  throw problems.keyNotNamed(keyWords(resource));
}

function parseParameters(endpoint: Endpoint, query: string): Partial<Address> {
  const given = readQuery(endpoint, query);
  if (given.has('startingAfter') && given.has('endingBefore')) throw problems.cursorsExclusive();
  let limit = defaultLimit;
  let cursor: Cursor | undefined;
  let order: Order | undefined;
  const filters: UsedFilter[] = [];
  const values: Values = {};
  const shown = shownBefore(endpoint, given);
  let reader: ShowsReader | undefined;
  let counts = false;
  for (const [name, text] of given) {
    if (name === 'limit') limit = parseLimit(text);
    else if (endpoint.isShaped && (name === 'expand' || name === 'fields')) {
      if (shown?.before !== undefined) continue;
      reader ??= new ShowsReader(endpoint.resource, endpoint.groups, given.get('expand'));
      if (name === 'expand') reader.checkExpand();
      else reader.readFields(text);
    } else if (name === 'count' && endpoint.operation === 'list') counts = parseSwitch(name, text);
    else if (name === 'startingAfter' || name === 'endingBefore') {
      if (!isUuid(text)) throw problems.uuidMalformed(name);
      cursor = { direction: name === 'startingAfter' ? 'after' : 'before', id: text.toLowerCase() };
    } else if (name === 'sort' && endpoint.sorts.size > 0) order = parseOrder(endpoint, text);
    else {
      const filter = endpoint.filters.get(name);
      if (filter !== undefined) filters.push({ filter, value: parseFilter(filter, text) });
      const parameter = endpoint.parameters.get(name);
      if (parameter !== undefined) values[parameter.field.key] = parseValue(parameter, true, text);
    }
  }
  filters.sort((a, b) => (a.filter.name < b.filter.name ? -1 : 1));
  const shows = shown?.before ?? reader?.result();
  if (reader !== undefined) shown?.keep(shows);
  return {
    ...{ limit, cursor, filters, given: values },
    ...(order !== undefined && { order }),
    ...(shows !== undefined && { shows }),
    ...(counts && { counts }),
  };
}

/** What `expand` and `fields` were read as, by their texts: callers ask for the same again and again. */
const shownByTexts = new WeakMap<Endpoint, Map<string, Shows | undefined>>();
/** Of each endpoint; with more it begins anew. */
const textsKept = 30;

function shownBefore(endpoint: Endpoint, given: ReadonlyMap<string, string>) {
  const [expand, fields] = [given.get('expand'), given.get('fields')];
  if (!endpoint.isShaped || (expand === undefined && fields === undefined)) return undefined;
  const kept = shownByTexts.get(endpoint) ?? new Map<string, Shows | undefined>();
  shownByTexts.set(endpoint, kept);
  const key = JSON.stringify([expand, fields]);
  const keep = (shows: Shows | undefined): void => {
    if (kept.size >= textsKept) kept.clear();
    kept.set(key, shows);
  };
  return { before: kept.get(key), keep };
}

const readQuery = (endpoint: Endpoint, query: string): Map<string, string> =>
  readPairs(query, {
    isAllowed: (name) => isKnown(endpoint, name),
    names: () =>
      [...endpoint.parameters.keys(), ...endpoint.filters.keys(), ...ownNames].filter((name) =>
        isKnown(endpoint, name),
      ),
    lists: endpoint.isShaped ? shownLists : [],
    recordPath: toRecordPath(endpoint),
  });

const shownLists = ['expand', 'fields'];

/** Returns `/clients/{id}` for a list of records that can be read one by one; otherwise undefined. */
export const toRecordPath = ({ operation, resource }: Endpoint): string | undefined =>
  operation === 'list' && resource.operations.has('get') ? `${resource.path}/{id}` : undefined;

/** Parameters that many endpoints have. */
const ownNames = ['limit', 'startingAfter', 'endingBefore', 'count', 'sort', 'expand', 'fields'];

interface Allowed {
  readonly isAllowed: (name: string) => boolean;
  /** All names, for a message. */
  readonly names: () => Iterable<string>;
  /** Parameters that hold several values with commas between them. */
  readonly lists?: readonly string[];
  /** Path of one record, for a caller that looks for it by a parameter. */
  readonly recordPath?: string | undefined;
}

/**
 * Splits and decodes a query string (application/x-www-form-urlencoded). A list may also be sent as repeated parameters, with
 * or without `[]`: `fields=a&fields=b`. @throws Problem 400 for any other unknown or repeated parameter, and for invalid UTF-8
 */
export function readPairs(query: string, allowed: Allowed): Map<string, string> {
  const { isAllowed, lists = [] } = allowed;
  const given = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const rawName = at < 0 ? pair : pair.slice(0, at);
    const name = withoutBrackets(decode(rawName), lists);
    if (name === undefined || !isAllowed(name)) throw unknown(name ?? rawName, allowed);
    const earlier = given.get(name);
    if (earlier !== undefined && !lists.includes(name)) throw problems.parameterTwice(name);
    const value = decode(at < 0 ? '' : pair.slice(at + 1));
    if (value === undefined) throw problems.parameterInvalid(name, 'percent-encoded UTF-8');
    if (value.includes('\0')) throw problems.parameterInvalid(name, 'without U+0000');
    given.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return given;
}

const withoutBrackets = (name: string | undefined, lists: readonly string[]): string | undefined =>
  name?.endsWith('[]') && lists.includes(name.slice(0, -2)) ? name.slice(0, -2) : name;

const isKnown = (endpoint: Endpoint, name: string): boolean =>
  endpoint.parameters.has(name) ||
  (endpoint.isShaped && (name === 'expand' || name === 'fields')) ||
  (endpoint.operation === 'list' &&
    (name === 'limit' ||
      name === 'count' ||
      name === 'startingAfter' ||
      name === 'endingBefore' ||
      endpoint.filters.has(name) ||
      // Where the list has one order alone, it is the name of a filter, or of nothing.
      (name === 'sort' && endpoint.sorts.size > 0)));

const unknown = (name: string, { names, recordPath }: Allowed): Problem =>
  problems.parameterUnknown(name, name === 'id' && recordPath ? recordPath : suggestParameter(name, [...names()]));

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** @returns undefined for the order that a list has in any case. @throws Problem 400 */
export function parseOrder({ sorts }: Endpoint, text: string): Order | undefined {
  const order = sorts.get(text);
  if (order === undefined) throw problems.parameterInvalid('sort', enumWords([...sorts.keys()]));
  return isTimeOfMaking(order.field) && order.isDescending ? undefined : order;
}

/** @throws Problem 400 for another text than true and false */
export function parseSwitch(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw problems.parameterInvalid(name, 'true or false');
  return text === 'true';
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 100) throw problems.parameterInvalid('limit', 'an integer from 1 to 100');
  return limit;
}

/** The value of a filter. @throws Problem 400 */
export const parseFilter = (filter: FilterParameter, text: string): string | number | boolean =>
  parseValue(filter, filter.comparison === 'equals', text);

/** @param isWhole Whether the text stands for a whole value, and not for a part of one. */
function parseValue({ name, accepts }: ValueParameter, isWhole: boolean, text: string): string | number | boolean {
  const row = rowOf(accepts);
  const value = row.fromText(accepts, text, isWhole);
  if (value !== undefined) return value;
  throw accepts.kind === 'uuid'
    ? problems.uuidMalformed(name)
    : problems.parameterInvalid(name, row.textWords(accepts));
}
