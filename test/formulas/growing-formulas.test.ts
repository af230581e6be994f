// Formulas that grow: named ones that use each other again and again, products of products, texts put together with
// themselves. What they cost is bounded, and what becomes too long is refused in words.
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPraxis } from '../../src/app/serve.ts';
import { Folder } from '../support/commands/command.ts';
import { type Groups, Project } from '../support/commands/project.ts';
import type { Json } from '../support/service/client.ts';

let project: Project;
beforeEach(async () => {
  project = await Project.open('SQLite');
});
afterEach(() => project.close());

const message = 'There was a problem processing your request. See errors for more details.';
const number = { type: 'number', format: 'decimal', precision: 12, scale: 0 };
const name = { type: 'string', maxLength: 60 };

/** `f0` to `f40`, each made of the one before it. */
const chain = (first: string, next: (before: string) => string, given?: Json): Json =>
  Object.fromEntries(
    Array.from({ length: 41 }, (_one, n) => [
      `f${n}`,
      { ...(given && { given }), is: n === 0 ? first : next(`f${n - 1}`) },
    ]),
  );

const parent = { reference: 'part', nullable: true, onDelete: 'clear' };
const own = { type: 'integer', default: 0 };

/** Each formula names the one before twice: whoever looks into each as often as it is named never comes to an end. */
const doubling: Groups = {
  part: {
    properties: { name, own, parent, total: { ...number, precision: 15, signed: true, formula: 'f40' } },
    resource: {
      formulas: chain('own + parts.filter(p, p.parentId == id).count()', (f) => `${f} + ${f}`),
      rules: [
        { use: 'noCircle', field: 'parent' },
        { use: 'require', that: 'f40 >= 0 && f39 >= 0', field: 'own', must: 'not below nothing' },
      ],
    },
  },
  sheet: {
    properties: { name, day: { type: 'string', format: 'date' }, isLate: { type: 'boolean', formula: 'f40(day)' } },
    resource: { formulas: chain('day > d', (f) => `${f}(d) || ${f}(d + 1)`, { d: 'date' }) },
  },
  place: {
    properties: {
      name,
      own,
      parent: { reference: 'place', nullable: true, onDelete: 'clear' },
      above: { type: ['integer', 'null'], formula: 'f40.own', compute: 'onWrite' },
      beside: { type: 'integer', formula: 'places.filter(p, p.parentId == f40.id).count()', compute: 'onWrite' },
    },
    resource: { formulas: chain('parent', (f) => `own > 3 ? ${f} : ${f}`) },
  },
};

test('forty named formulas, each of which names the one before twice, cost what forty cost', async () => {
  project.describe(doubling);
  const folder = new Folder({ DATABASE_URL: project.url }, `${project.folder}/resources`);
  expect(await folder.run('check')).toMatchObject({ code: 0 });
  const made = await project.serve(async (call) => {
    const { body: one } = await call('POST', '/parts', { name: 'One', own: 1 });
    expect(one).toMatchObject({ own: 1, total: 2 ** 40 });
    const { id } = one as { id: string };
    expect((await call('POST', '/parts', { name: 'Two', parentId: id })).status).toBe(200);
    expect((await call('GET', `/parts/${id}`)).body).toMatchObject({ total: 2 ** 41 });
    expect((await call('PATCH', `/parts/${id}`, { own: -1 })).status).toBe(400);
    expect((await call('POST', '/sheets', { name: 'A', day: '2026-01-01' })).body).toMatchObject({ isLate: false });
    const { body: root } = await call('POST', '/places', { name: 'Root', own: 7 });
    const { id: parentId } = root as { id: string };
    const { body: leaf } = await call('POST', '/places', { name: 'Leaf', parentId });
    expect(leaf).toMatchObject({ above: 7, beside: 1 });
    return id;
  });
  for (const line of ['openapi', 'explain part', 'explain part.total', `explain part.total --record ${made}`, 'verify'])
    expect((await folder.print(line)).length, line).toBeLessThan(1_000_000);
  folder.remove();
}, 120_000);

