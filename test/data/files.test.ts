// Files: bytes are uploaded, named by records, had again by whoever sees these, and swept when no record names them.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFiles } from '../../src/app/data/files.ts';
import { loadRoles } from '../../src/app/registry.ts';
import { exportRecords } from '../../src/commands/data/export.ts';
import { importRecords } from '../../src/commands/data/import.ts';
import { writeBackup } from '../../src/commands/database/backup.ts';
import { verify } from '../../src/commands/database/verify.ts';
import { readConfig } from '../../src/config.ts';
import { toHindrance } from '../../src/files/folder-hindrance.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { databases, sqlite } from '../support/databases/databases.ts';
import { newToken } from '../support/service/new-token.ts';
import {
  accessToken,
  type Context,
  folders,
  isObject,
  type Json,
  onEveryDatabase,
  registryOf,
  startService,
} from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(200)]);
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n');
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const token = { Authorization: `Bearer ${accessToken}` };

/** Uploads bytes as a file. */
async function upload(
  { address }: Pick<Context, 'address'>,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: Json }> {
  const response = await fetch(`${address}/files`, {
    method: 'POST',
    headers: { ...token, ...headers },
    body: Buffer.from(bytes),
  });
  const body: unknown = await response.json();
  return { status: response.status, body: isObject(body) ? body : {} };
}

function callsOf(context: Context) {
  const idOf = async (bytes: Uint8Array, headers?: Record<string, string>): Promise<string> => {
    const { status, body } = await upload(context, bytes, headers);
    if (status !== 200) throw new Error(`POST /files answers ${JSON.stringify(body)}`);
    return String(body['id']);
  };
  const refusal = async (bytes: Uint8Array, headers: Record<string, string>): Promise<string> => {
    const { status, body } = await upload(context, bytes, headers);
    return `${status} ${String(body['message'])}`;
  };
  const download = (id: unknown, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(`${context.address}/files/${String(id)}`, { method, headers: { ...token, ...headers } });
  return { idOf, refusal, download };
}

/** What holds wherever they are kept. */
function behaviour(context: Context): void {
  const { idOf, refusal, download } = callsOf(context);
  test('an upload is named by its id, shown by the record that names it, and had again byte by byte', async () => {
    const { status, body: file } = await upload(context, pdf, {
      'Content-Type': 'application/pdf',
      'Content-Disposition': "attachment; filename*=UTF-8''Mai%20%E2%82%AC.pdf",
    });
    expect(status).toBe(200);
    expect(file).toEqual({
      ...{ id: file['id'], fileName: 'Mai €.pdf', contentType: 'application/pdf', size: pdf.length },
      ...{ sha256: digestOf(pdf), createdAt: file['createdAt'] },
    });
    const made = await send(context, 'POST /expenses', {
      body: { name: 'Lunch', receiptId: file['id'], lines: [{ amount: 3, proofId: await idOf(png) }] },
    });
    expect(made.status).toBe(200);
    expect(made.body.receipt).toEqual({
      ...{ id: file['id'], name: 'Mai €.pdf', fileName: 'Mai €.pdf', contentType: 'application/pdf' },
      ...{ size: pdf.length, sha256: digestOf(pdf) },
    });
    expect(made.body.size).toBe(pdf.length);
    const answer = await download(file['id']);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(pdf)).toBe(true);
    const { headers } = answer;
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-length')).toBe(String(pdf.length));
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="Mai ?.pdf"; filename*=UTF-8\'\'Mai%20%E2%82%AC.pdf',
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('etag')).toBe(`"${digestOf(pdf)}"`);
    expect(headers.get('accept-ranges')).toBe('bytes');
    const listed = await send(context, `GET /expenses?receiptId=${String(file['id'])}`);
    expect(listed.body.results).toEqual([made.body]);
    const files = await send(context, 'GET /files?fileNameContains=MAI');
    expect(files.body.results).toEqual([file]);
  });

  test('parts of a file, and nothing where the caller has it already', async () => {
    const bytes = randomBytes(2_500_000);
    const id = await idOf(bytes);
    const etag = `"${digestOf(bytes)}"`;
    const part = async (range: string, more: Record<string, string> = {}) => {
      const answer = await download(id, { Range: range, ...more });
      return [
        answer.status,
        answer.headers.get('content-range'),
        digestOf(Buffer.from(await answer.arrayBuffer())),
      ] as const;
    };
    const whole = [200, null, digestOf(bytes)];
    expect(await part('bytes=0-9')).toEqual([206, 'bytes 0-9/2500000', digestOf(bytes.subarray(0, 10))]);
    expect(await part('bytes=1048570-1048585')).toEqual([
      206,
      'bytes 1048570-1048585/2500000',
      digestOf(bytes.subarray(1_048_570, 1_048_586)),
    ]);
    expect(await part('bytes=2499999-')).toEqual([
      206,
      'bytes 2499999-2499999/2500000',
      digestOf(bytes.subarray(2_499_999)),
    ]);
    expect(await part('bytes=-5')).toEqual([206, 'bytes 2499995-2499999/2500000', digestOf(bytes.subarray(-5))]);
    expect(await part('bytes=9-999999999999')).toEqual([206, 'bytes 9-2499999/2500000', digestOf(bytes.subarray(9))]);
    expect(await part('bytes=0-1,4-5')).toEqual(whole);
    expect(await part('bytes=5-2')).toEqual(whole);
    expect(await part('lines=1-2')).toEqual(whole);
    expect(await part('bytes=0-9', { 'If-Range': '"other"' })).toEqual(whole);
    expect((await part('bytes=0-9', { 'If-Range': etag }))[0]).toBe(206);
    const beyond = await download(id, { Range: 'bytes=2500000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */2500000']);
    expect(await beyond.json()).toEqual({ status: 416, message: 'The file has no such range.' });
    expect((await download(id, { Range: 'bytes=-0' })).status).toBe(416);
    const known = await download(id, { 'If-None-Match': etag });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await download(id, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '2500000', '']);
  });

  test('what is too long is refused, said or not', async () => {
    const long = Buffer.alloc(25 * 1024 * 1024 + 1, 97);
    expect(await refusal(long, {})).toBe('413 The request body is too large.');
    const parts = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(1024 * 1024, 97));
      },
    });
    const answer = await fetch(`${context.address}/files`, {
      method: 'POST',
      headers: token,
      body: parts,
      duplex: 'half',
    } as RequestInit).catch(() => undefined);
    // The answer may be lost where the caller goes on sending.
    expect([413, undefined]).toContain(answer?.status);
    const most = await upload(context, long.subarray(1));
    expect(most.body).toMatchObject({ size: 25 * 1024 * 1024, contentType: 'text/plain' });
  });
}

