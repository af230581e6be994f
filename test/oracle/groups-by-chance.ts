// Groups by chance: with references, lists, items of items, and fields that callers send.
import type { Made, Making, Omitted } from './made.ts';
import type { Random } from './random.ts';
import type { RawCondition, RawDescriptor, RawEffect, RawField } from './shape.ts';

const kinds = ['a', 'b', 'c'];

type Fields = Record<string, RawField>;

/** A group while it is made. */
export interface Draft {
  readonly made: Made;
  readonly fields: Fields;
  readonly required: string[];
  readonly indexes: string[][];
  readonly rules: ({ readonly use: string } & Partial<RawCondition>)[];
  readonly effects: RawEffect[];
  readonly locks: NonNullable<RawDescriptor['resource']['locked']>[];
  readonly formulas: Record<string, NonNullable<RawDescriptor['resource']['formulas']>[string]>;
  readonly decisions: string[];
  readonly number: number;
}

export interface State {
  readonly omitted: ReadonlySet<Omitted>;
  readonly random: Random;
  readonly drafts: Draft[];
  readonly making: Making & { readonly groups: Map<string, Made> };
  level: number;
}

export function addGroup(state: State, word: string, number: number): void {
  const { random, drafts, making } = state;
  const made: Made = {
    ...{ group: word, collection: `${word}s`, attributes: [], links: [] },
    ...{ indexed: new Set<string>(), lists: new Map<string, Made>(), marks: new Map<string, string>(), calls: [] },
  };
  if (!state.omitted.has('texts')) made.attributes.push({ name: 'label', sort: 'text', isNullable: false, level: 0 });
  const fields: Fields = { label: { type: 'string', maxLength: 20, default: '', description: 'Label' } };
  const draft: Draft = {
    ...{ made, fields, required: [], indexes: [], rules: [], effects: [], locks: [], number },
    ...{ formulas: {}, decisions: [] },
  };
  if (number > 0) for (let turn = 0; turn <= random.upTo(1); turn += 1) addLink(state, draft);
  if (random.chance(25)) addTree(draft);
  addPlain(state, draft);
  if (number > 0 && random.chance(35)) addList(state, draft);
  if (number > 0 && random.chance(15)) addMarks(state, draft);
  drafts.push(draft);
  making.groups.set(word, made);
}

function addLink({ random, drafts }: State, { made, fields, required }: Draft): void {
  const target = random.one(drafts).made.group;
  const name = made.links.some((link) => link.name === target) ? `${target}Too` : target;
  const isNullable = random.chance(25);
  const onDelete = isNullable
    ? random.one(['clear', 'restrict'] as const)
    : random.one(['restrict', 'cascade', 'cascade'] as const);
  fields[name] = {
    reference: target,
    ...(isNullable && { nullable: true }),
    filter: 'exact',
    onDelete,
    description: 'A link',
  };
  if (!isNullable) required.push(name);
  made.links.push({ name, target, isNullable, level: 0 });
}

/** A tree of the group's own records. */
function addTree({ made, fields, rules }: Draft): void {
  fields['above'] = {
    reference: made.group,
    nullable: true,
    filter: 'exact',
    onDelete: 'clear',
    description: 'Above it',
  };
  rules.push({ use: 'noCircle', field: 'aboveId' });
  made.links.push({ name: 'above', target: made.group, isNullable: true, level: 0 });
}

/** Numbers, days, switches and words that callers send. */
function addPlain({ random, omitted }: State, { made, fields, required, indexes, number }: Draft): void {
  const index = (name: string): void => {
    if (omitted.has('narrowed by numbers') && !name.startsWith('k')) return;
    indexes.push([name]);
    made.indexed.add(name);
  };
  const add = (name: string, field: RawField, attribute: Omit<Made['attributes'][number], 'name' | 'level'>): void => {
    fields[name] = field;
    made.attributes.push({ name, level: 0, ...attribute });
  };
  const whole = `n${number}`;
  add(whole, { type: 'integer', maximum: 999, description: 'A whole number' }, { sort: 'number', isNullable: false });
  required.push(whole);
  if (random.chance(20)) index(whole);
  if (random.chance(60))
    add(
      `m${number}`,
      { type: 'number', format: 'money', default: 1, description: 'An amount' },
      { sort: 'number', isNullable: false },
    );
  if (random.chance(25))
    add(
      `o${number}`,
      { type: ['integer', 'null'], maximum: 99, description: 'A number or none' },
      { sort: 'number', isNullable: true },
    );
  if (random.chance(60))
    add(
      `d${number}`,
      { type: 'string', format: 'date', default: '2026-03-15', description: 'A day' },
      { sort: 'date', isNullable: false },
    );
  if (random.chance(60)) {
    add(
      `f${number}`,
      { type: 'boolean', default: false, description: 'A switch' },
      { sort: 'bool', isNullable: false },
    );
    if (random.chance(20)) index(`f${number}`);
  }
  if (random.chance(60)) {
    const field: RawField = { type: 'string', enum: kinds, default: 'a', description: 'A kind' };
    add(`k${number}`, field, { sort: 'enum', isNullable: false, values: kinds });
    if (random.chance(40)) index(`k${number}`);
  }
  if (!omitted.has('times') && random.chance(25))
    add(
      `p${number}`,
      { type: 'string', format: 'time', default: '08:30', description: 'A time' },
      { sort: 'time', isNullable: false },
    );
}

function addList({ random, drafts }: State, { made, fields, number }: Draft): void {
  const target = random.one(drafts).made.group;
  const items: Made = { ...emptyMade(made), links: [{ name: target, target, isNullable: false, level: 0 }] };
  const properties: Fields = {
    [`q${number}`]: { type: 'integer', maximum: 99, description: 'How many' },
    [target]: { reference: target, onDelete: 'restrict', description: 'What' },
  };
  items.attributes.push({ name: `q${number}`, sort: 'number', isNullable: false, level: 0 });
  if (random.chance(40)) {
    const inner = emptyMade(made);
    inner.attributes.push({ name: `c${number}`, sort: 'number', isNullable: false, level: 0 });
    const part: Fields = { [`c${number}`]: { type: 'integer', maximum: 99, description: 'How many' } };
    properties['parts'] = listField(part, [`c${number}`]);
    items.lists.set('parts', inner);
  }
  fields['lines'] = listField(properties, [`q${number}`, target]);
  made.lists.set('lines', items);
}

const listField = (properties: Fields, required: readonly string[]): RawField => ({
  type: 'array',
  maxItems: 9,
  default: [],
  items: { type: 'object', properties, required },
  description: 'A list',
});

const emptyMade = ({ group, collection }: Made): Made => ({
  ...{ group, collection, attributes: [], links: [] },
  ...{ indexed: new Set<string>(), lists: new Map<string, Made>(), marks: new Map<string, string>(), calls: [] },
});

function addMarks({ random, drafts }: State, { made, fields }: Draft): void {
  const target = random.one(drafts).made.group;
  fields['marks'] = { references: target, filter: 'exact', description: 'Marks' };
  made.marks.set('marks', target);
}