test('pages and the console tell of such formulas too', async () => {
  project.describe(doubling);
  const running = await startPraxis(project.config(), pino({ level: 'silent' }));
  const { origin } = new URL(running.address);
  const paths = ['/openapi.json', '/docs/groups/part', '/docs/map', '/console/model.json'];
  for (const path of [...paths, '/console/conditions/part.json', '/console/conditions/sheet.json']) {
    const answer = await fetch(origin + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect((await answer.text()).length, path).toBeLessThan(1_000_000);
  }
  await running.stop();
}, 60_000);

test('a value that became too long is told once, and nothing grows from it', async () => {
  const squares = Object.fromEntries(
    Array.from({ length: 18 }, (_one, n) => [`n${n + 1}`, { ...number, formula: `n${n} * n${n}` }]),
  );
  const doubles = Object.fromEntries(
    Array.from({ length: 30 }, (_one, n) => [
      `t${n + 1}`,
      { type: 'string', maxLength: 100, formula: `t${n} + t${n}` },
    ]),
  );
  project.describe({
    part: { properties: { name, n0: number, t0: { ...name, default: '' }, ...squares, ...doubles } },
  });
  await project.serve(async (call) => {
    const { body } = await call('POST', '/parts', { name: 'One', n0: 7, t0: 'abcde' });
    expect(body).toEqual({
      status: 400,
      message,
      errors: [
        ...[4, 5, 6].map((n) => `'n${n}' must be a number with at most 12 digits`),
        "'n7' must not come from a number of more than 60 digits",
        ...[5, 6, 7, 8, 9, 10, 11, 12, 13].map((n) => `'t${n}' must be at most 100 characters`),
        "'t14' must not come from a text of more than 65,536 characters",
      ],
    });
    const { body: right } = await call('POST', '/parts', { name: 'One', n0: 1 });
    expect(right).toMatchObject({ n18: 1, t30: '' });
  });
});

test('what becomes too long within a formula is refused at its field', async () => {
  const squares = Object.fromEntries(Array.from({ length: 18 }, (_one, n) => [`n${n + 1}`, { is: `n${n} * n${n}` }]));
  const doubles = Object.fromEntries(Array.from({ length: 30 }, (_one, n) => [`t${n + 1}`, { is: `t${n} + t${n}` }]));
  project.describe({
    part: {
      properties: {
        name,
        n0: number,
        t0: { ...name, default: '' },
        isMore: { type: 'boolean', formula: 'n18 > 1' },
        isLong: { type: 'boolean', formula: "t30 == 'x'" },
        small: { ...number, defaultFrom: [{ formula: 'n18' }] },
        rows: {
          type: 'array',
          maxItems: 5,
          items: { type: 'object', properties: { n: { type: 'boolean', formula: 'record.n18 > 1' } } },
        },
        asRead: { type: 'boolean', formula: 'n18 > 1', compute: 'onRead' },
      },
      resource: { formulas: { ...squares, ...doubles } },
    },
  });
  await project.serve(async (call) => {
    const { body } = await call('POST', '/parts', { name: 'One', n0: 7, t0: 'abcde', rows: [{}], small: 1 });
    const digits = 'must not come from a number of more than 60 digits';
    expect(body).toEqual({
      status: 400,
      message,
      errors: [
        `'isMore' ${digits}`,
        "'isLong' must not come from a text of more than 65,536 characters",
        `'rows[0].n' ${digits}`,
      ],
    });
    const { body: defaulted } = await call('POST', '/parts', { name: 'One', n0: 7 });
    expect(defaulted).toMatchObject({ status: 400, errors: [`'small' ${digits}`] });
    const { body: right } = await call('POST', '/parts', { name: 'One', n0: 1, rows: [{}] });
    expect(right).toMatchObject({ isMore: false, isLong: false, small: 1, rows: [{ n: false }], asRead: false });
  });
});
