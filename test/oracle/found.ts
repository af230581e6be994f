// Histories that were answered wrongly once, as small as they could be made.

import type { Domain, RawField } from './shape.ts';
import { group } from './worlds.ts';
import type { Request } from './write.ts';

interface Found {
  readonly name: string;
  readonly domain: Domain;
  readonly requests: readonly Request[];
}

const to = (reference: string): RawField => ({
  reference,
  nullable: true,
  onDelete: 'restrict',
  filter: 'exact',
  description: 'A link',
});
const whole: RawField = { type: 'integer', maximum: 999, default: 0, description: 'A number' };

export const found: readonly Found[] = [
  {
    name: 'what an effect changes is judged when all of it is changed',
    domain: {
      berth: group(
        '/berths',
        {},
        { effects: [{ on: ['update'], change: 'all.carts.filter(x, x.berthId == id)', set: { n: '3' } }] },
      ),
      cart: group(
        '/carts',
        { berth: to('berth'), n: whole },
        {
          rules: [
            {
              use: 'require',
              that: 'all.carts.filter(x, x.berthId == berthId).sum(x, x.n) <= 10',
              field: 'n',
              must: 'few',
            },
          ],
        },
      ),
    },
    requests: [
      { tag: 0, group: 'berth', operation: 'create', body: {} },
      ...[2, 5, 3].map(
        (n, at): Request => ({ tag: at + 1, group: 'cart', operation: 'create', body: { berthId: '@00000.01', n } }),
      ),
      { tag: 4, group: 'berth', operation: 'update', id: '@00000.01', body: { label: 'all' } },
    ],
  },
  {
    name: 'what a record adds up of its items waits for what these look up elsewhere',
    domain: {
      part: group(
        '/parts',
        {
          own: { ...whole, maximum: 99_999 },
          uses: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                part: { ...to('part'), nullable: false },
                cost: { type: 'integer', formula: 'part.cost', compute: 'always', description: 'A figure' },
              },
              required: ['part'],
            },
            maxItems: 5,
            description: 'Lines',
          },
          cost: { type: 'integer', formula: 'own + uses.sum(u, u.cost)', compute: 'always', description: 'A figure' },
        },
        { rules: [{ use: 'noCircle', field: 'uses.part' }] },
      ),
    },
    requests: [
      { tag: 0, group: 'part', operation: 'create', body: { own: 11 } },
      { tag: 1, group: 'part', operation: 'create', body: { own: 1, uses: [{ partId: '@00000.01' }] } },
    ],
  },
  {
    name: 'an effect cannot make a record name one that goes with the same write',
    domain: {
      area: group(
        '/areas',
        {},
        {
          effects: [
            {
              on: ['delete'],
              change: 'all.berths.filter(x, x.areaId == id)',
              set: { lines: "[{'q': 1, 'area': id}]" },
            },
          ],
        },
      ),
      berth: group('/berths', {
        area: { ...to('area'), onDelete: 'clear' },
        lines: {
          type: 'array',
          maxItems: 9,
          default: [],
          items: {
            type: 'object',
            properties: {
              q: whole,
              area: { reference: 'area', nullable: true, onDelete: 'restrict', description: 'A link' },
            },
          },
          description: 'A list',
        },
      }),
    },
    requests: [
      { tag: 0, group: 'area', operation: 'create', body: {} },
      { tag: 1, group: 'berth', operation: 'create', body: { areaId: '@00000.01' } },
      { tag: 2, group: 'area', operation: 'delete', id: '@00000.01' },
    ],
  },
  {
    name: 'a figure that is computed is not accepted, though others will move it',
    domain: {
      area: group('/areas', {
        isKept: { type: 'boolean', default: false, description: 'Whether it is computed' },
        n: {
          ...{ type: 'integer', maximum: 999, default: 0, description: 'A figure' },
          ...{ formula: 'all.areas.filter(x, x.id == id).sum(x, x.m)', compute: 'always', when: 'isKept' },
        },
        m: whole,
      }),
      berth: group('/berths', { area: to('area'), n: whole }),
    },
    requests: [
      { tag: 0, group: 'area', operation: 'create', body: { isKept: true, n: 6 } },
      { tag: 1, group: 'area', operation: 'create', body: { isKept: false, n: 6 } },
    ],
  },
  {
    name: 'what an effect takes at its write looks at figures as they are by then',
    domain: {
      area: group(
        '/areas',
        { kind: { type: 'string', enum: ['a', 'b'], default: 'a', description: 'A kind' } },
        { effects: [{ on: ['update'], change: 'all.carts.filter(x, x.areaId == id)', set: { n: '3' } }] },
      ),
      cart: group('/carts', {
        area: to('area'),
        n: whole,
        alike: {
          type: 'integer',
          description: 'A figure',
          formula: "all.areas.filter(x, x.kind == 'a').count()",
          compute: 'always',
        },
        twice: { type: 'integer', formula: 'alike * 2', description: 'A figure between' },
        taken: { type: 'integer', description: 'A figure', formula: 'twice + n', compute: 'onWrite' },
      }),
    },
    requests: [
      { tag: 0, group: 'area', operation: 'create', body: { kind: 'b' } },
      { tag: 1, group: 'cart', operation: 'create', body: { areaId: '@00000.01', n: 4 } },
      { tag: 2, group: 'area', operation: 'update', id: '@00000.01', body: { kind: 'a' } },
    ],
  },
  {
    name: 'null narrows nothing beside a list that is known when a formula is evaluated',
    domain: {
      area: group('/areas', {
        day: { type: 'string', format: 'date', default: '2026-03-15', description: 'A day' },
        open: { type: ['integer', 'null'], maximum: 99, description: 'A number or none' },
        near: {
          type: 'integer',
          description: 'A figure',
          formula: 'all.areas.filter(x, x.day in days(day - 2, day) && x.open == null && x.id != id).count()',
          compute: 'onWrite',
        },
      }),
    },
    requests: [
      { tag: 0, group: 'area', operation: 'create', body: {} },
      { tag: 1, group: 'area', operation: 'create', body: { open: 3 } },
      { tag: 2, group: 'area', operation: 'create', body: { day: '2026-03-17' } },
    ],
  },
  {
    name: 'what moves others calls for no condition whose figure of the record stays as it is',
    domain: {
      cart: group(
        '/carts',
        {
          kind: { type: 'string', enum: ['a', 'b'], default: 'a', description: 'A kind' },
          n: whole,
          own: whole,
          others: {
            type: 'integer',
            description: 'A figure',
            formula: 'all.carts.filter(x, x.kind == kind && x.id != id).sum(x, x.n)',
            compute: 'always',
          },
        },
        { rules: [{ use: 'require', that: 'others + own <= 10', field: 'own', must: 'little' }] },
      ),
    },
    requests: [
      { tag: 0, group: 'cart', operation: 'create', body: { own: 5 } },
      { tag: 1, group: 'cart', operation: 'create', body: { n: 9 } },
      { tag: 2, group: 'cart', operation: 'update', id: '@00000.01', body: { n: 1 } },
      { tag: 3, group: 'cart', operation: 'update', id: '@00000.01', body: { own: 6 } },
    ],
  },
  {
    name: 'what moves others calls for no condition that looks at none of them',
    domain: {
      berth: group('/berths', { area: to('area'), former: to('area') }),
      area: group(
        '/areas',
        {
          n: whole,
          alike: {
            type: 'integer',
            description: 'A figure',
            formula: 'all.areas.filter(x, x.n == n).count()',
            compute: 'always',
          },
        },
        {
          rules: [{ use: 'require', that: 'all.berths.filter(x, x.areaId == id).count() <= 1', answers: 'inUse' }],
          effects: [{ on: ['create'], remove: 'all.berths.filter(x, x.formerId == id)' }],
        },
      ),
    },
    requests: [
      { tag: 0, group: 'area', operation: 'create', body: {} },
      { tag: 1, group: 'berth', operation: 'create', body: { areaId: '@00000.01' } },
      { tag: 2, group: 'berth', operation: 'create', body: { areaId: '@00000.01' } },
      { tag: 3, group: 'area', operation: 'update', id: '@00000.01', body: { n: 4 } },
    ],
  },
];
