// What a change of descriptors does to whom: one case a kind of difference, and the command over a commit and a file.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Change, compareFacts } from '../../src/changes/compare.ts';
import { effects, harmsOf } from '../../src/changes/effects.ts';
import { factsOf, snapshotText } from '../../src/changes/facts.ts';
import { longCreateExample, shortCreateExample } from '../../src/endpoints/schemas/examples.ts';
import type { Registry } from '../../src/registry/model/model.ts';
import { parseSource } from '../../src/registry/read/source.ts';
import { buildRegistry, loadRegistry } from '../../src/registry/registry.ts';
import { parseBody } from '../../src/request/body.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { Folder } from '../support/commands/command.ts';
import type { Json } from '../support/service/praxis.ts';

type Descriptors = Record<string, ReturnType<typeof note>>;

const text = (more: Json = {}): Json => ({ type: 'string', maxLength: 40, description: 'Text', ...more });

function note() {
  const properties: Record<string, Json | true> = {
    name: text(),
    code: text({ default: '', filter: 'exact' }),
    mood: text({ enum: ['calm', 'wild'], maxLength: undefined, default: 'calm' }),
    pages: { type: 'integer', minimum: 1, maximum: 900, default: 10, description: 'Pages' },
    price: { type: 'number', format: 'decimal', precision: 9, scale: 2, default: 0, description: 'Price' },
    worth: {
      type: ['number', 'null'],
      format: 'money',
      currency: 'author.currency',
      formula: 'twice',
      description: 'Worth',
    },
    subtitle: text({ type: ['string', 'null'] }),
    stamp: text({ type: ['string', 'null'], updateOnly: true }),
    isLoud: {
      type: 'boolean',
      formula: "mood != 'calm'",
      description: 'Loud',
    },
    words: { type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 5, default: [], description: 'Words' },
    createdAt: true,
    author: { reference: 'author', onDelete: 'restrict', description: 'Author' },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { heading: text() }, required: ['heading'] },
      maxItems: 9,
      default: [],
      description: 'Lines',
    },
  };
  return {
    title: 'Note',
    description: 'A note.',
    type: 'object',
    properties,
    required: ['name', 'author'],
    renamedFrom: undefined as string | undefined,
    resource: {
      path: '/notes',
      shownAs: '{name}',
      operations: ['list', 'get', 'create', 'update', 'delete'],
      unique: [['name']],
      feature: undefined as Json | undefined,
      rules: [{ use: 'range', from: 'name', to: 'name' }].slice(1) as Json[],
      formulas: { twice: { is: 'pages * 2' } } as Json | undefined,
      effects: undefined as Json[] | undefined,
      locked: undefined as Json | undefined,
    },
  };
}

const author = (): ReturnType<typeof note> => ({
  ...note(),
  title: 'Author',
  properties: {
    name: text(),
    town: text({ default: '' }),
    currency: { type: 'string', format: 'currency', default: 'EUR', description: 'Currency' },
    createdAt: true,
  },
  required: ['name'],
  resource: { ...note().resource, path: '/authors', formulas: undefined },
});

const settings = {
  ...note(),
  title: 'Settings',
  properties: {
    name: text(),
    currency: { type: 'string', format: 'currency', default: 'EUR', description: 'Currency' },
    timeZoneId: { type: 'string', format: 'time-zone', default: 'UTC', description: 'Time zone' },
    features: {
      type: 'array',
      items: { type: 'string', enum: ['notes'] },
      maxItems: 9,
      default: [],
      description: 'Features',
    },
  },
  required: [],
  resource: {
    ...note().resource,
    formulas: undefined,
    path: '/settings',
    operations: ['get', 'update'],
    unique: [],
    singleton: true,
    workspace: true,
    timeZone: 'timeZoneId',
    features: 'features',
    setup: [{ name: 'Here' }],
  },
};

const base = (): Descriptors => ({
  author: author(),
  editor: { ...author(), title: 'Editor', resource: { ...author().resource, path: '/editors' } },
  note: note(),
  settings,
});

function registryOf(descriptors: Descriptors): Registry {
  const sources = Object.entries(descriptors).map(([name, descriptor]) => {
    const { source, faults } = parseSource(`${name}.json`, name, JSON.stringify(descriptor));
    if (source === undefined) throw new Error(faults[0]?.text);
    return source;
  });
  return buildRegistry(sources, ruleSignatures);
}

