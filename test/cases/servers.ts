// Which cases `npm test` runs on a database server: those whose outcome hangs on what servers do otherwise than SQLite, and some of
// the others in turn, an eighth a day.
import { turnOf } from '../support/run/part.ts';
import type { Case } from './case.ts';

/** Areas about locks, numbers that are given out one by one, and sums that many writes add to. */
const areasOnServers: ReadonlySet<string> = new Set([
  'Numbers and states of invoices',
  'Drafts of bills',
  'Bills that are out',
  'Payments',
  'Credit notes',
  'Credits on invoices',
  'Advances of clients',
  'What is billed stays',
  'Projects that go, and what belongs to them',
]);
/** What is said of cases elsewhere that lock, race, count or compare texts and days. */
const wordsOnServers =
  /\b(?:key|name|number|letters?|accents?|taken|twice|once|overlap|share|cap|most|default|between two|together|archived|locked)\b/i;

const portions = 8;
const turn = turnOf(portions);

/** @param place that of the case in its area */
export const isQuickOnServers = (area: string, { says }: Case, place: number): boolean =>
  areasOnServers.has(area) || wordsOnServers.test(says) || place % portions === turn;
