// Checks `currency`: the path from an amount to the field that holds its currency.
import type { JSONPath } from 'jsonc-parser';
import { nearest } from '../../../text/nearest.ts';
import type { Fields } from './field-case.ts';
import { type Found, followPath, type Start } from './paths.ts';

/** Checks `currency` of all fields of a group. Names are looked for outward: in the item, then in what it stands in. */
export function checkCurrencies(start: Start): void {
  const visit = (fields: Fields, around: Fields, path: JSONPath): void => {
    const known = { ...around, ...fields };
    for (const [name, field] of Object.entries(fields)) {
      if (typeof field !== 'object') continue;
      const place = [...path, name];
      if (field.currency !== undefined) checkPath(field.currency, { start, known, place: [...place, 'currency'] });
      if (field.properties !== undefined) visit(field.properties, known, [...place, 'properties']);
      if (field.items?.properties !== undefined)
        visit(field.items.properties, known, [...place, 'items', 'properties']);
    }
  };
  visit(start.group.raw.properties, {}, ['properties']);
}

interface Case {
  readonly start: Start;
  /** All that a path may begin with. */
  readonly known: Fields;
  readonly place: JSONPath;
}

function checkPath(path: string, { start, known, place }: Case): void {
  const { group, links } = start;
  const { report } = group;
  // As in formulas, an item names what it stands in as `record`.
  const isOfRecord = place[0] === 'properties' && place.includes('items') && path.startsWith('record.');
  const here = isOfRecord ? group : { ...group, raw: { ...group.raw, properties: known } };
  const asked = isOfRecord ? path.slice('record.'.length) : path;
  const found = followPath(asked, { group: here, links }, (text) => report(place, text));
  if (found === undefined || found.field.format === 'currency') return;
  const right = nearestCurrency(found);
  report(place, `"${found.name}" is not a currency${right === undefined ? '' : `; did you mean "${right}"?`}`);
}

/** The field beside it that is a currency, or the one of several that is called most alike. */
function nearestCurrency({ name, group }: Found): string | undefined {
  const currencies = Object.entries(group.raw.properties).flatMap(([word, field]) =>
    typeof field === 'object' && field.format === 'currency' ? [word] : [],
  );
  return nearest(name, currencies) ?? currencies[0];
}
