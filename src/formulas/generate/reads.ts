// Writes the code that reads one record: its members, those of the records that it names, and its named formulas.

import { unreachable } from '../../unreachable.ts';
import { readerOf } from '../evaluate/read-member.ts';
import { isOwn, namesOuter } from '../evaluate/record-runs.ts';
import type { Member, NamedFormula, Tree, TreeOf, Type } from '../language/tree.ts';
import { type Code, isUnknown, type Part, sure, unsure, type Write } from './code.ts';
import { foundOnce } from './found-once.ts';
import { isLight } from './light.ts';

export function selfCode({ up }: TreeOf<'self'>, code: Code): Part {
  if (up === 0) return sure('self');
  const slot = code.slot('self', `up ${up}`) ?? unreachable('what a formula stands on never changes');
  code.line(`${slot} ??= self.owner${'?.owner'.repeat(up - 1)} ?? null;`);
  return sure(slot);
}

export function ownerCode({ of }: TreeOf<'owner'>, code: Code, write: Write): Part {
  const item = write(of);
  return unsure(
    code.local(`${isUnknown(item)} ? notKnown : ${item.code} === null ? null : (${item.code}.owner ?? null)`),
  );
}

export function placeCode({ of }: TreeOf<'place'>, code: Code, write: Write): Part {
  const item = write(of);
  const place = code.local(`${isUnknown(item)} ? notKnown : null`);
  code.block(`if (${place} === null && ${item.code} !== null)`, () => {
    const { code: held } = item;
    code.line(`${place} = ${held}.stored === undefined ? ${held}.place : state.facts.place(${held}.stored);`);
    code.line(`if (${place} !== notKnown) ${place} = String(${place});`);
  });
  return unsure(place);
}

export function fieldCode(tree: TreeOf<'field'>, code: Code, write: Write): Part {
  const holder = write(tree.of);
  const slot = isPlainValue(tree.member, tree.type) ? undefined : code.slot(holder.code, questionOf(tree.member));
  if (slot === undefined) return memberCode(tree, holder, code);
  // What is null is read again, which costs nothing, and tells again where a reference on the way leads nowhere.
  code.block(`if (${slot} === undefined || ${slot} === null)`, () =>
    code.line(`${slot} = ${memberCode(tree, holder, code).code};`),
  );
  const encounters = 'state.facts.encounters';
  code.line(`else if (${slot} === notKnown && ${encounters} !== undefined) ${encounters}.unknown += 1;`);
  return unsure(slot);
}

/** What tells what is read from other members of the same record. */
function questionOf(member: Member): string {
  const group = 'shape' in member ? member.shape().group : '';
  const key = member.kind === 'others' ? member.field : member.kind === 'formula' ? '' : member.key;
  return `${member.kind} ${group} ${key} ${member.kind === 'reference' ? member.by?.value : ''}`;
}

function memberCode(tree: TreeOf<'field'>, holder: Part, code: Code): Part {
  const { kind } = tree.member;
  const isOfRecords = kind === 'references' || kind === 'others' || kind === 'items';
  const read = (): Part => readCode(tree, holder, code);
  return isOfRecords && !namesOuter(tree.of, Number.POSITIVE_INFINITY) ? foundOnce(tree, code, read) : read();
}

/** Of nothing it is null, which is noted where a reference of the record itself leads nowhere. */
function readCode(tree: TreeOf<'field'>, holder: Part, code: Code): Part {
  const value = code.local('null');
  if (!holder.isSure) code.line(`if (${isUnknown(holder)}) ${value} = notKnown; else`);
  behind(holder, { of: tree.of, code }, () => readInto(value, tree, { holder: holder.code, code }));
  return unsure(value);
}

/** A value that stands in the record as it is. */
const isPlainValue = (member: Member, type: Type): boolean =>
  member.kind === 'value' && member.isAmong !== true && type.kind !== 'list';

/** The part that gives the record, and where code is written. */
interface Standing {
  readonly of: Tree;
  readonly code: Code;
}

/** Writes what is done with a record, where there is one. */
function behind({ code: holder }: Part, { of, code }: Standing, inside: () => void): void {
  if (holder === 'self') {
    code.block('', inside);
    return;
  }
  if (of.op === 'field' && isOwn(of)) code.line(`if (${holder} === null) state.throughNull = true; else`);
  code.block(`if (${holder} !== null)`, inside);
}

interface Holding {
  readonly holder: string;
  readonly code: Code;
}

function readInto(value: string, { member, type }: TreeOf<'field'>, { holder, code }: Holding): void {
  if (member.kind !== 'reference' && (member.kind !== 'value' || !isPlainValue(member, type))) {
    code.line(`${value} = ${code.constant(readerOf(member, type))}(${holder}, state.facts);`);
    return;
  }
  const key = JSON.stringify(member.key);
  const held = `${holder}.values[${key}]`;
  // Formulas are asked of records that are still to be filled in as often as of others: nothing is called for it.
  code.line(
    `if (${held} === undefined && ${holder}.gaps !== undefined) { ${holder}.gaps.unknown += 1; ${value} = notKnown; }`,
  );
  code.line(`else if (${holder}.unsound !== undefined && ${holder}.unsound.has(${key})) ${value} = notKnown; else`);
  if (member.kind === 'value') {
    // Integers are numbers in records, and texts in formulas.
    const number = `typeof ${held} === 'number' ? numberToText(${held}) : `;
    code.line(`${value} = ${type.kind === 'number' ? number : ''}${held} ?? null;`);
    return;
  }
  const { by, shape } = member;
  const isMeant =
    by === undefined ? '' : ` && ${holder}.values[${JSON.stringify(by.key)}] === ${JSON.stringify(by.value)}`;
  const group = JSON.stringify(shape().group);
  code.line(`if (typeof ${held} === 'string'${isMeant}) ${value} = state.facts.record(${group}, ${held});`);
}

/** Named formulas are functions of their own; what costs something is computed once for the same values. */
export function namedCode(
  { of, formula, args }: TreeOf<'named'>,
  code: Code,
  { write, named }: { readonly write: Write; readonly named: (formula: NamedFormula) => unknown },
): Part {
  const record = write(of);
  const parts = args.map(write);
  const value = code.local('null');
  code.line(`if (${isUnknown(record, ...parts)}) ${value} = notKnown; else`);
  const called = code.constant(named(formula));
  const given = `[${parts.map((part) => part.code).join(', ')}]`;
  const itsOwn = isOwn(of) ? (told: string) => `if (${told}) state.throughNull = true;` : () => '';
  behind(record, { of, code }, () => {
    if (isLight(formula.tree())) {
      const { throughNull } = code.apart(() => code.line(`${value} = ${called}.run(${record.code}, ${given}, state);`));
      code.line(itsOwn(throughNull));
      return;
    }
    const noted = code.local(`once(${called}, ${record.code}, { given: ${given}, state })`);
    code.line(`${value} = ${noted}.value; state.overlong ??= ${noted}.overlong;`);
    code.line(itsOwn(`${noted}.throughNull`));
  });
  return unsure(value);
}
