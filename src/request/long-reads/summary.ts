// The query of a summary → what is added up, by what, and of which records.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import { canBeRead, type GroupsByName } from '../../endpoints/routes/expandable.ts';
import { enumWords } from '../../endpoints/values/words.ts';
import { problems } from '../../problems.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Feature, Field, ObjectsField, Resource } from '../../registry/model/model.ts';
import type { UsedFilter } from '../intent.ts';
import { parseFilter, parseSwitch, readPairs, toRecordPath } from '../parse.ts';
import { noPath } from '../shows.ts';
import { currencyOf } from './summary-currency.ts';

/** What a day or a moment is put together into. */
const dateParts = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type DatePart = (typeof dateParts)[number];

/** What tells the groups of a summary apart. */
export interface Dimension {
  /** `project`, `project.client`, `date.month` */
  readonly name: string;
  /** A field of the record, and one of the record behind it. */
  readonly path: readonly Field[];
  readonly part: DatePart | undefined;
}

export const measureKinds = ['sum', 'avg', 'min', 'max'] as const;
export type MeasureKind = (typeof measureKinds)[number];

/** A field that is added up, or whose extremes are looked for. */
interface Measure {
  /** `minutes`, `lines.amount` */
  readonly name: string;
  readonly field: Field;
}

interface SummaryOrder {
  readonly by: 'by' | 'count' | { readonly kind: MeasureKind; readonly name: string };
  readonly isDescending: boolean;
}

export interface SummaryIntent {
  readonly resource: Resource;
  readonly by: readonly Dimension[];
  /** Each field once. */
  readonly measures: readonly Measure[];
  /** Names of the fields of each sort, as they were asked for. */
  readonly asked: Readonly<Record<MeasureKind, readonly string[]>>;
  /** Whose items are counted and added up, instead of the records. */
  readonly list: ObjectsField | undefined;
  readonly counts: boolean;
  readonly filters: readonly UsedFilter[];
  readonly order: SummaryOrder;
  readonly limit: number;
}

const mostDimensions = 3;
const mostMeasures = 10;
const defaultLimit = 100;
const mostGroups = 1000;
const groupWords = 'fields that records are told apart by';
const measureWords: Readonly<Record<MeasureKind, string>> = {
  sum: 'kept numbers of the record',
  avg: 'kept numbers of the record',
  min: 'kept numbers or dates of the record',
  max: 'kept numbers or dates of the record',
};

/** What a list can be asked for. @param isEnabled Whether groups behind a feature can be read. @throws Problem 400 */
export function parseSummary(list: Endpoint, query: string, isEnabled: (feature: Feature) => boolean): SummaryIntent {
  const { resource, filters: known, groups } = list;
  const given = readPairs(query, {
    isAllowed: (name) => own.has(name) || known.has(name),
    names: () => [...own, ...known.keys()],
    lists: ['by', ...measureKinds],
    recordPath: toRecordPath(list),
  });
  const filters: UsedFilter[] = [];
  const asked: Record<MeasureKind, string[]> = { sum: [], avg: [], min: [], max: [] };
  const measures = new Map<string, Measure & { readonly list: ObjectsField | undefined }>();
  let by: readonly Dimension[] = [];
  let counts = true;
  let limit = defaultLimit;
  for (const [name, text] of given) {
    const filter = known.get(name);
    if (filter !== undefined) filters.push({ filter, value: parseFilter(filter, text) });
    else if (name === 'count') counts = parseSwitch(name, text);
    else if (name === 'by') by = parseDimensions(resource, { groups, isEnabled }, text);
    else if (name === 'limit') limit = parseLimit(text);
    else if (isMeasure(name)) {
      asked[name] = namesIn(name, text);
      for (const each of asked[name]) measures.set(each, measureOf(resource, name, each));
    }
  }
  checkMeasures(asked, [...measures.values()]);
  filters.sort((a, b) => (a.filter.name < b.filter.name ? -1 : 1));
  const added = currenciesOf({ resource, groups, by, filters }, { asked, measures });
  const order = parseOrder(given.get('order') ?? 'by', { asked, counts });
  const [first] = measures.values();
  return {
    ...{ resource, by: [...by, ...added], asked, counts, filters, order, limit },
    measures: [...measures.values()],
    list: first?.list,
  };
}

const own: ReadonlySet<string> = new Set(['by', 'sum', 'avg', 'min', 'max', 'count', 'order', 'limit']);
const isMeasure = (name: string): name is MeasureKind => (measureKinds as readonly string[]).includes(name);

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > mostGroups) throw problems.parameterInvalid('limit', `an integer from 1 to ${mostGroups}`);
  return limit;
}

function namesIn(parameter: string, text: string): string[] {
  const names = text.split(',');
  const most = parameter === 'by' ? mostDimensions : mostMeasures;
  if (names.length > most) throw problems.parameterInvalid(parameter, `at most ${most} fields`);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  const words = isMeasure(parameter) ? measureWords[parameter] : groupWords;
  if (twice !== undefined) throw problems.parameterWrong(parameter, words, `'${twice}' is given twice`);
  return names;
}

interface Reach {
  readonly groups: GroupsByName;
  readonly isEnabled: (feature: Feature) => boolean;
}

