// Fields by chance of which a domain has one or two: days, what may be null, references that are figures, totals of trees,
// defaults, locks, transitions, texts.
import { aggregateAt, dateAt, gatheredAt, numberAt, textAt } from './expressions.ts';
import type { Draft, State } from './groups-by-chance.ts';
import type { Place } from './made.ts';
import type { RawField, Taken } from './shape.ts';

/** Adds one of them to a group; nothing where the group has not what it takes. */
export function addMore(state: State): void {
  const { random, drafts } = state;
  const add = random.one([
    addDay,
    addNullable,
    addNullable,
    addCopy,
    addCopy,
    addTotal,
    addDefault,
    addLock,
    addTransitions,
    addRounded,
    addText,
    addText,
  ]);
  add(state, random.one(drafts), state.level++);
}

type Add = (state: State, draft: Draft, level: number) => void;

const placeIn = ({ random }: State, { made }: Draft, level: number): Place => ({
  of: made,
  prefix: '',
  level,
  goesThrough: random.chance(30),
});

const addDay: Add = (state, draft, level) => {
  const { random, making } = state;
  const formula = dateAt(making, placeIn(state, draft, level));
  if (formula === undefined) return;
  const name = `y${level}`;
  const taken = random.one<Taken>(['always', 'onWrite']);
  draft.fields[name] = {
    type: ['string', 'null'],
    format: 'date',
    formula,
    compute: taken,
    description: 'A day that follows',
  };
  draft.made.attributes.push({ name, sort: 'date', isNullable: true, level });
};

const addNullable: Add = (state, draft, level) => {
  const { random, making } = state;
  const place = placeIn(state, draft, level);
  const gathered = gatheredAt(making, place);
  const quotient = `${numberAt(making, place, 1)} / ${numberAt(making, place, 0)}`;
  const there = gathered && { ...place, of: gathered.of, prefix: 'x.' };
  const extreme = there && `${gathered.text}.${random.one(['max', 'min'])}(x, ${numberAt(making, there, 1)})`;
  const name = `z${level}`;
  const formula = extreme === undefined || random.chance(40) ? quotient : extreme;
  const taken = random.one<Taken>(['always', 'always', 'onWrite']);
  const otherwise = random.chance(30) ? { default: 7 } : {};
  draft.fields[name] = {
    type: ['number', 'null'],
    format: 'money',
    signed: true,
    formula,
    compute: taken,
    ...otherwise,
    description: 'A number or none',
  };
  draft.made.attributes.push({ name, sort: 'number', isNullable: true, level });
};

/** A reference that is a figure: the record behind the reference of a reference. */
const addCopy: Add = ({ random, drafts }, { made, fields }, level) => {
  const ways = made.links.flatMap((link) => {
    const there = drafts.find((each) => each.made.group === link.target)?.made;
    return (there?.links ?? [])
      .filter((next) => !link.isNullable && !next.isNullable && next.level === 0)
      .map((next) => ({ link, next }));
  });
  if (ways.length === 0) return;
  const { link, next } = random.one(ways);
  const taken = random.one<Taken>(['onWrite', 'onWrite', 'always']);
  const name = `${taken === 'always' ? 'live' : 'copy'}${level}`;
  fields[name] = {
    reference: next.target,
    formula: `${link.name}.${next.name}`,
    compute: taken,
    onDelete: 'restrict',
    filter: 'exact',
    description: 'A link that follows',
  };
  made.links.push({ name, target: next.target, isNullable: false, level });
};

/** A total of a tree: its own, and those of all below. */
const addTotal: Add = (_state, { made, fields, number }, level) => {
  if (!made.links.some(({ name }) => name === 'above')) return;
  const name = `t${level}`;
  const formula = `n${number} + all.${made.collection}.filter(x, x.aboveId == id).sum(x, x.${name})`;
  fields[name] = { type: 'integer', signed: true, formula, compute: 'always', description: 'A total' };
  made.attributes.push({ name, sort: 'number', isNullable: false, level });
};

const addDefault: Add = (state, draft, level) => {
  const { random, making } = state;
  const { made, fields } = draft;
  const own = made.attributes.filter((each) => each.level === 0);
  const formula = numberAt(
    making,
    { of: { ...made, attributes: own }, prefix: '', level, goesThrough: random.chance(40) },
    1,
  );
  const again = random.chance(60) ? { recomputeIfChanged: [random.one(own).name] } : {};
  const name = `e${level}`;
  const field: RawField = {
    type: 'number',
    format: 'money',
    signed: true,
    defaultFrom: [{ formula, ...again }],
    description: 'A number or its default',
  };
  fields[name] = field;
  made.attributes.push({ name, sort: 'number', isNullable: false, level });
};

const addLock: Add = ({ random }, { made, locks }) => {
  const flag = made.attributes.find(({ sort, level }) => sort === 'bool' && level === 0);
  const kind = made.attributes.find(({ sort, level }) => sort === 'enum' && level === 0);
  if (flag !== undefined && random.chance(50))
    locks.push({ fields: [{ when: flag.name, open: [flag.name, 'label'] }] });
  else if (kind !== undefined) locks.push({ [random.one(['update', 'delete'])]: `${kind.name} == 'c'` });
};

const addTransitions: Add = (_state, { fields, number }) => {
  const name = `k${number}`;
  const field = fields[name];
  if (field === undefined) return;
  const initialStates = number % 3 === 0 ? 'any' : ['a', 'b'].slice(0, number % 3);
  fields[name] = { ...field, transitions: { a: ['b'], b: ['a', 'c'], c: ['a'] }, initialStates };
};

/** Rounded to as many digits as a field says. */
const addRounded: Add = (state, draft, level) => {
  const { making, omitted, random } = state;
  const { made, fields, number } = draft;
  if (omitted.has('rounded to a field')) return;
  const place = placeIn(state, draft, level);
  const formula = `round(${aggregateAt(making, place) ?? numberAt(making, place, 1)} / 3, n${number})`;
  const name = `u${level}`;
  fields[name] = {
    type: 'number',
    format: 'money',
    signed: true,
    formula,
    compute: random.one<Taken>(['always', 'onWrite']),
    description: 'A rounded number',
  };
  made.attributes.push({ name, sort: 'number', isNullable: false, level });
};

/** A text that follows. */
const addText: Add = (state, draft, level) => {
  const { making, omitted, random } = state;
  const formula = omitted.has('texts') ? undefined : textAt(making, placeIn(state, draft, level));
  if (formula === undefined) return;
  const name = `h${level}`;
  const taken = random.one<Taken>(['always', 'always', 'onWrite', 'onCreate']);
  draft.fields[name] = { type: 'string', maxLength: 200, formula, compute: taken, description: 'A text that follows' };
  draft.made.attributes.push({ name, sort: 'text', isNullable: false, level });
};