type Field = Record<string, Json>;
const field = (descriptors: Descriptors, name: string): Field => {
  const found = descriptors.note?.properties[name];
  if (found === undefined || found === true) throw new Error(`no field ${name}`);
  return found as Field;
};
/** A change of one field of the note. */
const set =
  (name: string, more: Json) =>
  (all: Descriptors): void => {
    Object.assign(field(all, name), more);
  };
const inNote =
  (change: (descriptor: ReturnType<typeof note>) => void) =>
  (all: Descriptors): void => {
    if (all.note !== undefined) change(all.note);
  };

/** Title → what is done to the descriptors → each difference, as `code place`. */
const cases: readonly (readonly [string, (all: Descriptors) => void, readonly string[]])[] = [
  ['nothing', () => {}, []],
  ['a description', set('code', { description: 'Another' }), []],
  [
    'a new group',
    (all) => {
      all.place = { ...author(), title: 'Place', resource: { ...author().resource, path: '/places' } };
    },
    ['group-added place'],
  ],
  [
    'a group gone',
    (all) => {
      delete all.note;
    },
    ['group-removed note'],
  ],
  [
    'a group renamed',
    (all) => {
      const { note: old } = all;
      if (old !== undefined) all.memo = { ...old, renamedFrom: 'note' };
      delete all.note;
    },
    ['group-renamed memo'],
  ],
  [
    'a group renamed, and what refers to it',
    (all) => {
      const { author: old } = all;
      if (old !== undefined) all.writer = { ...old, renamedFrom: 'author' };
      delete all.author;
      Object.assign(field(all, 'author'), { reference: 'writer' });
    },
    ['group-renamed writer'],
  ],
  [
    'another path',
    inNote((it) => {
      it.resource.path = '/memos';
    }),
    ['path-changed note'],
  ],
  [
    'another title',
    inNote((it) => {
      it.title = 'Memo';
    }),
    ['title-changed note'],
  ],
  [
    'no more lists',
    inNote((it) => {
      it.resource.operations.splice(0, 1);
      delete (it.properties.code as Field).filter;
    }),
    ['reading-operation-removed note', 'filter-removed note.code'],
  ],
  [
    'no more deletes',
    inNote((it) => {
      it.resource.operations.pop();
    }),
    ['writing-operation-removed note'],
  ],
  [
    'a gate',
    inNote((it) => {
      it.resource.feature = { name: 'Notes', switch: 'notes' };
    }),
    ['gate-closed note'],
  ],
  [
    'a key',
    inNote((it) => {
      it.resource.unique.push(['code']);
    }),
    ['key-added note'],
  ],
  [
    'a key less',
    inNote((it) => {
      it.resource.unique.pop();
    }),
    ['key-removed note'],
  ],
  [
    'a rule',
    inNote((it) => {
      it.resource.rules.push({ use: 'require', field: 'code', that: "code != 'x'", must: 'no x' });
    }),
    ['rule-added note'],
  ],
  ['a condition on a field', set('code', { must: [{ that: "code != 'x'", be: 'no x' }] }), ['rule-added note']],
  [
    'a decision',
    inNote((it) => {
      Object.assign(it.resource, { decisions: ['code'] });
    }),
    ['rule-removed note'],
  ],
  [
    'a field',
    inNote((it) => {
      it.properties.extra = text({ default: '' });
    }),
    ['field-added note.extra'],
  ],
  [
    'a required field',
    inNote((it) => {
      it.properties.extra = text();
      it.required.push('extra');
    }),
    ['required-field-added note.extra'],
  ],
  [
    'a shown field',
    inNote((it) => {
      it.properties.town = text({ lookup: 'author.town', readOnly: true });
    }),
    ['shown-field-added note.town'],
  ],
  [
    'a field gone',
    inNote((it) => {
      delete it.properties.code;
    }),
    ['field-removed note.code', 'filter-removed note.code'],
  ],
  [
    'a field renamed',
    inNote((it) => {
      it.properties.label = { ...(it.properties.subtitle as Json), renamedFrom: 'subtitle' };
      delete it.properties.subtitle;
    }),
    ['field-renamed note.label'],
  ],
  [
    'a field of a key renamed',
    inNote((it) => {
      const { name, ...rest } = it.properties;
      it.properties = { label: { ...(name as Json), renamedFrom: 'name' }, ...rest };
      it.required[0] = 'label';
      it.resource.shownAs = '{label}';
      it.resource.unique = [['label']];
    }),
    ['field-renamed note.label'],
  ],
  [
    'a field of formulas renamed',
    inNote((it) => {
      const { mood, pages, ...rest } = it.properties;
      it.properties = {
        ...rest,
        tone: { ...(mood as Json), renamedFrom: 'mood' },
        sheets: { ...(pages as Json), renamedFrom: 'pages' },
        isLoud: { ...(rest.isLoud as Json), formula: "tone != 'calm'" },
      };
      it.resource.formulas = { twice: { is: 'sheets*2' } };
    }),
    ['field-renamed note.tone', 'field-renamed note.sheets'],
  ],
  [
    'a list of items renamed',
    inNote((it) => {
      it.properties.rows = { ...(it.properties.lines as Json), renamedFrom: 'lines' };
      delete it.properties.lines;
    }),
    ['field-renamed note.rows'],
  ],
  [
    'a field of items gone',
    set('lines', { items: { type: 'object', properties: { title: text() }, required: ['title'] } }),
    ['required-field-added note.lines.title', 'field-removed note.lines.heading'],
  ],
  [
    'a number of another kind',
    set('pages', { type: 'number', format: 'decimal', precision: 9, scale: 2 }),
    ['kind-converted note.pages'],
  ],
  [
    'another kind',
    set('subtitle', { type: ['boolean', 'null'], maxLength: undefined }),
    ['kind-replaced note.subtitle'],
  ],
  ['a value more', set('mood', { enum: ['calm', 'wild', 'sad'] }), ['value-added note.mood']],
  ['a value less', set('mood', { enum: ['calm'] }), ['value-removed note.mood']],
  [
    'a value renamed',
    set('mood', { enum: ['calm', 'loud'], renamedValues: { loud: 'wild' } }),
    ['value-renamed note.mood'],
  ],
  ['a longer text', set('name', { maxLength: 50 }), ['bound-widened note.name']],
  ['a shorter text', set('name', { maxLength: 30 }), ['bound-tightened note.name']],
  ['a higher minimum', set('pages', { minimum: 2 }), ['bound-tightened note.pages']],
  ['a format', set('code', { format: 'email' }), ['bound-tightened note.code']],
  ['fewer digits', set('price', { precision: 6 }), ['bound-tightened note.price']],
  ['more decimals', set('price', { precision: 10, scale: 3 }), ['bound-widened note.price']],
  ['fewer items', set('words', { maxItems: 4 }), ['bound-tightened note.words']],
  [
    'null',
    set('code', { type: ['string', 'null'], default: undefined }),
    ['null-allowed note.code', 'default-changed note.code', 'source-of-value-changed note.code'],
  ],
  [
    'no null',
    set('subtitle', { type: 'string', default: 'untitled' }),
    ['null-refused note.subtitle', 'default-changed note.subtitle'],
  ],
  [
    'required',
    inNote((it) => {
      delete (it.properties.code as Field).default;
      it.required.push('code');
    }),
    ['now-required note.code', 'default-changed note.code', 'source-of-value-changed note.code'],
  ],
  [
    'not required',
    inNote((it) => {
      it.required.shift();
      Object.assign(it.properties.name as Field, { default: 'x' });
    }),
    ['no-longer-required note.name', 'default-changed note.name'],
  ],
  ['immutable', set('code', { immutable: true }), ['update-refused note.code']],
  ['mutable, and on create', set('stamp', { updateOnly: undefined }), ['create-accepted note.stamp']],
  ['on update only', set('subtitle', { updateOnly: true }), ['create-refused note.subtitle']],
  ['read only', set('subtitle', { readOnly: true }), ['update-refused note.subtitle', 'create-refused note.subtitle']],
  ['write only', set('subtitle', { writeOnly: true }), ['null-refused note.subtitle', 'hidden-now note.subtitle']],
  ['deprecated', set('code', { deprecated: true }), ['deprecated-now note.code']],
  ['another default', set('pages', { default: 12 }), ['default-changed note.pages']],
  ['another formula', set('isLoud', { formula: "mood == 'calm'" }), ['figure-changed note.isLoud']],
  [
    'a formula taken otherwise',
    set('isLoud', { compute: 'onCreate', recomputeIfChanged: ['mood'] }),
    ['figure-changed note.isLoud', 'figure-changed note.isLoud'],
  ],
  [
    'a formula that holds at times',
    set('isLoud', { when: 'pages > 9' }),
    ['update-accepted note.isLoud', 'create-accepted note.isLoud', 'figure-changed note.isLoud'],
  ],
  [
    'a formula for a field that was sent',
    set('pages', { formula: 'words.count()' }),
    ['update-refused note.pages', 'create-refused note.pages', 'figure-added note.pages'],
  ],
  [
    'no formula any more',
    set('isLoud', { formula: undefined, default: false }),
    [
      'update-accepted note.isLoud',
      'create-accepted note.isLoud',
      'default-changed note.isLoud',
      'figure-removed note.isLoud',
    ],
  ],
  [
    'a state that follows',
    set('mood', { becomes: [{ to: 'wild', when: 'pages > 100' }] }),
    ['states-changed note.mood'],
  ],
  [
    'an effect',
    inNote((it) => {
      it.resource.effects = [
        { on: ['create'], change: 'authors.filter(a, a.id == authorId)', set: { town: "'here'" } },
      ];
    }),
    ['effect-added note'],
  ],
  [
    'a condition on a field',
    set('pages', { must: [{ that: "pages > 1 || mood == 'calm'", be: 'more than one' }] }),
    ['rule-added note'],
  ],
  ['another currency', set('worth', { currency: 'workspace.currency' }), ['currency-changed note.worth']],
  ['no currency', set('worth', { currency: undefined }), ['currency-told note.worth']],
  [
    'another formula with a name',
    inNote((it) => {
      it.resource.formulas = { twice: { is: 'pages + pages' } };
    }),
    ['formula-changed note'],
  ],
  [
    'a lock of all fields but some',
    inNote((it) => {
      const open = ['name', 'code', 'mood', 'pages', 'price', 'subtitle', 'words', 'lines'];
      it.resource.locked = { fields: [{ when: "mood == 'wild'", open }] };
    }),
    ['condition-added note.stamp', 'condition-added note.author'],
  ],
  [
    'transitions',
    set('mood', { transitions: { calm: ['wild'] }, initialStates: 'any' }),
    ['transitions-changed note.mood'],
  ],
  [
    'initial states',
    set('mood', { transitions: { calm: ['wild'] }, initialStates: ['calm'] }),
    ['initial-state-refused note.mood', 'transitions-changed note.mood'],
  ],
  ['a delete rule', set('author', { onDelete: 'cascade' }), ['delete-rule-changed note.author']],
  [
    'a bare id',
    inNote((it) => {
      it.properties.authorId = { ...(it.properties.author as Json), referenceFormat: 'id', renamedFrom: 'author' };
      delete it.properties.author;
      it.required.splice(1, 1, 'authorId');
    }),
    ['field-renamed note.authorId', 'shape-of-reference-changed note.authorId'],
  ],
  [
    'from elsewhere',
    set('subtitle', { lookup: 'author.town', readOnly: true, type: 'string' }),
    [
      'null-refused note.subtitle',
      'update-refused note.subtitle',
      'no-longer-stored note.subtitle',
      'create-refused note.subtitle',
      'source-of-value-changed note.subtitle',
    ],
  ],
  [
    'a bare id under the same name',
    set('author', { referenceFormat: 'id' }),
    ['body-name-changed note.author', 'shape-of-reference-changed note.author'],
  ],
  ['a field of the reference', set('author', { include: ['town'] }), ['included-added note.author']],
  ['another target', set('author', { reference: 'editor' }), ['target-changed note.author']],
  ['a condition', set('subtitle', { onlyWhen: "mood == 'wild'" }), ['condition-added note.subtitle']],
  ['a filter', set('name', { filter: 'exact' }), ['filter-added note.name']],
  ['no filter', set('code', { filter: undefined }), ['filter-removed note.code']],
];

