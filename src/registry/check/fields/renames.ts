// Checks old names: each belongs to one thing only, and to nothing that still exists.
import type { JSONPath } from 'jsonc-parser';
import { didYouMean } from '../../../text/nearest.ts';
import type { Report } from '../../model/faults.ts';
import type { RawField } from '../../model/vocabulary.ts';

/** Reports what is wrong with the values that a field, or the items of its list, say they had before. */
export function checkRenamedValues(field: RawField, path: JSONPath, report: Report): void {
  const holder = field.items ?? field;
  const { renamedValues, enum: values } = holder;
  if (renamedValues === undefined) return;
  const place = [...(holder === field ? path : [...path, 'items']), 'renamedValues'];
  if (values === undefined) {
    report(place, 'has no effect without "enum"', 'key');
    return;
  }
  const heirs = new Map<string, string>();
  for (const [now, before] of Object.entries(renamedValues)) {
    const at = [...place, now];
    if (!values.includes(now)) report(at, `"${now}" is not a value of the enum${didYouMean(now, values)}`, 'key');
    if (values.includes(before)) report(at, `"${before}" is a value still`);
    const other = heirs.get(before);
    if (other !== undefined) report(at, `"${before}" has become "${other}" already`);
    heirs.set(before, now);
  }
}
