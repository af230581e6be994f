// The rule `noCircle`: references of a group to itself, by a field, by a list or by a group of links, never lead back.
import type { Value, Values } from '../registry/model/model.ts';
import { isObject } from '../values/json.ts';
import { Lines, mostInLine, mostSteps, type Step } from './support/lines.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument, textOf, workspaceRow } from './support/rule.ts';

const lineText = `must not be longer than ${mostInLine} in a line`;
const stepsText = `must not take more than ${mostSteps.toLocaleString('en')} records to follow`;

/**
 * The record that `field` names, the one that it names in turn and so on: none is this record. The same of what the items of a list
 * name (`uses.part`), and of two records that a group of links joins, `from` one `to` the other. A rule, because a formula cannot
 * follow a reference as often as it leads on.
 */
export const noCircle = {
  says: '[The record in {field}, the one that it names in turn, and so on: none of them may be this record.][The record in {to}, those to which it leads in turn, and so on: none of them may be that in {from}.]',
  example: {
    properties: { parent: { reference: 'example', nullable: true, onDelete: 'clear' } },
    rules: [{ use: 'noCircle', field: 'parent' }],
  },
  refuses: ({ field, from }) => [
    ...(from === undefined
      ? [{ at: '{field}', text: 'must be another {this}, and not lead back to this one' }]
      : [{ at: '{to}', text: 'must not lead back to the record in {from}' }]),
    ...(from === undefined && !String(field).includes('.')
      ? []
      : [lineText, stepsText].map((text) => ({ at: from === undefined ? '{field}' : '{to}', text }))),
  ],
  parameters: {
    field: { field: 'reference', to: 'this', kept: true, inLists: true },
    from: { field: 'reference', kept: true, neverNull: true },
    to: { field: 'reference', kept: true, neverNull: true, to: 'from' },
  },
  optional: ['field', 'from', 'to'],
  wrong: ({ field, from, to }) =>
    (field === undefined) === (from === undefined) || (from === undefined) !== (to === undefined)
      ? [{ text: '"noCircle" needs the argument "field", or "from" and "to"' }]
      : [],
  on: ['create', 'update'],
  // A record that is made is named by none.
  takesPart: ({ use, operation }) => operation === 'update' || formOf(use.arguments) !== 'field',
  looksAt: (use, resource) =>
    formOf(use.arguments) === 'links'
      ? [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')]
      : [keyOfName(resource, textArgument(use, 'field').split('.')[0] ?? '')],
  guards: [],
  // Two changes at once could close a circle of which each sees a half.
  guard: ({ use, resource, values }) =>
    formOf(use.arguments) === 'list' && namedIn(values, listOf(resource, use)).length === 0 ? [] : workspaceRow,
  check: async (moment) => {
    const form = formOf(moment.use.arguments);
    if (form === 'field') await checkField(moment);
    else if (form === 'list') await checkList(moment);
    else await checkLinks(moment);
  },
} as const satisfies Rule;

const formOf = ({ field, from }: Readonly<Record<string, unknown>>): 'field' | 'list' | 'links' =>
  from !== undefined ? 'links' : String(field).includes('.') ? 'list' : 'field';

async function checkField({ use, resource, values, records, refuse, isSound }: Moment): Promise<void> {
  const key = keyArgument(resource, use, 'field');
  const own = textOf(values, 'id');
  const seen = new Set<string>();
  let next = isSound(key) ? textOf(values, key) : null;
  while (next !== null && !seen.has(next)) {
    if (next === own) return refuse(key, backText(resource.title));
    seen.add(next);
    const record = await records.find(resource.name, next);
    next = record === undefined ? null : textOf(record, key);
  }
}

const backText = (title: string): string => `must be another ${title}, and not lead back to this one`;

/** A list whose items name records of the group, and the key under which they do. */
interface NamingList {
  readonly list: string;
  readonly key: string;
}

function listOf(resource: Moment['resource'], use: Moment['use']): NamingList {
  const [list = '', name = ''] = textArgument(use, 'field').split('.');
  const field = resource.byName.get(list) ?? resource.byKey.get(list);
  const item =
    field?.kind === 'objects' ? field.fields.find((each) => each.name === name || each.key === name) : undefined;
  return { list: field?.key ?? list, key: item?.key ?? name };
}

/** What the items of a list name, each by its place. */
function namedIn(
  values: Readonly<Values>,
  { list, key }: NamingList,
): readonly { readonly id: string; readonly place: number }[] {
  const items = values[list];
  return (Array.isArray(items) ? items : []).flatMap((item: Value, place) => {
    const id = isObject(item) ? item[key] : null;
    return typeof id === 'string' ? [{ id, place }] : [];
  });
}

async function checkList({ use, resource, values, records, refuse, isSound }: Moment): Promise<void> {
  const naming = listOf(resource, use);
  const { list, key } = naming;
  const own = textOf(values, 'id') ?? '';
  if (!isSound(list)) return;
  const named = namedIn(values, naming);
  const ids = named.map(({ id }) => id);
  const source = { group: resource.name, lists: [list] };
  const below = await Lines.from(ids, async (open) => {
    const read = await records.listsOf(
      source,
      open.filter((id) => id !== own),
    );
    return new Map([...read].map(([id, placed]) => [id, idsIn(placed.get('') ?? [], key)]));
  });
  for (const { id, place } of named)
    if (below.reaches(id, own)) refuse(`${list}[${place}].${key}`, backText(resource.title));
  if (named.some(({ id }) => below.reaches(id, own))) return;
  const above = await Lines.from([own], async (open) => {
    const asks = open.map((value) => ({ wanted: [{ key, up: 0, isAmong: false, value }], limits: [] }));
    const found = await records.query(source, asks);
    const holders = found.map((each) => each.map(({ record }) => record['id']));
    return byAsked(
      open,
      holders.map((each) => each.filter((id) => id !== own)),
    );
  });
  refuseLong({ below, above, ids, own, refuse: (text) => refuse(list, text) });
}

const idsIn = (placed: readonly { readonly value: Value }[], key: string): readonly string[] =>
  placed.flatMap(({ value }) => {
    const id = isObject(value) ? value[key] : null;
    return typeof id === 'string' ? [id] : [];
  });

async function checkLinks({ use, resource, values, records, refuse, isSound }: Moment): Promise<void> {
  const [from, to] = [keyArgument(resource, use, 'from'), keyArgument(resource, use, 'to')];
  const [upper, lower] = [textOf(values, from), textOf(values, to)];
  if (upper === null || lower === null || !isSound(from, to)) return;
  const own = textOf(values, 'id');
  const source = { group: resource.name, lists: [] };
  const along =
    (by: string, other: string): Step =>
    async (open) => {
      const asks = open.map((value) => ({ wanted: [{ key: by, up: 0, isAmong: false, value }], limits: [] }));
      const found = await records.query(source, asks);
      const others = found.map((each) => each.map(({ record }) => record).filter(({ id }) => id !== own));
      return byAsked(
        open,
        others.map((each) => each.map((record) => record[other])),
      );
    };
  const below = await Lines.from([lower], along(from, to));
  if (below.reaches(lower, upper)) return refuse(to, `must not lead back to the record in '${from}'`);
  const above = await Lines.from([upper], along(to, from));
  refuseLong({ below, above, ids: [lower], own: upper, refuse: (text) => refuse(to, text) });
}

/** To which records, by the place of each in what was asked, those lead that were found. */
const byAsked = (
  open: readonly string[],
  leads: readonly (readonly (Value | undefined)[])[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(open.map((id, index) => [id, [...new Set((leads[index] ?? []).flatMap((one) => one ?? []).map(String))]]));

interface Long {
  readonly below: Lines;
  readonly above: Lines;
  /** Those to which the record leads. */
  readonly ids: readonly string[];
  readonly own: string;
  readonly refuse: (text: string) => void;
}

/** A line is as long as what stands above the record, and below it. */
function refuseLong({ below, above, ids, own, refuse }: Long): void {
  if (above.longest([own]) + below.longest(ids) > mostInLine) refuse(lineText);
  else if (below.isTooLong || above.isTooLong || below.steps + above.steps > mostSteps) refuse(stepsText);
}
