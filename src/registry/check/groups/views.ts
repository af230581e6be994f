// A group that keeps views for the console: which of its texts hold their name, the group they are of, and what they ask for.

import { didYouMean } from '../../../text/nearest.ts';
import type { Report } from '../../model/faults.ts';
import { own, type RawDescriptor } from '../../model/vocabulary.ts';

/** Each names a text of a new record; lists are narrowed by the group. */
export function checkViews({ resource, properties }: RawDescriptor, report: Report): void {
  const { views, operations } = resource;
  if (views === undefined) return;
  for (const operation of ['list', 'create'])
    if (!operations.includes(operation))
      report(['resource', 'views'], `has no effect without the operation "${operation}"`, 'key');
  for (const [word, name] of Object.entries(views)) {
    const path = ['resource', 'views', word];
    const field = own(properties, name);
    if (field === undefined) report(path, `"${name}" is not a field${didYouMean(name, Object.keys(properties))}`);
    else if (field === true || field.type !== 'string' || field.readOnly === true || field.formula !== undefined)
      report(path, `must be a text that callers send; "${name}" is none`);
    else if (word === 'of' && field.filter !== 'exact')
      report(path, `"${name}" needs "filter": "exact": the views of a group are found by it`);
  }
}
