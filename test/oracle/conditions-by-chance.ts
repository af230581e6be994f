// Conditions and effects by chance.
import { gatheredAt, numberAt, truthAt } from './expressions.ts';
import type { Draft, State } from './groups-by-chance.ts';
import type { Link, Place } from './made.ts';
import type { Happening } from './shape.ts';

/** With this the text of a condition begins that holds of every record after any history. */
export const keptWord = 'kept';

/** A condition over the record, those behind its references, or those of a group. */
export function addCondition(state: State, { made, rules, fields, number }: Draft): void {
  const { random, making } = state;
  const level = state.level++;
  const place: Place = { of: made, prefix: '', level, goesThrough: random.chance(40) };
  const field = `n${number}`;
  const always = random.chance(15) ? ({ always: true } as const) : {};
  const gathered = random.chance(60) ? gatheredAt(making, place, true) : undefined;
  if (gathered === undefined) {
    const most = 5 + random.upTo(20);
    const standing = fields[field];
    if (standing !== undefined && random.chance(40)) {
      const that = `${numberAt(making, place, 1)} <= ${most}`;
      fields[field] = { ...standing, must: [{ that, be: `little for {${field}} of ${most}` }] };
      return;
    }
    rules.push({
      use: 'require',
      that: random.chance(35) ? onceAt(state, place, most) : `${numberAt(making, place, 1)} <= ${most}`,
      field,
      must: `little for {${field}}`,
      ...always,
    });
    return;
  }
  const { text } = gathered;
  const most = 2 + random.upTo(3);
  if (random.chance(20) && !state.omitted.has('before')) {
    rules.push({
      use: 'require',
      that: `${text}.count() <= coalesce(before(${text}.count()), 0) + 1 || ${text}.count() <= ${most}`,
      field,
      must: `no more than one of {coalesce(before(${text}.count()), 0)} more`,
      ...always,
    });
    return;
  }
  const turn = random.one(state.omitted.has('conditions on delete') ? [0, 1, 3] : [0, 1, 2, 3]);
  if (turn === 0)
    rules.push({
      use: 'require',
      that: `${text}.count() <= ${most}`,
      field,
      must: `one of ${most}, not of {${text}.count()}`,
      ...always,
    });
  else if (turn === 1) rules.push({ use: 'require', that: `${text}.count() <= ${most}`, answers: 'inUse' });
  else if (turn === 2)
    rules.push({
      use: 'require',
      that: `${text}.count() == 0`,
      answers: random.one(['inUse', 'readOnly']),
      on: ['delete'],
    });
  else {
    const total = `${text}.sum(x, ${numberAt(making, { ...place, of: gathered.of, prefix: 'x.' }, 0)})`;
    rules.push({ use: 'require', that: `${total} <= ${most * 8}`, field, text: `makes {${total}} of ${most * 8}` });
  }
}

/** A number that grows no faster than so, over what it was before the write. */
function onceAt({ making, omitted }: State, place: Place, most: number): string {
  const now = numberAt(making, place, 1);
  return omitted.has('before') ? `${now} <= ${most}` : `${now} <= coalesce(before(${now}), ${most}) + ${most}`;
}

/**
 * A condition that no later write can break unseen: whoever could make it false is judged by it. After any history, also one
 * by several writers, it holds of every record.
 */
export function addGuard({ random, drafts, omitted }: State, draft: Draft): void {
  const { made, number } = draft;
  const links = made.links.filter(({ isNullable, name }) => !isNullable && !/^(above|live)/.test(name));
  if (links.length === 0) return;
  const { name, target } = random.one(links);
  const own = `all.${made.collection}.filter(x, x.${name}Id == ${name}Id`;
  const guard = (of: Draft, that: string): void =>
    void of.rules.push({ use: 'require', that, field: `n${of.number}`, must: `${keptWord} by {n${of.number}}` });
  const flagOf = ({ made: { attributes } }: Draft): string | undefined =>
    attributes.find(({ sort, level }) => sort === 'bool' && level === 0)?.name;
  const flag = flagOf(draft);
  const turn = random.upTo(4);
  if (turn === 0) guard(draft, `${own}).count() <= ${2 + random.upTo(2)}`);
  else if (turn === 1) guard(draft, `${own}).sum(x, x.n${number}) <= ${8 + random.upTo(6)}`);
  else if (turn === 2) guard(draft, `${own} && x.id != id && x.n${number} == n${number}).count() == 0`);
  else if (flag !== undefined && !omitted.has('conditions across groups')) {
    const parent = drafts.find((each) => each.made.group === target);
    const cousins = drafts.filter(
      (each) => each !== draft && each.made.links.some((link) => link.target === target && !link.isNullable),
    );
    if (turn === 3 && parent !== undefined) {
      const closed = flagOf(parent);
      if (closed === undefined) return;
      guard(draft, `!${flag} || !${name}.${closed}`);
      guard(parent, `!${closed} || !all.${made.collection}.exists(x, x.${name}Id == id && x.${flag})`);
    } else if (cousins.length > 0) {
      const cousin = random.one(cousins);
      const theirs = flagOf(cousin);
      const link = cousin.made.links.find((each) => each.target === target && !each.isNullable)?.name;
      if (theirs === undefined) return;
      guard(draft, `!${flag} || !all.${cousin.made.collection}.exists(x, x.${link}Id == ${name}Id && x.${theirs})`);
      guard(cousin, `!${theirs} || !all.${made.collection}.exists(x, x.${name}Id == ${link}Id && x.${flag})`);
    }
  }
}

