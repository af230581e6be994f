// What tests ask of the log of changes.
import { accessToken, type Context } from '../service/praxis.ts';
import { send } from '../service/send.ts';

/** An entry as callers read it. */
export interface ShownEntry {
  readonly position?: string;
  readonly entry?: string;
  readonly write: string;
  readonly part: number;
  readonly parts: number;
  readonly step?: number;
  readonly at: string;
  readonly operation: string;
  readonly group: string | null;
  readonly path: string | null;
  readonly id: string;
  readonly name: string | null;
  readonly version: number;
  // biome-ignore lint/suspicious/noExplicitAny: values of all kinds of fields
  readonly changes: Readonly<Record<string, any>>;
  readonly cause: { readonly kind: string; readonly rule?: string; readonly of?: object; readonly write?: string };
  readonly also?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it as they like
  readonly by: any;
  readonly request: string | null;
}

type On = Pick<Context, 'address'>;

/** The cursor of the end. */
export async function endOf(on: On): Promise<string> {
  return (await send(on, 'GET /changes?after=now')).body.cursor;
}

/** All entries behind a cursor, and the cursor behind them. */
export async function entriesAfter(
  on: On,
  cursor: string | undefined,
  query = '',
): Promise<{ readonly entries: readonly ShownEntry[]; readonly cursor: string }> {
  const entries: ShownEntry[] = [];
  let after = cursor;
  for (;;) {
    const { status, body, text } = await send(on, `GET /changes?limit=1000${after ? `&after=${after}` : ''}${query}`);
    if (status !== 200) throw new Error(`the feed answers ${text}`);
    entries.push(...body.results);
    after = body.cursor as string;
    if (body.hasMore !== true) return { entries, cursor: after };
  }
}

/** What some work leaves in the log. */
export async function entriesOf(on: On, work: () => Promise<unknown>): Promise<readonly ShownEntry[]> {
  const cursor = await endOf(on);
  await work();
  return (await entriesAfter(on, cursor)).entries;
}

/** How many follow a stream or wait for an entry, by the metrics of the service. */
export async function listeners({ address }: On): Promise<number> {
  const response = await fetch(address.replace(/api$/, 'metrics'), {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  return Number(/^praxis_change_streams (\d+)$/m.exec(await response.text())?.[1]);
}
