// Races of writers for one thing, and what must hold when all have been answered.
import { isObject, type Json } from './compare.ts';
import { evaluate } from './evaluate.ts';
import { modelOf } from './model.ts';
import type { Service } from './service.ts';
import type { Domain, RawDescriptor, RawField } from './shape.ts';
import { parseFormula } from './syntax.ts';
import { worldOf } from './together.ts';

export interface Race {
  readonly name: string;
  readonly domain: Domain;
  /** Made first, one after the other; values that begin with `@` are the ids of records made before, by their label. */
  readonly setup: readonly Asked[];
  /** What is asked at once. */
  readonly rush: readonly Asked[];
  /** What must hold of each record of a group. */
  readonly holds: readonly (readonly [group: string, formula: string])[];
}

/** `POST /tickets`, with a label, and what is sent. */
type Asked = readonly [line: string, body: Json];

/** Runs a race. @returns what does not hold */
export async function race(service: Service, { domain, setup, rush, holds }: Race): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  const ask = async ([line, body]: Asked): Promise<void> => {
    const [method = '', path = ''] = line.split(' ');
    const named = (value: unknown): unknown => (typeof value === 'string' ? (ids.get(value) ?? value) : value);
    const sent = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, named(value)]));
    const filled = path.replaceAll(/@\w+/g, (label) => ids.get(label) ?? label);
    const { status, body: made } = await service.ask(method, filled, sent);
    if (status >= 500) throw new Error(`${line} answers ${JSON.stringify(made)}`);
    if (isObject(made) && typeof body['label'] === 'string') ids.set(body['label'], String(made['id']));
  };
  for (const one of setup) await ask(one);
  await Promise.all(rush.map(ask));
  const world = await worldOf(service, modelOf(domain));
  return holds.flatMap(([group, formula]) =>
    world
      .rows(group)
      .filter((self) => evaluate(parseFormula(formula), { world, self, old: self }).value !== true)
      .map(({ id }) => `${group} ${id}: ${formula}`),
  );
}

const group = (
  path: string,
  properties: RawDescriptor['properties'],
  more: Partial<RawDescriptor['resource']> = {},
): RawDescriptor => ({
  title: path.slice(1, 2).toUpperCase() + path.slice(2, -1),
  description: 'A group',
  type: 'object',
  properties: { label: { type: 'string', maxLength: 20, default: '', description: 'Label' }, ...properties },
  required: Object.entries(properties).flatMap(([name, { reference, formula }]) =>
    reference === undefined || formula !== undefined ? [] : [name],
  ),
  resource: { path, shownAs: '{label}', operations: ['list', 'get', 'create', 'update', 'delete'], ...more },
});
const to = (reference: string): RawField => ({
  reference,
  onDelete: 'cascade',
  filter: 'exact',
  description: 'A link',
});
const flag: RawField = { type: 'boolean', default: false, description: 'A switch' };
const whole: RawField = { type: 'integer', default: 0, description: 'A number' };
const rule = (field: string, that: string) => ({ rules: [{ use: 'require', that, field, must: 'allowed' }] });
const times = (count: number, make: (n: number) => Asked): readonly Asked[] =>
  Array.from({ length: count }, (_v, n) => make(n));

const state: RawField = { type: 'string', enum: ['waiting', 'in'], default: 'waiting', description: 'A state' };
const first = "[tickets.filter(t, t.eventId == eventId && t.state == 'waiting').first(t, t.number)]";
const twoOfWard = 'stays.filter(s, s.wardId == wardId).count() <= 2';

export const races: readonly Race[] = [
  {
    name: 'as many move up as leave',
    domain: {
      event: group('/events', {}),
      ticket: group('/tickets', { event: to('event'), number: whole, state }),
      leave: group(
        '/leaves',
        { event: to('event') },
        { effects: [{ on: ['create'], change: first, set: { state: "'in'" } }] },
      ),
    },
    setup: [
      ['POST /events', { label: '@E' }],
      ...times(12, (number) => ['POST /tickets', { label: `@T${number}`, eventId: '@E', number }]),
    ],
    rush: times(8, () => ['POST /leaves', { eventId: '@E' }]),
    holds: [
      ['event', "tickets.filter(t, t.eventId == id && t.state == 'in').count() == 8"],
      ['ticket', "state == (number < 8 ? 'in' : 'waiting')"],
    ],
  },
  {
    name: 'no more come into a ward than it has places, where the ward is that of the room',
    domain: {
      ward: group('/wards', {}),
      room: group('/rooms', { ward: to('ward') }),
      stay: group(
        '/stays',
        {
          room: to('room'),
          ward: { ...to('ward'), formula: 'room.ward', compute: 'onWrite' },
          number: whole,
        },
        rule('number', twoOfWard),
      ),
    },
    setup: [['POST /wards', { label: '@W' }], ...times(6, (n) => ['POST /rooms', { label: `@R${n}`, wardId: '@W' }])],
    rush: times(6, (n) => ['POST /stays', { roomId: `@R${n}` }]),
    holds: [['ward', 'stays.filter(s, s.wardId == id).count() == 2']],
  },
  {
    name: 'a period is closed without drafts, and gets none then',
    domain: {
      period: group(
        '/periods',
        { closed: flag },
        rule('closed', '!closed || !drafts.exists(d, d.periodId == id && !d.done)'),
      ),
      draft: group('/drafts', { period: to('period'), done: flag }, rule('done', 'done || !period.closed')),
    },
    setup: times(6, (n) => ['POST /periods', { label: `@P${n}` }]),
    rush: times(12, (n) =>
      n % 2 === 0 ? ['PATCH /periods/@P', { closed: true }] : ['POST /drafts', { periodId: `@P${Math.floor(n / 2)}` }],
    ).map(([line, body], n) => [line.replace('@P', `@P${Math.floor(n / 2)}`), body]),
    holds: [['draft', 'done || !period.closed']],
  },
  {
    name: 'a room is either booked or out of order',
    domain: {
      room: group('/rooms', {}),
      booking: group(
        '/bookings',
        { room: to('room'), day: whole },
        rule('day', '!outages.exists(o, o.roomId == roomId && o.day == day)'),
      ),
      outage: group(
        '/outages',
        { room: to('room'), day: whole },
        rule('day', '!bookings.exists(b, b.roomId == roomId && b.day == day)'),
      ),
    },
    setup: [['POST /rooms', { label: '@R' }]],
    rush: times(12, (n) => [
      n % 2 === 0 ? 'POST /bookings' : 'POST /outages',
      { roomId: '@R', day: Math.floor(n / 2) },
    ]),
    holds: [['booking', '!outages.exists(o, o.roomId == roomId && o.day == day)']],
  },
  {
    name: 'a delete is judged by what it leaves',
    domain: {
      stock: group('/stocks', {
        free: {
          type: 'integer',
          signed: true,
          formula: 'receipts.filter(r, r.stockId == id).sum(r, r.count)',
          description: 'What is free',
        },
      }),
      receipt: group(
        '/receipts',
        { stock: to('stock'), count: { ...whole, signed: true } },
        { rules: [{ use: 'require', that: 'stock.free >= 0', answers: 'inUse', on: ['delete'] }] },
      ),
    },
    setup: [
      ['POST /stocks', { label: '@S' }],
      ['POST /receipts', { stockId: '@S', count: -8 }],
      ...times(6, (n) => ['POST /receipts', { label: `@R${n}`, stockId: '@S', count: 3 }]),
    ],
    rush: times(6, (n) => [`DELETE /receipts/@R${n}`, {}]),
    holds: [['stock', 'free == 1']],
  },
];
