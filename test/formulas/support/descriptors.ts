// An invented set of descriptors for formulas: a group with every kind of field, and what stands around it.
import { compileFormula } from '../../../src/formulas/compile/compile.ts';
import type { Scope } from '../../../src/formulas/compile/scope.ts';
import type { Member, NamedFormula, Shape, Tree } from '../../../src/formulas/language/tree.ts';
import { date } from '../../../src/formulas/language/types.ts';
import { Shapes } from '../../../src/registry/formulas/shapes.ts';
import type { RawDescriptor, RawField } from '../../../src/registry/model/vocabulary.ts';

const text: RawField = { type: ['string', 'null'], maxLength: 100 };
const money: RawField = { type: ['number', 'null'], format: 'money', signed: true };
const integer: RawField = { type: ['integer', 'null'], signed: true };
const day: RawField = { type: ['string', 'null'], format: 'date' };
const time: RawField = { type: ['string', 'null'], format: 'time' };
const decimal = (precision: number, scale: number): RawField => ({
  type: ['number', 'null'],
  format: 'decimal',
  precision,
  scale,
  signed: true,
});

/** The plain values of a rental: all that a formula over one row can look at. */
export const plainFields = {
  amount: money,
  other: money,
  rate: decimal(18, 10),
  whole: decimal(18, 0),
  tiny: decimal(18, 18),
  hours: decimal(9, 2),
  count: integer,
  places: { ...integer, minimum: -20, maximum: 20 },
  percent: { type: ['number', 'null'], format: 'decimal', precision: 7, scale: 4, maximum: 100 },
  days: { ...integer, minimum: -4_000_000, maximum: 4_000_000 },
  name: text,
  title: text,
  note: { type: 'string', maxLength: 100, default: '' },
  currency: { type: ['string', 'null'], format: 'currency' },
  status: { type: ['string', 'null'], enum: ['draft', 'sent', 'paid'] },
  size: { type: ['string', 'null'], enum: ['big', 'small'] },
  isOpen: { type: ['boolean', 'null'] },
  isLate: { type: 'boolean', default: false },
  start: day,
  end: day,
  opensAt: time,
  closesAt: time,
  doneAt: { type: ['string', 'null'], format: 'date-time' },
  code: { type: ['string', 'null'], format: 'uuid' },
  // Words that CEL keeps, and words that mean something to it.
  function: integer,
  package: text,
  type: integer,
  let: { type: ['boolean', 'null'] },
} as const satisfies Record<string, RawField>;

const group = (path: string, properties: RawDescriptor['properties'], more: object = {}): RawDescriptor => ({
  title: path,
  description: '',
  properties,
  resource: { path, operations: [], ...more },
});

const lineFields = {
  label: text,
  price: money,
  quantity: integer,
  article: { reference: 'article', nullable: true },
  sources: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['visit', 'article'] },
        sourceId: { referenceBy: 'kind', groups: { visit: 'visit', article: 'article' } },
        minutes: integer,
      },
    },
  },
} as const satisfies Record<string, RawField>;

const groups: ReadonlyMap<string, RawDescriptor> = new Map([
  [
    'rental',
    group(
      '/rentals',
      {
        ...plainFields,
        createdAt: true,
        customer: { reference: 'customer', nullable: true },
        agentId: { reference: 'member', referenceFormat: 'id', nullable: true },
        labels: { references: 'label' },
        words: { type: 'array', items: { type: 'string' } },
        numbers: { type: 'array', items: { type: 'number', format: 'decimal', precision: 9, scale: 2 } },
        payments: { type: 'array', items: { type: 'object', properties: {} }, via: 'payment.rental' },
        lines: { type: 'array', items: { type: 'object', properties: lineFields } },
        address: { type: 'object', properties: { city: text, zone: { type: ['string', 'null'], enum: ['a', 'b'] } } },
        country: { type: ['string', 'null'], lookup: 'customer.country' },
        discount: { ...money, inherits: [{ when: 'customer.isLoyal', from: 'customer.discount' }] },
        sent: { type: ['boolean', 'null'], transient: true },
        writer: { reference: 'member', nullable: true, defaultFrom: 'actingMember' },
      },
      { unique: [['code']] },
    ),
  ],
  [
    'customer',
    group(
      '/customers',
      {
        name: { type: 'string' },
        country: text,
        isLoyal: { type: 'boolean' },
        discount: money,
        parent: { reference: 'customer', nullable: true },
        number: { type: 'integer' },
        temporary: { type: ['string', 'null'], transient: true },
      },
      { indexes: [['number']] },
    ),
  ],
  ['member', group('/members', { name: { type: 'string' } })],
  ['label', group('/labels', { name: { type: 'string' }, weight: integer })],
  [
    'payment',
    group('/payments', {
      rental: { reference: 'rental' },
      amount: money,
      date: day,
      labels: { references: 'label' },
      parts: {
        type: 'array',
        items: { type: 'object', properties: { line: { reference: 'rental', referenceFormat: 'id' }, amount: money } },
      },
    }),
  ],
  ['visit', group('/visits', { minutes: { type: 'integer' }, isBillable: { type: 'boolean' } })],
  ['article', group('/articles', { name: { type: 'string' }, minutes: { type: 'integer' } })],
  [
    'settings',
    group(
      '/settings',
      { currency: { format: 'currency', type: 'string' }, timeZone: { type: 'string' } },
      { singleton: true, workspace: true, timeZone: 'timeZone' },
    ),
  ],
]);

const shapes = new Shapes(groups);

/** A member that is a named formula. */
function named(name: string, source: string, { on, given = [] }: { on: Scope; given?: NamedFormula['given'] }): Member {
  let made: Tree | undefined;
  const tree = (): Tree => {
    made ??= compileFormula(source, { ...on, given });
    return made;
  };
  return { kind: 'formula', name, nullable: false, formula: { name, given, tree } };
}

/** A shape with members besides its own. */
const widened = (shape: Shape, more: (shape: Shape) => readonly Member[]): Shape => {
  const wide: Shape = {
    ...shape,
    names: () => [...shape.names(), ...added.keys()],
    member: (name) => added.get(name) ?? shape.member(name),
  };
  const added = new Map(more(wide).map((member) => [member.name, member]));
  return wide;
};

const plainScope = shapes.scope('rental');

/** What formulas on a rental may name, with formulas that have names: `total`, `paidUntil(day)`, `plus(n, m)`. */
export const scope: Scope = {
  ...plainScope,
  hasOld: true,
  record: widened(plainScope.record, (record) => {
    const on = { ...plainScope, record };
    return [
      named('total', 'lines.sum(l, l.price * l.quantity)', { on }),
      named('paidUntil', 'payments.filter(p, p.date <= day).sum(p, p.amount)', {
        on,
        given: [{ name: 'day', type: date }],
      }),
      named('scaled', 'lines.map(l, l.price * by + count)', { on, given: [{ name: 'by', type: { kind: 'number' } }] }),
    ];
  }),
};

/** What formulas may name that stand in the items of a rental's lines, and of the sources of these. */
export const lineScope: Scope = shapes.scopeInside('rental', lineFields);
export const sourceScope: Scope = shapes.scopeInside('rental', lineFields.sources.items.properties);