const changesOf = (change: (all: Descriptors) => void): { before: Registry; now: Registry; changes: Change[] } => {
  const all = base();
  change(all);
  const [before, now] = [registryOf(base()), registryOf(all)];
  return { before, now, changes: compareFacts(factsOf(before), factsOf(now)) };
};

/** With a list inside items, of ids whose group the enum beside them tells. */
function withOrigins(person: string): Registry {
  const all = base();
  const properties = {
    typeId: text({ enum: ['person', 'note'], maxLength: undefined }),
    id: { referenceBy: 'typeId', groups: { person, note: 'note' }, onDelete: 'clear', description: 'Record' },
  };
  const items = { type: 'object', properties, required: ['typeId', 'id'] };
  const origins = { type: 'array', items, maxItems: 9, default: [], description: 'Origins' };
  Object.assign((field(all, 'lines').items as { properties: Json }).properties, { origins });
  return registryOf(all);
}

describe('differences', () => {
  test('another group for one value of an id of several groups', () => {
    const changes = compareFacts(factsOf(withOrigins('author')), factsOf(withOrigins('editor')));
    expect(changes.map(({ code, field: name, text: words }) => [code, name, words])).toEqual([
      ['target-changed', 'lines.origins.id', 'person: author → editor'],
    ]);
  });

  test.each(cases)('%s', (_title, change, expected) => {
    const { changes } = changesOf(change);
    expect(
      changes.map(({ code, group, field: name }) => `${code} ${name === undefined ? group : `${group}.${name}`}`),
    ).toEqual(expected);
  });

  test.each(cases)('%s: the way back is a difference too', (_title, change, expected) => {
    const all = base();
    change(all);
    const changes = compareFacts(factsOf(registryOf(all)), factsOf(registryOf(base())));
    expect(changes.length > 0).toBe(expected.length > 0);
  });

  test('a formula with another name is another one where a group has fields of both names', () => {
    const withSheets = (formula: string) => {
      const all = base();
      const sheets = { type: 'integer', default: 1, description: 'Sheets' };
      Object.assign(all.editor?.properties ?? {}, {
        ...{ pages: sheets, sheets, size: { type: 'integer', formula, description: 'Size' } },
      });
      return all;
    };
    const renamed = withSheets('sheets * 2');
    const { pages, ...rest } = renamed.note?.properties ?? {};
    if (renamed.note !== undefined) {
      renamed.note.properties = { ...rest, sheets: { ...(pages as Json), renamedFrom: 'pages' } };
      renamed.note.resource.formulas = { twice: { is: 'sheets * 2' } };
    }
    const changes = compareFacts(factsOf(registryOf(withSheets('pages * 2'))), factsOf(registryOf(renamed)));
    expect(changes.map(({ code, group, field: name }) => [code, group, name])).toEqual([
      ['figure-changed', 'editor', 'size'],
      ['formula-changed', 'note', undefined],
      ['field-renamed', 'note', 'sheets'],
    ]);
  });

  test('a renamed group is the target, the records and the owner of what named it', () => {
    const game = (court: string, plural: string): Descriptors => {
      const all = base();
      all[court] = { ...author(), title: 'Court', resource: { ...author().resource, path: `/${plural}` } };
      Object.assign(all.note?.properties ?? {}, {
        [court]: { reference: court, onDelete: 'restrict', description: 'Court' },
        where: { type: 'string', maxLength: 40, lookup: `${court}.name`, readOnly: true, description: 'Where' },
        count: { type: 'integer', formula: `${plural}.filter(c, c.id == ${court}Id).size()`, description: 'Count' },
      });
      all.note?.required.push(court);
      all.note?.resource.unique.push([court, 'name']);
      return all;
    };
    const [before, now] = [game('court', 'courts'), game('pitch', 'pitches')];
    Object.assign(now.pitch ?? {}, { renamedFrom: 'court' });
    Object.assign(field(now, 'pitch'), { renamedFrom: 'court' });
    const changes = compareFacts(factsOf(registryOf(before)), factsOf(registryOf(now)));
    expect(changes.map(({ code, group, field: name }) => [code, group, name])).toEqual([
      ['field-renamed', 'note', 'pitch'],
      ['group-renamed', 'pitch', undefined],
      ['path-changed', 'pitch', undefined],
    ]);
  });

  test('every code is given by some difference', () => {
    const there = cases.flatMap(([, change]) => changesOf(change).changes);
    const back = cases.flatMap(([, change]) => {
      const all = base();
      change(all);
      return compareFacts(factsOf(registryOf(all)), factsOf(registryOf(base())));
    });
    const given = new Set([...there, ...back].map(({ code }) => code));
    expect(Object.keys(effects).filter((code) => !given.has(code as keyof typeof effects))).toEqual([]);
  });

  // The policy of the table, held against what the engine does: bodies of before, taken by the descriptors of now.
  test.each(cases)('%s: where no writer is hurt, the bodies of before are still taken', (_title, change) => {
    const { before, now, changes } = changesOf(change);
    if (changes.some(({ code }) => harmsOf(code).includes('writers'))) return;
    for (const resource of before.resources.values()) {
      const successor = [...now.resources.values()].find(({ path }) => path === resource.path);
      if (successor === undefined) throw new Error(`${resource.path} is gone, which hurts writers`);
      for (const body of [shortCreateExample(resource), longCreateExample(resource)]) {
        expect(parseBody(successor, 'create', body).wrong).toBeUndefined();
      }
    }
  });
});

