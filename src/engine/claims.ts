// Values that callers send of fields that follow from a formula: accepted as long as they are right.
import { isRecord } from '../behaviours/record-values.ts';
import type { Field, Value, Values } from '../registry/model.ts';
import { compare } from '../values/decimal.ts';
import { sameValue } from './same-value.ts';

/** What was sent of such fields, by the record, object or item that has them. */
export type Claims = ReadonlyMap<Readonly<Values>, Readonly<Values>>;

const none: Claims = new Map();
const known = new WeakMap<readonly Field[], boolean>();

/** Whether any of these fields, or of those inside them, is such a field. */
function hasAccepted(fields: readonly Field[]): boolean {
  const found =
    known.get(fields) ??
    fields.some((field) => field.accepts !== undefined || ('fields' in field && hasAccepted(field.fields)));
  known.set(fields, found);
  return found;
}

/**
 * What a body claims of a record. Rules may move the items of a list, so it is noted by item, and before they act.
 * @param values The record with what the body sends, before anything is filled or computed.
 */
export function claimsOf(fields: readonly Field[], values: Readonly<Values>, sent: Readonly<Values>): Claims {
  if (!hasAccepted(fields)) return none;
  const claims = new Map<Readonly<Values>, Readonly<Values>>();
  note(claims, { fields, values, sent });
  return claims;
}

interface Place {
  readonly fields: readonly Field[];
  readonly values: Readonly<Values>;
  readonly sent: Readonly<Values>;
}

function note(claims: Map<Readonly<Values>, Readonly<Values>>, { fields, values, sent }: Place): void {
  const claimed = fields.filter(({ key, accepts }) => accepts !== undefined && sent[key] !== undefined);
  if (claimed.length > 0) claims.set(values, Object.fromEntries(claimed.map(({ key }) => [key, sent[key]])));
  for (const field of fields) {
    if (!('fields' in field)) continue;
    const [here, there] = [insideOf(values[field.key]), insideOf(sent[field.key])];
    for (const [index, inside] of here.entries()) {
      const given = there[index];
      if (inside !== undefined && given !== undefined)
        note(claims, { fields: field.fields, values: inside, sent: given });
    }
  }
}

/** An object, or the items of a list. */
const insideOf = (value: Value | undefined): readonly (Values | undefined)[] =>
  (Array.isArray(value) ? value : [value]).map((item: Value | undefined) => (isRecord(item) ? item : undefined));

/** What a claimed value must be and is not, in words; undefined where it is right. Amounts are compared as numbers. */
export function claimFault(field: Field, claimed: Value | undefined, right: Value): string | undefined {
  if (claimed === undefined || isEqual(field, claimed, right)) return undefined;
  const isPlain = right === null || typeof right !== 'string' || field.kind === 'decimal';
  return `must be ${isPlain ? String(right) : `'${right}'`}`;
}

const isEqual = ({ kind }: Field, a: Value, b: Value): boolean =>
  kind === 'decimal' && typeof a === 'string' && typeof b === 'string' ? compare(a, b) === 0 : sameValue(a, b);
