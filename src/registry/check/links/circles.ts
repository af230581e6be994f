// Finds circular dependencies among computed fields and defaults: none of them would ever have a value.
import type { JSONPath } from 'jsonc-parser';
import type { Read } from '../../../formulas/analyse/dependencies.ts';
import { readsWithWays } from '../../../formulas/analyse/reverse-dependencies.ts';
import type { Scope } from '../../../formulas/compile/scope.ts';
import { ordersIn } from '../../../formulas/language/index-keys.ts';
import type { Shape, Tree } from '../../../formulas/language/tree.ts';
import { compileCondition } from '../../formulas/conditions.ts';
import { compileFigure, conditionReads, isFormulaSource } from '../../formulas/figures.ts';
import { rootOf, wordsRead } from '../../formulas/reads.ts';
import { defaultSources } from '../../link/normalise-fields.ts';
import { keyOf } from '../../model/field-names.ts';
import type { RuleSignature } from '../../model/model.ts';
import { own, type RawField } from '../../model/vocabulary.ts';
import type { Fields } from '../fields/field-case.ts';
import { type Linked, ruledGroup, stepField } from '../fields/paths.ts';
import { GuardedWays } from './guarded-ways.ts';

interface CheckContext {
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** What formulas may name that stand beside these fields of a group. */
  readonly scopes: (group: string, fields: Fields) => Scope;
}

