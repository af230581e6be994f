// `praxis history` and `praxis changes`: prints entries of the log of changes, a line each.
import { type OpenLog, withLog } from '../../app/log/reading.ts';
import { registryOf } from '../../app/registry.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { ChangeShown, EntryShown } from '../../past/entry-json.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { isUuid } from '../../values/format.ts';
import { parseWithDigits } from '../../values/json-text.ts';
import { type JsonFlag, paintOut, print } from '../output/terminal.ts';
import { groupNamed } from './groups.ts';

export interface ChangesOptions extends JsonFlag {
  /** Names of groups, with commas. */
  readonly group?: string;
  /** Whether it goes on with what comes. */
  readonly follow?: boolean;
}

interface Page {
  readonly results: readonly EntryShown[];
  readonly hasMore: boolean;
  readonly cursor: string;
}

/** Prints what is kept, oldest first; with `--follow`, what comes from now on. @throws ConfigurationFault */
export async function changes(config: Config, { group, follow = false, json = false }: ChangesOptions): Promise<void> {
  await withLog(config, async (log) => {
    const groups = group?.split(',').map((name) => groupNamed(registryOf(config), name).name);
    const query = new URLSearchParams({ limit: '1000', ...(groups && { group: groups.join(',') }) });
    if (follow) query.set('after', 'now');
    for (;;) {
      const page = parseWithDigits(await log.feed(String(query))) as Page;
      for (const entry of page.results) print(json ? JSON.stringify(entry) : lineOf(entry));
      if (!page.hasMore && !follow) return;
      query.set('after', page.cursor);
      if (follow) query.set('wait', '60');
    }
  });
}

/** Prints what became of a record, `invoice/<id>`, newest first. @throws ConfigurationFault */
export async function history(config: Config, record: string, { json = false }: JsonFlag): Promise<void> {
  const { group, id } = recordNamed(registryOf(config), record);
  await withLog(config, (log) => printHistory(log, { group, id, isJson: json }));
}

interface Printed {
  readonly group: Resource;
  readonly id: string;
  readonly isJson: boolean;
}

async function printHistory(log: OpenLog, { group, id, isJson }: Printed): Promise<void> {
  const query = new URLSearchParams({ limit: '100', figures: 'true' });
  for (;;) {
    const page = parseWithDigits(await log.history(group.name, id, String(query))) as {
      readonly results: readonly (EntryShown & { readonly entry: string })[];
      readonly hasMore: boolean;
      readonly isComplete: boolean;
    };
    for (const entry of page.results) print(isJson ? JSON.stringify(entry) : lineOf(entry));
    const last = page.results.at(-1);
    if (!page.hasMore || last === undefined) {
      if (!page.isComplete) process.stderr.write('The log does not contain earlier changes.\n');
      return;
    }
    query.set('startingAfter', last.entry);
  }
}

/** Begins a new log, for a database that was restored: readers begin anew. @throws ConfigurationFault */
export async function renew(config: Config, { json = false }: JsonFlag): Promise<void> {
  await withLog(config, (log) => log.renew());
  print(
    json ? JSON.stringify({ renewed: true }) : 'Started a new log; followers of changes must read the records again.',
  );
}

function recordNamed(registry: Registry, text: string): { readonly group: Resource; readonly id: string } {
  const [name = '', id = '', ...others] = text.replace(/^\//, '').split('/');
  const group = groupNamed(registry, name);
  if (!isUuid(id) || others.length > 0)
    throw new ConfigurationFault(`The record needs a group and an id: ${group.name}/<id>.`);
  return { group, id };
}

const longestValue = 60;

/** `2026-11-25T09:12:44.118Z  update  invoice/01a2…  INV-17  statusId: "draft" → "issued"  by Ada (console)` */
function lineOf({ at, operation, group, id, name, changes: fields, cause, by }: EntryShown): string {
  const told = Object.entries(fields ?? {}).map(([key, change]) => `${key}${changeWords(change)}`);
  const who =
    by === null || by === undefined
      ? 'the service'
      : `${by.member?.name ?? by.member?.id ?? ''} (${by.token.name})`.trimStart();
  const why = cause === undefined || cause.kind === 'caller' ? '' : ` as ${cause.kind}`;
  return [
    paintOut('dim', at),
    operation,
    group === null ? 'all groups' : id === null ? group : `${group}/${id}`,
    ...(name === null || name === undefined ? [] : [paintOut('bold', JSON.stringify(name))]),
    ...(told.length === 0 ? [] : [told.join(', ')]),
    paintOut('dim', `by ${who}${why}`),
  ].join('  ');
}

function changeWords({ from, to, removed }: ChangeShown): string {
  if (removed !== undefined) return `: without ${valueWords(removed)}`;
  if (from === undefined && to === undefined) return '';
  if (from === undefined) return `: ${valueWords(to)}`;
  return to === undefined ? `: ${valueWords(from)}` : `: ${valueWords(from)} → ${valueWords(to)}`;
}

/** As JSON: a line break in a text makes no line. */
function valueWords(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
