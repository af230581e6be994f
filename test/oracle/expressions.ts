// Expressions by chance over the fields of a domain that is being made. Fields have levels: a formula looks only at those below
// its own, so that none goes round.
import { type Attribute, type Call, type Link, labels, type Made, type Making, type Place, type Sort } from './made.ts';

const attributesOf = ({ of, level }: Place, sort: Sort): readonly Attribute[] =>
  of.attributes.filter((each) => each.sort === sort && each.level < level);

const linksOf = ({ of, level }: Place): readonly Link[] => of.links.filter((link) => link.level < level);

/** A number that is never null. */
export function numberAt(making: Making, place: Place, depth = 2): string {
  const { random } = making;
  const own = attributesOf(place, 'number');
  const plain = (): string => {
    if (own.length === 0 || random.chance(10)) return String(random.upTo(9));
    const { name, isNullable } = random.one(own);
    return isNullable ? `coalesce(${place.prefix}${name}, ${random.upTo(3)})` : place.prefix + name;
  };
  if (depth === 0) return plain();
  const deeper = (): string => numberAt(making, place, depth - 1);
  switch (random.upTo(13)) {
    case 11:
      return `coalesce(${deeper()} % ${random.one(['3', '0.7', plain()])}, 1)`;
    case 12:
      return random.one([
        `pow(${plain()}, 2)`,
        `with(${plain()}, w, w * w - w)`,
        `coalesce([${plain()}, ${plain()}, null].avg(), 0)`,
      ]);
    case 0:
      return `(${deeper()} + ${deeper()})`;
    case 1:
      return `(${deeper()} - ${deeper()})`;
    case 2:
      return `${plain()} * ${random.one(['2', '0.5', '1.25', plain()])}`;
    case 3:
      return `(${truthAt(making, place, 1)} ? ${deeper()} : ${deeper()})`;
    case 4:
      return `round(${deeper()} / ${random.one(['3', '7', '4'])}, ${random.upTo(2)})`;
    case 5:
      return behindAt(making, place, 'number') ?? plain();
    case 6:
      return daysAt(making, place) ?? plain();
    case 7:
      return `${random.one(['min', 'max'])}(${plain()}, ${deeper()})`;
    case 8:
      return `${random.one(['abs', 'floor', 'ceil'])}(${deeper()} - 1.5)`;
    case 9:
      return callAt(making, place, plain) ?? lengthAt(making, place) ?? plain();
    default:
      return plain();
  }
}

/** A named formula, of the record or behind a reference; undefined where there is none. */
function callAt({ random, groups, omitted }: Making, place: Place, given: () => string): string | undefined {
  if (omitted.has('named formulas')) return undefined;
  const callsOf = ({ calls }: Made): readonly Call[] => calls.filter(({ level }) => level < place.level);
  const ways = callsOf(place.of).map(({ name }) => ({ path: place.prefix + name, isNullable: false }));
  for (const link of place.goesThrough ? linksOf(place) : []) {
    const there = groups.get(link.target);
    for (const { name } of there === undefined ? [] : callsOf(there))
      ways.push({ path: `${place.prefix}${link.name}.${name}`, isNullable: link.isNullable });
  }
  if (ways.length === 0) return undefined;
  const { path, isNullable } = random.one(ways);
  return isNullable ? `coalesce(${path}(${given()}), 0)` : `${path}(${given()})`;
}

/** How long a text is, or how many minutes lie between two times. */
function lengthAt({ random, omitted }: Making, place: Place): string | undefined {
  const [texts, times] = [attributesOf(place, 'text'), attributesOf(place, 'time')];
  if (times.length > 0 && random.chance(60))
    return `(${place.prefix}${random.one(times).name} - ${place.prefix}${random.one(times).name})`;
  return texts.length === 0 || omitted.has('texts') ? undefined : `size(${place.prefix}${random.one(texts).name})`;
}

