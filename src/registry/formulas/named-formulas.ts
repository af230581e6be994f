// Named formulas, which other formulas call: `project.cardOn(date)`.
import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { FormulaFault, Unresolved } from '../../formulas/language/fault.ts';
import type { Member, NamedFormula, Tree, Type } from '../../formulas/language/tree.ts';
import { bool, date, number, text } from '../../formulas/language/types.ts';
import { own, type RawDescriptor, type RawNamedFormula } from '../model/vocabulary.ts';

/** What a named formula may be given, by its word in a descriptor. */
const givenTypes = {
  number,
  text,
  bool,
  date,
  instant: { kind: 'instant' },
  time: { kind: 'time' },
  // The id of a record of any group.
  id: { kind: 'id', group: undefined },
} as const satisfies Record<NonNullable<RawNamedFormula['given']>[string], Type>;

/** A long formula is a list of lines. */
export const sourceOf = ({ is }: RawNamedFormula): string => [is].flat().join('\n');

/** What a named formula is given, with types. */
export const givenOf = ({ given = {} }: RawNamedFormula): NamedFormula['given'] =>
  Object.entries(given).map(([name, type]) => ({ name, type: givenTypes[type] }));

/** A named formula of a group. */
interface Named {
  readonly group: string;
  readonly name: string;
  readonly raw: RawNamedFormula;
}

export class NamedFormulas {
  readonly #groups: ReadonlyMap<string, RawDescriptor>;
  readonly #scopeOf: (group: string) => Scope;
  /** Those that are being compiled, each called by the one before. */
  readonly #trail: Named[] = [];
  #circle: readonly Named[] = [];
  readonly #told = new Set<RawNamedFormula>();

  /** @param scopeOf What formulas on a record of a group may name. */
  constructor(groups: ReadonlyMap<string, RawDescriptor>, scopeOf: (group: string) => Scope) {
    this.#groups = groups;
    this.#scopeOf = scopeOf;
  }

  namesOf(group: string): readonly string[] {
    return Object.keys(this.#groups.get(group)?.resource.formulas ?? {});
  }

  /** A named formula as a member of the records of its group. */
  member(group: string, name: string): Member | undefined {
    const named = this.#find(group, name);
    if (named === undefined) return undefined;
    let made: Tree | undefined;
    const tree = (): Tree => {
      made ??= this.#compiled(named);
      return made;
    };
    // Whether it can be null is a matter of its tree.
    return { kind: 'formula', name, nullable: false, formula: { name, given: givenOf(named.raw), tree } };
  }

  /** What is wrong with a named formula, told once: here, and in none that calls it. */
  faultOf(group: string, name: string): string | undefined {
    const named = this.#find(group, name);
    if (named === undefined) return undefined;
    this.#circle = [];
    try {
      this.#compile(named);
    } catch (error) {
      if (error instanceof FormulaFault) return error.in(sourceOf(named.raw));
      if (error instanceof Unresolved) return this.#circleFault(named);
      throw error;
    }
    return undefined;
  }

  #circleFault(named: Named): string | undefined {
    const circle = this.#circle;
    if (circle[0]?.raw !== named.raw || this.#told.has(named.raw)) return undefined;
    for (const { raw } of circle) this.#told.add(raw);
    const words = circle.map(({ group, name }) => (group === named.group ? name : `${group}.${name}`));
    return `calls itself: ${words.join(' → ')}`;
  }

  #find(group: string, name: string): Named | undefined {
    const raw = own(this.#groups.get(group)?.resource.formulas ?? {}, name);
    return raw && { group, name, raw };
  }

  /** The tree for those that call it: what is wrong with it is told where it stands. */
  #compiled(named: Named): Tree {
    try {
      return this.#compile(named);
    } catch (error) {
      if (error instanceof FormulaFault) throw new Unresolved(named.name);
      throw error;
    }
  }

  /** @throws FormulaFault, and Unresolved where it calls itself or one that means nothing */
  #compile(named: Named): Tree {
    const start = this.#trail.findIndex(({ raw }) => raw === named.raw);
    if (start >= 0) {
      this.#circle = [...this.#trail.slice(start), named];
      throw new Unresolved(named.name);
    }
    this.#trail.push(named);
    try {
      return compileFormula(sourceOf(named.raw), { ...this.#scopeOf(named.group), given: givenOf(named.raw) });
    } finally {
      this.#trail.pop();
    }
  }
}
