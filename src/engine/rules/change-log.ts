// Describes a change for a log record: a line per field, with both values as people read them.
import { isRecord } from '../../facts/record-values.ts';
import type { Field, Value, Values } from '../../registry/model/model.ts';
import type { Scope } from '../transaction/scope.ts';
import { shownName } from '../transaction/shown-name.ts';

const nothing = '–';

interface Difference {
  readonly fields: readonly Field[];
  readonly before: Readonly<Values>;
  readonly after: Readonly<Values>;
}

/** A line for each of the fields: `amount: 100 → 120`. */
export async function linesOf(scope: Scope, { fields, before, after }: Difference): Promise<string> {
  const lines: string[] = [];
  for (const field of fields)
    lines.push(`${field.name}: ${await shownIn(scope, field, before)} → ${await shownIn(scope, field, after)}`);
  return lines.join('\n');
}

/** The value of a field as people read it: records by the names that references show, lists with commas. */
async function shownIn(scope: Scope, field: Field, holder: Readonly<Values>): Promise<string> {
  const value = holder[field.key] ?? null;
  if (value === null || value === '') return nothing;
  switch (field.kind) {
    case 'reference':
      return namesOf(scope, field.target, [value]);
    case 'references':
      return namesOf(scope, field.target, listed(value));
    case 'choice': {
      const branch = field.branches.find((one) => one.value === holder[field.by]);
      return branch === undefined ? nothing : namesOf(scope, branch.reference.target, [value]);
    }
    case 'list':
      return listed(value).join(', ') || nothing;
    case 'object':
      return partsOf(scope, field.fields, value);
    case 'objects': {
      const items: string[] = [];
      for (const item of listed(value)) items.push(await partsOf(scope, field.fields, item));
      return items.join(', ') || nothing;
    }
    default:
      return String(value);
  }
}

const listed = (value: Value): readonly Value[] => (Array.isArray(value) ? (value as Value[]) : []);

/** What callers can send of an object or an item, as far as it is set: `Website 500`. */
async function partsOf(scope: Scope, fields: readonly Field[], holder: Value): Promise<string> {
  if (!isRecord(holder)) return nothing;
  const parts: string[] = [];
  for (const field of fields) if (field.onCreate || field.onUpdate) parts.push(await shownIn(scope, field, holder));
  return parts.filter((part) => part !== nothing).join(' ') || nothing;
}

async function namesOf(scope: Scope, group: string, ids: readonly Value[]): Promise<string> {
  const records = await scope.records.many(group, ids.map(String));
  const names: string[] = [];
  for (const record of records.values()) names.push(await shownName(scope, group, record));
  return names.join(', ') || nothing;
}
