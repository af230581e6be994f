// The newest writes of all groups. The feed goes from the oldest to the newest: what is asked for is a span of time that ends now
// and holds about as many as are wanted.
import type { EntryShown } from '../../../past/entry-json.ts';
import { feed } from '../service/log.ts';

const minuteMs = 60_000;
/** What people did; what followed from it stands behind each write. */
const causes = 'caller,undo,day,repair';
const pageSize = 1000;
/** So many spans are tried. */
const tries = 8;

/** The last entries, newest first. @param wanted How many at most. @throws ApiProblem */
export async function newestEntries(wanted: number): Promise<readonly EntryShown[]> {
  let spanMs = 60 * minuteMs;
  let found: readonly EntryShown[] = [];
  let isFull = false;
  for (let index = 0; index < tries; index += 1) {
    const since = new Date(Date.now() - spanMs).toISOString();
    const page = await feed({ since, cause: causes, limit: String(pageSize) });
    // A span that does not end with the page has newer ones behind it, which are wanted first.
    if (page.hasMore) {
      spanMs /= 8;
      isFull = true;
      found = page.results;
      continue;
    }
    found = page.results;
    if (found.length >= wanted || isFull) break;
    spanMs *= 50;
    if (spanMs > 4000 * 24 * 60 * minuteMs) break;
  }
  return found.toReversed().slice(0, wanted);
}
