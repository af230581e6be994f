// The parameters of rules in words, for those who write descriptors.

import type { FieldArgument, ParameterType } from '../../model/parameters.ts';
import { typesInWords, typesOf } from '../fields/field-types.ts';

const words: Readonly<Record<Extract<ParameterType, string>, string>> = {
  field: 'a field',
  fields: 'a list of fields',
  parameter: 'a parameter of the computed record',
  reference: 'a reference',
  group: 'the name of a group',
  text: 'a text',
  message: 'a text; {formulas} in braces are filled in',
  condition: 'a condition over the record and what it refers to',
  judgement: 'a condition over any records, the day, who acts and the record before the write',
  flag: 'true',
  values: 'an object or a list',
};

/** `a list of: a field that is a text` */
export function parameterWords(type: ParameterType): string {
  if (typeof type === 'string') return words[type];
  if ('field' in type) return fieldWords(type);
  if ('path' in type) {
    const given = type.or === undefined ? '' : `, or ${type.or.join(', ')}`;
    return `a path to ${typesInWords(typesOf({ field: type.path }))}${insideWords(type.in)}${given}`;
  }
  if ('list' in type) return `a list of: ${parameterWords(type.list)}`;
  if ('map' in type) return `an object, from ${parameterWords(type.map)} to ${parameterWords(type.to)}`;
  if ('object' in type)
    return `an object: ${Object.entries(type.object)
      .map(([name, inside]) => `${name}, ${parameterWords(inside)}`)
      .join('; ')}`;
  if ('either' in type) return type.either.map(parameterWords).join(', or ');
  if ('oneOf' in type) return `one of ${type.oneOf.join(', ')}`;
  if ('literalOf' in type) return `a value that ${type.literalOf} can hold`;
  if ('branchOf' in type) return `a word that says of which group the ids in ${type.branchOf} are`;
  if ('listsIn' in type) return `lists of ${type.listsIn} whose items name this record`;
  return 'number' in type ? 'a whole number' : 'a number above 0, as a text';
}

function fieldWords(type: FieldArgument): string {
  const types = typesOf(type);
  const isAny = types.length === 1 && types[0] === 'any';
  const kind = isAny ? '' : ` that is ${typesInWords(types)}`;
  const target = type.to === undefined ? '' : ` to ${type.to === 'this' ? 'this group' : type.to}`;
  return `a field${kind}${target}${insideWords(type.in)}`;
}

const insideWords = (place: string | undefined): string =>
  place === undefined ? '' : place === 'workspace' ? ' of the workspace' : `, of what ${place} names`;
