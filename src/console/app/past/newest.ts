// The newest writes of all groups.
import type { EntryShown } from '../../../past/entry-json.ts';
import { feed } from '../service/log.ts';

/** What people did; what followed from it stands behind each write. */
const causes = 'caller,undo,day,repair';
/** A page that holds none has looked at a hundred thousand. */
const tries = 8;

/** The last entries, newest first. @param wanted How many at most. @throws ApiProblem */
export async function newestEntries(wanted: number): Promise<readonly EntryShown[]> {
  const found: EntryShown[] = [];
  let before = 'now';
  for (let index = 0; index < tries && found.length < wanted; index += 1) {
    const page = await feed({ before, cause: causes, limit: String(wanted - found.length) });
    found.push(...page.results);
    if (!page.hasMore) break;
    before = page.cursor;
  }
  return found;
}
