// Conditions of roles that name the acting member: each spelling of one comparison is the same statement, which an index serves.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRegistry } from '../../src/registry/registry.ts';
import { rules } from '../../src/rules/catalogue.ts';
import { waysOf } from '../../src/storage/sight/ways.ts';
import { sqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { type RoleText, rolesIn, withRoles } from '../access/callers.ts';
import { copyRecord } from '../support/databases/many.ts';
import { openCounter } from '../support/databases/rows-read.ts';
import { folders, type Json } from '../support/service/praxis.ts';

/** Spellings of one comparison over entries: of a reference, of one behind a reference, and of one behind two. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  own: ['memberId == actor', 'member == me', 'member.id == actor', 'memberId == me.id', 'me == member'],
  among: ['memberId in [actor]', 'member in [me]'],
  managed: [
    'member.managerId == actor',
    'member.manager == me',
    'member.manager.id == me.id',
    'me.id == member.managerId',
  ],
  sold: ['project.client.ownerId == actor', 'project.client.owner == me', 'project.client.owner.id == actor'],
  staffed: [
    'staffings.exists(s, s.projectId == projectId && s.memberId == actor)',
    'staffings.exists(s, s.project == project && s.member == me)',
    'staffings.exists(s, s.project.id == projectId && s.member.id == me.id)',
  ],
  either: ['memberId == actor || member.managerId == actor', 'member == me || member.manager == me'],
  open: ["statusId == 'open' && member == me", "statusId == 'open' && me.id == memberId"],
  decided: ["statusId == 'rejected'"],
  'decided-too': ["statusId in ['rejected', 'rejected']"],
};

const roleText = (when: string): RoleText => ({
  allow: [{ on: ['entry'], to: ['read', 'history'], when }],
  may: ['changes'],
});
const roles = Object.fromEntries(
  Object.entries(spellings).flatMap(([word, conditions]) =>
    conditions.map((when, place) => [`${word}-${place}`, roleText(when)]),
  ),
);

const count = 1500;

withRoles('conditions that name the acting member', { folder: 'studio', roles, parts: { changes: 90 } }, (context) => {
  test('are one statement in each spelling, along an index', { timeout: 120_000 }, async () => {
    const { make, workspace, databaseUrl } = context;
    const person = (name: string, more: Json = {}) => make('member', { name, email: `${name}@example.com`, ...more });
    const [one, other] = [await person('one'), await person('other')];
    const managed = await person('managed', { managerId: one.id });
    const client = await make('client', { name: 'Theirs', ownerId: other.id });
    const foreign = await make('project', { name: 'Theirs', clientId: client.id });
    const theirs = { memberId: other.id, projectId: foreign.id, statusId: 'open' };
    const pattern = await make('entry', theirs);
    await copyRecord(workspace, { group: 'entry', id: pattern.id, count });
    const own = await make('client', { name: 'Own', ownerId: one.id });
    const sold = await make('project', { name: 'Sold', clientId: own.id });
    const staffed = await make('project', { name: 'Staffed', clientId: client.id });
    await make('staffing', { projectId: staffed.id, memberId: one.id });
    const ids = {
      own: (await make('entry', { ...theirs, memberId: one.id })).id,
      managed: (await make('entry', { ...theirs, memberId: managed.id })).id,
      sold: (await make('entry', { ...theirs, projectId: sold.id })).id,
      staffed: (await make('entry', { ...theirs, projectId: staffed.id })).id,
      decided: (await make('entry', { ...theirs, statusId: 'rejected' })).id,
    };
    const expected: Readonly<Record<string, readonly string[]>> = {
      ...Object.fromEntries(Object.entries(ids).map(([word, id]) => [word, [id]])),
      among: [ids.own],
      either: [ids.managed, ids.own],
      open: [ids.own],
      'decided-too': [ids.decided],
    };

    const counter = await openCounter(databaseUrl);
    const { reads, readValues } = context;
    /** The answers to a caller, the statements that read them, and the rows that these took. */
    const seen = async (memberId: string, role: string, id: string) => {
      const call = context.as(memberId, role);
      const from = reads.length;
      const listed = (await call('GET', '/entries?limit=5&count=true')).body as { results: { id: string }[] };
      const got = await call('GET', `/entries/${id}`);
      const summed = (await call('GET', '/summary/entries?sum=minutes')).body;
      const sorted = (await call('GET', '/entries?limit=5&sort=-minutes')).body as typeof listed;
      const fed = await call('GET', '/changes?group=entry&limit=100');
      const texts = reads.slice(from).filter((text) => !/praxis_|settings/.test(text));
      let rows = 0;
      for (let place = from; place < reads.length; place += 1) {
        const text = reads[place] ?? '';
        if (/ as "?t"? /.test(text)) rows += await counter.count(text, readValues[place] ?? []);
      }
      const shown = [listed, got.status, summed, sorted.results.map((each) => each.id), fed.body];
      return { ids: listed.results.map((each) => each.id), shown, texts, rows };
    };
    try {
      for (const [word, conditions] of Object.entries(spellings)) {
        const [id = ''] = expected[word] ?? [];
        const first = await seen(one.id, `${word}-0`, id);
        expect(first.ids, word).toEqual(expected[word]);
        for (const [place, condition] of conditions.entries()) {
          const found = await seen(one.id, `${word}-${place}`, id);
          expect(found.shown, condition).toEqual(first.shown);
          expect(found.texts, condition).toEqual(first.texts);
          expect(found.rows, condition).toBeLessThan(100);
          // Who owns none of them reads none of them.
          if (word.startsWith('decided')) continue;
          const none = await seen(managed.id, `${word}-${place}`, id);
          if (!['own', 'among', 'either', 'open'].includes(word)) expect(none.ids, condition).toEqual([]);
          expect(none.rows, condition).toBeLessThan(100);
        }
      }
    } finally {
      await counter.close();
    }
  });
});

test('ids that are read first for one column do not make records of another column visible', () => {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-studio-'));
  try {
    cpSync(folders.studio, folder, { recursive: true });
    const file = join(folder, 'entry.json');
    const entry = JSON.parse(readFileSync(file, 'utf8')) as { properties: Record<string, unknown> };
    entry.properties['reviewer'] = { ...(entry.properties['member'] as Json), defaultFrom: undefined, nullable: true };
    writeFileSync(file, JSON.stringify(entry));
    const registry = loadRegistry(folder, rules);
    const resource = registry.resources.get('entry');
    const exactnessOf = (when: string): boolean | undefined => {
      const allow = rolesIn(registry, { reader: { allow: [{ on: ['entry'], to: ['list'], when }] } }).roles;
      const found = allow?.byName.get('reader')?.rules ?? [];
      return resource && waysOf(found, resource, { registry, dialect: sqliteDialect })?.isExact;
    };
    expect(exactnessOf('member.manager == me || memberId == actor')).toBe(true);
    expect(exactnessOf('member.manager == me || reviewer.profile.id == me.profileId')).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
