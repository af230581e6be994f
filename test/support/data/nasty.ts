// Texts that trip databases and programs, one by one and put together.
import fc from 'fast-check';

/** Texts of which databases and languages have different ideas. */
export const nasty = [
  ...[
    '%',
    '_',
    '\\',
    "'",
    '"',
    '`',
    ';',
    '--',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u200d',
    '\u{10ffff}',
    '\ud7ff',
    '\ufffd',
    '*',
    '?',
    '[',
    ']',
  ],
  ...[
    '\u{1F600}',
    '\u{1F469}\u200d\u{1F4BB}',
    '\u{1F1EB}',
    'İ',
    'ı',
    'I',
    'i',
    'ß',
    'ẞ',
    'SS',
    'ﬁ',
    'ŉ',
    'ΐ',
    'Σ',
    'σ',
    'ς',
    '\u212a',
    'k',
    'é',
    'e\u0301',
    'E\u0301',
    '\u0301',
    'Ǆ',
    'ǅ',
    'ǆ',
  ],
  ...['a', 'A', 'b', '日', 'ä', 'Å', '\u212b', '0'],
];
/** A text of up to eight of them. */
export const nastyText = fc
  .array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));
