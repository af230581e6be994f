// The first script of the page, a few hundred bytes: asks what is granted before the others are there.
import type { EarlyAccess } from './service/early-access.ts';
import { storedToken } from './service/stored-token.ts';

const token = storedToken();
if (token !== undefined) {
  const headers = { Authorization: `Bearer ${token}` };
  const early: EarlyAccess = { token, answer: fetch('/api/access', { headers, cache: 'no-store' }) };
  // Whoever takes it is told.
  early.answer.catch(() => undefined);
  globalThis.praxisEarly = early;
}
