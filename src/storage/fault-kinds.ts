// What errors of any driver may mean, beside keys: see `Fault`.
import type { Fault } from './faults.ts';

export const retry: Fault = { kind: 'retry' };
/** Others hold a row, and go on doing so. */
export const waiting: Fault = { kind: 'retry', isWaiting: true };
/** Another process holds the whole database. */
export const locked: Fault = { kind: 'retry', isLocked: true };
export const range: Fault = { kind: 'range' };
export const refused: Fault = { kind: 'away', notDone: true, reconnect: false };
export const stale: Fault = { kind: 'away', notDone: true, reconnect: true };
export const lost: Fault = { kind: 'away', notDone: false, reconnect: true };
export const silent: Fault = { kind: 'away', notDone: false, reconnect: false };
