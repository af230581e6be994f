// Frozen values: computed fields whose formula returns the stored value while a condition holds, such as
// `old != null && old.statusId != 'draft' ? old.tax : amount * rate`. Lists those that the rest of the formula gives otherwise.
import { recordValue } from '../../formulas/evaluate/facts.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import { bool } from '../../formulas/language/types.ts';
import type { Value, Values } from '../../registry/model/model.ts';
import type { RecordName } from '../changes/change.ts';
import { copyOf } from '../changes/copy-values.ts';
import { sameValue } from '../changes/same-value.ts';
import { Draft } from '../draft/draft.ts';
import { stretchesOf } from '../figures/along.ts';
import { computeFigures, factsFor } from '../figures/compute-figure.ts';
import type { FigureField } from '../plan/figures.ts';
import type { Group } from '../plan/groups.ts';
import type { Scope } from '../transaction/scope.ts';
import type { VerifyContext, VerifyOptions } from './verify.ts';

/** A stored value that its formula keeps, and that the rest of the formula gives otherwise. */
export interface FrozenValue extends RecordName {
  /** Key of the field. */
  readonly place: string;
  readonly stored: Value;
  /** Value of the rest of the formula today; null if the field cannot hold it. */
  readonly today: Value;
  /** Why the field cannot hold it. */
  readonly refusal?: string;
}

/** A computed field whose formula can return its stored value. */
interface FrozenField {
  readonly figure: FigureField;
  /** The formula without the branches that return the stored value. */
  readonly currentFigure: FigureField;
  /** Whether the formula returns the stored value. */
  readonly isFrozen: Tree;
}

/** Number of records that are read together. */
const chunkSize = 200;

/** Lists the frozen values of a group that differ from the rest of their formula. They are not faults. */
export async function* listFrozenValues(
  { groups, direct, createScope }: VerifyContext,
  name: string,
  { onRecords }: Pick<VerifyOptions, 'onRecords'>,
): AsyncGenerator<FrozenValue> {
  const group = groups.get(name);
  const fields = group.resource.computed === undefined ? listFrozenFields(group) : [];
  if (fields.length === 0) return;
  for await (const { records } of stretchesOf(group.rows, direct, { line: undefined, size: chunkSize })) {
    const scope = createScope(direct);
    const ids = records.map(({ id }) => String(id));
    for (const record of await scope.records.wholeMany(name, ids))
      for (const field of fields) {
        const value = await compareFrozen({ scope, group, record }, field);
        if (value !== undefined) yield value;
      }
    onRecords?.(records.length);
  }
}

const listFrozenFields = ({ figures }: Group): readonly FrozenField[] =>
  figures.flatMap((figure) => {
    const { field, inside } = figure;
    const { tree } = figure.figure;
    const currentTree = inside.length > 0 ? undefined : dropStored(tree, field.key);
    if (currentTree === undefined || currentTree === tree) return [];
    const currentFigure = { ...figure, figure: { ...figure.figure, tree: currentTree } };
    return [{ figure, currentFigure, isFrozen: testStored(tree, field.key) }];
  });

/** Reports whether a tree is `old.x`, for the field `x`. */
const isStored = (tree: Tree, key: string): boolean =>
  tree.op === 'field' && tree.of.op === 'known' && tree.of.name === 'old' && tree.member.kind === 'value'
    ? tree.member.key === key
    : false;

/** Returns a formula without its branches `old.x`; undefined if nothing else is left. */
function dropStored(tree: Tree, key: string): Tree | undefined {
  if (isStored(tree, key)) return undefined;
  if (tree.op !== 'if') return tree;
  const [yes, no] = [dropStored(tree.yes, key), dropStored(tree.no, key)];
  if (yes === undefined || no === undefined) return yes ?? no;
  return yes === tree.yes && no === tree.no ? tree : { ...tree, yes, no };
}

/** Returns the condition under which a formula returns `old.x`. */
function testStored(tree: Tree, key: string): Tree {
  if (tree.op === 'if' && !isStored(tree, key))
    return { ...tree, type: bool, nullable: false, yes: testStored(tree.yes, key), no: testStored(tree.no, key) };
  const { start, end } = tree;
  const literal = { kind: 'bool', value: isStored(tree, key) } as const;
  return { op: 'literal', literal, type: bool, nullable: false, start, end };
}

interface ComparedRecord {
  readonly scope: Scope;
  readonly group: Group;
  /** With its lists. */
  readonly record: Readonly<Values>;
}

/** Computes one field of one record as an update that changes nothing would, without the branches that return the stored value. */
async function compareFrozen(
  { scope, group, record }: ComparedRecord,
  { figure, currentFigure, isFrozen }: FrozenField,
): Promise<FrozenValue | undefined> {
  const draft = new Draft({
    ...{ scope, group, operation: 'update', before: record },
    ...{ values: copyOf(record), input: { values: {} } },
  });
  const { key } = figure.field;
  const facts = factsFor(draft, figure.figure);
  const [result] = await facts.evaluateAll(isFrozen, [recordValue(draft.values)]);
  if (result?.value !== true) return undefined;
  await computeFigures([draft], currentFigure, facts);
  const [stored = null, today = null] = [record[key], draft.values[key]];
  if (sameValue(stored, today) && !draft.hasFaults) return undefined;
  const refusal = draft.faults.first.map(({ text }) => text).join('; ');
  const value = { group: group.resource.name, id: String(record['id']), place: key, stored };
  return draft.hasFaults ? { ...value, today: null, refusal } : { ...value, today };
}
