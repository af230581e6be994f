// What schemas tell of a field beyond its values: in words, and as data for programs that evaluate no formulas.
import type { Tree } from '../../formulas/language/tree.ts';
import { innerLists, togetherWords } from '../../registry/model/inner-lists.ts';
import { kinds } from '../../registry/model/kinds.ts';
import type { Field, RuleUse } from '../../registry/model/model.ts';
import type { Schema } from '../values/schema.ts';

/** What the descriptor says of a field, the currency that it is in, and the formula that it equals. */
export function describedBy(field: Field): string | undefined {
  const { description, currency, figure, becomes, accepts } = field;
  const computed = figure === undefined ? [] : [computedText(figure)];
  const unit = currency === undefined ? [] : [`In ${currency}`];
  const states = becomes.map(({ to, when }) => `${to} when ${onOneLine(when)}`);
  const follows = states.length === 0 ? [] : [`Follows: ${states.join('; ')}`];
  const accepted = accepts === undefined ? [] : ['Accepted as long as it is right'];
  const bounds = field.kind === 'objects' ? innerLists(field).map((inner) => `Items ${togetherWords(inner)}`) : [];
  const words = [description, ...unit, ...computed, ...accepted, ...follows, ...bounds].filter((text) => text !== '');
  return words.length === 0 ? undefined : words.join('. ');
}

/** A formula, and where the field is one without it: then bodies may send it. */
const computedText = ({ source, when }: NonNullable<Field['figure']>): string =>
  `Computed: ${onOneLine({ source })}${when === undefined ? '' : `, while ${onOneLine(when)}; accepted otherwise`}`;

const onOneLine = ({ source }: { readonly source: string }): string => source.replaceAll(/\s+/g, ' ');

/** A field beside this one, or further out (`../budgetMode`), and what it is. */
type Comparison = { readonly field: string } & ({ readonly is: unknown } | { readonly isNot: unknown });

/** Any of these, of each of which all hold. */
type AnyOf = readonly (readonly Comparison[])[];

/** When a record shows what is no value of its own, as far as the record itself tells: whoever sends it back leaves that out. */
export function notSent(field: Field, rules: readonly RuleUse[]): Schema {
  const { key, name, onlyWhen, inherits, figure, accepts } = field;
  const inherited = inherits.map(({ when }) => [compared(when.key, when.literal, when.operator === '==')]);
  const byRules = rules.flatMap(({ computed }) => computed.filter((each) => each.name === name));
  const left = [
    ...(figure?.when !== undefined && accepts === undefined ? anyOf(figure.when.tree) : []),
    ...byRules.map(({ whileSet }) => [compared(whileSet, null, false)]),
    // A switch that does not apply shows false, which is not sent.
    ...(onlyWhen !== undefined && kinds[field.kind].isSwitch
      ? anyOf(onlyWhen.tree, true).map((all) => [...all, compared(key, false, true)])
      : []),
    ...(onlyWhen === undefined ? [] : inherited),
  ];
  return {
    ...(left.length > 0 && { 'x-not-sent-when': left }),
    ...(onlyWhen === undefined && inherited.length > 0 && { 'x-inherited-when': inherited }),
  };
}

const compared = (field: string, value: unknown, isSame: boolean): Comparison =>
  isSame ? { field, is: value } : { field, isNot: value };

/** Cases in which a condition surely holds, or does not. */
function anyOf(tree: Tree, isNot = false): AnyOf {
  switch (tree.op) {
    case 'not':
      return anyOf(tree.of, !isNot);
    case 'and':
    case 'or': {
      const [left, right] = [anyOf(tree.left, isNot), anyOf(tree.right, isNot)];
      if ((tree.op === 'or') !== isNot) return [...left, ...right];
      return left.flatMap((one) => right.map((other) => [...one, ...other]));
    }
    case 'equal': {
      const { left, right } = tree;
      const place = placeOf(left);
      if (place === undefined || right.op !== 'literal' || right.literal.kind === 'number') return [];
      return [[compared(place, right.literal.value, tree.isNot === isNot)]];
    }
    case 'field': {
      const place = placeOf(tree);
      return place === undefined || tree.type.kind !== 'bool' ? [] : [[compared(place, !isNot, true)]];
    }
    default:
      return [];
  }
}

/** Of a value that the record, the object or the item has itself, or what it stands in. */
const placeOf = (tree: Tree): string | undefined =>
  tree.op === 'field' && tree.of.op === 'self' && tree.member.kind === 'value'
    ? `${'../'.repeat(tree.of.up)}${tree.member.key}`
    : undefined;
