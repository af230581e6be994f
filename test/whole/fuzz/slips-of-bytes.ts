// What may be wrong with the bytes of a body, and with what is said of them.
import { encodings, malformed, noObjects, refused, types } from '../../http/corpus/bodies.ts';
import { type Draft, dropHeader, type Slip, setHeader } from './draft.ts';

/** A slip of the text of a body. */
const ofText =
  (change: (text: string, draft: Draft, pick: <T>(list: readonly T[]) => T) => string | Buffer | undefined): Slip =>
  (draft, { random }) => {
    if (draft.body === undefined) return false;
    const text = change(draft.body.toString('latin1'), draft, (list) => random.pick(list));
    if (text === undefined) return false;
    draft.body = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
    return true;
  };

const numbers = [
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '-0',
    '0.1000000000000000055511151231257827',
    '12345678901234567890',
    '01',
    '+1',
    '.5',
    '1.',
  ],
  ...[
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`,
    '1e999999999999999999999',
    '1E5',
    '1e+0',
  ],
];

const oddNumber = ofText((text, _draft, pick) => {
  const places = [...text.matchAll(/(?<=[:[,])-?\d+(?:\.\d+)?(?=[,\]}])/g)];
  if (places.length === 0) return undefined;
  const { index, 0: found } = pick(places);
  return text.slice(0, index) + pick(numbers) + text.slice(index + found.length);
});

const doubledKey = ofText((text, _draft, pick) => {
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*":/g)];
  if (keys.length === 0) return undefined;
  const { index, 0: key } = pick(keys);
  const spelled = pick([
    key,
    key.replace(/^"([a-z])/, (_whole, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`),
  ]);
  return `${text.slice(0, index)}${spelled}${pick(['1', 'null', '"x"'])},${text.slice(index)}`;
});

const cutOff = ofText((text, _draft, pick) => text.slice(0, Math.floor(text.length * pick([0.1, 0.5, 0.9]))));
const broken = ofText((_text, _draft, pick) => pick([...malformed, ...refused.map(([body]) => body)]));
const noObject = ofText((_text, _draft, pick) => pick(noObjects));
const oddByte = ofText((text, _draft, pick) => {
  const place = pick(Array.from({ length: text.length + 1 }, (_each, at) => at));
  return (
    text.slice(0, place) +
    pick(['\xff', '\xc0\x80', '\xed\xa0\x80', '\x00', '\x1f', '\xef\xbb\xbf', '\u2028', '\\', '"', '\t']) +
    text.slice(place)
  );
});
const marked = ofText((text, _draft, pick) => pick(['\xef\xbb\xbf', ' \t\r\n', '//x\n', '/**/']) + text);
const trailing = ofText((text, _draft, pick) => text + pick([' ', '\n', '\0', '}', ',', '{}', '\xff', '#']));
/** As it is said, spelled otherwise: no fault at all. */
const respelled = ofText((text, _draft, pick) =>
  pick([
    text.replaceAll(/(?<=[{,]")[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    text.replaceAll(/([{,:])(?=["{[\d])/g, '$1\r\n\t '),
  ]),
);
const huge = ofText((text, draft, pick) => {
  draft.isLast = true;
  const length = pick([1_048_576, 1_048_577, 1_200_000]);
  return `${text}${' '.repeat(Math.max(0, length - text.length))}`;
});

const otherType: Slip = (draft, { random }) => {
  if (draft.body === undefined) return false;
  setHeader(
    draft,
    'Content-Type',
    random.pick([...types, 'APPLICATION/JSON', 'application/json;charset="UTF-8"', 'application/json ; x=y']),
  );
  return true;
};
const noType: Slip = (draft) => {
  if (draft.body === undefined) return false;
  dropHeader(draft, 'Content-Type');
  return true;
};
const encoded: Slip = (draft, { random }) => {
  if (draft.body === undefined) return false;
  setHeader(draft, 'Content-Encoding', random.pick([...encodings, 'identity', 'IDENTITY']));
  return true;
};
/** A body where none belongs, or none where one does. */
const misplaced: Slip = (draft, { random }) => {
  if (draft.body !== undefined) {
    draft.body = undefined;
    return true;
  }
  draft.body = Buffer.from(random.pick(['{}', '{"name":"x"}', 'x', '[]']));
  setHeader(draft, 'Content-Type', 'application/json');
  return true;
};

export const byteSlips: Readonly<Record<string, Slip>> = {
  ...{
    oddNumber,
    doubledKey,
    cutOff,
    broken,
    noObject,
    oddByte,
    marked,
    trailing,
    respelled,
    otherType,
    noType,
    encoded,
    misplaced,
  },
};
/** What costs much, and is done seldom. */
export const dearSlips: Readonly<Record<string, Slip>> = { huge };
