// Conditions that `currency` implies: an amount that callers send is whole if its currency has no minor units (ISO 4217).
// Otherwise nothing could settle it. Prices per unit are exempt: the amounts that follow from them are rounded.
import type { Field, ObjectField, ObjectsField } from '../model/model.ts';
import type { RawRule } from '../model/vocabulary.ts';

/** Returns the rules for the amounts of a record, of its objects, and of the items of its lists. */
export function listWholeAmountRules(fields: readonly Field[]): readonly RawRule[] {
  return fields.filter(isSent).flatMap((field) => {
    switch (field.kind) {
      case 'object':
        return listRulesInObject(field);
      case 'objects':
        return listRulesInItems(field);
      default:
        return wholeAmountRules(field, field.name, { use: 'require', field: field.name });
    }
  });
}

/** Rules name fields of an object from the record. Formulas with `when` do so from the object, and their fields are exempt. */
function listRulesInObject({ name: object, fields }: ObjectField): readonly RawRule[] {
  return fields.flatMap((field) => {
    const { name, currency, figure } = field;
    const path = `${object}.${name}`;
    const isOwnCurrency = fields.some((each) => each.name === currency);
    const amount = { ...field, currency: isOwnCurrency ? `${object}.${currency}` : currency };
    return figure === undefined ? wholeAmountRules(amount, path, { use: 'require', field: path }) : [];
  });
}

function listRulesInItems({ name: list, fields }: ObjectsField): readonly RawRule[] {
  return fields.filter(isSent).flatMap((field) => {
    const { name, key } = field;
    if (field.kind !== 'objects') return wholeAmountRules(field, name, { use: 'requireInItems', list, field: key });
    return field.fields.flatMap((inner) =>
      wholeAmountRules(inner, inner.name, { use: 'requireInInner', list, inner: name, field: inner.key }),
    );
  });
}

const isSent = ({ onCreate, onUpdate }: Field): boolean => onCreate || onUpdate;

/** @param path The path of the field in formulas. */
function wholeAmountRules(field: Field, path: string, rule: RawRule): readonly RawRule[] {
  const { currency, figure, isPerUnit } = field;
  if (currency === undefined || isPerUnit || !isSent(field)) return [];
  if (figure !== undefined && (figure.when === undefined || figure.watches.length > 0)) return [];
  // The formula of a field with `when` gives a result, which may be a sum of amounts from before this condition.
  const isResult = figure?.when === undefined ? '' : `(${figure.when.source}) || `;
  return [
    {
      ...rule,
      // Without an amount or a currency, one of the comparisons is with null, and true.
      that: `${isResult}${path} == round(${path}, 0) || round(0.1, ${currency}) != 0`,
      must: `a whole number, because {${currency}} has no minor units`,
    },
  ];
}
