// `praxis history` and `praxis changes` as operators run them, and a service that ends while somebody follows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder } from '../support/commands/command.ts';
import { endOf } from '../support/data/changes.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { openStream } from '../support/service/events.ts';
import { accessToken, folders, startService } from '../support/service/praxis.ts';
import { send } from '../support/service/send.ts';

const patience = { timeout: 120_000 };

for (const { name, isThere, open } of databases) {
  describe.skipIf(!isThere)(`the log at the terminal (${name})`, patience, () => {
    let service: Awaited<ReturnType<typeof startService>>;
    let database: Awaited<ReturnType<TestDatabase['open']>>;
    let folder: Folder;
    let id = '';

    beforeAll(async () => {
      database = await open();
      service = await startService('log', database.url, { changes: 90 });
      const env = { DATABASE_URL: database.url, CHANGES: '90d', LOG_LEVEL: 'silent', ACCESS_TOKEN: accessToken };
      folder = new Folder(env, folders.log);
      id = (await send(service, 'POST /notes', { body: { text: 'one' } })).body.id;
      await send(service, `PATCH /notes/${id}`, { body: { text: 'two\nlines' } });
      await send(service, 'POST /tags', { body: { name: 'other' } });
    }, 60_000);
    afterAll(async () => {
      folder.remove();
      await service.stop();
      await database.drop();
    }, 60_000);

    it('tells what became of a record', async () => {
      const [newest = '', oldest = '', ...more] = (await folder.print(`history note/${id}`)).trim().split('\n');
      expect(more).toEqual([]);
      expect(newest).toContain(`update  note/${id}`);
      expect(newest).toContain('text: "one" → "two\\nlines"');
      expect(newest).toMatch(/by \(ACCESS_TOKEN\)$/);
      expect(oldest).toContain('text: "one"');
      const json = (await folder.print(`history notes/${id} --json`)).trim().split('\n');
      expect(json.map((line) => JSON.parse(line).operation)).toEqual(['update', 'create']);
    });

    it('says what it does not know', async () => {
      const wrong = async (line: string, env = {}) => (await folder.run(line, env)).stderr;
      expect(await wrong('history note/5')).toBe('The record needs a group and an id: note/<id>.\n');
      const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
      expect(await wrong(`history note/${unknown}`)).toBe(`Object with id '${unknown}' not found.\n`);
      expect(await wrong(`history reading/${unknown}`)).toBe('No log is kept of the group "reading".\n');
    });

    it('goes on where a command knows nothing of it', async () => {
      const { stdout } = await folder.run('changes --json', { CHANGES: 'off' });
      expect(stdout).toContain('"operation":"update"');
      const { id: later } = (await send(service, 'POST /notes', { body: { text: 'later' } })).body;
      const entries = (await folder.run('changes --json', { CHANGES: 'off' })).stdout;
      expect(entries).toContain(`"id":"${later}"`);
      expect(entries).not.toContain('"reset"');
    });

    it('prints the log, follows it, and begins a new one', async () => {
      const lines = (await folder.print('changes --group note --json')).trim().split('\n');
      expect(lines.map((line) => JSON.parse(line).operation)).toEqual(['create', 'update', 'create']);
      const following = folder.start('changes --follow --group note --json');
      // It begins at some time; what it prints then is what was written since.
      await expect
        .poll(
          async () => {
            await send(service, `PATCH /notes/${id}`, { body: { text: String(Math.random()) } });
            return following.output.stdout;
          },
          { timeout: 60_000, interval: 500 },
        )
        .toContain('"operation":"update"');
      following.child.kill('SIGTERM');
      await following.ended;
      const end = await endOf(service);
      expect(await folder.print('changes renew')).toBe(
        'Started a new log; followers of changes must read the records again.\n',
      );
      expect((await send(service, `GET /changes?after=${end}`)).status).toBe(410);
      expect(await endOf(service)).not.toContain(end.split('.')[0]);
    });

    it('makes, lists and removes webhooks', async () => {
      const url = 'https://hooks.example.com/x';
      const made = await folder.run(`webhook create ${url} --group note --operation create --cause caller --pass`);
      expect(made.stdout).toMatch(/^whsec_[A-Za-z0-9+/]{32}\n$/);
      const webhook = (await send(service, 'GET /webhooks')).body.results[0];
      expect(made.stderr).toContain(`Webhook ${webhook.id} receives changes from now on`);
      expect(webhook).toMatchObject({
        ...{ url, groups: ['note'], operations: ['create'], causes: ['caller'], onFailure: 'pass', state: 'active' },
      });
      expect(webhook.cursor).toBe(await endOf(service));
      expect(await folder.print('webhook list')).toBe(`${webhook.id}  active   ${url}  note\n`);
      expect(JSON.parse(await folder.print('webhook list --json'))).toMatchObject([{ id: webhook.id, url }]);
      const refused = async (line: string) => (await folder.run(line)).stderr;
      expect(await refused('webhook create http://example.com')).toBe("'url' must be an https URL\n");
      expect(await refused(`webhook create ${url} --group noet`)).toMatch(/^'groups' must /);
      expect(await refused('webhook delete 5')).toBe('No webhook has the id \'5\'; run "praxis webhook list".\n');
      expect(await folder.print(`webhook delete ${webhook.id}`)).toBe(`${webhook.id}  removed\n`);
      expect(await refused(`webhook delete ${webhook.id}`)).toContain('No webhook has the id');
      expect((await send(service, 'GET /webhooks')).body.results).toEqual([]);
    });

    it('ends streams and waits in order when the service ends', async () => {
      const { child, output, ended } = folder.start('serve', { PORT: '0' });
      await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain('/api');
      const address = /http:\S+\/api/.exec(output.stdout)?.[0] ?? '';
      const streams = [await openStream({ address }, '?after=now'), await openStream({ address }, '?after=now')];
      const waits = [1, 2].map(() => send({ address }, 'GET /changes?after=now&wait=60'));
      const ends = streams.map((stream) => stream.next());
      await endOf({ address });
      child.kill('SIGTERM');
      expect(await Promise.all(ends)).toEqual([undefined, undefined]);
      for (const wait of waits) expect(await wait).toMatchObject({ status: 200, body: { results: [] } });
      expect((await ended).code).toBe(0);
    });
  });
}
