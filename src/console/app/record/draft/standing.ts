// Drafts and records as formulas know them, and the trees of conditions as they came from the service.
import { atHand, type Facts, recordValue } from '../../../../formulas/evaluate/facts.ts';
import type { Tree } from '../../../../formulas/language/tree.ts';
import type { RecordValue } from '../../../../formulas/language/value.ts';
import { notKnown } from '../../../../formulas/language/value.ts';
import { trimDecimal } from '../../../../values/decimal.ts';
import type { WireTree } from '../../../conditions.ts';
import { type Draft, draftOf, numeral } from '../../controls/draft.ts';
import { get } from '../../service/api.ts';
import { type FieldModel, groups } from '../../service/model.ts';

/** A tree as the evaluation takes it: references lead to a shape that knows its group, formulas to their tree. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const part: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, revived(inside)]),
  );
  if (part.member !== undefined) {
    const { group, ...member } = part.member as Record<string, unknown>;
    part.member = group === undefined ? member : { ...member, shape: () => ({ group }) };
  }
  if (part['op'] === 'named') {
    const { tree } = part['formula'] as { tree: Tree };
    part['formula'] = { tree: () => tree };
  }
  return part;
}

const trees = new WeakMap<WireTree, Tree>();
export function treeOf(wire: WireTree): Tree {
  const known = trees.get(wire) ?? (revived(wire) as Tree); // The service made it of one.
  trees.set(wire, known);
  return known;
}

/** The values of a draft as formulas know them. */
export function engineValues(fields: readonly FieldModel[], draft: Draft): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.key, engineValue(field, draft[field.key])]));
}

function engineValue(field: FieldModel, control: unknown): unknown {
  switch (field.kind) {
    case 'integer':
    case 'decimal':
      return engineNumber(numeral(field, String(control ?? '')));
    case 'objects':
      return Array.isArray(control) ? control.map((item) => engineValues(field.fields ?? [], item as Draft)) : [];
    case 'object':
      return control === null ? null : engineValues(field.fields ?? [], control as Draft);
    case 'references':
    case 'list':
      return control;
    default:
      return control === '' && field.unset !== 'empty' ? null : (control ?? null);
  }
}

const engineNumber = (text: string): string | null => (/^-?\d+(?:\.\d+)?$/.test(text) ? trimDecimal(text) : null);

/** Records that conditions look at, read as they are wanted. */
const records = new Map<string, RecordValue | null>();
const asked = new Set<string>();

/** @param onRead Called when something is known that was not. */
export function factsOf(old: RecordValue | null, onRead: () => void): Facts {
  return {
    ...atHand,
    old: () => old,
    record: (name, id) => {
      const key = `${name}/${id}`;
      const known = records.get(key);
      if (known !== undefined) return known;
      const group = groups().named(name);
      if (!asked.has(key) && group?.operations.includes('get') === true) {
        asked.add(key);
        get(group.path, group.isSingle ? undefined : id).then(
          ({ record }) => {
            records.set(key, recordValue({ ...engineValues(group.fields, draftOf(group.fields, record)), id }));
            onRead();
          },
          () => undefined,
        );
      }
      return notKnown;
    },
  };
}

/** Reads records anew: what was read before may have been changed since. */
export function forgetRecords(): void {
  records.clear();
  asked.clear();
}
