// Values that are computed, or taken by default, from each other in a circle have no value: each waits for the other.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../formulas/compile.ts';
import type { Shape } from '../formulas/types.ts';
import type { Fields } from './check-fields.ts';
import { stepField } from './check-paths.ts';
import { compileCondition } from './conditions.ts';
import type { Report } from './faults.ts';
import { keyOf } from './field-names.ts';
import { compileFigure, isFormulaSource } from './figures.ts';
import type { RuleSignature } from './model.ts';
import { defaultSources } from './normalise-fields.ts';
import { rootOf, wordsRead } from './reads.ts';
import { own, type RawDescriptor, type RawField } from './vocabulary.ts';

interface Known {
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** What formulas may name that stand beside these fields. */
  readonly scopes: (fields: Fields) => Scope;
  readonly report: Report;
}

/** A field that may be computed: of the record, or of an object or item of it. */
interface Node {
  readonly name: string;
  readonly field: RawField;
  readonly path: JSONPath;
  readonly on: Shape;
  readonly scope: Scope;
}

/** A field that another one looks at, and where it says so. */
interface Edge {
  readonly shape: Shape;
  readonly key: string;
  readonly place: JSONPath;
}

/** Checks the formulas, the derivations and the defaults of a record against each other. */
export function checkCircles(raw: RawDescriptor, known: Known): void {
  const { report } = known;
  const nodes = nodesIn(raw.properties, { path: [], label: '', scopes: known.scopes });
  const settled = new Set<Node>();
  const visit = (node: Node, trail: readonly Node[]): void => {
    if (settled.has(node)) return;
    const here = [...trail, node];
    for (const { shape, key, place } of edgesOf(node, raw, known)) {
      const next = nodes.find((each) => each.on === shape && isCalled(each, key));
      if (next === undefined) continue;
      const start = here.indexOf(next);
      if (start < 0) visit(next, here);
      else report(place, `depends on itself: ${[...here.slice(start), next].map(({ name }) => name).join(' → ')}`);
    }
    settled.add(node);
  };
  for (const node of nodes) visit(node, []);
}

/** By its key; a formula reads the record behind a bare id by the id. */
const isCalled = ({ name, field }: Node, key: string): boolean => keyOf(name.split('.').at(-1) ?? '', field) === key;

interface Around {
  readonly path: JSONPath;
  /** What stands before the names of the fields. */
  readonly label: string;
  readonly scopes: Known['scopes'];
}

function nodesIn(fields: Fields, { path, label, scopes }: Around): readonly Node[] {
  const scope = scopes(fields);
  return Object.entries(fields).flatMap(([name, field]): readonly Node[] => {
    if (field === true) return [];
    const place = [...path, 'properties', name];
    const node = { name: label + name, field, path: place, on: scope.record, scope };
    const inside = field.properties ?? (field.via === undefined ? field.items?.properties : undefined);
    if (inside === undefined) return [node];
    const insidePath = field.properties === undefined ? [...place, 'items'] : place;
    return [node, ...nodesIn(inside, { path: insidePath, label: `${label}${name}.`, scopes })];
  });
}

/** What a field looks at in its record. */
function edgesOf({ field, path, scope, on }: Node, raw: RawDescriptor, { signatures }: Known): readonly Edge[] {
  const { derived, defaultFrom, formula } = field;
  const figure = formula === undefined ? undefined : compileFigure(field, scope);
  const looked =
    typeof figure === 'object'
      ? figure.reads.map(({ shape, key }) => ({ shape, key, place: [...path, 'formula'] }))
      : [];
  // Rules and defaults name fields of the record alone.
  if (on.owner !== undefined) return looked;
  const wordsOf = (condition: string): readonly string[] => {
    const compiled = compileCondition(condition, scope);
    return typeof compiled === 'object' ? compiled.keys : [];
  };
  const at = (place: JSONPath, words: readonly string[]): readonly Edge[] =>
    words.flatMap((word) => {
      const found = stepField(raw.properties, word);
      return found === undefined ? [] : [{ shape: on, key: keyOf(found.name, found.field), place }];
    });
  const signature = derived && own(signatures, derived.use);
  const computed =
    signature === undefined ? [] : at([...path, 'derived'], wordsRead(signature, derived ?? {}, wordsOf));
  const sources = defaultSources(defaultFrom).flatMap((source, index) => {
    const place = Array.isArray(defaultFrom) ? [...path, 'defaultFrom', index] : [...path, 'defaultFrom'];
    return [...at(place, sourceWords(source, wordsOf)), ...formulaEdges(source, scope, place)];
  });
  return [...computed, ...looked, ...sources];
}

/** What the formula of a default looks at in the record. */
function formulaEdges(source: unknown, scope: Scope, place: JSONPath): readonly Edge[] {
  const figure = isFormulaSource(source) ? compileFigure(source, scope, 'onCreate') : undefined;
  return typeof figure === 'object' ? figure.reads.map(({ shape, key }) => ({ shape, key, place })) : [];
}

/** What a default looks at in the record. `workspace`, `today` and `actingMember` are no names of fields. */
function sourceWords(source: unknown, wordsOf: (condition: string) => readonly string[]): readonly string[] {
  if (typeof source === 'string') return [rootOf(source)];
  const isConditional = typeof source === 'object' && source !== null && 'when' in source;
  return isConditional && typeof source.when === 'string' ? wordsOf(source.when) : [];
}