/** A text that is never null; undefined where the record has none. */
export function textAt(making: Making, place: Place, depth = 2): string | undefined {
  const { random } = making;
  const texts = attributesOf(place, 'text');
  if (texts.length === 0) return undefined;
  const plain = (): string => place.prefix + random.one(texts).name;
  if (depth === 0) return plain();
  const deeper = (): string => textAt(making, place, depth - 1) ?? plain();
  switch (random.upTo(11)) {
    case 8:
      return `upper(${deeper()})`;
    case 9:
      return `coalesce(substring(${deeper()}, ${random.upTo(2)}, ${random.upTo(4)}), '')`;
    case 10:
      return `split(${deeper()}, '-').join('/')`;
    case 0:
      return `${plain()} + '-' + ${deeper()}`;
    case 1:
      return `lower(${deeper()})`;
    case 2:
      return `trim(${deeper()})`;
    case 3:
      return `coalesce(cut(${deeper()}, ${random.upTo(3)}), '')`;
    case 4:
      return `(${truthAt(making, place, 1)} ? ${deeper()} : ${plain()})`;
    case 5:
    case 6: {
      const gathered = gatheredAt(making, place);
      const theirs = gathered && attributesOf({ ...place, of: gathered.of }, 'text');
      if (gathered === undefined || theirs === undefined || theirs.length === 0) return plain();
      return `coalesce(${gathered.text}.${random.one(['min', 'max'])}(x, x.${random.one(theirs).name}), '')`;
    }
    default:
      return behindAt(making, place, 'text') ?? plain();
  }
}

function daysAt({ random }: Making, place: Place): string | undefined {
  const days = attributesOf(place, 'date').filter(({ isNullable }) => !isNullable);
  if (days.length === 0) return undefined;
  const [from, to] = [random.one(days), random.one(days)];
  const part = random.one(['weekday', 'year', 'month', 'day', 'quarter', 'isoWeek', 'isoYear']);
  return from === to
    ? `${part}(${place.prefix}${from.name})`
    : `(${place.prefix}${to.name} - ${place.prefix}${from.name})`;
}

/** A day, or null; undefined where the record has none. */
export function dateAt(making: Making, place: Place): string | undefined {
  const { random } = making;
  const days = attributesOf(place, 'date');
  if (days.length === 0) return undefined;
  const day = place.prefix + random.one(days).name;
  const gathered = gatheredAt(making, place);
  const theirs = gathered && attributesOf({ ...place, of: gathered.of }, 'date');
  switch (random.upTo(6)) {
    case 0:
      return `${day} + ${random.upTo(40)}`;
    case 1:
      return `${random.one(['startOfWeek', 'firstOfMonth', 'lastOfMonth'])}(${day})`;
    case 2:
      return random.one([
        `addMonths(${day}, ${random.upTo(3)})`,
        `date(year(${day}), month(${day}), ${random.upTo(31)})`,
      ]);
    case 3:
      return `${random.one(['min', 'max'])}(${day}, ${place.prefix}${random.one(days).name})`;
    default:
      if (gathered === undefined || theirs === undefined || theirs.length === 0) return `${day} - 1`;
      return `${gathered.text}.${random.one(['min', 'max'])}(x, x.${random.one(theirs).name})`;
  }
}

/** A field of the record behind a reference; undefined where there is none. */
function behindAt({ random, groups }: Making, place: Place, sort: Sort): string | undefined {
  const links = linksOf(place);
  if (!place.goesThrough || links.length === 0) return undefined;
  const link = random.one(links);
  const there = groups.get(link.target);
  const found = there && attributesOf({ ...place, of: there }, sort);
  if (found === undefined || found.length === 0) return undefined;
  const attribute = random.one(found);
  const path = `${place.prefix}${link.name}.${attribute.name}`;
  if (!link.isNullable && !attribute.isNullable) return path;
  return sort === 'number' ? `coalesce(${path}, 0)` : sort === 'text' ? `coalesce(${path}, '')` : path;
}

/** What is true or false. */
export function truthAt(making: Making, place: Place, depth = 1): string {
  const { random } = making;
  const deeper = (): string => truthAt(making, place, depth - 1);
  const turn = random.upTo(depth === 0 ? 6 : 9);
  const truths = attributesOf(place, 'bool');
  const enums = attributesOf(place, 'enum');
  const days = attributesOf(place, 'date');
  if (turn <= 1 && truths.length > 0) return random.one(['', '!']) + place.prefix + random.one(truths).name;
  if (turn === 2 && enums.length > 0) {
    const { name, values = [] } = random.one(enums);
    return `${place.prefix}${name} ${random.one(['==', '!='])} '${random.one(values)}'`;
  }
  if (turn === 3 && days.length > 0)
    return `${place.prefix}${random.one(days).name} ${random.one(['<', '>=', '=='])} '2026-03-${10 + random.upTo(9)}'`;
  if (turn === 4) {
    const nullable = place.of.attributes.filter((each) => each.isNullable && each.level < place.level);
    if (nullable.length > 0) return `${place.prefix}${random.one(nullable).name} ${random.one(['==', '!='])} null`;
  }
  const texts = attributesOf(place, 'text');
  if (turn === 6 && texts.length > 0 && random.chance(50)) {
    const text = place.prefix + random.one(texts).name;
    const word = `'${random.one(labels)}'`;
    return random.one([
      `${text} == ${word}`,
      `startsWith(${text}, 't')`,
      `contains(${text}, 't')`,
      `endsWith(${text}, 't')`,
      `${text} < ${word}`,
      `${text} in ['T1', ${word}]`,
    ]);
  }
  if (turn === 5) {
    const behind = behindAt(making, place, 'bool');
    if (behind !== undefined) return behind;
  }
  if (turn === 7) return `(${deeper()} && ${deeper()})`;
  if (turn === 8) return `(${deeper()} || ${deeper()})`;
  return `${numberAt(making, place, 0)} ${random.one(['<', '<=', '>', '>=', '=='])} ${random.upTo(9)}`;
}

