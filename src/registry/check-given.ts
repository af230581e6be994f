// Fields that are never unset and that nothing fills: somebody must give them a value, on every create.
import type { Report } from './faults.ts';
import { keyOf } from './normalise.ts';
import { type RawDescriptor, type RawField, shapeOf } from './vocabulary.ts';

/** Names of the fields without which no record can be made. */
export function givenFields(raw: RawDescriptor): string[] {
  const given = Object.entries(raw.properties).filter(([, field]) => field !== true && isGiven(field));
  if (given.length === 0) return [];
  const words = new Set(wordsOf(raw.resource.rules ?? []));
  // A rule that names a field may fill it.
  return given.flatMap(([name, field]) =>
    words.has(name) || (field !== true && words.has(keyOf(name, field))) ? [] : [name],
  );
}

/** Reports such fields that no create can bring. */
export function checkGiven(raw: RawDescriptor, report: Report): void {
  if (!raw.resource.operations.includes('create')) return;
  for (const name of givenFields(raw)) {
    const field = raw.properties[name];
    if (typeof field !== 'object' || (field.readOnly !== true && field.updateOnly !== true)) continue;
    const why = field.readOnly === true ? 'readOnly' : 'updateOnly';
    report(
      ['properties', name],
      `is never null, and a create can neither bring it ("${why}") nor find it; give it a default, or let it be null`,
      'key',
    );
  }
}

function isGiven(field: RawField): boolean {
  const shape = shapeOf(field);
  // Lists are empty and switches off where nobody says otherwise.
  if (shape === 'boolean' || shape === 'list' || shape === 'objects' || shape === 'references') return false;
  if (Array.isArray(field.type) || field.nullable === true || field.transient === true) return false;
  const sources = ['default', 'defaultFrom', 'derived', 'from', 'via', 'onlyWhen', 'inherits'] as const;
  return sources.every((keyword) => field[keyword] === undefined);
}

/** Every text in the arguments of rules. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}
