// What requests ask of the database, in domains of every shape: each statement in short, in its order. The text is checked in: a
// statement that is new, or that comes at another place, is seen there with the request that takes it.
import { expect, test } from 'vitest';
import type { Field } from '../../src/registry/model/model.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { beginValuesAnew } from '../support/data/records.ts';
import { sqlite } from '../support/databases/databases.ts';
import { askedText, type Noted, note, withoutRevision } from '../support/databases/noted.ts';
import { type Context, type Folder, isObject, startService } from '../support/service/praxis.ts';

const told: readonly Folder[] = ['test', 'figures', 'shop', 'conditions', 'locks', 'books', 'plans', 'choir', 'rules'];

/** Groups whose records are not made of any values. */
const byHand: ReadonlySet<string> = new Set(['journal', 'period', 'payment', 'box', 'stay', 'party']);

/** Makes a value that the record does not have: an update with the stored value would evaluate no condition. */
const otherValue = async (context: Context, group: string, field: Field): Promise<unknown> =>
  field.kind === 'reference' && !byHand.has(field.target)
    ? (await context.make(field.target)).id
    : context.valueOf(group, field.key);

/** Each request with what it has asked for. */
async function linesOf(context: Context, noted: Noted[]): Promise<readonly string[]> {
  const { call, make, bodyOf, registry } = context;
  const lines: string[] = [];
  const ask = async (what: string, method: string, path: string, body?: unknown): Promise<string> => {
    noted.length = 0;
    const { status, body: answer } = await call(method, path, body as never);
    // What is looked for now and then, whatever is asked, is no part of it.
    const asked = noted.filter(({ sql }) => !/praxis_|settings" {2}limit 1/.test(withoutRevision(sql)));
    lines.push(`  ${what}, ${status}: ${asked.map(({ sql }) => askedText(sql)).join(', ')}`);
    return isObject(answer) ? String(answer['id'] ?? '') : '';
  };
  for (const { name, path, operations, fields, singleton } of registry.resources.values()) {
    if (singleton || !operations.has('create') || byHand.has(name)) continue;
    lines.push(name);
    await make(name);
    const made = [await ask('create', 'POST', path, await bodyOf(name))];
    made.push(await ask('create with all', 'POST', path, await bodyOf(name, {}, 'all')));
    const ids = made.filter((id) => id !== '');
    for (const id of ids) {
      await ask('get', 'GET', `${path}/${id}`);
      for (const field of fields)
        if (field.onUpdate) {
          const value = await otherValue(context, name, field);
          await ask(`update ${field.key}`, 'PATCH', `${path}/${id}`, { [field.key]: value });
        }
      await ask('update nothing', 'PATCH', `${path}/${id}`, {});
    }
    await ask('list', 'GET', `${path}?limit=2`);
    await ask('two in a batch', 'POST', '/batch', {
      operations: [
        { method: 'POST', path, body: await bodyOf(name), as: 'one' },
        { method: 'GET', path: `${path}/{one.id}` },
      ],
    });
    for (const id of ids) await ask('delete', 'DELETE', `${path}/${id}`);
  }
  return lines;
}

test.each(told)('of %s as ever', async (folder) => {
  beginValuesAnew();
  const { url, drop } = await sqlite.open();
  const database = await openDatabase(url);
  const noted: Noted[] = [];
  note(database, noted);
  const service = await startService(folder, url, { database });
  try {
    const lines = await linesOf(service, noted);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`asked/${folder}.txt`);
  } finally {
    await service.stop();
    await drop();
  }
});