/** What does not hang on where they are kept. */
function refusals(context: Context): void {
  const { idOf, refusal } = callsOf(context);
  test('a type is judged by the first bytes, and not by what is said', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    expect(await refusal(pdf, { 'Content-Type': 'image/png' })).toBe(
      '415 The file is application/pdf by its first bytes, not image/png.',
    );
    expect(await refusal(page, { 'Content-Type': 'text/html' })).toBe(
      '415 The file is text/plain by its first bytes, not text/html.',
    );
    expect(await refusal(page, { 'Content-Type': 'image/svg+xml' })).toBe(
      '415 The file is text/plain by its first bytes, not image/svg+xml.',
    );
    expect(await refusal(randomBytes(99), { 'Content-Type': 'text/plain' })).toMatch(
      /^415 The file is application\/octet-stream/,
    );
    expect(await refusal(page, { 'Content-Type': 'multipart/form-data; boundary=x' })).toBe(
      '415 The request body must be the bytes of a file, not multipart/form-data.',
    );
    expect(await refusal(page, { 'Content-Encoding': 'gzip' })).toMatch(/^415 /);
    expect(await refusal(Buffer.alloc(0), {})).toBe('400 The file is empty.');
    const typeOf = async (bytes: Uint8Array, type?: string) =>
      (await upload(context, bytes, type === undefined ? {} : { 'Content-Type': type })).body;
    expect(await typeOf(page)).toMatchObject({ contentType: 'text/plain', fileName: 'file.txt' });
    expect(await typeOf(Buffer.from('a,b\r\n'), 'text/csv; charset=utf-8')).toMatchObject({
      contentType: 'text/csv',
      fileName: 'file.csv',
    });
    expect(await typeOf(Buffer.from('504b0304', 'hex'), 'application/vnd.oasis.opendocument.text')).toMatchObject({
      contentType: 'application/vnd.oasis.opendocument.text',
    });
    expect(await typeOf(png, 'application/octet-stream')).toMatchObject({
      contentType: 'image/png',
      fileName: 'file.png',
    });
  });

  test('names come without folders, in each way that browsers send them', async () => {
    const nameOf = async (header: string): Promise<unknown> => {
      const { body, status } = await upload(context, pdf, { 'Content-Disposition': header });
      return status === 200 ? body['fileName'] : body['message'];
    };
    expect(await nameOf('attachment; filename="C:\\\\temp\\\\a.pdf"')).toBe('a.pdf');
    expect(await nameOf('attachment; filename="x"; filename*=UTF-8\'\'%E2%82%AC%20rates.pdf')).toBe('€ rates.pdf');
    expect(await nameOf('inline; filename=plain.pdf')).toBe('plain.pdf');
    expect(await nameOf('attachment')).toBe('file.pdf');
    const wrong = 'Header \'Content-Disposition\' must be attachment; filename="…", a name of at most 255 characters.';
    for (const header of [
      'filename="x"',
      'attachment; filename=".."',
      'attachment; filename=""',
      "attachment; filename*=UTF-8''%E0%A4%A",
      "attachment; filename*=UTF-8''a%00b",
      `attachment; filename="${'x'.repeat(256)}"`,
    ])
      expect(await nameOf(header), header).toBe(wrong);
  });

  test('a field takes files of its types and its length alone', async () => {
    const [text, long, picture] = [
      await idOf(Buffer.from('hello')),
      await idOf(Buffer.concat([pdf, Buffer.alloc(5000, 32)])),
      await idOf(png),
    ];
    const faultsOf = async (body: object): Promise<unknown> =>
      (await send(context, 'POST /expenses', { body: { name: 'x', ...body } })).body.errors;
    expect(await faultsOf({ receiptId: text })).toEqual(["'receiptId' must be a PDF or an image"]);
    expect(await faultsOf({ receiptId: long })).toEqual(["'receiptId' must be of at most 4 KiB"]);
    expect(await faultsOf({ noteIds: [text, picture] })).toEqual([expect.stringContaining('must be a plain text')]);
    expect(await faultsOf({ lines: [{ amount: 1, proofId: text }] })).toEqual(["'lines[0].proofId' must be a PNG"]);
    const unknown = '01a20000-0000-7000-8000-000000000000';
    expect(await faultsOf({ receiptId: unknown })).toEqual(["'receiptId' does not refer to an existing File"]);
    expect(await faultsOf({ receiptId: 'x' })).toEqual(["'receiptId' must be a UUID"]);
    const missing = await send(context, 'POST /contracts', { body: { title: 'x' } });
    expect(missing.body.errors).toEqual(["'documentId' is required"]);
    const good = await send(context, 'POST /expenses', { body: { name: 'x', receiptId: picture, noteIds: [text] } });
    expect(good.body.notes).toEqual([{ id: text, name: 'file.txt' }]);
  });

  test('paths, methods and parameters that there are not', async () => {
    const line = async (text: string): Promise<string> => {
      const { status, body } = await send(context, text);
      return `${status} ${body?.message}`;
    };
    const unknown = '01a20000-0000-7000-8000-000000000000';
    expect(await line('GET /files/x')).toBe("400 Parameter 'id' is not a valid UUID.");
    expect(await line(`GET /files/${unknown}`)).toBe(`404 Object with id '${unknown}' not found.`);
    expect(await line(`GET /files/${unknown}/x`)).toBe("400 Parameter 'id' is not a valid UUID.");
    expect(await line(`GET /files/${unknown}?x=1`)).toBe("400 Parameter 'x' is not allowed.");
    expect(await line('POST /files?name=x')).toBe("400 Parameter 'name' is not allowed.");
    expect(await line(`DELETE /files/${unknown}`)).toBe('405 Method not allowed.');
    expect((await send(context, 'DELETE /files')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect((await send(context, 'OPTIONS /files')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect((await send(context, `OPTIONS /files/${unknown}`)).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await line('GET /files/%E0%A4%A')).toBe("400 Parameter 'id' is not a valid UUID.");
    expect((await fetch(`${context.address}/files/${unknown}`)).status).toBe(401);
    const batch = await send(context, 'POST /batch', {
      body: { operations: [{ method: 'POST', path: '/files', body: {} }] },
    });
    expect(batch.status).toBe(405);
  });

  test('an upload is repeated under its key, and tried without being kept', async () => {
    const key = { 'Idempotency-Key': `upload-${Math.random()}` };
    const first = await upload(context, pdf, key);
    const again = await upload(context, pdf, key);
    expect(again).toEqual(first);
    expect((await upload(context, png, key)).status).toBe(422);
    const before = (await context.all('file')).length;
    expect((await upload(context, pdf, { Prefer: 'tx=rollback' })).status).toBe(200);
    expect((await context.all('file')).length).toBe(before);
    const short = await upload(context, pdf, { Prefer: 'return=minimal' });
    expect(Object.keys(short.body)).toEqual(['id']);
  });
}

onEveryDatabase(
  'files in the database',
  (context) => {
    behaviour(context);
    refusals(context);
  },
  'files',
);

const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'praxis-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const drafts = (): string[] => (existsSync(join(folder, 'drafts')) ? readdirSync(join(folder, 'drafts')) : []);

onEveryDatabase(
  'files in a folder',
  (context) => {
    behaviour(context);

    test('lie by their digests, for their owner alone, equal ones once', async () => {
      const bytes = randomBytes(1000);
      const [one, other] = [await upload(context, bytes), await upload(context, bytes)];
      expect(one.body['id']).not.toBe(other.body['id']);
      const digest = digestOf(bytes);
      const path = join(folder, digest.slice(0, 2), digest.slice(2, 4), digest);
      expect(statSync(path).size).toBe(1000);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(drafts()).toEqual([]);
    });

    test('of half an upload nothing is left', async () => {
      const before = (await context.all('file')).length;
      const { hostname, port } = new URL(context.address);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /api/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(50_000)}`,
      );
      await expect.poll(() => drafts().length, { timeout: 20_000 }).toBe(1);
      socket.destroy();
      await expect.poll(() => drafts().length, { timeout: 20_000 }).toBe(0);
      expect((await context.all('file')).length).toBe(before);
    });
  },
  'files',
  { parts: { files: folder } },
);

const printed: string[] = [];
beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
});
afterAll(() => {
  vi.restoreAllMocks();
});
const rolesOf = (registry: ReturnType<typeof registryOf>) => loadRoles(join(folders.files, 'roles'), registry);
const engines = ['files in the database', 'files in a folder'].map((title, index) => ({
  title,
  place: index === 0 ? 'database' : folder,
}));
for (const { title, place } of engines)
  for (const { name, isThere, open } of databases)
    describe.skipIf(!isThere)(`${title} (${name})`, () => {
      test('are swept when no record has named them for a day, and kept while one does', async () => {
        const { url, drop } = await open('praxis_sweep');
        const service = await startService('files', url, { files: place });
        const day = 24 * 60 * 60 * 1000;
        const logger = pino({ level: 'silent' });
        const files = createFiles(service.workspace);
        const sweep = async (days: number): Promise<void> => files?.sweep(Date.now() + days * day, logger);
        const ids = async (): Promise<unknown[]> => (await service.all('file')).map(({ id }) => id);
        try {
          const bytes = randomBytes(1_200_000);
          const [kept, equal, other] = [
            (await upload(service, bytes)).body['id'],
            (await upload(service, bytes)).body['id'],
            (await upload(service, randomBytes(50))).body['id'],
          ];
          const made = await send(service, 'POST /contracts', { body: { title: 'x', documentId: kept } });
          await sweep(0);
          expect(await ids()).toEqual([other, equal, kept]);
          await sweep(2);
          expect(await ids()).toEqual([kept]);
          // Equal bytes are one: those of the file that is left are there.
          const read = async (id: unknown) => {
            const answer = await fetch(`${service.address}/files/${String(id)}`, { headers: token });
            return [answer.status, digestOf(Buffer.from(await answer.arrayBuffer()))];
          };
          expect(await read(kept)).toEqual([200, digestOf(bytes)]);
          expect((await read(other))[0]).toBe(404);
          // A record that goes lets go of its file, from that moment on.
          await send(service, `DELETE /contracts/${made.body.id}`);
          await sweep(3);
          expect(await ids()).toEqual([kept]);
          const again = await send(service, 'POST /contracts', { body: { title: 'x', documentId: kept } });
          await sweep(5);
          expect(await ids()).toEqual([kept]);
          await send(service, `DELETE /contracts/${again.body.id}`);
          await sweep(6);
          await sweep(8);
          expect(await ids()).toEqual([]);
          // Bytes are swept by their own time.
          const path = join(folder, digestOf(bytes).slice(0, 2), digestOf(bytes).slice(2, 4), digestOf(bytes));
          const rows =
            place === folder
              ? existsSync(path)
              : (await service.workspace.unit.read('select part from praxis_file', [])).length > 0;
          expect(rows).toBe(false);
        } finally {
          await service.stop();
          await drop();
        }
      });

      test('go along in an export of all, and come back with it; verify finds what is lost', async () => {
        const [first, second] = [await open('praxis_out'), await open('praxis_in')];
        const out = join(folder, `${name}-${title}`);
        const configOf = (url: string, files: string) =>
          readConfig({ DATABASE_URL: url, RESOURCES: folders.files, FILES: files });
        try {
          const service = await startService('files', first.url, { files: place });
          const bytes = randomBytes(1_100_000);
          const { body } = await upload(service, bytes);
          await send(service, 'POST /contracts', { body: { title: 'x', documentId: body['id'] } });
          const before = await service.all('contract');
          await service.stop();
          await exportRecords(configOf(first.url, place), undefined, { all: out, filter: [] });
          const digest = digestOf(bytes);
          const copy = join(out, 'files', digest.slice(0, 2), digest.slice(2, 4), digest);
          expect(digestOf(readFileSync(copy))).toBe(digest);
          const usual = { maxRefused: '100', chunk: '500', callers: '2' };
          const target = place === 'database' ? place : join(folder, `${name}-again`);
          const back = () =>
            importRecords(configOf(second.url, target), undefined, { ...usual, all: out, keepIds: true });
          // All records are there when it dies, and what they name is not: it begins anew.
          rmSync(copy);
          await expect(back()).rejects.toThrow(`The bytes of the file with SHA-256 ${digest} are not there`);
          writeFileSync(copy, bytes);
          expect(await back()).toBe(0);
          await expect(back()).rejects.toThrow('The workspace already contains records');
          const restored = await startService('files', second.url, { files: target });
          expect(await restored.all('contract')).toEqual(before);
          const answer = await fetch(`${restored.address}/files/${String(body['id'])}`, { headers: token });
          expect(digestOf(Buffer.from(await answer.arrayBuffer()))).toBe(digest);
          const config = configOf(second.url, target);
          expect(await verify(config, [], {})).toBe(true);
          if (place === 'database') await restored.workspace.unit.write('delete from praxis_file where part = 1', []);
          else writeFileSync(join(target, digest.slice(0, 2), digest.slice(2, 4), digest), 'x');
          await restored.stop();
          printed.length = 0;
          expect(await verify(config, [], {})).toBe(false);
          expect(printed.join('')).toContain(`file ${digest}: its bytes are missing or damaged`);
        } finally {
          await first.drop();
          await second.drop();
        }
      });

      test('are had by those who see a record that names them, and brought by those who write such records', async () => {
        const { url, drop } = await open('praxis_rights');
        const service = await startService('files', url, { files: place, roles: rolesOf(registryOf('files')) });
        const tokenOf = (role: string) => newToken(service, { roles: [role] });
        try {
          const [writer, reader, clerk] = [await tokenOf('writer'), await tokenOf('reader'), await tokenOf('clerk')];
          const as = async (who: string, id: unknown): Promise<number> =>
            (await fetch(`${service.address}/files/${String(id)}`, { headers: { Authorization: `Bearer ${who}` } }))
              .status;
          const by = (who: string) => ({ Authorization: `Bearer ${who}` });
          const { status, body } = await upload(service, pdf, by(writer));
          expect(status).toBe(200);
          expect(await upload(service, pdf, by(reader))).toMatchObject({
            status: 403,
            body: { message: "Operation 'create' of 'File' is not granted." },
          });
          expect(await as(reader, body['id'])).toBe(404);
          const made = await send(service, 'POST /contracts', {
            headers: by(writer),
            body: { title: 'open', documentId: body['id'] },
          });
          expect(made.status).toBe(200);
          expect(await as(reader, body['id'])).toBe(200);
          // Neither a record that is not seen nor a field that is hidden shows the file.
          expect(await as(clerk, body['id'])).toBe(404);
          // Nor one whose words are the file's id.
          await send(service, `PATCH /contracts/${made.body.id}`, { body: { title: body['id'] } });
          expect([await as(clerk, body['id']), await as(reader, body['id'])]).toEqual([404, 200]);
          await send(service, `PATCH /contracts/${made.body.id}`, { body: { title: 'secret' } });
          expect(await as(reader, body['id'])).toBe(404);
          // However many that are not seen name it, too, and wherever in a record it stands.
          const operations = Array.from({ length: 30 }, () => ({
            ...{ method: 'POST', path: '/contracts', body: { title: 'secret', documentId: body['id'] } },
          }));
          expect((await send(service, 'POST /batch', { body: { operations } })).status).toBe(200);
          expect(await as(reader, body['id'])).toBe(404);
          await send(service, 'POST /contracts', { body: { title: 'open', documentId: body['id'] } });
          expect(await as(reader, body['id'])).toBe(200);
          const proof = (await upload(service, png)).body['id'];
          const note = (await upload(service, Buffer.from('a note'), { 'Content-Type': 'text/plain' })).body['id'];
          expect([await as(reader, proof), await as(reader, note)]).toEqual([404, 404]);
          const lines = [{ amount: 1, proofId: proof }];
          const spent = await send(service, 'POST /expenses', { body: { name: 'x', lines, noteIds: [note] } });
          expect(spent.status, spent.text).toBe(200);
          expect([await as(reader, proof), await as(reader, note)]).toEqual([200, 200]);
          expect([await as(clerk, proof), await as(clerk, note)]).toEqual([404, 404]);
          // Who names it in a record of one's own would have it: a file that is not seen is named as one that there is not.
          const scribe = await tokenOf('scribe');
          const hidden = (await upload(service, png)).body['id'];
          const secret = await send(service, 'POST /contracts', { body: { title: 'secret', documentId: hidden } });
          expect(secret.status, secret.text).toBe(200);
          expect((await send(service, 'GET /files', { headers: by(scribe) })).text).toContain(String(hidden));
          const own = (await upload(service, pdf, by(scribe))).body['id'];
          const name = (documentId: unknown, path = 'POST /contracts') =>
            send(service, path, { headers: by(scribe), body: { title: 'open', documentId } });
          const [kept, taken] = [await name(own), await name(hidden)];
          expect(kept.body).toMatchObject({ document: { id: own, name: expect.any(String), size: pdf.length } });
          expect([taken.status, taken.text]).toEqual([400, (await name(unknownId)).text]);
          expect(taken.body.errors).toEqual(["'documentId' does not refer to an existing File"]);
          expect((await name(hidden, `PATCH /contracts/${kept.body.id}`)).text).toBe(taken.text);
          expect(await as(scribe, hidden)).toBe(404);
          // What one sees in another record may be named again.
          expect((await name(own)).status).toBe(200);
        } finally {
          await service.stop();
          await drop();
        }
      });
    });

test('a backup has the files beside it', async () => {
  const { url, drop } = await sqlite.open('praxis_backup');
  const [place, file] = [join(folder, 'backed'), join(folder, 'monday.sqlite')];
  const service = await startService('files', url, { files: place });
  try {
    const { body } = await upload(service, pdf);
    await send(service, 'POST /contracts', { body: { title: 'x', documentId: body['id'] } });
    await writeBackup(readConfig({ DATABASE_URL: url, RESOURCES: folders.files, FILES: place }), file, {});
    const copied = readConfig({ DATABASE_URL: `sqlite:${file}`, RESOURCES: folders.files, FILES: `${file}.files` });
    expect(await verify(copied, [], {})).toBe(true);
    expect(readdirSync(`${file}.files`)).toEqual([digestOf(pdf).slice(0, 2)]);
  } finally {
    await service.stop();
    await drop();
  }
});

test('a service whose folder of files cannot be written is not ready, and refuses uploads', async () => {
  const inTheWay = join(folder, 'a-file');
  writeFileSync(inTheWay, '');
  const database = await openDatabase('sqlite::memory:');
  const service = await startService('files', '', { database, files: join(inTheWay, 'files') });
  const message = 'The folder for uploads cannot be written; uploads are refused until it can.';
  const answer = await fetch(service.address.replace('/api', '/readyz'));
  expect([answer.status, await answer.json()]).toEqual([503, { status: 503, message }]);
  expect((await upload(service, Buffer.from('x'))).body).toMatchObject({ status: 503, message });
  await service.stop();
});

test.each(['ENOSPC', 'EDQUOT'])('the error %s of a folder means that it has no room', (code) => {
  expect(toHindrance(Object.assign(new Error(code), { code }))).toBe('full');
});
