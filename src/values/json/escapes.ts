// Escapes of strings in JSON (RFC 8259, 7).

/** Characters by the letters after a backslash, except `u`. */
export const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
