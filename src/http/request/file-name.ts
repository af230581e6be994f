// The name of a file in `Content-Disposition` (RFC 6266), as uploads bring it.
import { problems } from '../../problems.ts';
import { codePoints } from '../../values/format.ts';

const longest = 255;
const wrong = () =>
  problems.headerInvalid('Content-Disposition', `attachment; filename="…", a name of at most ${longest} characters`);

/** @returns the name without folders; undefined where the header names none. @throws Problem 400 */
export function fileNameIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^\s*(?:attachment|inline)\s*(?:;|$)/i.test(header)) throw wrong();
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(header)?.[1];
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1');
  const plain = /;\s*filename\s*=\s*([^\s";]+)/i.exec(header)?.[1];
  const name = encoded === undefined ? (latinOrUtf8(quoted) ?? plain) : decoded(encoded);
  if (name === undefined) {
    if (/filename/i.test(header)) throw wrong();
    return undefined;
  }
  // Some browsers send the whole path.
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  if (last === '' || last === '.' || last === '..' || codePoints(last) > longest || /\p{Cc}/u.test(last)) throw wrong();
  return last;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong();
  }
}

/** Bytes that are no ASCII come as Latin-1; most callers mean UTF-8. */
function latinOrUtf8(text: string | undefined): string | undefined {
  if (text === undefined || !/[\x80-\xff]/.test(text)) return text;
  const read = Buffer.from(text, 'latin1').toString('utf8');
  return read.includes('\uFFFD') ? text : read;
}
