// Compiles literals and members of records.
import { FormulaFault } from '../language/fault.ts';
import type { Literal, Span } from '../language/syntax.ts';
import type { NamedFormula, Tree, Type } from '../language/tree.ts';
import { listOf, number, recordOf, typeWords } from '../language/types.ts';

export function literalTree(literal: Literal, { start, end }: Span): Tree {
  const type: Type = literal.kind === 'text' ? { kind: 'text', values: [literal.value] } : { kind: literal.kind };
  return { op: 'literal', literal, type, nullable: literal.kind === 'null', start, end };
}

/** A member of a record, as what it is read as; undefined where the record has none of this name. */
export function memberTree(of: Tree, name: string, { start, end }: Span): Tree | undefined {
  if (of.type.kind !== 'record') return undefined;
  const { shape } = of.type;
  const member = shape.member(name);
  if (member === undefined)
    return name === 'index' && shape.kind === 'item'
      ? { op: 'place', of, type: number, nullable: of.nullable, start, end }
      : undefined;
  const nullable = of.nullable || member.nullable;
  switch (member.kind) {
    case 'value':
      return { op: 'field', of, member, type: member.type, nullable, start, end };
    case 'reference':
    case 'object':
      return { op: 'field', of, member, type: recordOf(member.shape()), nullable, start, end };
    case 'formula':
      if (member.formula.given.length > 0)
        throw new FormulaFault(`"${name}" is given ${givenWords(member.formula)}`, end - name.length);
      if (of.op === 'self' && member.kept !== undefined)
        return { op: 'field', of, member: member.kept, type: member.kept.type, nullable, start, end };
      return {
        op: 'named',
        of,
        formula: member.formula,
        args: [],
        type: member.formula.tree().type,
        nullable: nullable || member.formula.tree().nullable,
        start,
        end,
      };
    default:
      return { op: 'field', of, member, type: listOf(recordOf(member.shape())), nullable, start, end };
  }
}

/** `day (a date)` */
export const givenWords = ({ given }: NamedFormula): string =>
  given.length === 0 ? 'nothing' : given.map((one) => `${one.name} (${typeWords(one.type)})`).join(', ');
