// Undo: a write that takes back what the caller of another one changed, or says why it cannot.
import { expect, it } from 'vitest';
import { entriesOf } from '../../support/data/changes.ts';
import { verified } from '../../support/databases/verify.ts';
import { type Context, onEveryDatabase } from '../../support/service/praxis.ts';
import { send } from '../../support/service/send.ts';

const made = async (on: Context, path: string, body: object) => (await send(on, `POST ${path}`, { body })).body;
const get = async (on: Context, path: string) => (await send(on, `GET ${path}`)).body;
/** The write that some work was. */
async function writeOf(on: Context, work: () => Promise<unknown>): Promise<string> {
  const entries = await entriesOf(on, work);
  return entries[0]?.write ?? '';
}
const undo = (on: Context, write: string, headers: Record<string, string> = {}) =>
  send(on, `POST /writes/${write}/undo`, { headers });
const withoutModified = ({ modifiedAt: _modifiedAt, ...record }: Record<string, unknown>) => record;

onEveryDatabase(
  'undo of a write',
  (on) => {
    it('gives fields their values before, once; an undo can be undone', async () => {
      const note = await made(on, '/notes', { text: 'before' });
      const path = `/notes/${note.id}`;
      const write = await writeOf(on, () => send(on, `PATCH ${path}`, { body: { text: 'after' } }));
      // Its answer is never another one.
      const trial = await undo(on, write, { Prefer: 'tx=rollback, return=minimal' });
      expect([trial.status, trial.headers.get('preference-applied')]).toEqual([200, 'tx=rollback']);
      expect((await get(on, path)).text).toBe('after');
      let answer: Awaited<ReturnType<typeof undo>> | undefined;
      const [entry] = await entriesOf(on, async () => {
        answer = await undo(on, write);
      });
      expect(answer).toMatchObject({ status: 200, body: { write: entry?.write, undoes: write } });
      expect(entry).toMatchObject({
        cause: { kind: 'undo', write },
        changes: { text: { from: 'after', to: 'before' } },
      });
      expect((await get(on, path)).text).toBe('before');
      expect(await undo(on, write)).toMatchObject({ status: 409, body: { message: 'The write has been undone.' } });
      expect((await undo(on, entry?.write ?? '')).status).toBe(200);
      expect((await get(on, path)).text).toBe('after');
    });

    it('is known again by its key, and takes no body', async () => {
      const note = await made(on, '/notes', { text: 'before' });
      const write = await writeOf(on, () => send(on, `PATCH /notes/${note.id}`, { body: { text: 'after' } }));
      const headers = { 'Idempotency-Key': `undo-${write}` };
      const first = await undo(on, write, headers);
      for (const body of [undefined, {}, { other: 1 }]) {
        const again = await send(on, `POST /writes/${write}/undo`, { body, headers });
        expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
      }
      const other = await undo(on, first.body.write, headers);
      expect([other.status, other.body.message]).toEqual([422, 'The Idempotency-Key was used for another request.']);
    });

    it('is done by one of two who ask at once', async () => {
      const note = await made(on, '/notes', { text: 'before' });
      const write = await writeOf(on, () => send(on, `PATCH /notes/${note.id}`, { body: { text: 'after' } }));
      const answers = await Promise.all([undo(on, write), undo(on, write), undo(on, write)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      expect((await get(on, `/notes/${note.id}`)).text).toBe('before');
    });

    it('refuses what has changed since, and does nothing then', async () => {
      const note = await made(on, '/notes', { text: 'a' });
      const other = await made(on, '/notes', { text: 'a' });
      const operation = (id: string, text: string) => ({ method: 'PATCH', path: `/notes/${id}`, body: { text } });
      const write = await writeOf(on, () =>
        send(on, 'POST /batch', { body: { operations: [operation(note.id, 'b'), operation(other.id, 'b')] } }),
      );
      await send(on, `PATCH /notes/${note.id}`, { body: { text: 'c' } });
      const entries = await entriesOf(on, async () =>
        expect(await undo(on, write)).toMatchObject({ status: 409, body: { message: 'The Note has changed since.' } }),
      );
      expect(entries).toEqual([]);
      expect((await get(on, `/notes/${other.id}`)).text).toBe('b');
    });

    it('makes again what was deleted, with all that went along, its ids, times, lists and figures', async () => {
      // What must not be kept twice cannot be brought back: of these groups nothing is.
      const author = await made(on, '/authors', { name: 'Stays' });
      const tag = await made(on, '/tags', { name: 'T' });
      const piece = await made(on, '/pieces', {
        ...{ title: 'P', authorId: author.id, price: 2.5, tagIds: [tag.id] },
        lines: [{ label: 'a', amount: 1.25, tagId: tag.id }, { label: 'b' }],
      });
      const note = await made(on, '/notes', { text: 'n', pieceId: piece.id });
      const before = await get(on, `/pieces/${piece.id}`);
      const tagOfBefore = (await send(on, `GET /pieces/${piece.id}`)).headers.get('etag');
      const figures = await get(on, `/authors/${author.id}`);
      const write = await writeOf(on, () => send(on, `DELETE /pieces/${piece.id}`));
      expect((await get(on, `/authors/${author.id}`)).worth).toBe(0);
      const undone = await undo(on, write);
      expect(undone.text).toMatch(/undoes/);
      expect(withoutModified(await get(on, `/pieces/${piece.id}`))).toEqual(withoutModified(before));
      expect(await get(on, `/authors/${author.id}`)).toEqual(figures);
      expect((await get(on, `/notes/${note.id}`)).piece.id).toBe(piece.id);
      expect(await verified(on, 'log')).toEqual([]);
      const stale = await send(on, `PATCH /pieces/${piece.id}`, {
        body: { title: 'Q' },
        headers: { 'If-Match': String(tagOfBefore) },
      });
      expect(stale.status).toBe(412);
      const cleared = await writeOf(on, () => send(on, `DELETE /tags/${tag.id}`));
      expect((await get(on, `/pieces/${piece.id}`)).lines).toHaveLength(1);
      expect((await undo(on, cleared)).status).toBe(200);
      const back = await get(on, `/pieces/${piece.id}`);
      expect(back.tags.map(({ id }: { id: string }) => id)).toEqual([tag.id]);
      expect(back.lines.map(({ label }: { label: string }) => label)).toEqual(['b', 'a']);
    });

    it('removes what was made, unless others have come to hang on it', async () => {
      let author: { id: string } = { id: '' };
      const write = await writeOf(on, async () => {
        author = await made(on, '/authors', { name: 'Made' });
      });
      const piece = await made(on, '/pieces', { title: 'Hangs', authorId: author.id });
      // Figures do not make another version of it.
      expect(await undo(on, write)).toMatchObject({ status: 409 });
      await send(on, `DELETE /pieces/${piece.id}`);
      // Nor does one that would go on without it.
      let tag: { id: string } = { id: '' };
      const tagged = await writeOf(on, async () => {
        tag = await made(on, '/tags', { name: 'Made' });
      });
      await made(on, '/pieces', { title: 'Goes on', authorId: author.id, lines: [{ label: 'a', tagId: tag.id }] });
      expect(await undo(on, tagged)).toMatchObject({ status: 409 });
      const note = await writeOf(on, () => made(on, '/notes', { text: 'made' }));
      expect((await undo(on, note)).status).toBe(200);
    });

    it('says what it cannot take back', async () => {
      const tag = await made(on, '/tags', { name: 'x' });
      // An effect of what is sent is none of anything else.
      const plain = await writeOf(on, () => send(on, `PATCH /tags/${tag.id}`, { body: { colour: 'red' } }));
      expect((await undo(on, plain)).status).toBe(200);
      const effect = await writeOf(on, () => send(on, `PATCH /tags/${tag.id}`, { body: { name: 'y' } }));
      expect(await undo(on, effect)).toMatchObject({
        ...{ status: 409, body: { message: 'The write had effects that cannot be undone.' } },
      });
      const author = await made(on, '/authors', { name: 'Silent', notes: 'a' });
      const partly = await writeOf(on, () => send(on, `PATCH /authors/${author.id}`, { body: { notes: 'b' } }));
      expect(await undo(on, partly)).toMatchObject({
        ...{ status: 409, body: { message: 'The write is only partly in the log.' } },
      });
      const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
      expect((await undo(on, unknown)).status).toBe(404);
      expect((await undo(on, '5')).status).toBe(400);
      expect((await send(on, `GET /writes/${unknown}/undo`)).status).toBe(405);
      const piece = await made(on, '/pieces', { title: 'S', authorId: author.id });
      const published = await writeOf(on, () =>
        send(on, `PATCH /pieces/${piece.id}`, { body: { statusId: 'published' } }),
      );
      expect(await undo(on, published)).toMatchObject({ status: 400 });
      expect((await get(on, `/pieces/${piece.id}`)).statusId).toBe('published');
      // A create may not send this state, and an undo of the delete brings the record back in it.
      const deleted = await writeOf(on, () => send(on, `DELETE /pieces/${piece.id}`));
      expect(await undo(on, deleted)).toMatchObject({ status: 200 });
      expect((await get(on, `/pieces/${piece.id}`)).statusId).toBe('published');
    });
  },
  'log',
  { parts: { changes: 90 } },
);
