// What a file is, by its first bytes: what the caller says of it counts only within that.

/** As many bytes of a file as are looked at. */
export const lookedAt = 4096;

interface Signature {
  /** Bytes from `at` on, in hexadecimal digits; `..` is any byte. */
  readonly bytes: string;
  readonly at?: number;
  readonly type: string;
  /** Types of files that are written in this form, where the caller says so. */
  readonly also?: RegExp;
}

const office =
  /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-)\S+|epub\+zip|java-archive)$/;

/** The first that fits is meant. */
const signatures: readonly Signature[] = [
  { bytes: '255044462d', type: 'application/pdf' },
  { bytes: '89504e470d0a1a0a', type: 'image/png' },
  { bytes: 'ffd8ff', type: 'image/jpeg' },
  { bytes: '474946383761', type: 'image/gif' },
  { bytes: '474946383961', type: 'image/gif' },
  { bytes: '52494646........57454250', type: 'image/webp' },
  { bytes: '52494646........57415645', type: 'audio/wav' },
  { bytes: '49492a00', type: 'image/tiff' },
  { bytes: '4d4d002a', type: 'image/tiff' },
  { bytes: '424d............0000', type: 'image/bmp' },
  { at: 4, bytes: '6674797061766966', type: 'image/avif' },
  { at: 4, bytes: '6674797068656963', type: 'image/heic' },
  { at: 4, bytes: '6674797068656978', type: 'image/heic' },
  { at: 4, bytes: '667479706d696631', type: 'image/heif' },
  { at: 4, bytes: '6674797071742020', type: 'video/quicktime' },
  { at: 4, bytes: '667479704d3441', type: 'audio/mp4' },
  { at: 4, bytes: '66747970', type: 'video/mp4' },
  { bytes: '1a45dfa3', type: 'video/webm', also: /^(?:audio\/webm|video\/(?:webm|x-matroska))$/ },
  { bytes: '4f676753', type: 'audio/ogg', also: /^(?:audio|video|application)\/ogg$/ },
  { bytes: '664c6143', type: 'audio/flac' },
  { bytes: '494433', type: 'audio/mpeg' },
  { bytes: 'fffb', type: 'audio/mpeg' },
  { bytes: '504b0304', type: 'application/zip', also: office },
  { bytes: '504b0506', type: 'application/zip', also: office },
  { bytes: '1f8b', type: 'application/gzip' },
  { bytes: '377abcaf271c', type: 'application/x-7z-compressed' },
  {
    bytes: 'd0cf11e0a1b11ae1',
    type: 'application/x-ole-storage',
    also: /^application\/(?:msword|vnd\.ms-\S+|vnd\.visio)$/,
  },
];

const anything = 'application/octet-stream';
/** Texts that nothing runs where they are opened; all others are plain. */
const texts =
  /^(?:text\/(?:plain|csv|markdown|calendar|vcard|tab-separated-values|rtf)|application\/(?:json|rtf)|message\/rfc822)$/;

/**
 * The type of a file that begins so.
 * @param said What the caller calls it, in lower case and without parameters; undefined where it says nothing
 * @returns the type, and whether what was said can be true
 */
export function typeOf(head: Buffer, said: string | undefined): { readonly type: string; readonly fits: boolean } {
  const open = said === undefined || said === anything;
  const found = signatures.find((each) => begins(head, each));
  if (found !== undefined) {
    const isAlso = said !== undefined && found.also?.test(said) === true;
    return { type: isAlso ? said : found.type, fits: open || isAlso || said === found.type };
  }
  if (isText(head)) {
    const isKnown = said !== undefined && texts.test(said);
    return { type: isKnown ? said : 'text/plain', fits: open || isKnown };
  }
  return { type: anything, fits: open };
}

function begins(head: Buffer, { bytes, at = 0 }: Signature): boolean {
  const here = head.subarray(at, at + bytes.length / 2).toString('hex');
  return here.length === bytes.length && [...bytes].every((digit, place) => digit === '.' || digit === here[place]);
}

/** UTF-8 without control characters; its end may be cut within a character. */
function isText(head: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells bytes from texts
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}

const endings: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
  'application/gzip': 'gz',
};

/** What a file is called whose caller has not said it: `file.pdf`. */
export const nameFor = (type: string): string => `file.${endings[type] ?? type.split('/')[1]?.replace(/\W.*$/, '')}`;