/** A collection narrowed from the record at `place`, and what its items are to a formula. */
interface Gathered {
  readonly collection: string;
  readonly narrowing: string;
  readonly of: Made;
  /** What leads from an item to its record: `l.record`. */
  readonly isItems: boolean;
  readonly isOwn: boolean;
}

/**
 * Every way in which a record can find others.
 * @param isJudged Whether a condition does: others are found by a reference, or by bounds.
 */
function waysFrom({ groups, omitted, random }: Making, { of, level }: Place, isJudged: boolean): readonly Gathered[] {
  const ways: Gathered[] = [];
  for (const other of groups.values()) {
    const isOwn = other === of;
    const add = (narrowing: string): void =>
      void ways.push({ collection: `all.${other.collection}`, narrowing, of: other, isItems: false, isOwn });
    for (const link of other.links.filter((each) => each.level < level)) {
      if (link.target === of.group) add(`x.${link.name}Id == id`);
      for (const mine of of.links.filter(
        (each) =>
          each.level < level && each.target === link.target && !(each.isNullable && omitted.has('narrowed by null')),
      ))
        add(`x.${link.name}Id == ${mine.name}Id`);
    }
    for (const name of omitted.has('narrowed by no reference') ? [] : other.indexed) {
      const theirs = other.attributes.find((each) => each.name === name && each.level < level);
      const mine = of.attributes.find((each) => sameSort(each, theirs) && each.level < level);
      if (mine !== undefined) add(`x.${name} == ${mine.name}`);
    }
    if (!omitted.has('narrowed by bounds'))
      for (const narrowing of boundsBetween(other, of, level))
        if (random.chance(25) && (isOwn || !isJudged || / (?:>=|<) /.test(narrowing))) add(narrowing);
    for (const [list, target] of other.marks) if (target === of.group) add(`id in x.${list.slice(0, -1)}Ids`);
    for (const [list, items] of other.lists)
      for (const link of items.links.filter(({ target }) => target === of.group))
        ways.push({
          collection: `all.${other.collection}.${list}`,
          narrowing: `x.${link.name}Id == id`,
          of: items,
          isItems: true,
          isOwn,
        });
  }
  return ways;
}

/** Days and whole numbers of others that lie beside own ones, and values that are one of several. */
function* boundsBetween(other: Made, of: Made, level: number): Generator<string> {
  const known = (made: Made): readonly Attribute[] => made.attributes.filter((each) => each.level < level);
  for (const theirs of known(other)) {
    const at = `x.${theirs.name}`;
    const mine = known(of).filter((each) => sameSort(each, theirs) && isPlain(each));
    const [first, last = first] = mine;
    if (!isPlain(theirs) || first === undefined || last === undefined) continue;
    if (theirs.sort === 'enum') {
      yield `${at} in ['a', 'b']`;
      yield `(${at} == ${first.name} || ${at} == 'b')`;
    } else {
      yield `${at} >= ${first.name} && ${last.name} > ${at}`;
      yield theirs.sort === 'date' ? `${at} in days(${first.name} - 2, ${last.name})` : `${first.name} < ${at}`;
    }
  }
}

/** What callers send that an index puts in order. */
const isPlain = ({ name }: Attribute): boolean => /^[dkno]\d+$/.test(name);

const sameSort = (one: Attribute, other: Attribute | undefined): boolean =>
  other !== undefined && one.sort === other.sort && String(one.values) === String(other.values);

