// Figures that look at themselves in other records: along a reference that leads nowhere back they come to an end, along no other.
import { expect, test } from 'vitest';
import { descriptorFaults } from '../support/data/descriptor-faults.ts';
import type { Json } from '../support/service/praxis.ts';

/** A group of parts below each other, each of which may also replace another one. */
function faultsOf(figures: Json, formulas?: Json): string[] {
  const reference = { reference: 'part', nullable: true, onDelete: 'clear', description: 'Part' };
  const figure = (formula: unknown): Json => ({
    ...{ type: ['integer', 'null'], description: 'Figure', compute: 'always' },
    ...(typeof formula === 'string' ? { formula } : (formula as Json)),
  });
  const descriptor = {
    title: 'Part',
    description: 'A part.',
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 20, description: 'Name' },
      own: { type: 'integer', default: 1, description: 'Own' },
      parent: reference,
      other: reference,
      parts: { references: 'part', via: 'parent', description: 'Parts of it' },
      ...Object.fromEntries(Object.entries(figures).map(([key, formula]) => [key, figure(formula)])),
    },
    required: ['name'],
    resource: {
      path: '/parts',
      shownAs: '{name}',
      operations: ['list', 'get', 'create', 'update', 'delete'],
      ...(formulas && { formulas }),
      rules: [{ use: 'noCircle', field: 'parent' }],
    },
  };
  return descriptorFaults('part', descriptor);
}

const wayOut = '; it may do so only through a reference with "noCircle", in one direction';

test.each<[string, Json, Json?]>([
  ['to the record above', { depth: 'coalesce(parent.depth, 0) + 1' }],
  ['to the records below', { total: 'own + all.parts.filter(p, p.parentId == id).sum(p, p.total)' }],
  ['to some of these', { total: 'all.parts.filter(p, p.parentId == id && p.own > 1).sum(p, p.total)' }],
  ['to these as the list that shows them', { total: 'own + parts.sum(p, p.total)' }],
  ['several steps at once', { depth: 'coalesce(parent.parent.depth, 0) + 1' }],
  ['by way of another figure', { depth: 'coalesce(parent.next, 0)', next: 'depth + 1' }],
  ['by way of a named formula', { depth: 'above + 1' }, { above: { is: 'coalesce(parent.depth, 0)' } }],
  ['by way of one of the record above', { depth: 'parent.deeper' }, { deeper: { is: 'depth + 1' } }],
  [
    'to others of the same record above that are no such figures',
    { total: 'all.parts.filter(p, p.parentId == parentId).sum(p, p.own)' },
  ],
])('a figure may look at itself along a reference without circles: %s', (_what, figures, formulas) => {
  expect(faultsOf(figures, formulas)).toEqual([]);
});

test.each<[string, Json, readonly string[], Json?]>([
  ['another reference', { depth: 'coalesce(other.depth, 0) + 1' }, ['depth: depth → depth']],
  [
    'records that name another',
    { total: 'all.parts.filter(p, p.otherId == id).sum(p, p.total)' },
    ['total: total → total'],
  ],
  [
    'those beside it',
    { total: 'own + all.parts.filter(p, p.parentId == parentId).sum(p, p.total)' },
    ['total: total → total'],
  ],
  ['up and down', { a: 'parent.b', b: 'parts.sum(p, p.a)' }, ['b: a → b → a']],
  ['up and down in one', { a: 'coalesce(parent.a, 0) + parts.sum(p, p.a)' }, ['a: a → a → a']],
  ['up, and along another', { a: 'parent.b', b: 'other.a' }, ['b: a → b → a']],
  ['both of two', { a: 'own > 1 ? parent.a : other.a' }, ['a: a → a']],
  ['a named formula of another', { a: 'other.next' }, ['a: a → a'], { next: { is: 'a + 1' } }],
  ['the condition', { a: { formula: 'own', when: 'other.a > 1' } }, ['a: a → a']],
])('a figure that looks at itself along anything else is a fault: %s', (_what, figures, circles, formulas) => {
  const word = _what === 'the condition' ? 'when' : 'formula';
  expect(faultsOf(figures, formulas)).toEqual(
    circles.map((circle) => {
      const [field, path] = circle.split(': ');
      return `/properties/${field}/${word}: depends on itself: ${path}${wayOut}`;
    }),
  );
});

