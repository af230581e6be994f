// What texts of a format look like. The expressions never backtrack over what they have read: bodies come from anyone.

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** HTML, "valid e-mail address" of the e-mail field. */
const email =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** URL itself would take `http:host`, three slashes, backslashes there, and drop tabs and line breaks. */
const webAddress = /^https?:\/\/[^/\\?#\s]\S*$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: URL cuts control characters off the ends in silence.
const controlCharacter = /[\u0000-\u001f\u007f]/;

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

/** An absolute http or https URL with a host, without white space, of at most 2048 characters. */
export function isUrl(text: string): boolean {
  return codePoints(text) <= longestUrl && webAddress.test(text) && !controlCharacter.test(text) && URL.canParse(text);
}

/** Lower-case letters and digits, joined by single hyphens. */
export function isSlug(text: string): boolean {
  return slug.test(text);
}

/** False for the empty text and for white space alone. */
export function hasText(text: string): boolean {
  return /\S/.test(text);
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