/** What more is asked of each, also beside the record that asks: windows, ranks, others than itself. */
function furtherAt(making: Making, place: Place, { of, isItems, isOwn }: Gathered): string {
  const { random } = making;
  const there: Place = { of, prefix: 'x.', level: place.level, goesThrough: place.goesThrough };
  const parts: string[] = [];
  if (random.chance(40)) parts.push(truthAt(making, there, 1));
  if (random.chance(30)) {
    const sort = random.one(['number', 'number', 'date', 'date', 'text', 'time'] as const);
    const [theirs, mine] = [attributesOf(there, sort), attributesOf(place, sort)];
    const sign = random.one(['<', '<=', '>', '>=']);
    if (theirs.length > 0 && mine.length > 0)
      parts.push(`x.${random.one(theirs).name} ${sign} ${random.one(mine).name}`);
  }
  if (isOwn && !isItems && (making.omitted.has('own group with itself') || random.chance(25))) parts.push('x.id != id');
  return parts.map((part) => ` && ${part}`).join('');
}

/** A filtered collection: `all.parts.filter(x, …)`. */
export function gatheredAt(
  making: Making,
  place: Place,
  isJudged = false,
): { readonly text: string; readonly of: Made } | undefined {
  const ways = waysFrom(making, place, isJudged);
  if (ways.length === 0) return undefined;
  const own = ways.filter(({ isOwn }) => isOwn);
  const way = own.length > 0 && making.random.chance(40) ? making.random.one(own) : making.random.one(ways);
  const { collection, narrowing, of } = way;
  return { text: `${collection}.filter(x, ${narrowing}${furtherAt(making, place, way)})`, of };
}

/** A number out of a collection, never null. */
export function aggregateAt(making: Making, place: Place): string | undefined {
  const { random } = making;
  const gathered = gatheredAt(making, place);
  if (gathered === undefined) return undefined;
  const { text, of } = gathered;
  const there: Place = { of, prefix: 'x.', level: place.level, goesThrough: place.goesThrough };
  const numbers = attributesOf(there, 'number').filter(({ isNullable }) => !isNullable);
  const ordered = [...numbers, ...attributesOf(there, 'date').filter(({ isNullable }) => !isNullable)];
  switch (random.upTo(11)) {
    case 0:
      return `${text}.count()`;
    case 1:
      return `${text}.count(x, ${truthAt(making, there, 1)})`;
    case 2:
      return `${text}.size()`;
    case 3:
      return `coalesce(${text}.${random.one(['max', 'min'])}(x, ${numberAt(making, there, 1)}), 0)`;
    case 4:
      return `(${text}.exists(x, ${truthAt(making, there, 0)}) ? ${numberAt(making, place, 1)} : ${random.upTo(3)})`;
    case 5:
      return `(${text}.all(x, ${truthAt(making, there, 0)}) ? 1 : ${random.upTo(3)})`;
    case 6:
      return ordered.length === 0 || numbers.length === 0
        ? `${text}.count()`
        : `coalesce(${text}.${random.one(['first', 'last'])}(x, x.${random.one(ordered).name}).${random.one(numbers).name}, 0)`;
    case 7:
      return `${text}.map(x, ${numberAt(making, there, 0)}).distinct().size()`;
    case 8:
      return `${text}.sum(x, ${truthAt(making, there, 0)} ? ${numberAt(making, there, 0)} : 0)`;
    default:
      return `${text}.sum(x, ${numberAt(making, there, 1)})`;
  }
}

/** A number out of the items of a list of the record itself. */
function itemsAt(making: Making, place: Place): string | undefined {
  const { random } = making;
  const lists = [...place.of.lists];
  if (lists.length === 0) return undefined;
  const [list, of] = random.one(lists);
  const there: Place = { ...place, of, prefix: 'y.' };
  const [inner] = [...of.lists];
  switch (random.upTo(4)) {
    case 0:
      return `${place.prefix}${list}.size()`;
    case 1:
      return `${place.prefix}${list}.count(y, ${truthAt(making, there, 0)})`;
    case 2:
      if (inner !== undefined) {
        const parts: Place = { ...place, of: inner[1], prefix: 'z.' };
        return `${place.prefix}${list}.sum(y, y.${inner[0]}.sum(z, ${numberAt(making, parts, 1)}))`;
      }
      return `coalesce(${place.prefix}${list}.max(y, ${numberAt(making, there, 0)}), 0)`;
    default:
      return `${place.prefix}${list}.sum(y, ${numberAt(making, there, 1)})`;
  }
}

/** Any number: of the record, of its items, of others. */
export function anyNumberAt(making: Making, place: Place): string {
  const { random } = making;
  const turn = random.upTo(9);
  const found = turn < 6 ? aggregateAt(making, place) : turn < 8 ? itemsAt(making, place) : undefined;
  if (found === undefined) return numberAt(making, place, 2);
  if (random.chance(60)) return found;
  return `(${found} ${random.one(['+', '-', '+'])} ${random.chance(50) ? numberAt(making, place, 1) : (aggregateAt(making, place) ?? '1')})`;
}