/** A part with lines of parts, and links of parts. */
function lineFaults(
  figures: Json,
  {
    rules = [],
    inItems = {},
    inLinks = {},
  }: { readonly rules?: Json[]; readonly inItems?: Json; readonly inLinks?: Json } = {},
): string[] {
  const figure = (formula: unknown): Json => ({
    type: ['integer', 'null'],
    description: 'Figure',
    compute: 'always',
    formula,
  });
  const all = (given: Json): Json =>
    Object.fromEntries(Object.entries(given).map(([key, formula]) => [key, figure(formula)]));
  const reference = { reference: 'part', onDelete: 'cascade', description: 'Part' };
  const described = (title: string, properties: Json, uses: Json[]): Json => ({
    ...{
      title,
      description: 'A record.',
      type: 'object',
      properties,
      required: ['whole', 'part'].filter((key) => properties[key] !== undefined),
    },
    resource: {
      path: `/${title.toLowerCase()}s`,
      shownAs: '{name}',
      operations: ['list', 'get', 'create'],
      rules: uses,
    },
  });
  const name = { type: 'string', maxLength: 20, default: '', description: 'Name' };
  const items = {
    type: 'object',
    properties: { part: reference, other: reference, ...all(inItems) },
    required: ['part', 'other'],
  };
  const uses = { type: 'array', maxItems: 9, description: 'Lines', items };
  const isOfLinks = ({ from }: Json): boolean => from !== undefined;
  return descriptorFaults(
    'part',
    described(
      'Part',
      { name, uses, ...all(figures) },
      rules.filter((rule) => !isOfLinks(rule)),
    ),
    {
      link: described('Link', { name, whole: reference, part: reference, ...all(inLinks) }, rules.filter(isOfLinks)),
    },
  );
}

const list = { use: 'noCircle', field: 'uses.part' };
const links = { use: 'noCircle', from: 'whole', to: 'part' };

test.each<[string, Json, Parameters<typeof lineFaults>[1]]>([
  ['by the items of a list', { cost: 'uses.sum(u, u.part.cost)' }, { rules: [list] }],
  ['by a figure of the items', { cost: 'uses.sum(u, u.sum)' }, { rules: [list], inItems: { sum: 'part.cost' } }],
  [
    'backwards along a list',
    { depth: 'all.parts.uses.filter(u, u.partId == id).max(u, u.record.depth)' },
    { rules: [list] },
  ],
  ['by the key of the field', { cost: 'uses.sum(u, u.part.cost)' }, { rules: [{ ...list, field: 'uses.partId' }] }],
  ['by links', { cost: 'links.filter(l, l.wholeId == id).sum(l, l.part.cost)' }, { rules: [links] }],
  ['upwards by links', { cost: 'links.filter(l, l.partId == id).max(l, l.whole.cost)' }, { rules: [links] }],
  [
    'by a figure of the links',
    { cost: 'links.filter(l, l.wholeId == id).sum(l, l.sum)' },
    { rules: [links], inLinks: { sum: 'part.cost' } },
  ],
])('a figure may look at itself along a list, or along links, that "noCircle" guards: %s', (_what, figures, more) => {
  expect(lineFaults(figures, more)).toEqual([]);
});

test.each<[string, Json, Parameters<typeof lineFaults>[1]]>([
  ['nothing is guarded', { cost: 'uses.sum(u, u.part.cost)' }, {}],
  ['another field of the items', { cost: 'uses.sum(u, u.other.cost)' }, { rules: [list] }],
  [
    'both directions',
    { a: 'uses.sum(u, u.part.b)', b: 'all.parts.uses.filter(u, u.partId == id).max(u, u.record.a)' },
    { rules: [list] },
  ],
  [
    'a list and links',
    { a: 'uses.sum(u, u.part.b)', b: 'links.filter(l, l.wholeId == id).sum(l, l.part.a)' },
    { rules: [list, links] },
  ],
  [
    'links, up and down',
    { cost: 'links.filter(l, l.wholeId == id).sum(l, l.sum)' },
    { rules: [links], inLinks: { sum: 'whole.cost' } },
  ],
  [
    'others of the same whole',
    { cost: 'links.filter(l, l.wholeId == id).sum(l, l.sum)' },
    { rules: [links], inLinks: { sum: 'part.cost + links.filter(l, l.wholeId == wholeId).count(l, l.sum > 0)' } },
  ],
])('a figure that looks at itself along anything else than these is a fault: %s', (_what, figures, more) => {
  expect(lineFaults(figures, more).some((fault) => fault.includes('depends on itself'))).toBe(true);
});

test.each<[Json, string]>([
  [{ use: 'noCircle' }, '/resource/rules/0: "noCircle" needs the argument "field", or "from" and "to"'],
  [{ use: 'noCircle', field: 'uses.prt' }, '/resource/rules/0/field: "prt" is not a field; did you mean "part"?'],
  [{ use: 'noCircle', field: 'lines.part' }, '/resource/rules/0/field: "lines" is not a list of objects of "part"'],
])('a rule that guards nothing is a fault: %j', (rule, fault) => {
  expect(lineFaults({}, { rules: [rule] })).toEqual([expect.stringContaining(fault)]);
});
