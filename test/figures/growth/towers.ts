// Figures over figures: a tree of records, each with the sum of those below, and groups above groups, each with the sum of the
// next one's sums. A write at the bottom is felt up to the top.
import type { Descriptors, Ground, Site } from './ground.ts';
import { amount, described, name } from './shapes.ts';

export interface Tower {
  readonly name: string;
  readonly descriptors: Descriptors;
  /** Builds one of a size. @returns where to write: its top is the box. */
  build(ground: Ground, size: number): Promise<Site>;
}

const n = {
  type: 'number',
  format: 'decimal',
  precision: 9,
  scale: 2,
  signed: true,
  default: 0,
  description: 'Number',
};
const day = { type: ['string', 'null'], format: 'date', description: 'Day' };

const node = 'node';

/** Of this depth: each record names the one above. */
export const tree: Tower = {
  name: 'tree',
  descriptors: {
    [node]: described(
      'Node',
      {
        name,
        parent: { reference: node, nullable: true, onDelete: 'restrict', description: 'Node above' },
        n,
        day,
        out: {
          ...amount,
          formula: 'n + nodes.filter(o, o.parentId == id).sum(o, o.out)',
          description: 'With all below',
        },
      },
      ['name'],
      { path: '/nodes', rules: [{ use: 'noCircle', field: 'parentId' }] },
    ),
  },
  build: async (ground, size) => {
    const ids: string[] = [];
    for (let depth = 1; depth < size; depth += 1) {
      const above = ids.at(-1);
      const body = { name: `Node ${depth}`, ...(above !== undefined && { parentId: above }) };
      ids.push(String((await ground.execute('create', node, { body })).body['id']));
    }
    return { box: node, boxId: ids[0] ?? '', leaf: node, reference: { parentId: ids.at(-1) ?? '' } };
  },
};

/** Groups above each other. */
const levels = 5;
const floorOf = (level: number): string => `floor-${level}`;
const above = (level: number): string => `floor${level - 1}Id`;

/** With so many records on its lowest floor, and one on each above. */
export const floors: Tower = {
  name: 'five levels',
  descriptors: Object.fromEntries(
    Array.from({ length: levels }, (_value, index) => {
      const level = index + 1;
      const next = `floor${level + 1}s`;
      const out = {
        ...amount,
        formula: `${next}.filter(f, f.${above(level + 1)} == id).sum(f, f.${level + 1 === levels ? 'n' : 'out'})`,
        description: 'With all below',
      };
      const properties = {
        name,
        ...(level > 1 && {
          [`floor${level - 1}`]: { reference: floorOf(level - 1), onDelete: 'restrict', description: 'Floor above' },
        }),
        ...(level === levels ? { n, day } : { out }),
      };
      const required = level > 1 ? ['name', `floor${level - 1}`] : ['name'];
      return [floorOf(level), described(`Floor ${level}`, properties, required, { path: `/${floorOf(level)}s` })];
    }),
  ),
  build: async (ground, size) => {
    const ids: string[] = [];
    for (let level = 1; level <= levels; level += 1) {
      const body = { name: `Floor ${level}`, ...(level > 1 && { [above(level)]: ids.at(-1) ?? '' }) };
      ids.push(String((await ground.execute('create', floorOf(level), { body })).body['id']));
    }
    await ground.multiply(floorOf(levels), ids.at(-1) ?? '', size);
    await ground.repair(Array.from({ length: levels - 1 }, (_value, index) => floorOf(levels - 1 - index)));
    return {
      box: floorOf(1),
      boxId: ids[0] ?? '',
      leaf: floorOf(levels),
      reference: { [above(levels)]: ids.at(-2) ?? '' },
    };
  },
};

export const towers: readonly Tower[] = [tree, floors];
