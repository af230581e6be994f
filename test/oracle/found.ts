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
          ...{ formula: 'all.areas.filter(x, x.id == id).sum(x, x.m)', taken: 'always', when: 'isKept' },
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
];
