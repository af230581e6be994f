// The rule `levels`: a limit on how deep records of a group are nested.
import type { Values } from '../registry/model/model.ts';
import { guardedBy, keyArgument, type Moment, type Rule, textOf } from './support/rule.ts';

const mostLevels = 5;

/**
 * The record that `parent` names, the one above it and so on: at most 5 levels, with those below a moved record. A rule, because
 * a formula cannot follow a reference as often as it leads on: a field would have to look at itself.
 */
export const levels = {
  says: 'At most 5 levels by {parent}, all of the same {owner}.',
  example: {
    properties: {
      folder: { reference: 'folder', immutable: true, onDelete: 'cascade' },
      parent: { reference: 'example', nullable: true, onDelete: 'cascade' },
    },
    required: ['folder'],
    rules: [{ use: 'levels', parent: 'parent', owner: 'folder' }],
    beside: { folder: { properties: { name: { type: 'string', maxLength: 255 } }, required: ['name'] } },
  },
  refuses: [{ at: '{parent}', text: 'must be a {this} with at most 5 levels' }],
  parameters: { parent: { field: 'reference', to: 'this', kept: true }, owner: { field: 'reference' } },
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'parent')],
  guards: ['owner'],
  // Two moves at once could put one below the other.
  guard: ({ use, resource, values }) => guardedBy(resource.byKey.get(keyArgument(resource, use, 'owner')), values),
  check: async (moment) => {
    const { use, resource, operation, values, refuse, isSound } = moment;
    const key = keyArgument(resource, use, 'parent');
    if (!isSound(key) || textOf(values, key) === null) return;
    const above = await levelsAbove(moment, key);
    const below = operation === 'create' ? 0 : await levelsBelow(moment, key, mostLevels - above);
    if (above + 1 + below > mostLevels) refuse(key, `must be a ${resource.title} with at most ${mostLevels} levels`);
  },
} as const satisfies Rule;

async function levelsAbove({ resource, values, records }: Moment, key: string): Promise<number> {
  let count = 0;
  let next = textOf(values, key);
  while (next !== null && count <= mostLevels) {
    count++;
    const record: Values | undefined = await records.find(resource.name, next);
    next = record === undefined ? null : textOf(record, key);
  }
  return count;
}

/** How deep records stand below this one; one level more than `most` is as far as anybody looks. */
async function levelsBelow({ resource, values, records }: Moment, key: string, most: number): Promise<number> {
  let count = 0;
  let ids = [textOf(values, 'id') ?? ''];
  while (count <= most) {
    const lists = await Promise.all(ids.map((id) => records.list(resource.name, { [key]: id })));
    ids = lists.flat().map(({ id }) => String(id));
    if (ids.length === 0) break;
    count++;
  }
  return count;
}
