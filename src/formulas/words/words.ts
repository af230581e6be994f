// Formulas in plain words: `statusId != 'draft' && isBillable` → statusId is not draft and isBillable is true.
import { functionRow, isFunction } from '../language/functions.ts';
import { isMacro, macroRow } from '../language/macros.ts';
import { type Literal, type Node, parseFormula, type Sign } from '../language/syntax.ts';

/** A piece of a sentence: what stands in the descriptor (a name, a value), or the words around it. */
export interface FormulaPart {
  readonly kind: 'code' | 'words';
  readonly text: string;
  /** Whether the part is a value, not a name. */
  readonly isValue?: true;
  /** Whether the part is the name of a list that a macro goes through. */
  readonly isList?: true;
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
  return isTruth ? statement(node, '') : term(node, 'root');
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

type Call = Node & { readonly op: 'call' };

/**
 * Where a term is: the whole text (`root`), its end, between words that delimit it (`alone`), or next to other words (`part`). It decides
 * about brackets: the same words never describe two formulas.
 */
type Place = 'root' | 'end' | 'alone' | 'part';

/** A node that is true or false. `above` is the operator that it is part of. */
function statement(node: Node, above: string): FormulaPart[] {
  if (node.op === 'binary' && comparisons.has(node.sign)) return comparison(node, above);
  if (node.op === 'not') return negation(node.of);
  if (node.op === 'if') return bracketed(statementChoice(node), above !== '');
  if (node.op === 'literal') return term(node, 'alone');
  if (node.op === 'call' && isAsking(node.name)) return called(node, 'part');
  return pathOf(node)?.startsWith('sent.') === true
    ? requestContains(node, ' contains ')
    : [...side(node), words(' is true')];
}

function negation(node: Node): FormulaPart[] {
  if (pathOf(node)?.startsWith('sent.') === true) return requestContains(node, ' does not contain ');
  if (pathOf(node) !== undefined) return [...term(node, 'alone'), words(' is false')];
  if (isCall(node) && node.of !== undefined && node.name === 'exists') return quantified(node, 'none', node.of);
  return [words('not ('), ...statement(node, ''), words(')')];
}

/** `sent.rate` → the request contains rate */
const requestContains = (node: Node, verb: string): FormulaPart[] => [
  words(`the request${verb}`),
  code(pathOf(node)?.slice('sent.'.length) ?? ''),
];

/** Functions and macros whose words are a statement. */
const isAsking = (name: string): boolean =>
  ['exists', 'all', 'startsWith', 'endsWith', 'contains', 'matches'].includes(name);

const isCall = (node: Node): node is Call => node.op === 'call';

function comparison({ sign, left, right }: Node & { op: 'binary' }, above: string): FormulaPart[] {
  switch (sign) {
    case '&&':
    case '||': {
      const joint = words(sign === '&&' ? ' and ' : ' or ');
      const parts = [...statement(left, sign), joint, ...statement(right, sign)];
      return bracketed(parts, above !== '' && above !== sign);
    }
    case '==':
    case '!=':
      return equality(left, right, sign === '!=');
    case 'in':
      return [...side(left), words(signs.in), ...(right.op === 'list' ? listed(right.items) : side(right))];
    default:
      return [...side(left), words(signs[sign]), ...side(right)];
  }
}

function equality(left: Node, right: Node, isNot: boolean): FormulaPart[] {
  if (right.op === 'literal' && right.literal.kind === 'null') {
    if (pathOf(left) === 'old') return [words(isNot ? 'the record already exists' : 'the record is new')];
    return [...side(left), words(isNot ? ' is set' : ' is not set')];
  }
  return [...side(left), words(isNot ? ' is not ' : ' is '), ...side(right)];
}

/** One side of a comparison: in brackets if its own words have a condition. */
const side = (node: Node): FormulaPart[] => term(node, node.op === 'if' || isOpen(node) ? 'part' : 'alone');

/** Whether the words of a call continue without an end: a condition, or another value. */
const isOpen = (node: Node): boolean => isCall(node) && (isNarrowing(node) || isAlternative(node) || isBinding(node));

const isNarrowing = ({ name, of, args }: Call): boolean =>
  of !== undefined && args.length === 2 && ['filter', 'count'].includes(name);

const isAlternative = ({ name, of, args }: Call): boolean => {
  return name === 'coalesce' && args.length + (of === undefined ? 0 : 1) === 2;
};

const isBinding = ({ name, of, args }: Call): boolean => name === 'with' && of === undefined && args.length === 3;

/** `A if T, otherwise B if U, otherwise C` */
function choice({ test, yes, no }: Node & { op: 'if' }, isEnd: boolean): FormulaPart[] {
  return [
    ...term(yes, yes.op === 'if' || isOpen(yes) ? 'part' : 'alone'),
    ...ifTest(test),
    ...(no.op === 'if' ? choice(no, isEnd) : term(no, isEnd ? 'root' : isOpen(no) ? 'part' : 'alone')),
  ];
}

const statementChoice = ({ test, yes, no }: Node & { op: 'if' }): FormulaPart[] => [
  ...statement(yes, '?'),
  ...ifTest(test),
  ...(no.op === 'if' ? statementChoice(no) : statement(no, '?')),
];

const ifTest = (test: Node): FormulaPart[] => [
  words(' if '),
  ...statement(test, test.op === 'if' ? '?' : ''),
  words(', otherwise '),
];

/** The names of `a.b.c`; undefined for a node that does not begin with a name (`size(a).b`). */
function pathOf(node: Node): string | undefined {
  if (node.op === 'name') return node.name;
  if (node.op !== 'field') return undefined;
  const before = pathOf(node.of);
  return before && `${before}.${node.name}`;
}

/** A node that gives a value. */
function term(node: Node, place: Place): FormulaPart[] {
  const path = pathOf(node);
  if (path !== undefined) return [code(path)];
  const isInside = place === 'part' || place === 'end';
  switch (node.op) {
    case 'literal':
      return [literal(node.literal)];
    case 'field':
      return [code(node.name), words(' of '), ...term(node.of, toEndPlace(place))];
    case 'index':
      return [words('item '), ...argument(node.at), words(' of '), ...term(node.of, 'part')];
    case 'negate':
      return [words('−'), ...operand(node.of, '')];
    case 'list':
      return [words('['), ...listed(node.items), words(']')];
    case 'map':
      return [
        words('{'),
        ...joined(node.entries.map(([key, value]) => [...term(key, 'part'), words(': '), ...term(value, 'part')])),
        words('}'),
      ];
    case 'call': {
      const hasArguments = isNamed(node) && node.args.length > 0;
      if (isNarrowing(node)) return bracketed(called(node, place), place === 'part');
      return bracketed(called(node, place), isInside && (isOpen(node) || hasArguments));
    }
    case 'if':
      return bracketed(choice(node, place === 'root'), isInside);
    case 'binary':
      if (comparisons.has(node.sign)) break;
      return bracketed(
        [...operand(node.left, node.sign), words(signs[node.sign as '+']), ...operand(node.right, '')],
        isInside,
      );
  }
  return [words('('), ...statement(node, ''), words(')')];
}

const toEndPlace = (place: Place): Place => (place === 'root' || place === 'end' ? 'end' : 'part');

/** One side of a calculation. Sums of sums, and products of products, need no brackets on the left. */
function operand(node: Node, sign: Sign | ''): FormulaPart[] {
  const isChain =
    node.op === 'binary' && (('+-'.includes(sign) && '+-'.includes(node.sign)) || (sign === '*' && node.sign === '*'));
  if (sign !== '' && isChain) return term(node, 'alone');
  return beginsWithArgument(node) ? bracketed(term(node, 'alone'), true) : term(node, 'part');
}

const bracketed = (parts: FormulaPart[], isNeeded: boolean): FormulaPart[] =>
  isNeeded ? [words('('), ...parts, words(')')] : parts;

const joined = (items: readonly FormulaPart[][], between = ', '): FormulaPart[] =>
  items.flatMap((item, index) => [...(index > 0 ? [words(between)] : []), ...item]);

const listed = (items: readonly Node[]): FormulaPart[] => joined(items.map((item) => term(item, 'part')));

/** Functions and macros that the compiler replaces by others. */
const replacedSays: Readonly<Record<string, string | undefined>> = {
  avg: 'the average of [{body} of ]{of}',
  previous: 'the previous record of {of}[ by {body}]',
  convert: '{0} converted from {1} to {2} on {3}',
  before: '{0} before the write',
};
const replacedArguments: Readonly<Record<string, number | undefined>> = { convert: 4, before: 1 };

/** The template of a function; undefined for macros and named formulas. */
function findTemplate({ name, of, args }: Call): string | undefined {
  if (of === undefined && replacedArguments[name] === args.length) return replacedSays[name];
  if ((of !== undefined && isMacro(name)) || !isFunction(name)) return undefined;
  const [, places] = of === undefined ? args : [of, ...args];
  const isOfDigits = name === 'round' && places?.op === 'literal' && places.literal.kind === 'number';
  return `${functionRow(name).says}${isOfDigits ? ' decimal places' : ''}`;
}

const findMacroTemplate = ({ name, of }: Call): string | undefined =>
  of === undefined ? undefined : isMacro(name) ? macroRow(name).says : replacedSays[name];

const isNamed = (node: Call): boolean => findTemplate(node) === undefined && findMacroTemplate(node) === undefined;

/** Whether the words of a call begin with one of its values: `x rounded to 2`. */
const beginsWithArgument = (node: Node): boolean => isCall(node) && findTemplate(node)?.startsWith('{') === true;

/** A value within the words of a call: other calls in brackets, except the last one (`the year of the first day of …`). */
function argument(node: Node, isLast = false): FormulaPart[] {
  const isPhrase = (node.op === 'field' && pathOf(node) === undefined) || node.op === 'index' || isCall(node);
  const isNeeded = isPhrase && !isOpen(node) && !(isCall(node) && isNamed(node) && node.args.length > 0);
  return bracketed(term(node, 'part'), isNeeded && (!isLast || beginsWithArgument(node)));
}

/** A function, a macro or a named formula in its own words. */
function called(node: Call, place: Place): FormulaPart[] {
  const { name, of, args } = node;
  const [first, second, third] = of === undefined ? args : [of, ...args];
  if (isAlternative(node) && first !== undefined && second !== undefined)
    return [...term(first, 'part'), words(', or '), ...term(second, 'part'), words(' if not set')];
  if (isBinding(node) && first !== undefined && second !== undefined && third !== undefined)
    return [
      words('with '),
      ...term(second, 'part'),
      words(' = '),
      ...argument(first),
      words(': '),
      ...term(third, 'alone'),
    ];
  const template = findTemplate(node);
  if (template !== undefined) {
    const all = of === undefined ? args : [of, ...args];
    const parts = all.map((arg, index) => [String(index), argument(arg, template.endsWith(`{${index}}`))] as const);
    return filled(template, { '…': joined(all.map((arg) => argument(arg))), ...Object.fromEntries(parts) });
  }
  if (of !== undefined && findMacroTemplate(node) !== undefined) return macro(node, of, place);
  const own = of === undefined ? name : pathOf(of) && `${pathOf(of)}.${name}`;
  const start =
    own === undefined ? [code(name), words(' of '), ...argument(of as Node, args.length === 0)] : [code(own)];
  return args.length === 0 ? start : [...start, words(' for '), ...listed(args)];
}

/** Words before a list that has a name. */
const articles: Readonly<Record<string, string | undefined>> = {
  count: '',
  sorted: '',
  distinct: '',
  sum: 'all ',
  avg: 'all ',
};

function macro(node: Call, of: Node, place: Place): FormulaPart[] {
  const { name, args } = node;
  const [, body] = args;
  if (name === 'exists') return quantified(node, 'at least one', of);
  if (name === 'all') return quantified(node, 'each', of);
  const template = findMacroTemplate(node) ?? '';
  const isLast = body === undefined ? /\{of\}(\[[^\]]*\])?$/.test(template) : template.endsWith('{of}');
  return filled(template, {
    of: list(of, isLast ? toEndPlace(place) : 'part', articles[name] ?? 'the '),
    body: body && (isNarrowing(node) ? statement(body, '') : key(body)),
  });
}

