// One range of bytes (RFC 9110 section 14): of several, and of what is none, the whole is answered.
import { problems } from '../../problems.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** @returns undefined where all is asked for. @throws Problem 416 */
export function rangeIn(header: string | undefined, size: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(/[ \t]/g, '') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    if (Number(last) === 0) throw problems.rangeNotSatisfiable(size);
    return { from: Math.max(0, size - Number(last)), to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= size) throw problems.rangeNotSatisfiable(size);
  return { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
