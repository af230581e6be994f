// Descriptors that change while the database keeps its tables: a start tells what does not fit, before any request does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { databases } from '../support/databases/databases.ts';
import type { Json } from '../support/service/praxis.ts';

for (const { name, isThere, isServer, open } of databases) {
  describe.skipIf(!isThere)(`set-up (${name})`, () => {
    let folder: string;
    let database: { readonly url: string; drop(): Promise<void> | void };

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'praxis-setup-'));
      mkdirSync(join(folder, 'resources'));
      database = isServer
        ? await open('praxis_setup')
        : { url: `sqlite:${join(folder, 'data', 'w.sqlite')}`, drop: () => {} };
    });

    afterEach(async () => {
      await database.drop();
      rmSync(folder, { recursive: true });
    });

    const text = { type: 'string', maxLength: 40, description: 'Text' };

    function describeNote(properties: Json, more: Json = {}): void {
      const note = {
        title: 'Note',
        description: 'A note.',
        type: 'object',
        properties,
        required: ['name'],
        resource: { path: '/notes', shownAs: '{name}', operations: ['list', 'create'], ...more },
      };
      writeFileSync(join(folder, 'resources', 'note.json'), JSON.stringify(note));
    }

    async function start(): Promise<void> {
      const workspace = await openWorkspace(
        readConfig({
          RESOURCES: join(folder, 'resources'),
          MIGRATIONS: join(folder, 'migrations'),
          DATABASE_URL: database.url,
        }),
      );
      await workspace.close();
    }

    test('stops where somebody else has taken a column away', async () => {
      describeNote({ name: text, mood: { ...text, default: '' } });
      await start();
      await start();
      const other = await openDatabase(database.url);
      await other.script(['alter table note drop column mood']);
      await other.close();
      await expect(start()).rejects.toThrow(
        'The database does not match the descriptors: table "note" has no column "mood".',
      );
    });

    test('stops where a table needs a value that no field gives', async () => {
      describeNote({ name: text });
      await start();
      const other = await openDatabase(database.url);
      // As a migration by hand would leave it: SQLite asks for a default, and takes it away in no other way.
      await other.script([
        'create table note_new as select * from note',
        'drop table note',
        `create table note (id char(36) not null primary key, mood ${name === 'SQLite' ? 'text' : 'varchar(40)'} not null)`,
      ]);
      await other.close();
      await expect(start()).rejects.toThrow('table "note" requires a value for "mood", which no field provides');
    });

    test('says which first records are refused, and by what; mended, the next start makes them', async () => {
      const that = 'mood == null || end != null';
      const rules = [{ use: 'require', that, field: 'end', answers: 'required' }];
      const optional = { ...text, type: ['string', 'null'] };
      const properties = { name: text, mood: optional, end: optional };
      describeNote(properties, { rules, setup: [{ name: 'One', mood: 'calm' }] });
      await expect(start()).rejects.toThrow(`the first records of "note" cannot be made: 'end' is required`);
      describeNote(properties, { rules, setup: [{ name: 'One' }] });
      await start();
    });

    test('says what conflict stops first records', async () => {
      const day = { type: ['string', 'null'], format: 'date', description: 'Day' };
      const that = 'notes.filter(n, n.unit == unit && n.id != id && n.from <= to && n.to >= from).count() == 0';
      const rules = [{ use: 'require', that, answers: 'datesOverlap' }];
      const unit = { type: ['string', 'null'], format: 'currency', description: 'Unit' };
      const first = { name: 'One', unit: 'EUR', from: '2030-01-01', to: '2030-01-31' };
      const setup = [first, { ...first, from: '2030-01-31', to: '2030-02-01' }];
      describeNote({ name: text, unit, from: day, to: day }, { rules, indexes: [['unit']], setup });
      await expect(start()).rejects.toThrow(
        'the first records of "note" cannot be made: A Note with overlapping dates already exists.',
      );
    });

    test('finds the records that first records name, and says which there is not', async () => {
      const above = { reference: 'note', nullable: true, onDelete: 'clear', description: 'Note above' };
      const properties = { name: text, above, mood: { ...text, type: ['string', 'null'] } };
      const setup = (named: string) => [
        // Nobody is named as the first administrator.
        { $when: 'adminName', name: 'One' },
        { name: 'Two', mood: { config: 'adminName' } },
        { name: 'Three', above: named },
      ];
      describeNote(properties, { unique: [['name']], setup: setup('One') });
      await expect(start()).rejects.toThrow('set-up names the Note "One", which is not there');
      describeNote(properties, { unique: [['name']], setup: setup('Two') });
      await start();
      await start();
      const other = await openDatabase(database.url);
      const shown = 'select n.name, a.name, n.mood from note n left join note a on a.id = n.above_id order by n.name';
      expect(await other.all(shown, [])).toEqual([
        ['Three', 'Two', null],
        ['Two', null, null],
      ]);
      await other.close();
    });

    test('says what key stops first records, and keeps small numbers exactly', async () => {
      const share = { type: 'number', format: 'decimal', precision: 12, scale: 8, default: 0, description: 'Share' };
      const twins = [
        { name: 'my company', share: 1e-7 },
        // What the configuration says is known at the start alone.
        { name: { config: 'workspaceName' } },
      ];
      describeNote({ name: text, share }, { unique: [['name']], setup: twins });
      await expect(start()).rejects.toThrow(/^the first records of "note" cannot be made: Not unique: \S+\.$/);
      describeNote({ name: text, share }, { unique: [['name']], setup: twins.slice(0, 1) });
      await start();
      const other = await openDatabase(database.url);
      // SQLite keeps decimals as whole numbers of their last place.
      const kept = name === 'SQLite' ? '10' : '0.00000010';
      expect(await other.all('select cast(share as char(20)) from note', [])).toEqual([[kept]]);
      await other.close();
    });
  });
}