interface Known extends CheckContext {
  readonly guarded: GuardedWays;
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
interface Look {
  readonly shape: Shape;
  readonly key: string;
  readonly place: JSONPath;
  /** Whether it is a field of another record, so that both must be true at all times to wait for each other. */
  readonly isFar: boolean;
  /** Along which reference that has no circle, and in which direction; undefined for any other way to another record. */
  readonly along?: string | undefined;
}

/** A field that waits for another one. */
interface Edge extends Look {
  readonly from: Node;
  readonly to: Node;
}

/** Checks the formulas, the derivations and the defaults of all records against each other. */
export function checkCircles(groups: readonly Linked[], context: CheckContext): void {
  const known: Known = { ...context, guarded: new GuardedWays(groups) };
  const nodes = new Map<Shape, readonly Node[]>();
  for (const any of groups) {
    const group = ruledGroup(any, 'circle');
    const scopes = (fields: Fields): Scope => known.scopes(group.name, fields);
    for (const node of nodesIn(group.raw.properties, { path: [], label: '', scopes, group }))
      nodes.set(node.on, [...(nodes.get(node.on) ?? []), node]);
  }
  const edges = new Map<Node, readonly Edge[]>();
  for (const from of [...nodes.values()].flat())
    edges.set(
      from,
      looksOf(from, known).flatMap((look) => {
        const to = nodes.get(look.shape)?.find((each) => isCalled(each, look.key));
        return to === undefined || (look.isFar && !(isKept(from) && isKept(to))) ? [] : [{ ...look, from, to }];
      }),
    );
  const told = reportCircles(edges);
  for (const edge of [...edges.values()].flat()) if (edge.along !== undefined) reportMixed(edge, edges, told);
}

type Edges = ReadonlyMap<Node, readonly Edge[]>;

/** Circles without a step along a reference that has none. @returns the fields in them */
function reportCircles(edges: Edges): Set<Node> {
  const settled = new Set<Node>();
  const told = new Set<Node>();
  const visit = (node: Node, trail: readonly Node[]): void => {
    if (settled.has(node)) return;
    const here = [...trail, node];
    for (const edge of edges.get(node) ?? []) {
      if (edge.along !== undefined) continue;
      const start = here.indexOf(edge.to);
      if (start < 0) visit(edge.to, here);
      else report(edge, [...here.slice(start), edge.to], told);
    }
    settled.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return told;
}

/** Records along a reference come to an end, but not where the way back takes another reference, or the other direction. */
function reportMixed(first: Edge, edges: Edges, told: Set<Node>): void {
  if (told.has(first.from)) return;
  interface Step {
    readonly edge: Edge;
    readonly before: Step | undefined;
    /** The step that leaves the reference. */
    readonly other: Edge | undefined;
  }
  const seen = { same: new Set<Node>(), other: new Set<Node>() };
  const steps: Step[] = [{ edge: first, before: undefined, other: undefined }];
  // Those that come are looked at as well.
  for (const step of steps) {
    const { to } = step.edge;
    if (to === first.from && step.other !== undefined) {
      const path: Node[] = [];
      for (let each: Step | undefined = step; each !== undefined; each = each.before) path.unshift(each.edge.to);
      report(step.other, [first.from, ...path], told);
      return;
    }
    for (const edge of edges.get(to) ?? []) {
      const other = step.other ?? (edge.isFar && edge.along !== first.along ? edge : undefined);
      const reached = other === undefined ? seen.same : seen.other;
      if (reached.has(edge.to)) continue;
      reached.add(edge.to);
      steps.push({ edge, before: step, other });
    }
  }
}

function report({ from, place, isFar }: Edge, path: readonly Node[], told: Set<Node>): void {
  for (const node of path) told.add(node);
  const wayOut = '; it may do so only through a reference with "noCircle", in one direction';
  from.group.report(place, `depends on itself: ${path.map(nameIn(from)).join(' → ')}${isFar ? wayOut : ''}`);
}

/** Whether a figure is true at all times, so that others wait for it and it waits for others. */
const isKept = ({ field }: Node): boolean =>
  field.formula !== undefined && (field.compute === undefined || field.compute === 'always');

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
function looksOf({ field, path, scope, on, group }: Node, { signatures, guarded }: Known): readonly Look[] {
  const { computedBy, defaultFrom } = field;
  const looked = figureLooks({ field, scope, path, group }, guarded);
  // Rules and defaults name fields of the record alone.
  if (on.owner !== undefined) return looked;
  const wordsOf = (condition: string): readonly string[] => {
    const compiled = compileCondition(condition, scope);
    return typeof compiled === 'object' ? compiled.keys : [];
  };
  const at = (place: JSONPath, words: readonly string[]): readonly Look[] =>
    words.flatMap((word) => {
      const found = stepField(group.raw.properties, word);
      return found === undefined ? [] : [{ shape: on, key: keyOf(found.name, found.field), isFar: false, place }];
    });
  const signature = computedBy && own(signatures, computedBy.use);
  const computed =
    signature === undefined ? [] : at([...path, 'computedBy'], wordsRead(signature, computedBy ?? {}, wordsOf));
  const sources = defaultSources(defaultFrom).flatMap((source, index) => {
    const place = Array.isArray(defaultFrom) ? [...path, 'defaultFrom', index] : [...path, 'defaultFrom'];
    return [...at(place, sourceWords(source, wordsOf)), ...defaultLooks(source, scope, place)];
  });
  return [...computed, ...looked, ...sources];
}

/** What the formula of a field looks at, and its condition. */
function figureLooks(
  { field, scope, path, group }: Pick<Node, 'field' | 'scope' | 'path' | 'group'>,
  guarded: GuardedWays,
): readonly Look[] {
  const figure = field.formula === undefined ? undefined : compileFigure(field, scope);
  if (typeof figure !== 'object') return [];
  const at = (tree: Tree, reads: readonly Read[], word: 'formula' | 'when'): readonly Look[] => {
    const isAround = ({ isOwn, shape }: Read): boolean =>
      !isOwn && (guarded.lead(group.name, shape.group) || ordersIn(tree).length > 0);
    const ways = reads.some(isAround) ? readsWithWays(tree, scope.record.lists) : [];
    return reads.flatMap((read): readonly Look[] => {
      const { shape, key, isOwn } = read;
      const look = { shape, key, isFar: !isOwn, place: [...path, word] };
      if (!isAround(read)) return [look];
      const mine = ways.filter((each) => each.shape === shape && each.key === key);
      const along = mine.flatMap((each) => each.ways.filter(({ length }) => length > 0));
      if (along.length === 0) return [look];
      return [...new Set(along.map((way) => guarded.along(way, shape.group)))].map((each) => ({
        ...look,
        along: each,
      }));
    });
  };
  const { when } = figure;
  return [
    ...at(figure.tree, figure.reads, 'formula'),
    ...(when === undefined ? [] : at(when.tree, conditionReads(figure), 'when')),
  ];
}

/** What the formula of a default looks at in the record. */
function defaultLooks(source: unknown, scope: Scope, place: JSONPath): readonly Look[] {
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
