// Loads lists of records that were read without them, because maintenance seldom needs them.
import type { Draft } from './draft.ts';

/** Reads them where they are missing: a statement for each list, however many records there are. @param keys Of lists. */
export async function readMissingLists(drafts: readonly Draft[], keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const lacking = drafts.filter(({ operation, values }) => operation === 'update' && values[key] === undefined);
    const [first] = lacking;
    if (first === undefined) continue;
    const { scope, group } = first;
    const ids = lacking.map(({ values }) => String(values['id']));
    const found = await scope.records.listUnder(group.resource.name, ids, key);
    for (const draft of lacking) draft.addList(key, found.get(String(draft.values['id'])) ?? []);
  }
}
