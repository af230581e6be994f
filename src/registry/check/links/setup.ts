// Checks set-up records against each other: a record that they refer to by name must be set up too.

import { didYouMean } from '../../../text/nearest.ts';
import { parseShownAs } from '../../model/shown-as.ts';
import { own, type RawDescriptor } from '../../model/vocabulary.ts';
import type { Linked, Links } from '../fields/paths.ts';

/** Checks the references of a group's set-up records. */
export function checkSetupLinks(group: Linked, { groups }: Links): void {
  for (const [index, record] of (group.raw.resource.setup ?? []).entries()) {
    for (const [name, value] of Object.entries(record)) {
      const field = own(group.raw.properties, name);
      const target = typeof field === 'object' ? (field.reference ?? field.references) : undefined;
      const other = target === undefined ? undefined : groups.get(target);
      const known = other && setupNames(other.raw);
      if (other === undefined || known === undefined) continue;
      const texts: unknown[] = Array.isArray(value) ? value : [value];
      for (const [place, text] of texts.entries()) {
        if (typeof text !== 'string' || known.includes(text)) continue;
        group.report(
          ['resource', 'setup', index, name, ...(Array.isArray(value) ? [place] : [])],
          `"${text}" is not a record of the "setup" of "${other.name}"${didYouMean(text, known)}`,
        );
      }
    }
  }
}

/** What the set-up records of a group are called; undefined where that is not known before a start. */
function setupNames(raw: RawDescriptor): string[] | undefined {
  const [part] = parseShownAs(raw.resource.shownAs) ?? [];
  const path = part?.kind === 'value' ? part.paths[0] : undefined;
  const names = (raw.resource.setup ?? []).map((record) => (path === undefined ? undefined : own(record, path)));
  const isKnown = names.every((name) => typeof name !== 'object');
  return isKnown ? names.map(String) : undefined;
}
