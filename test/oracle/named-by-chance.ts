// Named formulas by chance, with and without values that they are given, and fields that are decisions.
import { anyNumberAt, gatheredAt, numberAt } from './expressions.ts';
import type { Draft, State } from './groups-by-chance.ts';
import type { Place } from './made.ts';

/** A formula that others use by its name: like a field, or with a number that it is given. */
export function addNamed(state: State): void {
  const { random, drafts, making, omitted } = state;
  const { made, formulas } = random.one(drafts);
  if (omitted.has('named formulas')) return;
  const level = state.level++;
  const place: Place = { of: made, prefix: '', level, goesThrough: random.chance(40) };
  const name = `g${level}`;
  if (random.chance(50)) {
    formulas[name] = { is: anyNumberAt(making, place) };
    made.attributes.push({ name, sort: 'number', isNullable: false, level });
    return;
  }
  formulas[name] = { given: { some: 'number' }, is: overGiven(state, place) };
  made.calls.push({ name, level });
}

function overGiven({ random, making }: State, place: Place): string {
  const gathered = random.chance(70) ? gatheredAt(making, place) : undefined;
  if (gathered === undefined)
    return `(${numberAt(making, place, 1)} > some ? ${numberAt(making, place, 1)} : coalesce(some, 0) + 1)`;
  const there: Place = { ...place, of: gathered.of, prefix: 'x.' };
  const number = numberAt(making, there, 0);
  return random.one([
    `${gathered.text}.count(x, ${number} <= some)`,
    `${gathered.text}.sum(x, ${number} > some ? ${number} : 0)`,
    `coalesce(${gathered.text}.filter(x, ${number} < some).max(x, ${number}), some, 0)`,
  ]);
}

/** Fields whose change alone calls for no condition but those that look at them. */
export function addDecisions({ random, omitted }: State, { made, fields, number, decisions }: Draft): void {
  if (omitted.has('decisions')) return;
  // Names that no other group has, so that who looks at them is told by their words.
  const possible = made.attributes.filter(
    ({ name, level }) => level === 0 && name.endsWith(String(number)) && fields[name] !== undefined,
  );
  for (let turn = 0; turn <= random.upTo(1); turn += 1) {
    const { name } = random.one(possible);
    if (!decisions.includes(name)) decisions.push(name);
  }
}
