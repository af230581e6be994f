// Formulas in plain words: `statusId != 'draft' && isBillable` → statusId is not draft and isBillable is true.
import { functionRow, isFunction } from '../language/functions.ts';
import { isMacro, macroRow } from '../language/macros.ts';
import { type Literal, type Node, parseFormula, type Sign } from '../language/syntax.ts';

/** A piece of a sentence: what stands in the descriptor (a name, a value), or the words around it. */
export interface FormulaPart {
  readonly kind: 'code' | 'words';
  readonly text: string;
  /** Whether it is a value, no name. */
  readonly isValue?: true;
}

const words = (text: string): FormulaPart => ({ kind: 'words', text });
const code = (text: string): FormulaPart => ({ kind: 'code', text });

/** @param source A condition that the checks have accepted. */
export const conditionWords = (source: string): readonly FormulaPart[] => statement(parseFormula(source), '');

/** The same of a part of one, as it was parsed. */
export const partWords = (node: Node): readonly FormulaPart[] => statement(node, '');

/** @param source A formula that the checks have accepted. */
export function formulaWords(source: string): readonly FormulaPart[] {
  const node = parseFormula(source);
  const isTruth = (node.op === 'binary' && comparisons.has(node.sign)) || node.op === 'not';
  return isTruth ? statement(node, '') : term(node);
}

const signs: Readonly<Record<Exclude<Sign, '&&' | '||' | '==' | '!='>, string>> = {
  '<': ' < ',
  '<=': ' ≤ ',
  '>': ' > ',
  '>=': ' ≥ ',
  in: ' is one of ',
  '+': ' + ',
  '-': ' − ',
  '*': ' × ',
  '/': ' ÷ ',
  '%': ' modulo ',
};
const comparisons: ReadonlySet<string> = new Set<Sign>(['&&', '||', '==', '!=', '<', '<=', '>', '>=', 'in']);

/** A node that is true or false. `above` is the operator that it is part of. */
function statement(node: Node, above: string): FormulaPart[] {
  if (node.op === 'binary' && comparisons.has(node.sign)) return comparison(node, above);
  if (node.op === 'not')
    return pathOf(node.of) === undefined
      ? [words('not ('), ...statement(node.of, ''), words(')')]
      : [...term(node.of), words(' is false')];
  if (node.op === 'if') return choice(node, (part) => statement(part, '?'));
  if (node.op === 'literal') return term(node);
  if (node.op === 'call') return isAsking(node.name) ? called(node) : [...side(node), words(' is true')];
  return [...term(node), words(' is true')];
}

/** Functions and macros whose words are a statement by themselves. */
const isAsking = (name: string): boolean =>
  ['exists', 'all', 'startsWith', 'endsWith', 'contains', 'matches'].includes(name);

function comparison({ sign, left, right }: Node & { op: 'binary' }, above: string): FormulaPart[] {
  switch (sign) {
    case '&&':
    case '||': {
      const joint = words(sign === '&&' ? ' and ' : ' or ');
      const parts = [...statement(left, sign), joint, ...statement(right, sign)];
      return above === '' || above === sign ? parts : [words('('), ...parts, words(')')];
    }
    case '==':
    case '!=':
      return equality(side(left), right, sign === '!=');
    default:
      return [...side(left), words(signs[sign]), ...side(right)];
  }
}

function equality(left: FormulaPart[], right: Node, isNot: boolean): FormulaPart[] {
  if (right.op === 'literal' && right.literal.kind === 'null')
    return [...left, words(isNot ? ' is set' : ' is not set')];
  return [...left, words(isNot ? ' is not ' : ' is '), ...side(right)];
}

/** One side of a comparison: in brackets where its own words end in a sentence, or nobody could tell which is which. */
const side = (node: Node): FormulaPart[] => term(node, node.op === 'if' || endsInSentence(node) ? 'part' : '');

/** Macros that ask of each item whether something holds, or say more about all of them. */
const endsInSentence = (node: Node): boolean =>
  node.op === 'call' &&
  ((node.name === 'coalesce' && node.of === undefined && node.args.length === 2) ||
    (node.args.length === 2 && ['filter', 'count', 'exists', 'all'].includes(node.name)) ||
    node.name === 'distinct');

function choice({ test, yes, no }: Node & { op: 'if' }, part: (node: Node) => FormulaPart[]): FormulaPart[] {
  return [words('if '), ...statement(test, '?'), words(', '), ...part(yes), words(', else '), ...part(no)];
}

