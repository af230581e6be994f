// Virtual fields (computed when a record is read), as formulas see them: as formulas with the name of the field.
import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { FormulaFault, Unresolved } from '../../formulas/language/fault.ts';
import type { Member, NamedFormula, Tree, Type } from '../../formulas/language/tree.ts';
import { keyOf, recordName } from '../model/field-names.ts';
import { isScalarKind, kindOf, scalarKindOf, scalarRow } from '../model/kinds.ts';
import type { RawField } from '../model/vocabulary.ts';
import { formulaText } from './figures.ts';

/** A circle of such fields. It is told where each of them stands. */
class CircleFault extends FormulaFault {}

/** A field, and by which of its names it is asked for. */
interface Asked {
  readonly name: string;
  readonly raw: RawField;
  readonly word: string;
  readonly scope: Scope;
  /** How formulas call the records of a group: `timeEntries`. */
  readonly collectionOf: (group: string) => string | undefined;
}

export class FieldsAtRead {
  /** Those that are being compiled, each looked at by the one before. */
  readonly #trail: RawField[] = [];
  readonly #names: string[] = [];

  /** The field as a member of its record. */
  member(asked: Asked): Member {
    const { name, raw, word } = asked;
    // A bare id that is called `owner`: its record goes by the same name.
    const isBoth = raw.referenceFormat === 'id' && word === name && recordName(name) === name;
    const formula = this.#formula(asked, word === keyOf(name, raw));
    // Whether it can be null is a matter of its tree.
    return {
      kind: 'formula',
      name: word,
      nullable: false,
      formula: isBoth ? { ...formula, behind: this.#formula(asked, false) } : formula,
    };
  }

  /** @param isKey Whether it gives what the field is under its key: ids rather than records. */
  #formula(asked: Asked, isKey: boolean): NamedFormula {
    let made: Tree | undefined;
    const tree = (): Tree => {
      made ??= this.#compile(asked, isKey);
      return made;
    };
    return { name: asked.word, given: [], tree, isAtRead: true };
  }

  /** @throws CircleFault, and Unresolved where the formula means nothing, which is told where it stands */
  #compile(asked: Asked, isKey: boolean): Tree {
    const { raw, name } = asked;
    const start = this.#trail.indexOf(raw);
    if (start >= 0) {
      const words = [...this.#names.slice(start), name];
      throw new CircleFault(`reads "${name}", which depends on itself: ${words.join(' → ')}`, 0);
    }
    this.#trail.push(raw);
    this.#names.push(name);
    try {
      return compileFormula(this.#source(asked, isKey), asked.scope);
    } catch (error) {
      if (error instanceof FormulaFault && !(error instanceof CircleFault)) throw new Unresolved(name);
      throw error;
    } finally {
      this.#trail.pop();
      this.#names.pop();
    }
  }

  /** The formula, rounded as the field is shown, or with the records behind its ids. */
  #source({ name, raw, scope, collectionOf }: Asked, isKey: boolean): string {
    const own = `(${formulaText(raw)}\n)`;
    const kind = kindOf(raw);
    if (kind === undefined) return own;
    if (isScalarKind(kind)) return shownSource(own, raw);
    if (kind !== 'reference' && kind !== 'references') return own;
    const { type } = compileFormula(own, scope);
    const one: Type = type.kind === 'list' ? type.item : type;
    if (isKey === (one.kind === 'id')) return own;
    // No field has such names.
    if (isKey) return kind === 'reference' ? `${own}.id` : `${own}.map(x__, x__.id)`;
    const records = collectionOf(raw.reference ?? raw.references ?? '');
    if (records === undefined) throw new Unresolved(name);
    const found = (id: string): string => `all.${records}.filter(y__, y__.id == ${id}).first()`;
    return kind === 'reference' ? found(own) : `${own}.map(x__, ${found('x__')})`;
  }
}

/** A plain value as its field shows it. */
function shownSource(own: string, raw: RawField): string {
  const { default: standard } = raw;
  const kind = scalarKindOf(raw);
  const type = kind && scalarRow(kind).type(raw);
  const other = standard ?? (raw.type === 'boolean' ? false : undefined);
  // CEL and JSON write plain values alike.
  const value = other === undefined ? own : `coalesce(${own}, ${JSON.stringify(other)})`;
  return type?.kind === 'number' ? `round(${value}, ${type.scale ?? 0})` : value;
}
