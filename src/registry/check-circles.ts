// Values that are computed, or taken by default, from each other in a circle have no value: each waits for the other.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../formulas/compile.ts';
import { stepField } from './check-paths.ts';
import { compileCondition } from './conditions.ts';
import type { Report } from './faults.ts';
import type { RuleSignature } from './model.ts';
import { defaultSources } from './normalise-fields.ts';
import { rootOf, wordsRead } from './reads.ts';
import { own, type RawDescriptor, type RawField } from './vocabulary.ts';

interface Known {
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** What formulas of the record may name. */
  readonly scope: Scope;
  readonly report: Report;
}

/** A word by which one field names another, and where it stands. */
interface Edge {
  readonly word: string;
  readonly place: JSONPath;
}

/** Checks the derivations and the defaults of a record against each other. */
export function checkCircles(raw: RawDescriptor, known: Known): void {
  const { report } = known;
  const settled = new Set<string>();
  const visit = (name: string, field: RawField, trail: readonly string[]): void => {
    if (settled.has(name)) return;
    const here = [...trail, name];
    for (const { word, place } of edgesOf({ name, field }, known)) {
      const next = stepField(raw.properties, word);
      if (next === undefined) continue;
      const start = here.indexOf(next.name);
      if (start < 0) visit(next.name, next.field, here);
      else report(place, `depends on itself: ${[...here.slice(start), next.name].join(' → ')}`);
    }
    settled.add(name);
  };
  for (const [name, field] of Object.entries(raw.properties)) if (field !== true) visit(name, field, []);
}

interface Named {
  readonly name: string;
  readonly field: RawField;
}

/** What a field looks at in its record. */
function edgesOf({ name, field }: Named, { signatures, scope }: Known): readonly Edge[] {
  const wordsOf = (condition: string): readonly string[] => {
    const compiled = compileCondition(condition, scope);
    return typeof compiled === 'object' ? compiled.keys : [];
  };
  const at = (place: JSONPath, words: readonly string[]): readonly Edge[] => words.map((word) => ({ word, place }));
  const path = ['properties', name];
  const { derived, defaultFrom } = field;
  const signature = derived && own(signatures, derived.use);
  const computed =
    signature === undefined ? [] : at([...path, 'derived'], wordsRead(signature, derived ?? {}, wordsOf));
  const sources = defaultSources(defaultFrom).flatMap((source, index) => {
    const place = Array.isArray(defaultFrom) ? [...path, 'defaultFrom', index] : [...path, 'defaultFrom'];
    return at(place, sourceWords(source, wordsOf));
  });
  return [...computed, ...sources];
}

/** What a default looks at in the record. `workspace`, `today` and `actingMember` are no names of fields. */
function sourceWords(source: unknown, wordsOf: (condition: string) => readonly string[]): readonly string[] {
  if (typeof source === 'string') return [rootOf(source)];
  const isConditional = typeof source === 'object' && source !== null && 'when' in source;
  return isConditional && typeof source.when === 'string' ? wordsOf(source.when) : [];
}
