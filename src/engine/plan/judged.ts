// The formulas that judge writes of a group: conditions, locks of the record's state, and the figures that these read.

import { dependenciesOf } from '../../formulas/analyse/dependencies.ts';
import { lookupsOf } from '../../formulas/analyse/lookups.ts';
import type { Tree } from '../../formulas/language/tree.ts';
import type { Condition, Resource, RuleUse } from '../../registry/model/model.ts';
import { type FigureField, figuresIn } from './figures.ts';

/** A formula by which writes are judged. */
export interface Judged {
  readonly tree: Tree;
  readonly on: readonly ('create' | 'update' | 'delete')[];
  /** The group whose records an effect makes or changes by it. */
  readonly made?: string;
  /** For people: `require`, `lock`, `effect`. */
  readonly what: string;
}

const saves = ['create', 'update'] as const;

export function judgedIn(resource: Resource): readonly Judged[] {
  const { rules, fields, lockedFields, effects } = resource;
  const conditions: readonly Judged[] = [
    ...rules.flatMap((use) =>
      Object.values(use.conditions).map(({ tree }) => ({ tree, on: operationsOf(use), what: use.use })),
    ),
    ...fields.flatMap(({ onlyWhen }) =>
      onlyWhen === undefined ? [] : [{ tree: onlyWhen.tree, on: saves, what: 'onlyWhen' }],
    ),
    ...lockedFields.map(({ when }) => ({ tree: when.tree, on: ['update'] as const, what: 'locked' })),
  ];
  const figures = judgedFigures(resource, conditions);
  return [
    ...conditions,
    ...figures.flatMap(({ field, figure: { tree, when } }) =>
      [tree, ...(when === undefined ? [] : [when.tree])].map((each) => ({ tree: each, on: saves, what: field.name })),
    ),
    ...effects.flatMap((effect) => {
      const on = (['create', 'update', 'delete'] as const).filter((event) => effect.on.has(event));
      const trees = [...(effect.when === undefined ? [] : [effect.when.tree])];
      if (effect.kind !== 'make') trees.push(effect.targets);
      return trees.map((tree) => ({ tree, on, made: effect.group, what: 'effect' }));
    }),
  ];
}

const operationsOf = ({ arguments: { on } }: RuleUse): Judged['on'] => {
  const named = [on].flat();
  const known = (['create', 'update', 'delete'] as const).filter((each) => named.includes(each));
  return known.length > 0 ? known : saves;
};

/** Figures of the record that conditions look at, and those that these look at: they are judged by as well. */
function judgedFigures(resource: Resource, conditions: readonly Judged[]): readonly FigureField[] {
  const figures = figuresIn(resource);
  const found = new Set<FigureField>();
  const trees = conditions.map(({ tree }) => tree);
  for (const tree of trees) {
    const own = dependenciesOf(tree).reads.filter(({ isOwn }) => isOwn);
    for (const figure of figures) {
      if (found.has(figure) || !own.some(({ shape, key }) => shape === figure.figure.on && key === figure.field.key))
        continue;
      found.add(figure);
      trees.push(figure.figure.tree, ...(figure.figure.when === undefined ? [] : [figure.figure.when.tree]));
    }
  }
  return [...found];
}

/** The groups of what records of a group have in common by which they are compared with each other. */
export const comparedBy = (resource: Resource): ReadonlySet<string> =>
  new Set(
    judgedIn(resource)
      .flatMap(({ tree }) => lookupsOf(tree))
      .flatMap(({ group, names: [name] }) => (group === resource.name ? (name?.target ?? []) : [])),
  );

/** Paths of the figures by which writes of a group are judged. */
export const judgedPaths = (resource: Resource): ReadonlySet<string> =>
  new Set(
    judgedFigures(
      resource,
      judgedIn(resource).filter(({ made }) => made === undefined),
    ).map(({ path }) => path),
  );

/** Whether a condition looks at nothing but the record. */
export const isLocalCondition = ({ tree }: Pick<Condition, 'tree'>): boolean =>
  dependenciesOf(tree).beyond.every(({ what }) => what === 'around');
