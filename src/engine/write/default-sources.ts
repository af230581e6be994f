// Defaults that come from elsewhere: another field, a referenced record, the settings, a formula.

import { isUnset } from '../../facts/record-values.ts';
import type { Condition, DefaultSource, Field, PathStart, Value, Values } from '../../registry/model/model.ts';
import { holds } from '../../rules/support/over-references.ts';
import { unreachable } from '../../unreachable.ts';
import { inTurn, type Soon, soon, soonAll } from '../../values/soon.ts';
import type { Draft } from '../draft/draft.ts';
import { heldFromElsewhere } from '../draft/field-value.ts';
import { isComputedAgain, type PlacedItem, valueOfFormula, valuesInItems } from '../figures/compute-figure.ts';
import type { Group } from '../plan/groups.ts';

/** The value that the first of a field's sources gives. @param inside The item that the field stands in, else the record. */
export const valueFromSources = (draft: Draft, field: Field, inside?: Standing): Soon<Value | undefined> =>
  valueFrom(draft, { field, sources: field.defaultFrom }, inside ?? { item: draft.values, place: '' });

function valueFrom(
  draft: Draft,
  { field, sources: [source, ...others] }: { readonly field: Field; readonly sources: readonly DefaultSource[] },
  standing: Standing,
): Soon<Value | undefined> {
  if (source === undefined) return undefined;
  return soon(valueAt(draft, { field, source }, standing), (value) =>
    isUnset(value) ? valueFrom(draft, { field, sources: others }, standing) : value,
  );
}

/** Gives items the default of a field, from the first of its sources that has one. Formulas look at all items at once. */
export function fillFromSources(draft: Draft, field: Field, items: readonly PlacedItem[]): Soon<void> {
  let open = items;
  return inTurn(field.defaultFrom, (source) => {
    if (open.length === 0) return undefined;
    const given =
      source.kind === 'formula'
        ? valuesInItems(draft, { field, figure: source.figure }, open)
        : soonAll(open.map((standing) => valueAt(draft, { field, source }, standing)));
    return soon(given, (values) => {
      for (const [index, { item }] of open.entries()) if (!isUnset(values[index])) item[field.key] = values[index];
      open = open.filter(({ item }) => item[field.key] === undefined);
    });
  });
}

/** Where a field stands: in the record, whose place is empty, or in an item: `lines[0]`. */
type Standing = Pick<PlacedItem, 'item' | 'place'>;

/** A source of a field's default. */
interface Sourced {
  readonly field: Field;
  readonly source: DefaultSource;
}

function valueAt(draft: Draft, { field, source }: Sourced, { item: values, place }: Standing): Soon<Value | undefined> {
  const { scope, group } = draft;
  switch (source.kind) {
    case 'today':
      return scope.today();
    case 'actingMember':
      return scope.actingMember;
    case 'value':
      if (source.when === undefined) return source.value;
      return soon(isTrue(draft, source.when, values), (holds) => (holds ? source.value : undefined));
    case 'find':
      return scope.records.list(source.group, source.where, { limit: 1 }).then(([first]) => first?.['id']);
    case 'formula':
      // Those of items are given to all of these at once.
      return values === draft.values && draft.isSound(...source.figure.keys)
        ? valueOfFormula(draft, field, source.figure)
        : undefined;
    case 'path': {
      const start = place === '' ? group.resource : findPathStart(group, field);
      return soon(scope.records.follow(start, values, source.path), (value) =>
        heldFromElsewhere(draft, { field, value, place: place === '' ? field.key : `${place}.${field.key}` }),
      );
    }
  }
}

/** Returns the fields at which the paths of a field in an object or in a list begin. */
export const findPathStart = ({ pathStarts }: Group, field: Field): PathStart =>
  pathStarts.get(field) ?? unreachable(`no paths begin at ${field.name}`);

/** Judges a condition that may look at other records; false where a reference on its way is null. */
function isTrue(draft: Draft, condition: Condition, values: Readonly<Values>): Soon<boolean> {
  if (condition.paths.length === 0) return condition.test(values);
  const judged = {
    values,
    records: draft.scope.records,
    isSound: (...keys: readonly string[]) => draft.isSound(...keys),
  };
  return soon(holds(judged, condition), (isSo) => isSo === true);
}

/** Whether this update changes what calls for the default again, and the body does not send the field. */
export const isDefaultAgain = (draft: Draft, { key, defaultFrom }: Field): boolean =>
  draft.operation === 'update' &&
  !draft.sent.has(key) &&
  defaultFrom.some((source) => source.kind === 'formula' && isComputedAgain(draft, source.figure));
