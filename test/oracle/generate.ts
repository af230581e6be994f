// Domains by chance: groups with figures in every way in which they are taken, states, conditions and effects.
import { addCondition, addEffect, addGuard } from './conditions-by-chance.ts';
import { anyNumberAt, gatheredAt, numberAt, truthAt } from './expressions.ts';
import { addGroup, type Draft, type State } from './groups-by-chance.ts';
import type { Made, Making, Omitted, Place } from './made.ts';
import { addMore } from './more-by-chance.ts';
import { addDecisions, addNamed } from './named-by-chance.ts';
import { Random } from './random.ts';
import { addRunning } from './running-by-chance.ts';
import type { Domain, RawDescriptor, RawField, Taken } from './shape.ts';

const words = ['area', 'berth', 'cart', 'depot', 'event', 'farm'] as const;
const operations = ['list', 'get', 'create', 'update', 'delete'];

/** @param omitted What no domain shall have. */
export function generateDomain(seed: number, place: number, omitted: ReadonlySet<Omitted> = new Set()): Domain {
  const random = new Random(seed, place);
  const groups = new Map<string, Made>();
  const state: State = {
    omitted,
    random,
    drafts: [],
    making: { random, groups, omitted },
    level: 1,
  };
  const count = 2 + random.one([0, 0, 1, 1, 2, 3, 4]);
  for (const [number, word] of words.slice(0, count).entries()) addGroup(state, word, number);
  for (let turn = random.upTo(2); turn > 0; turn -= 1) addMore(state);
  if (random.chance(50)) addNamed(state);
  if (random.chance(30)) addNamed(state);
  const figures = 3 + random.upTo(count * 2);
  for (let turn = 0; turn < figures; turn += 1) addFigure(state);
  for (let turn = random.upTo(2); turn > 0; turn -= 1) addRunning(state);
  if (random.chance(50)) addFigure(state);
  for (const draft of state.drafts) {
    if (random.chance(35)) addState(state, draft);
    if (random.chance(50)) addCondition(state, draft);
    if (random.chance(35)) addGuard(state, draft);
    if (random.chance(20)) addDecisions(state, draft);
  }
  if (random.chance(50)) addMore(state);
  if (random.chance(50)) addFigure(state);
  if (random.chance(60)) addEffect(state);
  return Object.fromEntries(state.drafts.map((draft) => [draft.made.group, descriptorOf(draft)]));
}

function descriptorOf({
  made,
  fields,
  required,
  indexes,
  rules,
  effects,
  locks,
  formulas,
  decisions,
}: Draft): RawDescriptor {
  return {
    title: made.group[0]?.toUpperCase() + made.group.slice(1),
    description: 'A group by chance.',
    type: 'object',
    properties: fields,
    required,
    resource: {
      path: `/${made.collection}`,
      shownAs: '{label}',
      operations,
      ...(indexes.length > 0 && { indexes }),
      ...(rules.length > 0 && { rules }),
      ...(effects.length > 0 && { effects }),
      ...(locks.length > 0 && { locked: locks[0] }),
      ...(Object.keys(formulas).length > 0 && { formulas }),
      ...(decisions.length > 0 && { decisions }),
    },
  };
}

/** One figure of a group by chance, in one of the ways in which figures are taken. */
function addFigure(state: State): void {
  const { random, drafts, making } = state;
  const draft = random.one(drafts);
  const { made, fields } = draft;
  const level = state.level++;
  const place: Place = { of: made, prefix: '', level, goesThrough: random.chance(40) };
  const taken = random.one<Taken>(['always', 'always', 'always', 'always', 'onWrite', 'onCreate', 'onRead']);
  const list = made.lists.get('lines');
  if (list !== undefined && taken !== 'onRead' && random.chance(25)) {
    addItemFigure(state, draft, list, level);
    return;
  }
  const name = `v${level}`;
  const isTruth = random.chance(15);
  const formula = isTruth ? (truthOver(making, place) ?? truthAt(making, place)) : anyNumberAt(making, place);
  const again = made.attributes.filter((each) => each.level === 0).map((each) => each.name);
  const way =
    taken === 'onCreate'
      ? { compute: taken, ...(random.chance(70) && { recomputeIfChanged: [random.one(again)] }) }
      : { compute: taken };
  const typed =
    random.chance(8) && taken === 'always'
      ? { when: truthAt(making, { ...place, level: 1, goesThrough: false }, 0) }
      : {};
  const accepts =
    Object.keys(typed).length === 0 && taken !== 'onRead' && random.chance(8) ? ({ acceptIfEqual: true } as const) : {};
  const type: Partial<RawField> = isTruth
    ? { type: 'boolean', ...(Object.keys(typed).length > 0 && { default: false }) }
    : random.chance(30)
      ? { type: 'integer', signed: true, ...(Object.keys(typed).length > 0 && { default: 0 }) }
      : { type: 'number', format: 'money', signed: true, ...(Object.keys(typed).length > 0 && { default: 0 }) };
  fields[name] = { ...type, formula, ...way, ...typed, ...accepts, description: 'A figure' } as RawField;
  if (taken !== 'onRead') made.attributes.push({ name, sort: isTruth ? 'bool' : 'number', isNullable: false, level });
}

function truthOver(making: Making, place: Place): string | undefined {
  const gathered = gatheredAt(making, place);
  if (gathered === undefined) return undefined;
  return `${gathered.text}.count() ${making.random.one(['>', '==', '<='])} ${making.random.upTo(2)}`;
}

function addItemFigure({ making, random }: State, { fields }: Draft, list: Made, level: number): void {
  const name = `w${level}`;
  const lines = fields['lines'];
  if (lines?.items === undefined) return;
  const formula = numberAt(making, { of: list, prefix: '', level, goesThrough: random.chance(50) });
  const figure: RawField = {
    type: 'number',
    format: 'money',
    signed: true,
    formula,
    compute: random.one<Taken>(['always', 'onWrite']),
    description: 'A figure',
  };
  fields['lines'] = { ...lines, items: { ...lines.items, properties: { ...lines.items.properties, [name]: figure } } };
  list.attributes.push({ name, sort: 'number', isNullable: false, level });
}

/** A state that follows from the record and its figures. */
function addState(state: State, { made, fields, number }: Draft): void {
  const { random, making } = state;
  const level = state.level++;
  const place: Place = { of: made, prefix: '', level, goesThrough: false };
  const name = `s${number}`;
  const numbers = made.attributes.filter((each) => each.sort === 'number' && !each.isNullable);
  const [low, high] = [random.upTo(5), 6 + random.upTo(9)];
  const over = `${random.one(numbers).name} > ${high}`;
  const rules = [
    { to: 'high', when: over },
    { to: 'low', when: `${random.one(numbers).name} > ${low}` },
    { to: 'none', when: random.chance(60) ? 'true' : truthAt(making, place, 0) },
  ];
  fields[name] = {
    type: 'string',
    enum: ['none', 'low', 'high'],
    default: 'none',
    ...((random.chance(30) || state.omitted.has('states that are sent')) && { readOnly: true }),
    becomes: rules,
    description: 'A state',
  };
  made.attributes.push({ name, sort: 'enum', isNullable: false, level, values: ['none', 'low', 'high'] });
}
