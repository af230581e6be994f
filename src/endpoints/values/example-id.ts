// The fixed time of all examples, and ids of that time.
import { createHash } from 'node:crypto';

/** 2026-02-02 is a Monday. */
export const exampleMoment = '2026-02-02T09:30:00.000Z';
const digits = Date.parse(exampleMoment).toString(16).padStart(12, '0');

/** A version 7 UUID of the moment, always the same for a text. */
export function exampleId(seed: string): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  const time = `${digits.slice(0, 8)}-${digits.slice(8)}`;
  return `${time}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}