/** The names of `a.b.c`; undefined for what does not begin with a name (`size(a).b`). */
function pathOf(node: Node): string | undefined {
  if (node.op === 'name') return node.name;
  if (node.op !== 'field') return undefined;
  const before = pathOf(node.of);
  return before && `${before}.${node.name}`;
}

/** A node that stands for a value. `above` is the operator that it is part of. */
function term(node: Node, above: '' | 'part' = ''): FormulaPart[] {
  const path = pathOf(node);
  if (path !== undefined) return [code(path)];
  switch (node.op) {
    case 'literal':
      return [literal(node.literal)];
    case 'field':
      return [code(node.name), words(' of '), ...term(node.of, 'part')];
    case 'index':
      return [words('item '), ...term(node.at), words(' of '), ...term(node.of, 'part')];
    case 'negate':
      return [words('−'), ...term(node.of, 'part')];
    case 'list':
      return listed(node.items.map((item) => term(item)));
    case 'map':
      return listed(node.entries.map(([key, value]) => [...term(key), words(': '), ...term(value)]));
    case 'call':
      return bracketed(called(node), endsInSentence(node) ? above : '');
    case 'if':
      return bracketed(
        choice(node, (part) => term(part)),
        above,
      );
    case 'binary':
      if (comparisons.has(node.sign)) return [words('('), ...statement(node, ''), words(')')];
      return bracketed(
        [...term(node.left, 'part'), words(signs[node.sign as '+']), ...term(node.right, 'part')],
        above,
      );
    default:
      return [words('('), ...statement(node, ''), words(')')];
  }
}

const bracketed = (parts: FormulaPart[], above: '' | 'part'): FormulaPart[] =>
  above === '' ? parts : [words('('), ...parts, words(')')];

const listed = (items: readonly FormulaPart[][]): FormulaPart[] =>
  items.flatMap((item, index) => [...(index > 0 ? [words(', ')] : []), ...item]);

/** What is written like a macro, and is made of others when a formula is compiled. */
const madeOfOthers: Readonly<Record<string, string | undefined>> = {
  avg: 'the mean of [{body} of ]{of}',
  previous: 'the one before it among {of}[ by {body}]',
};

/** A function, a macro or a named formula in its own words. */
function called({ name, of, args }: Node & { op: 'call' }): FormulaPart[] {
  if (of !== undefined && isMacro(name)) {
    const [, body] = args;
    if (name === 'exists' && body?.op === 'literal' && body.literal.value === true)
      return [words('there is one of '), ...term(of, 'part')];
    const isTruth = ['filter', 'exists', 'all', 'count'].includes(name);
    return filled(macroRow(name).says, {
      of: term(of, 'part'),
      body: body === undefined ? undefined : isTruth ? statement(body, '') : term(body, 'part'),
    });
  }
  const made = of === undefined ? undefined : madeOfOthers[name];
  if (of !== undefined && made !== undefined) {
    const [, body] = args;
    return filled(made, { of: term(of, 'part'), body: body && term(body, 'part') });
  }
  const all = of === undefined ? args : [of, ...args];
  const [first, second] = all;
  if (name === 'coalesce' && all.length === 2 && first !== undefined && second !== undefined)
    return [...term(first, 'part'), words(' or, where that is not set, '), ...term(second, 'part')];
  if (isFunction(name)) {
    const parts = all.map((arg) => term(arg, 'part'));
    return filled(functionRow(name).says, { '…': listed(parts), ...Object.fromEntries(parts.entries()) });
  }
  const [before] = args;
  if (name === 'before' && of === undefined && before !== undefined)
    return [...term(before, 'part'), words(' before the write')];
  const given = args.length === 0 ? [] : [words(' for '), ...listed(args.map((arg) => term(arg)))];
  return [code(name), ...(of === undefined ? [] : [words(' of '), ...term(of, 'part')]), ...given];
}

/** Puts parts into the places of a sentence: `{of}`; what stands in brackets goes where its part is missing. */
export function filled(says: string, parts: Readonly<Record<string, FormulaPart[] | undefined>>): FormulaPart[] {
  const sentence = says.replaceAll(/\[([^\]]*\{(\S+?)\}[^\]]*)\]/g, (_all, text: string, name: string) =>
    parts[name] === undefined ? '' : text,
  );
  return sentence.split(/(\{\S+?\})/).flatMap((piece) => {
    if (piece === '') return [];
    return piece.startsWith('{') ? (parts[piece.slice(1, -1)] ?? [words('it')]) : [words(piece)];
  });
}

const literal = ({ kind, value }: Literal): FormulaPart =>
  value === '' ? words('empty') : kind === 'bool' ? words(String(value)) : { ...code(String(value)), isValue: true };
