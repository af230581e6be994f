// Computed values sent by callers: accepted when equal to ours, refused otherwise.
import { isRecord } from '../../facts/record-values.ts';
import type { Field, Value, Values } from '../../registry/model/model.ts';
import { compare } from '../../values/decimal.ts';
import { sameValue } from '../changes/same-value.ts';
import type { Group } from '../plan/groups.ts';

/** What was sent of such fields, by the record, object or item that has them. */
export type SentFigures = ReadonlyMap<Readonly<Values>, Readonly<Values>>;

const none: SentFigures = new Map();

/**
 * What a body says that computed fields of a record are. Rules may move the items of a list, so it is noted by item, and before they act.
 * @param values The record with what the body sends, before anything is filled or computed.
 */
export function sentFiguresOf(
  { resource, acceptsFigures }: Pick<Group, 'resource' | 'acceptsFigures'>,
  values: Readonly<Values>,
  sent: Readonly<Values>,
): SentFigures {
  if (!acceptsFigures) return none;
  const sentValues = new Map<Readonly<Values>, Readonly<Values>>();
  note(sentValues, { fields: resource.fields, values, sent });
  return sentValues;
}

interface SentObject {
  readonly fields: readonly Field[];
  readonly values: Readonly<Values>;
  readonly sent: Readonly<Values>;
}

function note(sentValues: Map<Readonly<Values>, Readonly<Values>>, { fields, values, sent }: SentObject): void {
  const claimed = fields.filter(({ key, accepts }) => accepts !== undefined && sent[key] !== undefined);
  if (claimed.length > 0) sentValues.set(values, Object.fromEntries(claimed.map(({ key }) => [key, sent[key]])));
  for (const field of fields) {
    if (!('fields' in field)) continue;
    const [here, there] = [insideOf(values[field.key]), insideOf(sent[field.key])];
    for (const [index, inside] of here.entries()) {
      const given = there[index];
      if (inside !== undefined && given !== undefined)
        note(sentValues, { fields: field.fields, values: inside, sent: given });
    }
  }
}

/** An object, or the items of a list. */
const insideOf = (value: Value | undefined): readonly (Values | undefined)[] =>
  (Array.isArray(value) ? value : [value]).map((item: Value | undefined) => (isRecord(item) ? item : undefined));

/** What a claimed value must be and is not, in words; undefined where it is right. Amounts are compared as numbers. */
export function sentFigureFault(field: Field, claimed: Value | undefined, right: Value): string | undefined {
  if (claimed === undefined || isEqual(field, claimed, right)) return undefined;
  const isPlain = right === null || typeof right !== 'string' || field.kind === 'decimal';
  return `must be ${isPlain ? String(right) : `'${right}'`}`;
}

const isEqual = ({ kind }: Field, a: Value, b: Value): boolean =>
  kind === 'decimal' && typeof a === 'string' && typeof b === 'string' ? compare(a, b) === 0 : sameValue(a, b);
