// Messages with which a field's value can be refused: the validator itself is run on values that are wrong in one way
// each.
import { fieldOfCreate } from '../../registry/model/initial-states.ts';
import { innerLists, togetherWords } from '../../registry/model/inner-lists.ts';
import { isScalar, kinds } from '../../registry/model/kinds.ts';
import type { Field, Registry } from '../../registry/model/model.ts';
import { itemsWords } from '../values/words.ts';
import { valueFaults } from './validators.ts';

/** Wrong in kind, in form, in size and in its digits; whichever of them is right for a field is no fault. */
const probes: readonly unknown[] = [{}, true, 'x', 0.5, 1e17, -1e17, 0.123456789012, 123456789012345.5];
const none = Object.freeze([]);

/**
 * Texts that an answer has behind the name of a field (`must be a date (YYYY-MM-DD)`), each once.
 * @param write Whether the body is that of a create.
 */
export function fieldRefusals(field: Field, write: 'create' | 'update', registry: Registry): readonly string[] {
  if (!(write === 'create' ? field.onCreate : field.onUpdate)) return none;
  const conditions = [
    ...(isNeeded(field, write) || field.requiredWhen !== undefined ? ['is required'] : []),
    ...(field.onlyWhen === undefined ? [] : ['is not allowed']),
  ];
  // One list: the validator is made once for each.
  const alone = [write === 'create' ? fieldOfCreate(field) : field];
  const values = [...probes, ...tooLong(field)].flatMap((value) => valueFaults(alone, { [field.key]: value }));
  const own = values.flatMap(({ item, words }) => (item === undefined ? [`must be ${words}`] : []));
  return [...new Set([...conditions, ...own, ...sizes(field), ...targets(field, registry), ...changes(field, write)])];
}

/** Whether a field is missed: at a create where it is left out, or its default is looked up and not found; at an update as null. */
function isNeeded(field: Field, write: 'create' | 'update'): boolean {
  const { isSwitch, isMany } = kinds[field.kind];
  if (write === 'create' && field.required) return true;
  const mayBeNone = field.unset !== 'never' || field.onlyWhen !== undefined || field.inherits.length > 0;
  return !mayBeNone && !isSwitch && !isMany && (write === 'update' || field.default === undefined);
}

function tooLong(field: Field): readonly unknown[] {
  if (field.kind === 'text') return ['x'.repeat(field.maxLength + 1)];
  return isScalar(field) || field.kind === 'reference' || field.kind === 'choice' ? none : [[]];
}

function sizes(field: Field): readonly string[] {
  if (!('maxItems' in field)) return none;
  const fewest = 'minItems' in field ? field.minItems : 0;
  const together = field.kind === 'objects' ? innerLists(field).map((inner) => `must ${togetherWords(inner)}`) : [];
  return [`must be ${itemsWords(fewest, field.maxItems)}`, ...together];
}

/** References to records that there are not. */
function targets(field: Field, { resources }: Registry): readonly string[] {
  const names =
    field.kind === 'reference'
      ? [field.target]
      : field.kind === 'choice'
        ? field.branches.map(({ reference }) => reference.target)
        : none;
  return names.map((name) => `does not refer to an existing ${resources.get(name)?.title ?? name}`);
}

function changes(field: Field, write: 'create' | 'update'): readonly string[] {
  if (write === 'create' || !('transitions' in field) || field.transitions === undefined) return none;
  return ["cannot change from '…' to '…'"];
}
