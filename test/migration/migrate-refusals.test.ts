// What a migration refuses, and what it says then; files that were damaged; starts that must not change a database.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/migration/files/folder.ts';
import { applyMigrations } from '../../src/migration/run/apply.ts';
import { praxis } from '../support/commands/praxis-line.ts';
import { dialects, type Groups, Project } from '../support/commands/project.ts';
import { isObject, type Json } from '../support/service/client.ts';

const text = { type: 'string', maxLength: 100 };
const rows = (maxItems: number, properties: object) => ({
  type: 'array',
  maxItems,
  items: { type: 'object', properties },
});
/** A list whose items have a list. */
const inside = (maxItems: number) => rows(9, { b: rows(maxItems, { t: { ...text, default: '' } }) });
const note = (properties: Json, more: Json = {}): Groups => ({
  note: { properties: { name: text, ...properties }, ...more },
});

/** The message of what must not go well. */
async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was refused');
}

for (const dialect of dialects) {
  describe(`migrations (${dialect})`, () => {
    let project: Project;
    beforeEach(async () => {
      project = await Project.open(dialect);
    });
    afterEach(() => project.close());

    /** Sets up, makes records, and gives their ids, in the order in which they were sent. */
    async function start(groups: Groups, records: readonly Json[] = [{ name: 'One' }]): Promise<string[]> {
      project.describe(groups);
      if (readdirSync(project.folder).includes('migrations') === false) project.generate();
      return project.serve(async (call) => {
        const ids: string[] = [];
        for (const record of records) {
          const { body, status, text: answer } = await call('POST', '/notes', record);
          expect(status, answer).toBe(200);
          if (isObject(body)) ids.push(String(body['id']));
        }
        return ids;
      });
    }

    test('a new required field asks for what the records that exist shall have', async () => {
      await start(note({}));
      project.describe(note({ phone: text }, { required: ['name', 'phone'] }));
      expect(await refusal(() => project.generate())).toContain('--fill note.phone=…');
      expect(await refusal(() => project.generate('x', { fill: ['note.fone=1'] }))).toContain(
        'did you mean "note.phone"?',
      );
      const refused = (fill: string) => refusal(() => project.generate('x', { fill: [fill] }));
      expect(await refused("note.phone='  '")).toContain('does not allow this value');
      expect(await refused('note.phone=null')).toContain('does not allow this value');
      expect(await refused('note.phone')).toContain('is not of the form group.field=formula');
      expect(await refused('note.phone=none')).toContain('Put a text in quotes: --fill "note.phone=\'none\'"');
      expect(await refused('note.phone=1 + 2')).toContain('gives a number, which "phone" (text(100)) cannot store');
      expect(await refused("note.phone=nam + 'x'")).toContain('did you mean "name"?');
      expect(await refused('note.phone=text(today)')).toMatch(/reads other records|takes a number/);
      expect(await refused("note.name=name + 'x'")).toContain('existing records need no value for this field');
      expect(readdirSync(project.migrations)).toEqual(['0001_initial.jsonc']);
    });

    test('a field that becomes something else under its name is not asked for another name, but for a fill', async () => {
      await start(note({ since: { type: ['string', 'null'], format: 'date' }, tags: { ...text, default: '' } }));
      const since = { type: ['string', 'null'], format: 'date-time' };
      const mood = { type: ['integer', 'null'], renamedFrom: 'tags' };
      project.describe(note({ since, mood, tone: { ...text, default: '' } }));
      const refused = await refusal(() => project.generate());
      expect(refused).toMatch(/drops the column "since" .*; add --allow-drop, and --fill note\.since=… to compute/);
      expect(refused).toMatch(/drops the column "tags" .*; add --allow-drop, and --fill note\.mood=… to compute/);
      expect(refused).not.toContain('renamedFrom');
      // What a formula gives that names the field itself is said of the field, and is no text without its marks.
      const filled = await refusal(() => project.generate('x', { allowDrop: true, fill: ['note.since=since'] }));
      expect(filled).toContain('--fill note.since=…: gives a date, which "since" (dateTime) cannot store');
      expect(filled).not.toContain('in quotes');
      const drops = await refusal(() =>
        project.generate('x', { fill: ["note.since='2024-02-01T00:00:00Z'", 'note.mood=number(tags)'] }),
      );
      expect(drops.match(/add --allow-drop$/gm)).toHaveLength(2);
      const word = await refusal(() => project.generate('x', { allowDrop: true, fill: ['note.tone=since'] }));
      expect(word).toContain('gives a date');
      expect(word).not.toContain('in quotes');
    });

    test('a formula that gives what a field cannot hold is refused with its rows, before the first step', async () => {
      const [one] = await start(note({ mood: { ...text, default: '' } }), [
        { name: 'One', mood: 'calm' },
        { name: 'Two', mood: '' },
      ]);
      const code = { type: 'string', maxLength: 4 };
      project.describe(note({ code, tone: { ...text, default: '' } }, { required: ['name', 'code'] }));
      project.generate('more', { allowDrop: true, fill: ['note.code=mood'] });
      const refused = await refusal(() => project.apply({ allowDrop: true, allowRebuild: true }));
      expect(refused).toContain('Stored rows block the migration; nothing was changed:');
      expect(refused).toMatch(
        /"code" \(text\(4\)\) cannot store the computed values of rows of "note": "" in [0-9a-f-]{36}\n/,
      );
      project.describe(note({ mood: { ...text, default: '' } }));
      await project.serve(async (call) => {
        expect((await call('GET', `/notes/${one}`)).body).toMatchObject({ mood: 'calm' });
      });
    });

    test('a removal needs consent twice: to be written, and to be done', async () => {
      const [id] = await start(note({ mood: text }), [{ name: 'One', mood: 'calm' }]);
      project.describe(note({}));
      expect(await refusal(() => project.generate())).toMatch(/drops the column "mood" of "note".*--allow-drop/);
      project.generate('less', { allowDrop: true });
      expect(await refusal(() => project.apply())).toMatch(/--allow-drop:\n {2}drops the column "mood" of "note"/);
      project.describe(note({ mood: text }));
      await project.serve(async (call) => {
        expect((await call('GET', `/notes/${id}`)).body).toMatchObject({ mood: 'calm' });
      });
    });

    const tightened: readonly { title: string; before: Json; after: Json; more?: Json; wrong: Json; says: string }[] = [
      {
        title: 'null',
        before: { a: { type: ['string', 'null'], maxLength: 9 } },
        after: { a: { type: 'string', maxLength: 9 } },
        more: { required: ['name', 'a'] },
        wrong: {},
        says: '"a" is null in 1 row',
      },
      {
        title: 'an empty text',
        before: { a: { ...text, default: '' } },
        after: { a: text },
        more: { required: ['name', 'a'] },
        wrong: {},
        says: '"a" is empty in 1 row',
      },
      {
        title: 'a long text',
        before: { a: text },
        after: { a: { type: 'string', maxLength: 3 } },
        wrong: { a: 'äöüß' },
        says: '"a" is too long for text(3) in',
      },
      {
        title: 'a large number',
        before: { a: { type: 'integer' } },
        after: { a: { type: 'integer', maximum: 5 } },
        wrong: { a: 6 },
        says: '"a" is above 5 in',
      },
      {
        title: 'a small amount',
        before: { a: { type: 'number', format: 'money' } },
        after: { a: { type: 'number', format: 'money', minimum: 0.5 } },
        wrong: { a: 0.4999 },
        says: '"a" is below 0.5 in',
      },
      {
        title: 'a fraction',
        before: { a: { type: 'number', format: 'decimal', precision: 9, scale: 3 } },
        after: { a: { type: 'number', format: 'decimal', precision: 9, scale: 1 } },
        wrong: { a: 1.25 },
        says: '"a" has more digits than decimal(9,1) allows',
      },
      {
        title: 'a removed value',
        before: { a: { type: 'string', enum: ['x', 'y'] } },
        after: { a: { type: 'string', enum: ['x', 'z'] } },
        wrong: { a: 'y' },
        says: '"a" is not one of x, z in',
      },
      {
        title: 'a removed value, the longest',
        before: { a: { type: 'string', enum: ['x', 'long'] } },
        after: { a: { type: 'string', enum: ['x'] } },
        wrong: { a: 'long' },
        says: '"a" is not one of x in',
      },
      {
        title: 'another format',
        before: { a: text },
        after: { a: { type: 'string', maxLength: 100, format: 'email' } },
        wrong: { a: 'nobody' },
        says: '"a" is not a valid email in',
      },
      {
        title: 'an item',
        before: { a: { type: 'array', maxItems: 9, items: text, default: [] } },
        after: { a: { type: 'array', maxItems: 9, items: { type: 'string', maxLength: 2 }, default: [] } },
        wrong: { a: ['ab', 'abc'] },
        says: '"a" has items that are no longer allowed',
      },
      {
        title: 'too many items',
        before: {
          a: { type: 'array', maxItems: 9, items: { type: 'object', properties: { t: { ...text, default: '' } } } },
        },
        after: {
          a: { type: 'array', maxItems: 1, items: { type: 'object', properties: { t: { ...text, default: '' } } } },
        },
        wrong: { a: [{ t: '1' }, { t: '2' }] },
        says: 'have more than 1 rows in "note_a"',
      },
      {
        title: 'too many items of an item',
        before: { a: inside(9) },
        after: { a: inside(2) },
        wrong: { a: [{ b: [{ t: '1' }, { t: '2' }] }, { b: [{ t: '3' }, { t: '4' }, { t: '5' }] }] },
        says: 'have more than 2 rows in "note_a_b"',
      },
      {
        title: 'too few items',
        before: {
          a: { type: 'array', maxItems: 9, items: { type: 'object', properties: { t: { ...text, default: '' } } } },
        },
        after: {
          a: {
            ...{ type: 'array', minItems: 2, maxItems: 9 },
            items: { type: 'object', properties: { t: { ...text, default: '' } } },
          },
        },
        wrong: { a: [{ t: '1' }] },
        says: 'have fewer than 2 rows in "note_a"',
      },
    ];

    test.each(tightened)('a rule is not tightened over $title, which is named and stays readable', async (change) => {
      const { before, after, more = {}, wrong, says } = change;
      const [id] = await start(note(before), [{ name: 'One', ...wrong }]);
      project.describe(note(after, more));
      project.generate('tight');
      const message = await refusal(() => project.apply({ allowRebuild: true }));
      expect(message).toContain(says);
      expect(message).toContain(String(id));
      // Nothing has changed: the service as it was goes on, and what is mended is applied.
      project.describe(note(before));
      await project.withDatabase((database) => database.run('delete from note_a', []).catch(() => 0));
      await project.serve(async (call) => {
        expect((await call('GET', `/notes/${id}`)).status).toBe(200);
        expect((await call('DELETE', `/notes/${id}`)).status).toBe(204);
      });
      project.describe(note(after, more));
      await project.apply({ allowRebuild: true });
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('a key is not made over what formulas give, where that is the same', async () => {
      const [one, two] = await start(note({ code: text, nick: { type: ['string', 'null'], maxLength: 9 } }), [
        { name: 'One', code: '07', nick: 'a' },
        { name: 'Two', code: '7', nick: 'b' },
        { name: 'A', code: '8' },
      ]);
      const number = { code: { type: 'integer' }, nick: { type: ['string', 'null'], maxLength: 9 } };
      project.describe(note(number, { required: ['name', 'code'], unique: [['code']] }));
      project.generate('number', { allowDrop: true, fill: ['note.code=number(code)'] });
      const message = await refusal(() => project.apply({ allowDrop: true, allowRebuild: true }));
      expect(message).toContain('Stored rows block the migration; nothing was changed:');
      expect(message).toContain(`have the same "code" (${one} and ${two})`);
      rmSync(join(project.migrations, '0002_number.jsonc'));
      // Those that have a value keep it, and are told apart from those that are filled.
      project.describe(
        note(
          { code: text, nick: { type: 'string', maxLength: 9 } },
          { required: ['name', 'code', 'nick'], unique: [['nick']] },
        ),
      );
      project.generate('nick', { fill: ['note.nick=lower(name)'] });
      expect(await refusal(() => project.apply({ allowRebuild: true }))).toContain('have the same "nick"');
      rmSync(join(project.migrations, '0002_nick.jsonc'));
      project.generate('nick', { fill: ["note.nick=name + '!'"] });
      await project.apply({ allowRebuild: true });
    });

    test('a key is not made over records that it would not tell apart', async () => {
      const ids = await start(note({}), [{ name: 'Same' }, { name: ' sAME' }, { name: 'Other' }]);
      project.describe(note({}, { unique: [['name']] }));
      project.generate('key');
      const message = await refusal(() => project.apply());
      expect(message).toContain('have the same "name"');
      expect(message).toContain(`${ids[0]} and ${ids[1]}`);
    });

    // SQLite rebuilds in one transaction, and needs no consent.
    if (dialect !== 'SQLite')
      test('what can only rebuild a table with rows says so before the first step', async () => {
        await start(note({ a: { type: 'number', format: 'decimal', precision: 9, scale: 1 } }), [
          { name: 'One', a: 1 },
        ]);
        project.describe(
          note({ b: { ...text, default: '' }, a: { type: 'number', format: 'decimal', precision: 12, scale: 2 } }),
        );
        project.generate('wide');
        expect(readFileSync(join(project.migrations, '0002_wide.jsonc'), 'utf8')).toContain(
          'changes the column "a" of "note" (rebuilds the table)',
        );
        expect(await refusal(() => project.apply())).toMatch(/--allow-rebuild:\n {2}changes the column "a" of "note"$/);
        expect((await project.status()).files).toMatchObject([{}, { state: 'pending', done: 0 }]);
        await project.apply({ allowRebuild: true });
      });

    test('a start adds by itself to an embedded database; a server is asked for', async () => {
      const [id] = await start(note({}));
      project.describe({
        ...note({ mood: { ...text, default: 'calm', filter: 'text' } }),
        place: { properties: { name: text } },
      });
      if (dialect !== 'SQLite') {
        const message = await refusal(() => project.serve(async () => {}));
        expect(message).toContain('adds the column "mood" to "note" (metadata only)');
        expect(message).toContain(
          '"praxis migrate generate", then "praxis migrate apply". Or set APPLY_ADDITIONS=true',
        );
      }
      await project.serve(
        async (call) => {
          expect((await call('GET', `/notes/${id}`)).body).toMatchObject({ mood: 'calm' });
          expect((await call('GET', '/notes?moodContains=CAL')).body).toMatchObject({ results: [{ id }] });
        },
        { APPLY_ADDITIONS: 'true' },
      );
      expect(project.log.some((line) => line.includes('adds the column \\"mood\\" to \\"note\\"'))).toBe(true);
      // Once more: nothing is left.
      await project.serve(async () => {});
      expect(project.log.some((line) => line.includes('database:'))).toBe(false);
      // Written down later, nothing is done twice.
      project.generate('mood');
      expect(await project.status()).toMatchObject({ state: 'pending' });
      await project.apply();
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('a start does nothing but add', async () => {
      await start(note({ mood: text }), [{ name: 'One', mood: 'calm' }]);
      for (const [after, words] of [
        [note({}), 'drops the column "mood"'],
        [note({ feeling: { ...text, renamedFrom: 'mood' } }), 'renames the column "mood" of "note" to "feeling"'],
        [note({ mood: { type: 'string', maxLength: 5 } }), 'changes the column "mood"'],
        [note({ mood: text, phone: text }, { required: ['name', 'mood', 'phone'] }), 'adds the column "phone"'],
        [note({ mood: text }, { unique: [['name']] }), 'adds the unique index'],
      ] as const) {
        project.describe(after);
        const message = await refusal(() => project.serve(async () => {}, { APPLY_ADDITIONS: 'true' }));
        expect(message).toContain(words);
        expect(message).toContain('Run "praxis migrate generate", then "praxis migrate apply".');
      }
    });

    test('a field that a start has added and that is then renamed keeps its values', async () => {
      await start(note({}), []);
      project.describe(note({ mood: { ...text, default: '' } }));
      const id = await project.serve(
        async (call) => {
          const { body } = await call('POST', '/notes', { name: 'One', mood: 'calm' });
          return isObject(body) ? String(body['id']) : '';
        },
        { APPLY_ADDITIONS: 'true' },
      );
      project.describe(note({ feeling: { ...text, default: '', renamedFrom: 'mood' } }));
      project.generate('feeling');
      await project.apply();
      await project.serve(async (call) => {
        expect((await call('GET', `/notes/${id}`)).body).toMatchObject({ feeling: 'calm' });
      });
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('a group that a start has made, and that has more fields before its migration is written, keeps its records', async () => {
      await start(note({}), []);
      const shop = (properties: Json): Groups => ({ ...note({}), shop: { properties: { name: text, ...properties } } });
      project.describe(shop({}));
      const id = await project.serve(
        async (call) => {
          const { body } = await call('POST', '/shops', { name: 'One' });
          return isObject(body) ? String(body['id']) : '';
        },
        { APPLY_ADDITIONS: 'true' },
      );
      project.describe(shop({ mood: { ...text, default: 'calm' }, size: { type: 'integer', default: 3 } }));
      project.generate('shop');
      await project.apply();
      await project.serve(async (call) => {
        expect((await call('GET', `/shops/${id}`)).body).toMatchObject({ name: 'One', mood: 'calm', size: 3 });
      });
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('rows in the way of the last step are told before the first one', async () => {
      const [one, two] = await start(note({ kind: { type: ['string', 'null'], maxLength: 9 } }), [
        { name: 'One' },
        { name: 'Two' },
      ]);
      const tables = await project.tables();
      project.describe(
        note(
          { more: { ...text, default: '' }, kind: { type: 'string', maxLength: 9, default: 'x' } },
          { unique: [['kind']] },
        ),
      );
      project.generate('key');
      const message = await refusal(() => project.apply());
      expect(message).toContain('Stored rows block the migration; nothing was changed');
      expect(message).toContain(`have the same "kind" (${one} and ${two})`);
      expect(await project.tables()).toEqual(tables);
    });

    test('a fill replaces only the values that its field no longer allows', async () => {
      const levels = (values: readonly string[]) => ({ type: 'string', enum: values, default: 'low' });
      const size = (maximum: number) => ({ type: 'integer', minimum: 0, maximum, default: 0 });
      const price = (scale: number) => ({ type: 'number', format: 'decimal', precision: 9, scale, default: 0 });
      const before = {
        ...{ size: size(90), code: { ...text, default: '' }, level: levels(['low', 'high', 'top']) },
        ...{ price: price(3), phone: { type: ['string', 'null'], maxLength: 20 } },
      };
      const [one] = await start(note(before), [
        { name: 'One', size: 40, code: 'longer than ten', level: 'top', price: 1.234, phone: null },
        { name: 'Two', size: 30, code: 'short', level: 'high', price: 2.5, phone: '12' },
        { name: 'Three', size: 31, code: '', level: 'low', price: 0, phone: '' },
      ]);
      const after = {
        ...{ size: size(30), code: { type: 'string', maxLength: 10, default: '' }, level: levels(['low', 'high']) },
        ...{ price: price(2), phone: { type: 'string', maxLength: 20 } },
      };
      project.describe(note(after, { required: ['name', 'phone'] }));
      const fills = ['note.size=min(size, 29)', "note.code=name + '!'", "note.level='high'", "note.phone=code + '?'"];
      project.generate('fills', { fill: fills });
      const refused = await refusal(() => project.apply({ allowRebuild: true }));
      // Only what no fill replaces is in the way.
      expect(refused).toContain(`"price" has more digits than decimal(9,2) allows in 1 row of "note" (${one})`);
      expect(refused).toContain('or replace their values with --fill');
      expect(refused.match(/ but /g)).toHaveLength(1);
      rmSync(join(project.migrations, '0002_fills.jsonc'));
      expect(project.generate('fills', { fill: [...fills, 'note.price=round(price, 2)'] })).toContain(
        'replaces values that the column "size" of "note" no longer allows with min(size, 29)',
      );
      await project.apply({ allowRebuild: true });
      const found = await project.serve(async (call) => (await call('GET', '/notes?limit=9')).body);
      expect((found as { results: Json[] }).results.map(({ id: _id, createdAt: _at, ...rest }) => rest)).toEqual([
        { name: 'Three', size: 29, code: '', level: 'low', price: 0, phone: '?' },
        { name: 'Two', size: 30, code: 'short', level: 'high', price: 2.5, phone: '12' },
        { name: 'One', size: 29, code: 'One!', level: 'high', price: 1.23, phone: 'One!?' },
      ]);
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('a fill is refused if it gives a value that the field does not allow', async () => {
      const size = (maximum: number) => ({ type: 'integer', minimum: 0, maximum, default: 0 });
      const [one] = await start(note({ size: size(90) }), [
        { name: 'One', size: 80 },
        { name: 'Two', size: 3 },
      ]);
      project.describe(note({ size: size(30) }));
      project.generate('half', { fill: ['note.size=size - 40'] });
      expect(await refusal(() => project.apply())).toContain(
        `"size" (integer) cannot store the computed values of rows of "note": "40" in ${one}`,
      );
      rmSync(join(project.migrations, '0002_half.jsonc'));
      expect(await refusal(() => project.generate('more', { fill: ['note.size=40'] }))).toContain(
        'does not allow this value',
      );
      project.describe(note({ size: size(90) }));
      expect(await refusal(() => project.generate('none', { fill: ['note.size=40'] }))).toContain(
        'existing records need no value for this field',
      );
    });

    test('a fill that would lose values names them, and needs --allow-loss', async () => {
      const records = ['4', 'n/a', 'x', '', '12 b', '7.5.1', '-'].map((rank) => ({ name: 'Team', rank }));
      const ids = await start(note({ rank: { ...text, default: '' } }), records);
      project.describe(note({ rank: { type: ['integer', 'null'] } }));
      project.generate('rank', { allowDrop: true, fill: ['note.rank=number(rank)'] });
      const refused = await refusal(() => project.apply({ allowDrop: true }));
      expect(refused).toContain('Stored rows would lose values; nothing was changed:');
      const lost = [1, 2, 4, 5, 6].map((place) => `${JSON.stringify(records[place]?.rank)} in ${ids[place]}`);
      expect(refused).toContain(`but rows of "note" would lose a value: ${lost.join(', ')}\n`);
      expect(refused).toContain('run with --allow-loss');
      const stored = () => project.withDatabase((database) => database.all('select rank from note order by id', []));
      expect((await stored()).flat()).toEqual(records.map(({ rank }) => rank));
      expect((await project.status()).state).toBe('pending');
      await project.apply({ allowDrop: true, allowLoss: true });
      expect((await stored()).flat()).toEqual([4, null, null, null, null, null, null]);
    });

    test('a fill loses nothing if its source stays, or has no value', async () => {
      await start(note({ rank: { ...text, default: '' } }), [{ name: 'One', rank: 'x' }, { name: 'Two' }]);
      project.describe(note({ rank: { ...text, default: '' }, place: { type: ['integer', 'null'] } }));
      project.generate('place', { fill: ['note.place=number(rank)'] });
      await project.apply();
      project.describe(note({ rank: { ...text, default: '' } }));
      project.generate('back', { allowDrop: true });
      await project.apply({ allowDrop: true });
      expect(await project.status()).toMatchObject({ state: 'current' });
    });

    test('nulls are not filled under a key that they would break', async () => {
      const kind = { type: ['string', 'null'], maxLength: 9 };
      const [one, two] = await start(note({ kind }, { unique: [['kind']] }), [{ name: 'One' }, { name: 'Two' }]);
      const filled = { type: 'string', maxLength: 9, default: 'x' };
      project.describe(note({ kind: filled }, { unique: [['kind']] }));
      project.generate('filled');
      expect(await refusal(() => project.apply())).toContain(`have the same "kind" (${one} and ${two})`);
      // Without the key they may be.
      rmSync(join(project.migrations, '0002_filled.jsonc'));
      project.describe(note({ kind: filled }));
      project.generate('free');
      await project.apply({ allowRebuild: true });
      await project.serve(async (call) => {
        expect((await call('GET', '/notes')).body).toMatchObject({ results: [{ kind: 'x' }, { kind: 'x' }] });
      });
    });

    test('files that were applied must stay as they were', async () => {
      await start(note({}));
      const file = join(project.migrations, '0001_initial.jsonc');
      const written = readFileSync(file, 'utf8');
      writeFileSync(file, `// Another comment.\n${written}`);
      expect(await project.status()).toMatchObject({ state: 'current' });
      writeFileSync(file, written.replace('"type": "text(100)"', '"type": "text(90)"'));
      expect(await project.status()).toMatchObject({
        state: 'drifted',
        files: [{ name: '0001_initial', state: 'edited' }],
      });
      expect(await refusal(() => project.apply())).toContain('0001_initial has changed since it was applied');
      rmSync(file);
      expect(await project.status()).toMatchObject({ state: 'drifted', files: [{ state: 'missing' }] });
    });

    test('a table that was changed by other means is told of', async () => {
      await start(note({ mood: { ...text, filter: 'text' } }), []);
      await project.withDatabase((database) =>
        database.script([
          dialect === 'SQLite'
            ? 'drop index note__mood_folded_list'
            : 'alter table note drop key note__mood_folded_list',
          'alter table note rename column guard to guards',
        ]),
      );
      const { state, drift } = await project.status();
      expect(state).toBe('drifted');
      expect(drift.map(({ code, name }) => `${code} ${name}`).sort()).toEqual([
        'column-missing guard',
        'column-unknown guards',
        'index-missing note__mood_folded_list',
      ]);
    });

    test('an apply that dies after any statement is taken up by the next one', { timeout: 120_000 }, async () => {
      const before: Groups = {
        place: { properties: { name: text } },
        note: {
          properties: {
            name: text,
            kind: { type: 'string', enum: ['a', 'b'] },
            n: { type: 'number', format: 'decimal', precision: 9, scale: 2 },
            gone: text,
          },
        },
      };
      const after: Groups = {
        place: { properties: { name: text } },
        memo: {
          renamedFrom: 'note',
          properties: {
            name: { ...text, filter: 'text' },
            sort: { type: 'string', enum: ['a', 'bigger'], renamedFrom: 'kind', renamedValues: { bigger: 'b' } },
            n: { type: 'number', format: 'decimal', precision: 12, scale: 4 },
            place: { reference: 'place', nullable: true },
            lines: { type: 'array', maxItems: 5, items: { type: 'object', properties: { t: text } } },
          },
          unique: [['name']],
        },
      };
      project.describe(before);
      project.generate();
      await project.serve(async (call) => {
        for (const name of ['One', 'Two']) await call('POST', '/notes', { name, kind: 'b', n: 1.25, gone: 'x' });
      });
      project.describe(after);
      project.generate('all', { allowDrop: true });
      const migrations = readMigrations(project.migrations);
      const consent = { allowDrop: true, allowRebuild: true };
      let deaths = 0;
      for (let isDone = false; !isDone; ) {
        let statements = 0;
        await project.withDatabase(async (database) => {
          const onStatement = (): void => {
            statements += 1;
            // One step further each time; the first statements of a step that is taken up may find nothing to do.
            if (statements > deaths % 3) throw new Error('killed');
          };
          try {
            // No older process runs.
            await applyMigrations({ database, migrations, consent, onStatement, noticeMs: 0 });
            isDone = true;
          } catch (error) {
            if (!(error instanceof Error && error.message === 'killed')) throw error;
            deaths += 1;
          }
        });
        expect(deaths).toBeLessThan(200);
      }
      expect(deaths).toBeGreaterThan(5);
      expect(await project.status()).toMatchObject({ state: 'current', drift: [] });
      await project.serve(async (call) => {
        const { body } = await call('GET', '/memos?nameContains=o');
        expect(body).toMatchObject({
          results: [{ name: 'Two', sort: 'bigger', n: 1.25, place: null, lines: [] }, { name: 'One' }],
        });
      });
    });

    test('two that apply at once do it once', async () => {
      await start(note({}));
      project.describe(
        note({ a: { ...text, default: 'x', filter: 'text' }, b: { ...text, default: '' } }, { unique: [['name']] }),
      );
      project.generate('more');
      const migrations = readMigrations(project.migrations);
      const consent = { allowDrop: false, allowRebuild: false };
      const apply = (): Promise<number> =>
        project.withDatabase(async (database) => (await applyMigrations({ database, migrations, consent })).steps);
      const steps = await Promise.all([apply(), apply(), apply()]);
      expect(steps.filter((count) => count > 0)).toHaveLength(1);
      expect(await project.status()).toMatchObject({ state: 'current' });
    });
  });
}

describe('files of migrations', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.open('SQLite');
    project.describe(note({}));
    project.generate();
  });
  afterEach(() => project.close());
  const first = (): string => join(project.migrations, '0001_initial.jsonc');
  const edit = (from: string, to: string): void => {
    const source = readFileSync(first(), 'utf8');
    expect(source).toContain(from);
    writeFileSync(first(), source.replace(from, to));
  };

  test.each([
    ['"type": "text(100)"', '"type": "text(0)"', /0001_initial.jsonc:\d+:\d+: must be a type, like/],
    ['"type": "text(100)"', '"typ": "text(100)"', /:\d+:\d+: has no "type"\n.*: "typ" is not allowed here/],
    ['"do": "createTable"', '"do": "makeTable"', /has an unknown "do"; use one of createTable, /],
    ['"primaryKey": ["id"]', '"primaryKey": ["key"]', /the column "key" of "note" does not exist/],
    ['"format": 2', '"format": 3', /:4:13: must be 1 or 2/],
    ['"format": 2,', '"format": 2, "format": 2,', /"format" is twice in one object/],
    ['"steps": [', '"steps": [[', /is not valid JSON/],
  ])('%s → %s is a fault with its line', async (from, to, says) => {
    edit(from, to);
    expect(await refusal(() => project.generate())).toMatch(says);
  });

  test('are numbered without gaps and doubles', async () => {
    renameSync(first(), join(project.migrations, '0002_initial.jsonc'));
    expect(await refusal(() => project.generate())).toContain('number 0001 is missing before it');
    renameSync(join(project.migrations, '0002_initial.jsonc'), join(project.migrations, 'initial.jsonc'));
    expect(await refusal(() => project.generate())).toContain('must be called like');
  });

  test('a rename that is done does nothing for ever after', () => {
    project.describe(note({ mood: { ...text, default: '', renamedFrom: 'temper' } }));
    project.generate();
    expect(project.generate()).toContain('no migration is needed');
  });
});

test('the status of a database that is not there makes no file, and is no agreement', { timeout: 60_000 }, async () => {
  const project = await Project.open('SQLite');
  try {
    project.describe(note({}));
    project.generate();
    expect(await praxis('migrate status', project.env)).toMatchObject({ code: 0 });
    const asked = await praxis('migrate status --check', project.env);
    expect(asked).toMatchObject({ code: 1, stderr: '' });
    expect(asked.stdout).toContain('The database is empty.');
    expect(readdirSync(project.folder).sort()).toEqual(['migrations', 'resources']);
    await project.apply();
    expect(await praxis('migrate status --check', project.env)).toMatchObject({ code: 0 });
  } finally {
    await project.close();
  }
});

test('the migrations of the product lead to its descriptors', { timeout: 60_000 }, async () => {
  const project = await Project.open('SQLite');
  try {
    expect(await praxis('migrate generate --check')).toMatchObject({ code: 0 });
    const asked = await praxis('migrate generate --check', { ...project.env, RESOURCES: 'resources' });
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.stderr).toContain('The migrations do not match the descriptors');
  } finally {
    await project.close();
  }
});