/** What a macro takes of each item: several keys of an order are joined. */
const key = (body: Node): FormulaPart[] =>
  body.op === 'list'
    ? joined(
        body.items.map((item) => argument(item)),
        ' and ',
      )
    : argument(body);

/** `price > 0 for each of the lines`; without a condition `there is at least one of the lines` */
function quantified({ args: [, body] }: Call, howMany: 'at least one' | 'each' | 'none', of: Node): FormulaPart[] {
  const items = list(of, 'part', 'the ');
  if (howMany !== 'each' && (body === undefined || (body.op === 'literal' && body.literal.value === true)))
    return [words(`there is ${howMany} of `), ...items];
  return [...(body === undefined ? [] : statement(body, 'for')), words(` for ${howMany} of `), ...items];
}

/** A list that a macro goes through. `all.tasks` → all records of tasks */
function list(node: Node, place: Place, article: string): FormulaPart[] {
  const path = pathOf(node);
  if (isCall(node) && isNarrowing(node)) return term(node, place);
  if (path === undefined) return argument(node, place === 'end');
  const isGroup = path.startsWith('all.');
  const name: FormulaPart = { ...code(isGroup ? path.slice('all.'.length) : path), isList: true };
  return [words(isGroup ? 'all records of ' : article), name].filter(({ text }) => text !== '');
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
