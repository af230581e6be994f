// Maps tables and columns to the descriptors: the field that messages name, earlier names, and the value of rows that have
// none. The schema itself does not hold this.
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Registry, Resource } from '../../registry/model/model.ts';
import { choiceColumn, snakeCase } from '../../registry/model/naming.ts';
import { foldedColumn, keyColumn, tableName, tablesOf } from '../../storage/schema/tables.ts';
import type { SchemaColumn } from './schema.ts';
import type { FillValue } from './steps.ts';

interface TableOrigin {
  readonly group: string;
  /** The group's earlier name; for the table of its records alone. */
  readonly groupBefore: string | undefined;
  /** Names that the table may have had. */
  readonly earlier: readonly string[];
  /** Whether a new day changes its records. */
  readonly hasDays: boolean;
  /** Tables of groups whose writes change its records. */
  readonly watches: readonly string[];
}

export interface ColumnOrigin {
  /** `office.phone`, `invoice.lines.amount` */
  readonly field: string;
  readonly earlier: readonly string[];
  /** What records that exist hold in a column that is new to them. */
  readonly fill: FillValue | undefined;
  readonly renamedValues: Readonly<Record<string, string>>;
  /** Of a figure: whether it is always true, or taken at times. */
  readonly figure: 'always' | 'atTimes' | undefined;
  /** Whether writes fill or check it without a value from the caller. */
  readonly isFilledByWrites: boolean;
}

export interface Origins {
  readonly tables: ReadonlyMap<string, TableOrigin>;
  /** By `table.column`. */
  readonly columns: ReadonlyMap<string, ColumnOrigin>;
}

interface FieldsHome {
  readonly resource: Resource;
  /** The table's name, and the ones it may have had. */
  readonly tables: readonly string[];
  /** What stands before the names of columns, now and earlier. */
  readonly prefixes: readonly string[];
  /** `office`, `office.address` */
  readonly label: string;
}

/** What the descriptors of a registry say of the origin of their tables and columns. */
export function originsOf(registry: Registry): Origins {
  const tables = new Map<string, TableOrigin>();
  const columns = new Map<string, ColumnOrigin>();
  const stored = new Set(tablesOf(registry).map(({ name }) => name));
  for (const resource of registry.resources.values()) {
    const { name, renamedFrom } = resource;
    if (!stored.has(tableName(name))) continue;
    const names = [name, ...(renamedFrom === undefined ? [] : [renamedFrom])].map(tableName);
    const watches = resource.fields.flatMap(watchedGroups).map(tableName);
    tables.set(tableName(name), {
      ...{ group: name, groupBefore: renamedFrom, earlier: names.slice(1) },
      ...{ hasDays: resource.days.length > 0, watches },
    });
    walk(resource.fields, { resource, tables: names, prefixes: [''], label: name });
  }
  return { tables, columns };

  function walk(fields: readonly Field[], place: FieldsHome): void {
    for (const field of fields) {
      if (!field.stored) continue;
      const label = `${place.label}.${field.name}`;
      const names = [field.name, ...(field.renamedFrom === undefined ? [] : [field.renamedFrom])];
      const isList = field.kind === 'references' || (field.kind === 'objects' && !field.isEmbedded);
      if (isList) {
        const lists = place.tables.flatMap((table) => names.map((word) => `${table}_${snakeCase(word)}`));
        const [list = '', ...earlier] = lists;
        tables.set(list, { group: place.resource.name, groupBefore: undefined, earlier, hasDays: false, watches: [] });
        if (field.kind === 'objects')
          walk(field.fields, { resource: place.resource, tables: lists, prefixes: [''], label });
        continue;
      }
      const own = place.prefixes.flatMap((prefix) => names.map((word) => `${prefix}${snakeCase(keyAs(field, word))}`));
      const figure = field.figure && (field.figure.taken === 'always' ? 'always' : 'atTimes');
      const note = (forms: readonly string[], fill: FillValue | undefined, own = false): void => {
        const [column = '', ...earlier] = forms;
        const { renamedValues } = field;
        columns.set(`${place.tables[0]}.${column}`, {
          field: label,
          earlier,
          fill,
          renamedValues,
          figure: own ? figure : undefined,
          isFilledByWrites: isFilledByWrites(field),
        });
      };
      if (field.kind === 'choice') {
        // Each group has its column, which goes by the name of the group.
        for (const { reference } of field.branches) {
          const before = registry.resources.get(reference.target)?.renamedFrom;
          const groups = [reference.target, ...(before === undefined ? [] : [before])];
          note(groups.map(choiceColumn), undefined);
        }
        continue;
      }
      note(own, fillOf(field), true);
      note(own.map(foldedColumn), undefined);
      note(own.map(keyColumn), undefined);
      if (field.kind === 'object') walk(field.fields, { ...place, prefixes: own.map((column) => `${column}_`), label });
    }
  }
}

/** Lists the groups whose writes change a field, or one inside it. */
const watchedGroups = (field: Field): readonly string[] => [
  ...[field.figure, ...field.becomes].flatMap((formula) => formula?.watches.map(({ group }) => group) ?? []),
  ...('fields' in field ? field.fields.flatMap(watchedGroups) : []),
];

/** Reports whether a write fills or checks a field without a value from the caller. */
const isFilledByWrites = ({
  default: standard,
  defaultFrom,
  derived,
  figure,
  becomes,
  onlyWhen,
  requiredWhen,
}: Field) =>
  standard !== undefined ||
  defaultFrom.length + becomes.length > 0 ||
  [derived, figure, onlyWhen, requiredWhen].some((rule) => rule !== undefined);

/** Reports whether writes fill a new column that otherwise looks additive. */
export function isFilled({ nullable, madeFrom, formula }: SchemaColumn, origin: ColumnOrigin | undefined): boolean {
  const isPlain = nullable === true && madeFrom === undefined && formula === undefined;
  return isPlain && origin?.fill === undefined && origin?.isFilledByWrites === true;
}

/** The key that a field would have under another name. */
const keyAs = (field: Field, name: string): string =>
  field.kind === 'reference' && field.as === 'object' ? `${name}Id` : name;

/** What a record holds that nobody has given a value: its default, or what unset means. */
function fillOf(field: Field): FillValue | undefined {
  switch (field.kind) {
    case 'object':
      return false;
    case 'objects':
    case 'list':
      return listText(field);
    case 'boolean':
      return field.default === true;
    default:
      if (field.unset === 'empty') return '';
      if (field.unset === 'null') return undefined;
      return isFill(field.default) ? field.default : undefined;
  }
}

const isFill = (value: unknown): value is FillValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function listText(field: Field): string {
  const items = Array.isArray(field.default) ? field.default : [];
  // Decimals are text in the engine and numbers in JSON.
  if (field.kind === 'list' && kinds[field.item.kind].isExact) return `[${items.join(',')}]`;
  return JSON.stringify(items);
}