describe('praxis check --against', { timeout: 60_000 }, () => {
  const folder = new Folder();
  afterAll(() => folder.remove());
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], { cwd: folder.path });
  };
  const change = (name: string, from: string, to: string): void => {
    const file = join(folder.path, 'resources', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  };

  test('compares with a commit: what hurts is refused, what is allowed passes', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    expect(await folder.run('check --against HEAD')).toEqual({
      code: 0,
      stdout: 'no differences from HEAD\n',
      stderr: '',
    });

    change('industry.json', '"maxLength": 255', '"maxLength": 100');
    expect(await folder.run('check --against HEAD')).toEqual({
      code: 1,
      stdout: '✗ industry.name: bound-tightened: maxLength 255 → 100 (hurts writers; rows are checked)\n',
      stderr: 'This change breaks programs that write. To allow it: --allow writers\n',
    });
    expect((await folder.run('check --against HEAD --allow writers')).code).toBe(0);
    expect((await folder.run('check --against HEAD --allow readers')).code).toBe(1);

    git('commit', '-qam', 'second');
    change('industry.json', '"maxLength": 100', '"maxLength": 200');
    expect(await folder.run('check --against HEAD')).toEqual({
      code: 0,
      stdout: '✓ industry.name: bound-widened: maxLength 100 → 200 (safe)\n',
      stderr: '',
    });
  });

  test('prints JSON with codes, for programs', async () => {
    const { code, stdout } = await folder.run('check --against HEAD~1 --json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      {
        code: 'bound-tightened',
        group: 'industry',
        field: 'name',
        text: 'maxLength 255 → 200',
        effect: effects['bound-tightened'],
        harms: ['writers'],
      },
    ]);
  });

  test('compares with a snapshot, and with a folder', async () => {
    expect(await folder.print('snapshot --out kept.json')).toBe('kept.json\n');
    expect(await folder.print('snapshot --out kept.json --check')).toBe('kept.json is current\n');
    expect(await folder.print('check --against kept.json')).toBe('no differences from kept.json\n');
    expect(await folder.print('check --against resources')).toBe('no differences from resources\n');
    change('industry.json', '"maxLength": 200', '"maxLength": 90');
    expect(await folder.run('snapshot --out kept.json --check')).toMatchObject({ code: 1, stdout: '' });
    expect((await folder.run('check --against kept.json')).code).toBe(1);
  });

  test.each([
    ['check --against nothing', '"nothing" is neither a file, a folder nor a git ref.\n'],
    ['check --against package.json', 'package.json is not a snapshot; write one with "praxis snapshot".\n'],
    [
      'check --against HEAD --allow reader',
      '--allow must be data, readers, writers, filters, not "reader"; did you mean "readers"?\n',
    ],
  ])('refuses %s', async (line, stderr) => {
    writeFileSync(join(folder.path, 'package.json'), '{"name": "x"}');
    expect(await folder.run(line)).toEqual({ code: 1, stdout: '', stderr });
  });
});

test('the snapshot that is checked in is current', () => {
  const file = join(import.meta.dirname, '../../codegen/generated/snapshot.json');
  const registry = loadRegistry(join(import.meta.dirname, '../../resources'), ruleSignatures);
  expect(readFileSync(file, 'utf8')).toBe(snapshotText(factsOf(registry)));
});
