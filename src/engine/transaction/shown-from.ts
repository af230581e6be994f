// Where a record shows a value of another one, and what stands there.
import type { ReadableRecords } from '../../facts/records.ts';
import type { Facts } from '../../formulas/evaluate/facts.ts';
import { isGap } from '../../formulas/evaluate/unknown-fields.ts';
import { notKnown, type RecordValue, type Unknown } from '../../formulas/language/value.ts';
import type { Field, PathStart, Value, Values } from '../../registry/model/model.ts';
import { stepField } from '../../storage/statements/view.ts';

/** The path to what a field shows, where that is no value of its own: read through always, or inherited as the record is now. */
const shownFrom = ({ from, inherits }: Field, values: Readonly<Values>): string | undefined =>
  from ?? inherits.find(({ when }) => ((values[when.key] ?? null) === when.literal) === (when.operator === '=='))?.from;

/** Where a path begins. */
interface Start {
  readonly resource: PathStart;
  readonly self: RecordValue;
}

interface Ground {
  readonly records: Pick<ReadableRecords, 'resource' | 'workspaceGroup'>;
  readonly facts: Pick<Facts, 'record' | 'workspace'>;
}

/**
 * The value that `project.client.currency` or `workspace.timeZone` leads to, as the record there shows it.
 * @returns undefined where a reference on the way leads nowhere; unknown where a record on the way is not read yet
 */
export function valueAlong(ground: Ground, { resource, self }: Start, path: string): Value | Unknown | undefined {
  const { records, facts } = ground;
  const steps = path.split('.');
  const last = steps.pop() ?? path;
  let here: PathStart = resource;
  let at = self;
  const workspace = records.workspaceGroup();
  if (steps[0] === 'workspace' && workspace !== undefined) {
    const settings = facts.workspace();
    if (settings === notKnown) return notKnown;
    if (settings === null) return undefined;
    [here, at] = [records.resource(workspace), settings];
    steps.shift();
  }
  for (const step of steps) {
    const field = stepField(here, step);
    if (isGap(at, field.key)) return notKnown;
    const id = at.values[field.key];
    if (field.kind !== 'reference' || typeof id !== 'string') return undefined;
    const next = facts.record(field.target, id);
    if (next === notKnown) return notKnown;
    if (next === null) return undefined;
    [here, at] = [records.resource(field.target), next];
  }
  const field = stepField(here, last);
  if (isGap(at, field.key)) return notKnown;
  const values = at.values as Readonly<Values>; // those of a record, and not of a formula
  const from = shownFrom(field, values);
  return from === undefined ? values[field.key] : valueAlong(ground, { resource: here, self: at }, from);
}
