// Records that invoices bill: which may be billed, by one invoice each, and what they keep of it (domain: Invoices, 1.9).
import type { Values } from '../registry/model.ts';
import { idsByGroup, recordsOf, sourcesOf } from './line-sources.ts';
import { isRecord } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument } from './rule.ts';

/**
 * A source of an item of `list` is of the same `project` as the item, is as `must` asks of its type (`where`: values of
 * its fields, `be`: the words for them), and is billed by no other item of a record that is not void (409 in use).
 */
export const billsSources = {
  says: 'Each of the {sources} of an item of {list} must be there, be {must:be}, be of the same {project} as the item, and be billed by no other item of a record that is not void (409).',
  parameters: {
    list: { field: 'objects' },
    sources: { field: 'objects', in: 'list' },
    project: { field: 'reference', in: 'list' },
    must: {
      map: { branchOf: 'sources' },
      to: { object: { where: { map: { field: 'single', in: '@key' }, to: { literalOf: '@key' } }, be: 'text' } },
    },
  },
  needs: { this: { statusId: 'enum' } },
  on: ['create', 'update'],
  conflicts: { create: 'inUse', update: 'inUse' },
  conflictsAbout: 'choices',
  looksAt: (use, resource) => [keyArgument(resource, use, 'list'), 'statusId'],
  guard: ({ use, resource, before, values }) => {
    const all = [...sourcesOf(use, resource, before), ...sourcesOf(use, resource, values)];
    return [...idsByGroup(all)].map(([group, ids]) => ({ group, ids }));
  },
  check: async (moment) => {
    const { use, resource, operation, before, values, sent, isSound, refuse } = moment;
    const list = keyArgument(resource, use, 'list');
    const isIssued = before?.statusId === 'draft' && values.statusId !== 'draft';
    if (!isSound(list) || !(operation === 'create' || sent.has(list) || isIssued)) return;
    const sources = sourcesOf(use, resource, values);
    const records = await recordsOf(moment, sources);
    const project = textArgument(use, 'project');
    for (const { group, id, type, line, place } of sources) {
      const record = records.get(`${group}/${id}`);
      // The keys of the database tell of what is not there.
      if (record === undefined) continue;
      if ((record[project] ?? null) !== (line[project] ?? null)) refuse(place, "must be of the line's project");
      const lacking = lackOf(moment, type, record);
      if (lacking !== undefined) refuse(place, `must be ${lacking}`);
    }
  },
  last: refuseTwice,
} as const satisfies Rule;

/** What a record that is to be billed must be and is not. */
function lackOf({ use }: Moment, type: string, record: Readonly<Values>): string | undefined {
  const { must } = use.arguments;
  const asked = isRecord(must) ? must[type] : undefined;
  if (!isRecord(asked) || !isRecord(asked.where)) return undefined;
  const fits = Object.entries(asked.where).every(([key, value]) => record[key] === value);
  return fits ? undefined : String(asked.be);
}

/** @throws Problem 409 for a source that another line bills, of this record or of one that is not void. */
async function refuseTwice({ use, resource, values, records, conflict }: Moment): Promise<void> {
  if (values.statusId === 'void') return;
  const sources = sourcesOf(use, resource, values);
  const path = `${resource.byKey.get(keyArgument(resource, use, 'list'))?.name}.${textArgument(use, 'sources')}`;
  for (const [target, ids] of idsByGroup(sources)) {
    const isTwice = sources.filter(({ group }) => group === target).length > ids.length;
    const others = (await records.holding(resource.name, { path, target, ids })).filter(
      ({ holder }) => holder !== values.id,
    );
    const holders = await records.many(resource.name, [...new Set(others.map(({ holder }) => holder))]);
    const isHeld = [...holders.values()].some(({ statusId }) => statusId !== 'void');
    if (isTwice || isHeld) conflict('inUse', target);
  }
}
