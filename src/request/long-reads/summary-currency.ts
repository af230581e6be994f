// In which currency an amount is: the fields that lead from a record to it.
import type { GroupsByName } from '../../endpoints/routes/expandable.ts';
import type { Field, ObjectsField, Resource } from '../../registry/model/model.ts';

interface Currency {
  /** From the record to the currency; undefined where the path does not begin in the record, but in the item. */
  readonly path: readonly Field[] | undefined;
  /** As the descriptor has it, from the record on. */
  readonly text: string;
  /** Whether it is a setting of the workspace: the same for all records. */
  readonly isOfAll: boolean;
}

/** The currency of a field; undefined where it has none. */
export function currencyOf(
  resource: Resource,
  { field, list }: { readonly field: Field; readonly list: ObjectsField | undefined },
  groups: GroupsByName,
): Currency | undefined {
  if (field.currency === undefined) return undefined;
  const isOfRecord = field.currency.startsWith('record.');
  const steps = (isOfRecord ? field.currency.slice('record.'.length) : field.currency).split('.');
  const [first = ''] = steps;
  const isOfItem = !isOfRecord && list?.fields.some((item) => isNamed(item, first)) === true;
  const text = isOfItem ? `${list?.name}.${steps.join('.')}` : steps.join('.');
  if (isOfItem) return { path: undefined, text, isOfAll: false };
  if (stepIn(resource, first) === undefined) return { path: undefined, text, isOfAll: first === 'workspace' };
  return { path: fieldsAlong(resource, steps, groups), text, isOfAll: false };
}

function fieldsAlong(resource: Resource, steps: readonly string[], groups: GroupsByName): readonly Field[] {
  const path: Field[] = [];
  let here: Resource | undefined = resource;
  for (const step of steps) {
    const field: Field | undefined = here && stepIn(here, step);
    if (field === undefined) break;
    path.push(field);
    here = field.kind === 'reference' ? groups.get(field.target) : undefined;
  }
  return path;
}

/** A step of a path names a field, its key, or the record behind a bare id. */
const isNamed = ({ name, key }: Field, step: string): boolean => name === step || key === step || key === `${step}Id`;
const stepIn = ({ fields }: Resource, step: string): Field | undefined =>
  fields.find(({ name }) => name === step) ?? fields.find((field) => isNamed(field, step));