/** An effect on records that name this one, or that name what it names: on all of them, or on the first alone. */
export function addEffect(state: State): void {
  const { random, drafts, making } = state;
  const pairs = drafts.flatMap((of) =>
    drafts
      .filter((other) => other !== of)
      .flatMap((other) =>
        other.made.links.filter(({ level }) => level === 0).flatMap((link) => waysBetween(of, other, link)),
      ),
  );
  if (pairs.length === 0) return;
  const { of, other, link, narrowing } = random.one(pairs);
  const level = state.level++;
  const flag = of.made.attributes.find(({ sort, level: each }) => sort === 'bool' && each === 0)?.name;
  const follows = of.made.attributes.find(({ name }) => name === `s${of.number}`)?.name;
  const turned = flag === undefined ? undefined : `${flag} && (old == null || !old.${flag})`;
  const become =
    follows === undefined ? undefined : `${follows} == 'high' && (old == null || old.${follows} != 'high')`;
  const happenings: readonly { readonly on: readonly Happening[]; readonly when: string | undefined }[] = [
    { on: ['update'], when: turned },
    { on: ['create', 'update'], when: turned },
    { on: ['create'], when: flag },
    { on: ['delete'], when: random.chance(50) ? flag : undefined },
    ...(become === undefined ? [] : [{ on: ['becomes' as const], when: become }]),
  ];
  const there: Place = { of: other.made, prefix: 'x.', level, goesThrough: false };
  const matching = `all.${other.made.collection}.filter(x, ${narrowing} && ${truthAt(making, there, 0)})`;
  const targets = random.chance(40) ? `[${matching}.first(x, x.n${other.number})]` : matching;
  const { on, when } = random.one(happenings);
  const hasBefore = !on.includes('becomes') && !state.omitted.has('before');
  const settings: Record<string, string> = {
    [`n${other.number}`]: random.one([
      ...[`n${of.number}`, '3', `n${of.number} + 1`],
      ...(hasBefore ? [`coalesce(before(n${of.number}), 7)`, `coalesce(before(${matching}.count()), 0)`] : []),
    ]),
  };
  const items = itemsFrom(state, of, other);
  if (items !== undefined && random.chance(60)) settings['lines'] = items;
  const about = { on, ...(when !== undefined && { when }) };
  const isNeeded = other.required.every((name) => name === link.name || name === `n${other.number}`);
  const turn = random.upTo(3);
  if (turn === 0 && isNeeded && when !== undefined && narrowing.endsWith('== id') && on[0] !== 'delete')
    of.effects.push({ ...about, make: other.made.group, with: { [`${link.name}Id`]: 'id', ...settings } });
  else if (turn === 1) of.effects.push({ ...about, remove: targets });
  else of.effects.push({ ...about, change: targets, set: settings });
}

/** Items that an effect gives a record: one or two, each naming what the acting record is or names. */
function itemsFrom({ random, omitted }: State, of: Draft, other: Draft): string | undefined {
  const lines = other.made.lists.get('lines');
  const [link] = lines?.links ?? [];
  // Items are given whole.
  if (link === undefined || lines?.lists.size !== 0 || omitted.has('items that effects give')) return undefined;
  const { made, number } = of;
  const named = made.links
    .filter(({ target, isNullable, level }) => target === link.target && !isNullable && level === 0)
    .map(({ name }) => `${name}Id`);
  const ids = link.target === made.group ? ['id', ...named] : named;
  if (ids.length === 0) return undefined;
  const item = (): string =>
    `{'q${other.number}': ${random.one([`n${number}`, '2'])}, '${link.name}': ${random.one(ids)}}`;
  const own = made.lists.has('lines')
    ? [`lines.map(l, {'q${other.number}': l.q${number}, '${link.name}': ${random.one(ids)}})`]
    : [];
  return random.one([...own, `[${item()}]`, `[${item()}, ${item()}]`]);
}

interface Way {
  readonly of: Draft;
  readonly other: Draft;
  readonly link: Link;
  readonly narrowing: string;
}

function waysBetween(of: Draft, other: Draft, link: Link): readonly Way[] {
  const isNamed = link.target === of.made.group;
  const shared = of.made.links.filter(
    ({ target, level, isNullable }) => target === link.target && level === 0 && !isNullable,
  );
  return [
    ...(isNamed ? [{ of, other, link, narrowing: `x.${link.name}Id == id` }] : []),
    ...shared.map((mine) => ({ of, other, link, narrowing: `x.${link.name}Id == ${mine.name}Id` })),
  ];
}
