// Values that are computed, or taken by default, from each other in a circle have no value: each waits for the other.
import type { JSONPath } from 'jsonc-parser';
import type { Scope } from '../formulas/compile.ts';
import type { Read } from '../formulas/looks.ts';
import type { Shape } from '../formulas/types.ts';
import type { Fields } from './check-fields.ts';
import { type Linked, ruledGroup, stepField } from './check-paths.ts';
import { compileCondition } from './conditions.ts';
import { keyOf } from './field-names.ts';
import { compileFigure, conditionReads, isFormulaSource } from './figures.ts';
import type { RuleSignature } from './model.ts';
import { defaultSources } from './normalise-fields.ts';
import { rootOf, wordsRead } from './reads.ts';
import { own, type RawField } from './vocabulary.ts';

interface Known {
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** What formulas may name that stand beside these fields of a group. */
  readonly scopes: (group: string, fields: Fields) => Scope;
}

/** A field that may be computed: of the record, or of an object or item of it. */
interface Node {
  readonly name: string;
  readonly field: RawField;
  readonly path: JSONPath;
  readonly on: Shape;
  readonly scope: Scope;
  readonly group: Linked;
}

/** A field that another one looks at, and where it says so. */
interface Edge {
  readonly shape: Shape;
  readonly key: string;
  readonly place: JSONPath;
  /** Whether it is a field of another record, so that both must be true at all times to wait for each other. */
  readonly isFar: boolean;
}

/** Checks the formulas, the derivations and the defaults of all records against each other. */
export function checkCircles(groups: readonly Linked[], known: Known): void {
  const nodes = new Map<Shape, readonly Node[]>();
  for (const any of groups) {
    const group = ruledGroup(any, 'circle');
    const scopes = (fields: Fields): Scope => known.scopes(group.name, fields);
    for (const node of nodesIn(group.raw.properties, { path: [], label: '', scopes, group }))
      nodes.set(node.on, [...(nodes.get(node.on) ?? []), node]);
  }
  const settled = new Set<Node>();
  const visit = (node: Node, trail: readonly Node[]): void => {
    if (settled.has(node)) return;
    const here = [...trail, node];
    for (const { shape, key, place, isFar } of edgesOf(node, known)) {
      const next = nodes.get(shape)?.find((each) => isCalled(each, key));
      if (next === undefined || (isFar && !(isKept(node) && isKept(next))) || isTree(node, next, isFar)) continue;
      const start = here.indexOf(next);
      if (start < 0) visit(next, here);
      else node.group.report(place, `depends on itself: ${[...here.slice(start), next].map(nameIn(node)).join(' → ')}`);
    }
    settled.add(node);
  };
  for (const node of [...nodes.values()].flat()) visit(node, []);
}

/** Whether a figure is true at all times, so that others wait for it and it waits for others. */
const isKept = ({ field }: Node): boolean =>
  field.formula !== undefined && (field.taken === undefined || field.taken === 'always');

/** Whether a figure looks at itself in other records of a tree that can have no circle. */
const isTree = (node: Node, next: Node, isFar: boolean): boolean =>
  isFar && node.group === next.group && (node.group.raw.resource.rules ?? []).some(({ use }) => use === 'noCircle');

const nameIn =
  ({ group: own }: Node) =>
  ({ name, group }: Node): string =>
    group === own ? name : `${group.name}.${name}`;

/** By its key; a formula reads the record behind a bare id by the id. */
const isCalled = ({ name, field }: Node, key: string): boolean => keyOf(name.split('.').at(-1) ?? '', field) === key;

interface Around {
  readonly path: JSONPath;
  /** What stands before the names of the fields. */
  readonly label: string;
  readonly scopes: (fields: Fields) => Scope;
  readonly group: Linked;
}

function nodesIn(fields: Fields, { path, label, scopes, group }: Around): readonly Node[] {
  const scope = scopes(fields);
  return Object.entries(fields).flatMap(([name, field]): readonly Node[] => {
    if (field === true) return [];
    const place = [...path, 'properties', name];
    const node = { name: label + name, field, path: place, on: scope.record, scope, group };
    const inside = field.properties ?? (field.via === undefined ? field.items?.properties : undefined);
    if (inside === undefined) return [node];
    const insidePath = field.properties === undefined ? [...place, 'items'] : place;
    return [node, ...nodesIn(inside, { path: insidePath, label: `${label}${name}.`, scopes, group })];
  });
}

/** What a field looks at. */
function edgesOf({ field, path, scope, on, group }: Node, { signatures }: Known): readonly Edge[] {
  const { derived, defaultFrom } = field;
  const looked = figureEdges(field, scope, path);
  // Rules and defaults name fields of the record alone.
  if (on.owner !== undefined) return looked;
  const wordsOf = (condition: string): readonly string[] => {
    const compiled = compileCondition(condition, scope);
    return typeof compiled === 'object' ? compiled.keys : [];
  };
  const at = (place: JSONPath, words: readonly string[]): readonly Edge[] =>
    words.flatMap((word) => {
      const found = stepField(group.raw.properties, word);
      return found === undefined ? [] : [{ shape: on, key: keyOf(found.name, found.field), isFar: false, place }];
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

/** What the formula of a field looks at, and its condition. */
function figureEdges(field: RawField, scope: Scope, path: JSONPath): readonly Edge[] {
  const figure = field.formula === undefined ? undefined : compileFigure(field, scope);
  if (typeof figure !== 'object') return [];
  const at = (reads: readonly Read[], word: 'formula' | 'when'): readonly Edge[] =>
    reads.map(({ shape, key, isOwn }) => ({ shape, key, isFar: !isOwn, place: [...path, word] }));
  return [...at(figure.reads, 'formula'), ...at(conditionReads(figure), 'when')];
}

/** What the formula of a default looks at in the record. */
function formulaEdges(source: unknown, scope: Scope, place: JSONPath): readonly Edge[] {
  const figure = isFormulaSource(source) ? compileFigure(source, scope, 'onCreate') : undefined;
  if (typeof figure !== 'object') return [];
  return figure.reads.flatMap(({ shape, key, isOwn }) => (isOwn ? [{ shape, key, isFar: false, place }] : []));
}

/** What a default looks at in the record. `workspace`, `today` and `actingMember` are no names of fields. */
function sourceWords(source: unknown, wordsOf: (condition: string) => readonly string[]): readonly string[] {
  if (typeof source === 'string') return [rootOf(source)];
  const isConditional = typeof source === 'object' && source !== null && 'when' in source;
  return isConditional && typeof source.when === 'string' ? wordsOf(source.when) : [];
}
