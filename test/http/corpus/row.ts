// A row of the corpus: one bad request and the answer that it must get.

/** Ids of records are written as `{client}`; the test puts them in. */
export interface Row {
  readonly method: string;
  /** As it goes over the wire. */
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The message; a fault of the body where `errors` are given. */
  readonly message?: string;
  readonly errors?: readonly string[];
}

export const bodyMessage = 'There was a problem processing your request. See errors for more details.';
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const foreignId = '9b2f1f0e-6c55-4c39-9a8e-2f6f3c1d7a10';

/** A text as a parameter's value. */
export const encoded = (text: string): string => encodeURIComponent(text);

/** Texts that mean something to databases, templates, shells or parsers. */
export const hostileTexts = [
  ...[
    "'",
    "''",
    '"',
    '`',
    '\\',
    "\\'",
    ';',
    '--',
    '/*',
    '*/',
    '#',
    '%',
    '_',
    '%%',
    '%_%',
    '\\%',
    '\\_',
    '?',
    ':1',
    '$1',
    '@@version',
  ],
  ...[
    "' or '1'='1",
    "' or 1=1 -- ",
    '" or ""="',
    "'; drop table client; --",
    "'); delete from client; --",
    '1; select 1',
    '0x27',
    "' union select null,null -- ",
  ],
  ...[
    "' and sleep(5) -- ",
    "'||(select 1)||'",
    'char(39)',
    "x' escape '\\",
    'select load_file(0x2f)',
    "\\'; update client set name='x' -- ",
    'null',
    'undefined',
    'NaN',
    'true',
  ],
  ...[
    '{}',
    '[]',
    '{"$ne":""}',
    '[object Object]',
    '__proto__',
    'constructor',
    '$'.repeat(50),
    '%s%s%n',
    '{{7*7}}',
    '$' + '{7*7}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '\r\nSet-Cookie: a=b',
  ],
  ...[
    '\u202eabc',
    '\u200b',
    '\ufeffx',
    '😀'.repeat(20),
    'ﷺ',
    'İstanbul',
    'ſtraße',
    'e\u0301',
    'x'.repeat(5000),
    '0',
    '-1',
    '1e309',
    ' ',
  ],
];
