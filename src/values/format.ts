// Validates formats of texts. The expressions never backtrack: bodies come from anyone.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** HTML, "valid e-mail address" of the e-mail field. */
const email =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** RFC 3986, 2.3 and 2.2: unreserved characters and delimiters inside of components. */
const plainOfUri = "A-Za-z0-9._~!$&'()*+,;=-";
const escaped = '%[0-9A-Fa-f]{2}';
/** An absolute http or https URI with a host (RFC 3986, 3; RFC 9110, 4.2), as an expression without anchors. */
export const urlPattern = [
  '[Hh][Tt][Tt][Pp][Ss]?://',
  `(([:${plainOfUri}]|${escaped})*@)?`,
  `(\\[[0-9A-Fa-f:.]+\\]|([${plainOfUri}]|${escaped})+)(:[0-9]*)?`,
  `(/([:@/${plainOfUri}]|${escaped})*)?`,
  `(\\?([:@/?${plainOfUri}]|${escaped})*)?`,
  `(#([:@/?${plainOfUri}]|${escaped})*)?`,
].join('');
const webAddress = new RegExp(`^${urlPattern}$`);

const longestEmail = 255;
const longestUrl = 2048;
const maximumZones = 1000;

/** 8-4-4-4-12 hexadecimal digits of any version, in either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** One address of at most 255 characters, in the form of HTML's e-mail field. */
export function isEmail(text: string): boolean {
  return text.length <= longestEmail && email.test(text);
}

/** Reports whether a text is an absolute http or https URL with a host (RFC 3986), of at most 2048 characters. */
export function isUrl(text: string): boolean {
  // The expression takes any host and port. URL checks IP addresses, and the range of ports.
  return text.length <= longestUrl && webAddress.test(text) && URL.canParse(text);
}

/** Lower-case letters and digits, joined by single hyphens. */
export function isSlug(text: string): boolean {
  return slug.test(text);
}

/** False for the empty text and for white space alone. */
export function hasText(text: string): boolean {
  return /\S/.test(text);
}

/** Scripts in which a joiner shapes the letters on both sides of it. */
const joined =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}';
/** Where what cannot be seen by itself can be seen in what is around it: emoji, Han variants, joined letters. */
const shaping = new RegExp(
  [
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    '(?<=[\\p{Extended_Pictographic}\\p{Script=Han}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
    '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
    '(?<=\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{0,6})[\\u{E0020}-\\u{E007F}]',
    `(?<=[${joined}])[\\u200C\\u200D](?=[${joined}])`,
  ].join('|'),
  'gu',
);

/**
 * Whether a text holds characters that nobody sees, so that it looks like another one: spaces without width, marks of
 * direction, joiners with nothing to join, and the like (Unicode, Default_Ignorable_Code_Point).
 */
export function hasInvisible(text: string): boolean {
  const invisible = /\p{Default_Ignorable_Code_Point}/u;
  return invisible.test(text) && invisible.test(text.replace(shaping, ''));
}

/** The number of characters, as JSON Schema counts them: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    // The second half of a pair; a lone one counts for itself.
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/**
 * Compares strings by code points, as every database does with their UTF-8. `<` would compare UTF-16 units, of which those
 * beyond U+FFFF are below U+E000.
 * @returns a negative number if the first is less, 0 if they are equal
 */
export function compareStrings(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return Number(isSurrogate(a)) - Number(isSurrogate(b)) || a - b;
  }
  return one.length - other.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000;

// The first question to Intl takes longer than all checks of a folder of descriptors, and most of them ask for this.
const knownZones = new Set(['UTC']);

/** An IANA name or link, in the case that `Intl.DateTimeFormat` takes (any); no offsets. */
export function isTimeZone(text: string): boolean {
  if (knownZones.has(text)) return true;
  // Offsets are what begins with a sign; all names begin with a letter.
  if (!/^[a-z]/i.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
  } catch {
    return false;
  }
  // Bounded, as callers may send each name in each case of letters.
  if (knownZones.size >= maximumZones) knownZones.clear();
  knownZones.add(text);
  return true;
}