function parseDimensions(resource: Resource, reach: Reach, text: string): readonly Dimension[] {
  const known = new Map(dimensionsOf(resource, reach).map((dimension) => [dimension.name, dimension]));
  return namesIn('by', text).map((name) => {
    const found = known.get(name);
    if (found === undefined) throw noPath('by', groupWords, { path: name, known: [...known.keys()] });
    return found;
  });
}

const isKept = ({ shown, figure }: Field): boolean => shown && figure?.taken !== 'atRead';
const isCurrency = (field: Field): boolean => field.kind === 'text' && field.format === 'currency';
const isPlain = (field: Field): boolean => field.kind === 'enum' || field.kind === 'boolean' || isCurrency(field);

/** All by which the records of a group can be told apart. */
function dimensionsOf(resource: Resource, { groups, isEnabled }: Reach): readonly Dimension[] {
  return resource.fields.filter(isKept).flatMap((field): readonly Dimension[] => {
    const whole: Dimension = { name: field.name, path: [field], part: undefined };
    if (field.kind === 'date' || field.kind === 'dateTime')
      return dateParts.map((part) => ({ ...whole, name: `${field.name}.${part}`, part }));
    if (isPlain(field) || (field.kind === 'text' && field.filter === 'exact')) return [whole];
    if (field.kind !== 'reference') return [];
    const target = groups.get(field.target);
    if (!canBeRead(target) || (target.feature !== undefined && !isEnabled(target.feature))) return [whole];
    const inside = target.fields.filter((inner) => isKept(inner) && (inner.kind === 'reference' || isPlain(inner)));
    return [
      whole,
      ...inside.map((inner) => ({ name: `${field.name}.${inner.name}`, path: [field, inner], part: undefined })),
    ];
  });
}

/** The fields of a group, and of its lists of items, that can be measured in a way. */
function measurable(
  { fields }: Resource,
  kind: MeasureKind,
): readonly (Measure & { readonly list: ObjectsField | undefined })[] {
  const isOne = (field: Field): boolean =>
    isKept(field) &&
    field.stored &&
    (kinds[field.kind].isNumber ||
      ((kind === 'min' || kind === 'max') && (field.kind === 'date' || field.kind === 'dateTime')));
  return fields.flatMap((field): readonly (Measure & { readonly list: ObjectsField | undefined })[] => {
    if (isOne(field)) return [{ name: field.name, field, list: undefined }];
    if (field.kind !== 'objects' || !field.shown || !field.stored || field.isEmbedded) return [];
    return field.fields.filter(isOne).map((item) => ({ name: `${field.name}.${item.name}`, field: item, list: field }));
  });
}

function measureOf(resource: Resource, kind: MeasureKind, name: string) {
  const known = measurable(resource, kind);
  const found = known.find((each) => each.name === name);
  if (found === undefined)
    throw noPath(kind, measureWords[kind], { path: name, known: known.map((each) => each.name) });
  return found;
}

function checkMeasures(
  asked: SummaryIntent['asked'],
  measures: readonly { readonly name: string; readonly list: ObjectsField | undefined }[],
): void {
  const [first] = measures;
  const other = measures.find(({ list }) => list !== first?.list);
  if (other === undefined) return;
  const parameter = measureKinds.find((kind) => asked[kind].includes(other.name)) ?? 'sum';
  throw problems.parameterWrong(parameter, 'fields of the record, or of one list', `'${other.name}' stands elsewhere`);
}

interface Grouping {
  readonly resource: Resource;
  readonly groups: GroupsByName;
  readonly by: readonly Dimension[];
  readonly filters: readonly UsedFilter[];
}

/** Amounts of several currencies are not added up: the currencies by which they are told apart besides. @throws Problem 400 */
function currenciesOf(
  { resource, groups, by, filters }: Grouping,
  {
    asked,
    measures,
  }: { asked: SummaryIntent['asked']; measures: ReadonlyMap<string, Measure & { list: ObjectsField | undefined }> },
): readonly Dimension[] {
  const added = new Map<string, Dimension>();
  for (const kind of measureKinds)
    for (const name of asked[kind]) {
      const measure = measures.get(name);
      const currency = measure && currencyOf(resource, measure, groups);
      if (currency === undefined || currency.isOfAll) continue;
      const { path, text } = currency;
      const isGrouped = by.some((one) =>
        path?.slice(0, one.path.length).every((field, place) => field === one.path[place]),
      );
      const [first] = path ?? [];
      const isFixed = filters.some(
        ({ filter }) => filter.field === first && filter.comparison === 'equals' && filter.list === undefined,
      );
      if (isGrouped || (isFixed && first !== undefined)) continue;
      if (path?.length !== 1 || first === undefined || !isKept(first))
        throw problems.currencyNotGrouped(kind, name, text);
      added.set(first.name, { name: first.name, path: [first], part: undefined });
    }
  return [...added.values()];
}

function parseOrder(text: string, { asked, counts }: { asked: SummaryIntent['asked']; counts: boolean }): SummaryOrder {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  if (name === 'by' || (name === 'count' && counts)) return { by: name, isDescending };
  const [kind = '', ...rest] = name.split('.');
  if (isMeasure(kind) && asked[kind].includes(rest.join('.')))
    return { by: { kind, name: rest.join('.') }, isDescending };
  const known = [
    'by',
    ...(counts ? ['count'] : []),
    ...measureKinds.flatMap((each) => asked[each].map((one) => `${each}.${one}`)),
  ];
  throw problems.parameterInvalid('order', enumWords(known.flatMap((each) => [each, `-${each}`])));
}
