// Formulas of all sorts over one rental, and rentals with values at their edges.
import fc from 'fast-check';
import type { Value, Values } from '../../../src/registry/model/model.ts';
import { addDays } from '../../../src/values/date.ts';
import { scaledToText } from '../../../src/values/scaled.ts';

const between = (least: number, greatest: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: greatest }).map(String);

/** A number with so many digits at most, and as many of them behind the point; often one at the edge, or a tie. */
function decimal(precision: number, scale: number, most = 10n ** BigInt(precision) - 1n): fc.Arbitrary<string> {
  const half = 5n * 10n ** BigInt(Math.max(scale - 1, 0));
  const edges = [0n, 1n, half, half * 3n, half / 10n, most, most - 1n].filter((units) => units <= most);
  const units = fc.oneof(
    fc.constantFrom(...edges),
    fc.bigInt({ min: 0n, max: most }),
    fc.bigInt({ min: 0n, max: most < 100_000n ? most : 100_000n }),
  );
  return fc.tuple(units, fc.boolean()).map(([n, isTurned]) => scaledToText(String(isTurned ? -n : n), scale));
}

const integer = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: -most, max: most }),
    fc.constantFrom(0, 1, -1, most, -most),
    fc.integer({ min: -3, max: 40 }),
  );

const aDate: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('1000-01-01', '1000-01-31', '9999-12-01', '9999-12-31', '2024-02-29', '1900-02-28', '2023-12-31'),
  fc.integer({ min: 0, max: 3_287_181 }).map((n) => addDays('1000-01-01', n)),
  fc.integer({ min: 0, max: 1500 }).map((n) => addDays('2022-12-01', n)),
);
const aTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const anInstant = fc
  .tuple(aDate, fc.constantFrom('00:00:00.000', '23:59:59.999', '12:30:00.100'))
  .map(([day, time]) => `${day}T${time}Z`);
const texts = ['', ' ', 'a', 'A', 'a ', 'ä', 'a\u0308', 'ß', 'ss', '🙂', '\uFFFD', "it's", 'b\\', '%', 'EUR', 'null'];
const aText = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'grapheme', maxLength: 5 }));

const kept: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  amount: decimal(18, 4),
  other: decimal(18, 4),
  rate: decimal(18, 10),
  whole: decimal(18, 0),
  tiny: decimal(18, 18),
  hours: decimal(9, 2),
  count: integer(Number.MAX_SAFE_INTEGER),
  places: integer(20),
  percent: decimal(7, 4, 1_000_000n).map((text) => text.replace('-', '')),
  days: integer(4_000_000),
  name: aText,
  title: aText,
  currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'USD'),
  status: fc.constantFrom('draft', 'sent', 'paid'),
  size: fc.constantFrom('big', 'small'),
  isOpen: fc.boolean(),
  start: aDate,
  end: aDate,
  opensAt: aTime,
  closesAt: aTime,
  doneAt: anInstant,
};

/** Rentals; each value but two can be null. */
export const rentals: fc.Arbitrary<Values> = fc.record({
  ...Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, fc.option(value, { freq: 4 })])),
  note: aText,
  isLate: fc.boolean(),
});

const quoted = (text: string): string => JSON.stringify(text);

/** A formula put together of parts of some types. */
const made = (
  parts: readonly fc.Arbitrary<string>[],
  put: (...texts: readonly string[]) => string,
): fc.Arbitrary<string> => fc.tuple(...parts).map((texts) => put(...texts));

type Tied = Record<'number' | 'text' | 'bool' | 'date' | 'time' | 'word', string>;

