// Checks `mayAct` and `signIn`: which of the acting records may make requests, and which may sign in.
import type { JSONPath } from 'jsonc-parser';
import { excerpt } from '../../../text/excerpt.ts';
import { didYouMean } from '../../../text/nearest.ts';
import { compileCondition } from '../../formulas/conditions.ts';
import { keyOf } from '../../model/field-names.ts';
import { rowOf } from '../../model/kinds.ts';
import { own } from '../../model/vocabulary.ts';
import type { FieldCase } from '../fields/field-case.ts';
import { reportCondition } from '../fields/fields.ts';
import type { Linked } from '../fields/paths.ts';

type ConditionContext = Pick<FieldCase, 'scope' | 'report'>;
interface ActingContext extends ConditionContext {
  /** Whether all descriptors of the folder are known. */
  readonly isWhole: boolean;
}
type Group = Pick<Linked, 'name' | 'raw'>;

/** Checks `mayAct`: a condition over the rows of the records whose tokens there are. */
export function checkMayAct(group: Group, context: ActingContext): void {
  const source = group.raw.resource.mayAct;
  if (source === undefined) return;
  const path = ['resource', 'mayAct'];
  checkActors(group, path, context);
  checkOverRows(group, { source, path }, context);
}

/** Checks `signIn`: a text by which each of them is known, and a condition like that of `mayAct`. */
export function checkSignIn(group: Group, context: ActingContext): void {
  const { properties, resource } = group.raw;
  const { signIn } = resource;
  if (signIn === undefined) return;
  const path = ['resource', 'signIn'];
  checkActors(group, path, context);
  const { name, when } = signIn;
  const at = [...path, 'name'];
  const field = own(properties, name);
  const row = field === undefined || field === true ? undefined : rowOf(field);
  if (field === undefined)
    context.report(at, `names "${name}", which the record does not have${didYouMean(name, Object.keys(properties))}`);
  else if (row === undefined || !row.isFolded) context.report(at, `names "${name}", which is not a text`);
  else if (resource.unique?.some((words) => words.length === 1 && words[0] === name) !== true)
    context.report(at, `names "${name}", which two records may share: add ["${name}"] to "unique"`);
  if (when !== undefined) checkOverRows(group, { source: when, path: [...path, 'when'] }, context);
}

/** While a file cannot be read, it may be the one that names them. */
function checkActors({ name }: Group, path: JSONPath, { scope, report, isWhole }: ActingContext): void {
  if (isWhole && scope.actors !== name)
    report(path, `has no effect: no field of a record has "${name}" as its acting member ("defaultFrom")`, 'key');
}

interface Condition {
  readonly source: string;
  readonly path: JSONPath;
}

function checkOverRows({ raw }: Group, { source, path }: Condition, { scope, report }: ConditionContext): void {
  const { properties } = raw;
  reportCondition(source, { scope, report, path, stored: properties });
  const compiled = compileCondition(source, scope);
  if (typeof compiled !== 'object') return;
  for (const [field, one] of Object.entries(properties)) {
    if (one === true || !compiled.keys.includes(keyOf(field, one)) || rowOf(one)?.isMany !== true) continue;
    report(path, `reads "${field}", which is a list${excerpt(source, Math.max(0, source.indexOf(field)))}`);
  }
}
