// What may be wrong with the method, the path and the query of a request.
import {
  unknownNames,
  wrongCursors,
  wrongIds,
  wrongLimits,
  wrongPaths,
  wrongWords,
} from '../../http/corpus/addresses.ts';
import { encoded, foreignId, hostileTexts, unknownId } from '../../http/corpus/row.ts';
import { nasty } from '../../support/data/nasty.ts';
import type { Slip } from './draft.ts';

const wrongId: Slip = (draft, { random }) => {
  if (!draft.operation.hasId) return false;
  const texts = random.chance(0.7) ? wrongIds : hostileTexts.map((text) => encoded(text).slice(0, 4000));
  draft.path = draft.operation.path.replace('{id}', () => random.pick(texts));
  draft.id = undefined;
  return true;
};

const otherId: Slip = (draft, { random, harvest }) => {
  if (!draft.operation.hasId) return false;
  const gone = harvest.goneIdOf(draft.operation.group);
  const foreign = harvest.idOf(random.pick(harvest.groups()));
  const ids = [
    unknownId,
    foreignId,
    gone,
    foreign,
    draft.id?.toUpperCase() ?? gone,
    '00000000-0000-0000-0000-000000000000',
  ];
  draft.path = draft.operation.path.replace('{id}', random.pick(ids));
  draft.id = undefined;
  return true;
};

const otherPath: Slip = (draft, { random }) => {
  const { path } = draft;
  const odd = [
    ...[
      `${path}/`,
      `/${path}`,
      `${path}//`,
      `${path}/x`,
      `${path}%00`,
      `${path}%2F`,
      `${path}%ff`,
      path.toUpperCase(),
      `/.${path}`,
    ],
    ...[
      path.replace('/', '/%2e%2e/'),
      `${path};x=1`,
      `${path}#x`,
      `${path}%`,
      `${path}/${'a'.repeat(3000)}`,
      path.slice(0, -1),
      '/%F0%9F%98%80',
    ],
  ];
  draft.path = random.pick(random.chance(0.5) ? odd : wrongPaths);
  draft.id = undefined;
  return true;
};

const methods = [
  'PUT',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'SEARCH',
  'PURGE',
  'LINK',
  'COPY',
  'QUERY',
  'GET',
  'POST',
  'PATCH',
  'DELETE',
];
const otherMethod: Slip = (draft, { random }) => {
  draft.method = random.pick([...methods, 'HEAD', 'HEAD', 'OPTIONS', 'OPTIONS']);
  return true;
};
/** What Node's reader of requests does not know ends the connection. */
const noMethod: Slip = (draft, { random }) => {
  draft.method = random.pick(['get', 'FOO', 'G ET', '', 'GET\t', 'CONNECT', 'PRI', 'G\u00c9T']);
  draft.isLast = true;
  return true;
};

const absolute: Slip = (draft, { random }) => {
  draft.origin = random.pick(['http://x', 'HTTPS://x:1', 'http://[::1]:80', 'ftp://x', '*', 'http://']);
  return true;
};

const value = (draft: Parameters<Slip>[0], pick: <T>(list: readonly T[]) => T): string =>
  pick([
    () => pick(wrongWords.map(encoded)),
    () => pick(hostileTexts.map((text) => encoded(text).slice(0, 4000))),
    () => encoded(Array.from({ length: pick([1, 2, 4]) }, () => pick(nasty)).join('')),
    () =>
      pick([
        '%',
        '%ff',
        '%C0%80',
        '%00',
        'a%00b',
        '%ED%A0%80',
        '+',
        '%2B',
        '%25',
        'a=b',
        '[]',
        '*',
        `${'x'.repeat(5000)}`,
      ]),
    () => pick([draft.id ?? unknownId, foreignId, unknownId.toUpperCase(), `${unknownId},${unknownId}`]),
  ])();

const oddValue: Slip = (draft, { random }) => {
  const { query } = draft.operation;
  if (query.length === 0) return false;
  const pick = <T>(list: readonly T[]): T => random.pick(list);
  draft.query.push(`${random.pick(query).name}=${value(draft, pick)}`);
  return true;
};

const oddPaging: Slip = (draft, { random }) => {
  if (draft.operation.kind !== 'list') return false;
  const cursor = random.pick(['startingAfter', 'endingBefore']);
  const odd = [
    `limit=${random.pick(wrongLimits)}`,
    `${cursor}=${random.pick(wrongCursors)}`,
    `${cursor}=${random.pick([unknownId, foreignId, 'ffffffff-ffff-7fff-bfff-ffffffffffff', '00000000-0000-7000-8000-000000000000'])}`,
    `startingAfter=${unknownId}&endingBefore=${unknownId}`,
    'limit=1&l%69mit=2',
    'l%69mit=3',
  ];
  draft.query.push(random.pick(odd));
  return true;
};

const unknownName: Slip = (draft, { random }) => {
  draft.query.push(`${encoded(random.pick(unknownNames))}=1`);
  return true;
};

const twice: Slip = (draft, { random }) => {
  if (draft.query.length === 0) return false;
  draft.query.push(random.pick(draft.query));
  return true;
};

const oddQuery: Slip = (draft, { random }) => {
  draft.query.push(
    random.pick([
      '',
      '&',
      '=',
      '=1',
      '%',
      '%ff=1',
      '%00=1',
      '?',
      '#',
      '&&&',
      'limit',
      'limit=',
      'a[]=1&a[]=2',
      '__proto__[x]=1',
    ]),
  );
  return true;
};

export const addressSlips: Readonly<Record<string, Slip>> = {
  ...{
    wrongId,
    otherId,
    otherPath,
    otherMethod,
    noMethod,
    absolute,
    oddValue,
    oddPaging,
    unknownName,
    twice,
    oddQuery,
  },
};
