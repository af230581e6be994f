// Which fields of a record can be null, so that schemas and types promise callers no more and no less.
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, Inherited, Registry } from '../../registry/model/model.ts';

type Fields = readonly Field[];

/**
 * Whether a record may show null for a field: it may be unset, may not apply, or is read from another record that has
 * none. Lists never are null.
 * @param fields The fields that `field` stands among: those of the record, or of the item.
 */
export function canBeNull(field: Field, fields: Fields, registry: Registry): boolean {
  const { isMany, isSwitch } = kinds[field.kind];
  if (isMany) return false;
  if (field.from !== undefined) return field.unset === 'null' || pathCanBeNull({ from: field.from }, fields, registry);
  if (field.inherits.some((branch) => pathCanBeNull(branch, fields, registry))) return true;
  // A switch that does not apply is off.
  if (isSwitch) return field.unset === 'null';
  return field.unset === 'null' || (field.onlyWhen !== undefined && !isInheritedElse(field));
}

/** Where the field does not apply, a branch of `inherits` gives its value: the two conditions are opposites. */
function isInheritedElse({ onlyWhen, inherits }: Field): boolean {
  const opposites = inherits.map(({ when }) =>
    textOf({ ...when, operator: when.operator === '==' ? ('!=' as const) : ('==' as const) }),
  );
  return onlyWhen !== undefined && opposites.includes(withoutSpaces(onlyWhen.source));
}

/** A path, and the condition under which it is followed. */
type Followed = Pick<Inherited, 'from'> & Partial<Inherited>;

function pathCanBeNull({ from, when }: Followed, fields: Fields, registry: Registry): boolean {
  const [first = '', ...steps] = from.split('.');
  const rest = { from: steps.join('.') };
  if (first === 'workspace' && registry.workspace !== undefined) {
    return pathCanBeNull(rest, registry.workspace.fields, registry);
  }
  const field = stepOf(first, fields);
  if (field === undefined) return true;
  if (steps.length === 0) return canBeNull(field, fields, registry);
  if (field.kind !== 'reference') return true;
  const target = registry.resources.get(field.target)?.fields ?? [];
  const isSet = when !== undefined && isSetWhile(field, when);
  return (!isSet && canBeNull(field, fields, registry)) || pathCanBeNull(rest, target, registry);
}

/** A step names a field, its key, or the record behind a bare id (`member` for `memberId`). */
const stepOf = (step: string, fields: Fields): Field | undefined =>
  fields.find(({ name, key }) => name === step || key === step) ?? fields.find(({ key }) => key === `${step}Id`);

/** Whether a condition holds only while the reference is set: it says so, or the reference is required then. */
function isSetWhile({ key, requiredWhen }: Field, when: Inherited['when']): boolean {
  if (when.key === key && when.operator === '!=' && when.literal === null) return true;
  return requiredWhen !== undefined && withoutSpaces(requiredWhen.source) === textOf(when);
}

const textOf = ({ key, operator, literal }: Inherited['when']): string =>
  `${key}${operator}${typeof literal === 'string' ? `'${literal}'` : literal}`;

const withoutSpaces = (source: string): string => source.replaceAll(/\s/g, '').replaceAll('"', "'");
