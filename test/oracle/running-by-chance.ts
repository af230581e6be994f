// Running values by chance: figures that look at the record before theirs in an order, by themselves or two that hang on each other.
import { aggregateAt, numberAt, truthAt } from './expressions.ts';
import type { Draft, State } from './groups-by-chance.ts';
import type { Attribute, Place } from './made.ts';
import type { Random } from './random.ts';
import type { RawField, Taken } from './shape.ts';

/** Adds one of them to a group; nothing where the group has nothing that its records have in common. */
export function addRunning(state: State): void {
  const { random, drafts, omitted } = state;
  if (omitted.has('running values')) return;
  const draft = random.one(drafts);
  const { made, formulas } = draft;
  const level = state.level++;
  const place: Place = { of: made, prefix: '', level, goesThrough: random.chance(30) };
  const taken = random.one<Taken>(['always', 'always', 'always', 'always', 'always', 'onWrite', 'onCreate', 'onRead']);
  const line = lineAt(state, place, taken);
  if (line === undefined) return;
  const name = `p${level}`;
  const isNamed = random.chance(25) && !omitted.has('named formulas');
  if (isNamed) formulas[name] = { is: line };
  const before = isNamed ? name : line;
  // Only what is always true looks at itself, and says so where it stands.
  const isChain = taken === 'always' && !isNamed;
  const isPair = isChain && random.chance(30);
  const [first, second] = [`r${level}`, `r${level}too`];
  const others = plainOf(made.attributes, level, ['number']).map((each) => each.name);
  const own = isPair ? second : isChain ? first : random.one(others);
  addField(draft, first, runningAt(state, place, { before, own }), { state, level, taken });
  if (!isPair) return;
  const follows = random.one([
    `round(${first} / 2, 1) + coalesce(${before}.${first}, 1)`,
    `(${first} > 3 ? coalesce(${before}.${second}, 0) : ${first})`,
    `coalesce(${before}.${second}, 0) + ${first}`,
  ]);
  addField(draft, second, follows, { state, level, taken });
}

/** `areas.filter(x, x.depotId == depotId).previous(x, [x.d1, x.id])`; undefined where nothing narrows it. */
function lineAt({ random, making }: State, { of, level }: Place, taken: Taken): string | undefined {
  const common = [
    ...of.links.filter((link) => link.level < level).map(({ name }) => `${name}Id`),
    ...plainOf(of.attributes, level, ['enum', 'bool', 'number']).map(({ name }) => name),
  ];
  if (common.length === 0) return undefined;
  const keys = [...new Set([random.one(common), ...(random.chance(25) ? [random.one(common)] : [])])];
  const narrowing = keys.map((key) => `x.${key} == ${key}`);
  const there: Place = { of, prefix: 'x.', level, goesThrough: false };
  // Of what is kept true somebody must know who stands behind.
  if (taken !== 'always' && random.chance(40)) narrowing.push(truthAt(making, there, 0));
  return `all.${of.collection}.filter(x, ${narrowing.join(' && ')}).previous(x, ${keyAt(random, of.attributes, level)})`;
}

const plainOf = (
  attributes: readonly Attribute[],
  level: number,
  sorts: readonly Attribute['sort'][],
): readonly Attribute[] =>
  attributes.filter(
    (each) => !each.isNullable && each.level < level && sorts.includes(each.sort) && !/^[gz]/.test(each.name),
  );

function keyAt(random: Random, attributes: readonly Attribute[], level: number): string {
  const ordered = plainOf(attributes, level, ['number', 'date', 'time']);
  if (ordered.length === 0 || random.chance(15)) return 'x.id';
  const key = `x.${random.one(ordered).name}`;
  return random.one([key, `[${key}]`, `[${key}, x.id]`]);
}

interface Running {
  readonly before: string;
  /** What it looks at of the record before. */
  readonly own: string;
}

function runningAt({ random, making }: State, place: Place, { before, own }: Running): string {
  const last = `coalesce(${before}.${own}, ${random.upTo(2)})`;
  const others = plainOf(place.of.attributes, place.level, ['number']);
  const number = (random.chance(20) ? aggregateAt(making, place) : undefined) ?? numberAt(making, place, 1);
  switch (random.upTo(8)) {
    case 0:
      return `${last} + 1`;
    case 1:
      return `round((${last} * 3 + ${number}) / 4, 2)`;
    case 2:
      return `${random.one(['max', 'min'])}(${last}, ${number})`;
    case 3:
      return `(${truthAt(making, place, 1)} ? ${last} : ${number})`;
    case 4:
      return `(${last} + ${number}) % 50`;
    case 5:
      if (others.length > 0) return `${number} - coalesce(${before}.${random.one(others).name}, 0)`;
      return `${last} - ${number}`;
    default:
      return `${last} + ${number}`;
  }
}

interface Adding {
  readonly state: State;
  readonly level: number;
  readonly taken: Taken;
}

function addField({ made, fields }: Draft, name: string, formula: string, { state, level, taken }: Adding): void {
  const { random, making } = state;
  const place: Place = { of: made, prefix: '', level: 1, goesThrough: false };
  const when = taken === 'always' && random.chance(8) ? { when: truthAt(making, place, 0), default: 0 } : {};
  const type: Partial<RawField> = random.chance(30)
    ? { type: 'integer', signed: true }
    : { type: 'number', format: 'money', signed: true };
  fields[name] = { ...type, formula, compute: taken, ...when, description: 'A running value' } as RawField;
  if (taken !== 'onRead') made.attributes.push({ name, sort: 'number', isNullable: false, level });
}
