// The query of an export → which records of a list are written, which of their fields, and in which format.
import type { Endpoint, Order } from '../../endpoints/routes/endpoint.ts';
import { groupBehind } from '../../endpoints/routes/expandable.ts';
import { problems } from '../../problems.ts';
import type { Feature, Resource } from '../../registry/model/model.ts';
import { unreachable } from '../../unreachable.ts';
import type { UsedFilter } from '../intent.ts';
import { parseFilter, parseOrder, parseSwitch, readPairs, toRecordPath } from '../parse.ts';
import { type Shows, ShowsReader, withoutHidden } from '../shows.ts';

const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportIntent {
  readonly list: Endpoint;
  readonly format: ExportFormat;
  readonly filters: readonly UsedFilter[];
  /** Undefined: newest first. */
  readonly order: Order | undefined;
  readonly shows: Shows | undefined;
  /** The paths of `fields`, in their order; undefined: all fields. */
  readonly paths: readonly string[] | undefined;
  /** Whether texts that a spreadsheet would run are marked as texts. */
  readonly isSafe: boolean;
}

const deepest = 3;
const mostReferences = 10;

/** What a list can be exported by. @param isEnabled Whether groups behind a feature can be read. @throws Problem 400 */
export function parseExport(list: Endpoint, query: string, isEnabled: (feature: Feature) => boolean): ExportIntent {
  const { filters: known, sorts } = list;
  const own = ['format', 'fields', 'safe', ...(sorts.size > 0 ? ['sort'] : [])];
  const allowed = {
    isAllowed: (name: string): boolean => own.includes(name) || known.has(name),
    names: () => [...own, ...known.keys()],
    lists: ['fields'],
    recordPath: toRecordPath(list),
  };
  const filters: UsedFilter[] = [];
  let order: Order | undefined = oldestFirst(list.resource);
  let format: ExportFormat = 'ndjson';
  let isSafe = false;
  let paths: readonly string[] | undefined;
  let shows: Shows | undefined;
  for (const [name, text] of readPairs(query, allowed)) {
    const filter = known.get(name);
    if (filter !== undefined) filters.push({ filter, value: parseFilter(filter, text) });
    else if (name === 'sort') order = parseOrder(list, text);
    else if (name === 'safe') isSafe = parseSwitch(name, text);
    else if (name === 'format') format = parseFormat(text);
    else {
      paths = text.split(',');
      shows = showsOf(list, text, paths);
    }
  }
  filters.sort((a, b) => (a.filter.name < b.filter.name ? -1 : 1));
  return { list, format, filters, order, shows: shows && withoutHidden(shows, isEnabled), paths, isSafe };
}

/** Parents before their children: in the order in which records were made. */
function oldestFirst({ byName }: Resource): Order {
  const field = byName.get('createdAt') ?? unreachable('a list of records without a time of making');
  return { name: 'createdAt', field, isDescending: false };
}

function parseFormat(text: string): ExportFormat {
  const format = exportFormats.find((each) => each === text);
  if (format === undefined) throw problems.parameterInvalid('format', 'ndjson or csv');
  return format;
}

/** Paths lead through references by themselves: what they name is shown of the records behind. */
function showsOf({ resource, groups }: Endpoint, text: string, paths: readonly string[]): Shows | undefined {
  const through = new Set(paths.flatMap((path) => referencesIn({ resource, groups }, path)));
  if (through.size > mostReferences)
    throw problems.parameterInvalid('fields', `paths through at most ${mostReferences} references`);
  const reader = new ShowsReader(resource, groups, through.size === 0 ? undefined : [...through].join());
  reader.checkExpand();
  reader.readFields(text);
  return reader.result();
}

/** The references through which a path leads to what they do not show by themselves. */
function referencesIn({ resource, groups }: Pick<Endpoint, 'resource' | 'groups'>, path: string): readonly string[] {
  const steps = path.split('.');
  const through: string[] = [];
  let depth = 0;
  let here = resource.fields;
  for (const [place, step] of steps.entries()) {
    const field = here.find(({ name, shown }) => shown && name === step);
    const next = steps[place + 1];
    if (field === undefined || next === undefined) break;
    const behind = groupBehind(field, groups);
    if (behind !== undefined) {
      const isShown = next === 'id' || next === 'name' || (field.kind === 'reference' && field.include.includes(next));
      depth += 1;
      if (depth > deepest) throw problems.parameterInvalid('fields', `at most ${deepest} references deep`);
      if (!isShown || place + 2 < steps.length) through.push(steps.slice(0, place + 1).join('.'));
    }
    here = behind?.fields ?? ('fields' in field ? field.fields : []);
  }
  return through;
}
