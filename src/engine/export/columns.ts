// The columns of a table of records: what of a record stands in which.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { Field } from '../../registry/model/model.ts';

export interface Column {
  /** `name`, `client.id`, `address.city` */
  readonly name: string;
  /** Names that lead to it from the record; through lists to each of their items. */
  readonly path: readonly string[];
  /** Whether it holds what has an inside of its own, as JSON. */
  readonly isJson: boolean;
  /** Whether it holds free JSON, which is written as it was sent. */
  readonly isFree: boolean;
}

type Place = Pick<Endpoint, 'resource' | 'groups'>;

/** @param paths Of the fields that are asked for, in their order; undefined: all, in the order of the record. */
export function columnsOf(place: Place, paths: readonly string[] | undefined): readonly Column[] {
  const { fields } = place.resource;
  const columns = paths === undefined ? fields.flatMap(ofRecord) : paths.flatMap((path) => columnsAt(place, path));
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

const column = (path: readonly string[], isJson = false, isFree = false): Column => ({
  ...{ name: path.join('.'), path, isJson, isFree },
});

function ofRecord(field: Field): readonly Column[] {
  if (field.shown) return columnsOfField(field, []);
  // Written and never shown: its id says what a copy of the record is to be made with.
  return field.kind === 'reference' && field.stored && field.onCreate ? [column([field.key])] : [];
}

function columnsOfField(field: Field, before: readonly string[]): readonly Column[] {
  const path = [...before, field.name];
  switch (field.kind) {
    case 'reference':
      return field.as === 'id' ? [column(path)] : referenceColumns(path);
    case 'references':
      return referenceColumns(path);
    case 'object':
      return field.fields.filter(({ shown }) => shown).flatMap((inner) => columnsOfField(inner, path));
    case 'objects':
      return [column(path, true)];
    case 'json':
      return [column(path, true, true)];
    default:
      return [column(path)];
  }
}

const referenceColumns = (path: readonly string[]): readonly Column[] => [
  column([...path, 'id']),
  column([...path, 'name']),
];

function columnsAt({ resource, groups }: Place, path: string): readonly Column[] {
  let here: readonly Field[] = resource.fields;
  const before: string[] = [];
  const steps = path.split('.');
  for (const [place, step] of steps.entries()) {
    const field = here.find(({ name, shown }) => shown && name === step);
    // The name that a reference shows is no field of every record.
    if (field === undefined) break;
    // Items are shown together, with those of their parts that are asked for.
    if (place === steps.length - 1 || field.kind === 'objects') return columnsOfField(field, before);
    here = 'target' in field ? (groups.get(field.target)?.fields ?? []) : 'fields' in field ? field.fields : [];
    before.push(step);
  }
  return [column(steps)];
}