/** Formulas by the type of what they give. */
const formulas = fc.letrec<Tied>((tie) => {
  const parts: { readonly [K in keyof Tied]: fc.Arbitrary<Tied[K]> } = {
    number: tie('number'),
    text: tie('text'),
    bool: tie('bool'),
    date: tie('date'),
    time: tie('time'),
    word: tie('word'),
  };
  const { number, text, bool, date, time, word } = parts;
  const literal = fc.oneof(decimal(4, 2), decimal(18, 4), between(-30, 400));
  const one = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);
  const either = (type: fc.Arbitrary<string>): readonly fc.Arbitrary<string>[] => [
    made([bool, type, type], (test, a, b) => `(${test} ? ${a} : ${b})`),
    made([bool, type], (test, a) => `(${test} ? ${a} : null)`),
    made([type, type], (a, b) => `coalesce(${a}, ${b})`),
    made([type, type], (a, b) => `coalesce(null, ${a}, ${b})`),
  ];
  const extremes = (type: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    made([one('min', 'max'), type, type, type], (name, a, b, c) => `${name}(${a}, ${b}, ${c})`);
  const leafFirst = (leaf: fc.Arbitrary<string>, ...more: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.oneof({ maxDepth: 4, depthIdentifier: 'formula' }, leaf, ...more);
  const same = (type: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    made([type, one('==', '!='), type], (a, sign, b) => `(${a} ${sign} ${b})`);
  const ordered = (type: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    made([type, one('<', '<=', '>', '>='), type], (a, sign, b) => `(${a} ${sign} ${b})`);
  const isSet = made(
    [fc.oneof(number, text, bool, date, time, word), one('==', '!=')],
    (a, sign) => `(${a} ${sign} null)`,
  );
  return {
    number: leafFirst(
      one(
        ...[
          'amount',
          'other',
          'rate',
          'whole',
          'tiny',
          'hours',
          'count',
          'places',
          'percent',
          'days',
          'places',
          'hours',
        ],
      ),
      literal,
      made([number, one('+', '-', '*'), number], (a, sign, b) => `(${a} ${sign} ${b})`),
      made([number, one('0', '1', '3', '8', '60', '100', '-0.25')], (a, by) => `(${a} / ${by})`),
      made([number], (a) => `-(${a})`),
      made([number, between(-3, 6)], (a, digits) => `round(${a}, ${digits})`),
      made([number], (a) => `round(${a}, currency)`),
      made([one('floor', 'ceil', 'abs'), number], (name, a) => `${name}(${a})`),
      extremes(number),
      made([date, date], (a, b) => `(${a} - ${b})`),
      made([time, time], (a, b) => `(${a} - ${b})`),
      made(
        [one('weekday', 'year', 'month', 'day', 'quarter', 'isoWeek', 'isoYear'), date],
        (name, a) => `${name}(${a})`,
      ),
      made([number, one('3', '0.7', '-2', '0')], (a, by) => `(${a} % ${by})`),
      made([number], (a) => `pow(${a}, 2)`),
      made([number], (a) => `with(${a}, x, x + x)`),
      made([number, number], (a, b) => `[${a}, ${b}].avg()`),
      ...either(number),
    ),
    text: leafFirst(
      one('name', 'title', 'note', 'currency'),
      aText.map(quoted),
      made([text, text], (a, b) => `(${a} + ${b})`),
      made([text, word], (a, b) => `(${a} + ${b})`),
      made([text], (a) => `upper(${a})`),
      made([text], (a) => `substring(${a}, 1, 3)`),
      made([number], (a) => `text(${a})`),
      ...either(text),
    ),
    /** Of few values, in the order of their letters everywhere. */
    word: leafFirst(one('status', 'size'), extremes(word), ...either(word)),
    bool: leafFirst(
      one('isOpen', 'isLate', 'true', 'false', 'null'),
      made([bool, one('&&', '||'), bool], (a, sign, b) => `(${a} ${sign} ${b})`),
      made([bool], (a) => `!(${a})`),
      ...[number, date, time, word, one('doneAt')].flatMap((type) => [same(type), ordered(type)]),
      same(text),
      made([one('contains', 'startsWith', 'endsWith'), text, aText.map(quoted)], (name, a, b) => `${name}(${a}, ${b})`),
      same(bool),
      isSet,
      made([number, number, literal], (a, b, c) => `(${a} in [${b}, null, ${c}])`),
      made([text, aText.map(quoted), aText.map(quoted)], (a, b, c) => `(${a} in [${b}, ${c}])`),
      made([anInstant.map(quoted), one('<', '>=', '==')], (a, sign) => `(doneAt ${sign} ${a})`),
      made([date, one('<', '>=', '=='), aDate.map(quoted)], (a, sign, b) => `(${a} ${sign} ${b})`),
      ...either(bool),
    ),
    date: leafFirst(
      one('start', 'end'),
      made([date, one('+', '-'), number], (a, sign, n) => `(${a} ${sign} ${n})`),
      made(
        [date, one('+', '-'), fc.oneof(one('days', 'places', 'hours'), between(-40, 40))],
        (a, sign, n) => `(${a} ${sign} ${n})`,
      ),
      made([one('firstOfMonth', 'lastOfMonth', 'startOfWeek'), date], (name, a) => `${name}(${a})`),
      made([date, fc.oneof(number, one('places', 'days'), between(-40, 40))], (a, n) => `addMonths(${a}, ${n})`),
      made([date, aDate.map(quoted)], (a, b) => `coalesce(${a}, ${b})`),
      made([date, between(0, 32)], (a, n) => `date(year(${a}), month(${a}), ${n})`),
      extremes(date),
      ...either(date),
    ),
    time: leafFirst(
      one('opensAt', 'closesAt'),
      made([one('opensAt', 'closesAt'), aTime.map(quoted)], (a, b) => `coalesce(${a}, ${b})`),
      extremes(time),
      ...either(time),
    ),
  };
});

/** Formulas over one rental, of every type. */
export const rowFormulas: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: formulas.number, weight: 3 },
  { arbitrary: formulas.bool, weight: 3 },
  { arbitrary: formulas.date, weight: 2 },
  formulas.text,
  formulas.word,
  formulas.time,
);
