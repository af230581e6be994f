// Descriptors drafted from a database that is not ours: right enough to be served as they are, and honest about the rest.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkspace } from '../../src/app/workspace.ts';
import { readConfig } from '../../src/config.ts';
import { draftField } from '../../src/introspection/field.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { Folder } from '../support/commands/command.ts';
import { databases } from '../support/databases/databases.ts';

/** A shop as others have built it; `{auto}` and the like differ between databases. */
const shop = [
  `create table customers (id integer primary key, first_name varchar(80) not null, email varchar(120) not null unique,
     is_active boolean not null default 1, credit decimal(10,2) not null default 0, born date, notes text, created_at timestamp)`,
  `create table products (product_id integer primary key, title varchar(200) not null, price double not null,
     state varchar(10) not null default 'new', picture blob, parent_id integer,
     foreign key (parent_id) references products (product_id) on delete set null)`,
  `create table orders (id integer primary key, customer_id integer not null, placed_at datetime not null,
     version integer not null, total decimal(12,4), foreign key (customer_id) references customers (id) on delete cascade)`,
  `create table order_items (order_id integer not null, product_id integer not null, quantity integer not null default 1,
     primary key (order_id, product_id), foreign key (order_id) references orders (id) on delete cascade,
     foreign key (product_id) references products (product_id))`,
  `create table tags (id integer primary key, name varchar(40) not null unique, colour varchar(20),
     spot point, route linestring, code national varchar(12), ratio double precision, few tinyint unsigned)`,
  'create index tags_by_colour on tags (colour)',
  `create table product_tags (product_id integer not null, tag_id integer not null, primary key (product_id, tag_id),
     foreign key (product_id) references products (product_id), foreign key (tag_id) references tags (id))`,
];

interface Drafted {
  readonly properties: Record<string, unknown>;
  readonly required?: string[];
  readonly resource: { readonly path: string; readonly shownAs: string; readonly unique?: string[][] };
}

for (const { name: kind, isThere, isServer, open } of databases) {
  describe.skipIf(!isThere)(`praxis introspect (${kind})`, { timeout: 60_000 }, () => {
    const folder = new Folder();
    let url: string;
    let drop: () => Promise<void> | void = () => {};

    beforeAll(async () => {
      if (isServer) {
        const made = await open('praxis_introspect');
        ({ url, drop } = made);
        const database = await openDatabase(url);
        await database.script([...shop, "alter table tags add kind enum('topic','place') not null default 'topic'"]);
        await database.close();
      } else {
        url = 'sqlite:shop.sqlite';
        const file = new DatabaseSync(join(folder.path, 'shop.sqlite'));
        for (const statement of shop) file.exec(statement);
        file.close();
      }
    });
    afterAll(async () => {
      await drop();
      folder.remove();
    });

    const drafted = (name: string): Drafted =>
      JSON.parse(readFileSync(join(folder.path, 'drafts', `${name}.json`), 'utf8')) as Drafted;

    test('drafts a descriptor a table, and says what to look at', async () => {
      const printed = await folder.print(`introspect ${url}`);
      expect(readdirSync(join(folder.path, 'drafts')).sort()).toEqual([
        'customer.json',
        'order-item.json',
        'order.json',
        'product.json',
        'tag.json',
      ]);
      expect(printed).toContain('picture: has the type blob, which no field has');
      expect(printed).toContain('spot: has the type point, which no field has');
      expect(printed).toContain('route: has the type linestring, which no field has');
      expect(printed).toMatch(/price: holds inexact numbers \((?:double)\); say how many digits it needs/);
      expect(printed).toContain('placed_at: holds times; callers send them in UTC, as 2026-03-02T09:30:00Z');
      expect(printed).toContain('5 descriptors, no faults.');
    });

    test('keeps names, bounds, defaults, keys and references', () => {
      expect(drafted('customer')).toMatchObject({
        properties: {
          firstName: { type: 'string', maxLength: 80 },
          email: { type: 'string', maxLength: 120, filter: 'exact' },
          isActive: { type: 'boolean', default: true },
          credit: { type: 'number', format: 'decimal', precision: 10, scale: 2, default: 0 },
          born: { type: ['string', 'null'], format: 'date' },
          notes: { type: ['string', 'null'] },
          createdAt: true,
        },
        required: ['firstName', 'email'],
        resource: { path: '/customers', unique: [['email']] },
      });
      expect(Object.keys(drafted('customer').properties)).not.toContain('id');
      expect(drafted('order').properties).toMatchObject({
        customer: { reference: 'customer', onDelete: 'cascade', filter: 'exact' },
        version2: { type: 'integer' },
        total: { type: ['number', 'null'], precision: 12, scale: 4 },
      });
      expect(drafted('order-item')).toMatchObject({
        properties: { quantity: { type: 'integer', default: 1 } },
        resource: { path: '/order-items', unique: [['order', 'product']] },
      });
      expect(drafted('product').properties).toMatchObject({
        parent: { reference: 'product', nullable: true, onDelete: 'clear' },
        tags: { references: 'tag' },
      });
      expect(drafted('tag').properties).toMatchObject({ colour: { type: ['string', 'null'], filter: 'exact' } });
      expect(Object.keys(drafted('tag').properties)).not.toContain('spot');
      expect(drafted('tag').properties).toMatchObject({
        code: { type: ['string', 'null'], maxLength: 12 },
        ratio: { type: ['number', 'null'], format: 'decimal' },
        few: { type: ['integer', 'null'] },
      });
      expect(drafted('tag').properties['few']).not.toHaveProperty('signed');
      if (isServer)
        expect(drafted('tag').properties).toMatchObject({ kind: { enum: ['topic', 'place'], default: 'topic' } });
    });

    test('its drafts are served as they are', async () => {
      const RESOURCES = join(folder.path, 'drafts');
      const workspace = await openWorkspace(readConfig({ RESOURCES, DATABASE_URL: 'sqlite::memory:' }));
      expect([...workspace.registry.resources.keys()].sort()).toEqual([
        'customer',
        'order',
        'order-item',
        'product',
        'tag',
      ]);
      await workspace.close();
    });

    test('never overwrites, and writes nothing then', async () => {
      const file = join(folder.path, 'drafts/tag.json');
      writeFileSync(file, 'mine');
      const { code, stderr } = await folder.run(`introspect ${url}`);
      expect({ code, isTold: stderr.includes('already exists; nothing was written.') }).toEqual({
        code: 1,
        isTold: true,
      });
      expect(readFileSync(file, 'utf8')).toBe('mine');
    });

    test('drafts one table, and knows which there are', async () => {
      expect(await folder.print(`introspect ${url} --table tags --out one`)).toContain('one/tag.json  from tags');
      expect(await folder.run(`introspect ${url} --table tgas`)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'There is no table tgas.\n',
      });
    });
  });
}

describe('types of columns', () => {
  const shapeOf = (type: string): unknown => {
    const { field } = draftField({ name: 'x', type, nullable: false, default: undefined, comment: '' }, false);
    if (field === undefined) return undefined;
    const { description: _words, ...shape } = field;
    return shape;
  };
  const integer = { type: 'integer', signed: true };
  const float = { type: 'number', format: 'decimal', precision: 18, scale: 6, signed: true };
  const types: readonly (readonly [type: string, shape: unknown])[] = [
    ...['point', 'multipoint', 'linestring', 'interval', 'interval day to second', 'geometry'].map(
      (type) => [type, undefined] as const,
    ),
    ...['blob', 'varbinary(20)', 'bit(8)', 'time', "set('a','b')", 'int[]', 'checkpoint', 'context', ''].map(
      (type) => [type, undefined] as const,
    ),
    ...['int', 'integer', 'int(11)', 'int8', 'big int', 'bigint(20) signed', 'mediumint'].map(
      (type) => [type, integer] as const,
    ),
    ...['int unsigned', 'bigint(20) unsigned zerofill', 'unsigned big int', 'tinyint(3) unsigned', 'year(4)'].map(
      (type) => [type, { type: 'integer' }] as const,
    ),
    ...['double', 'double precision', 'double(10,2) unsigned', 'float', 'real'].map((type) => [type, float] as const),
    ...['varchar(20)', 'national varchar(20)', 'character varying(20)', 'nchar(20)', 'varchar(20) collate nocase'].map(
      (type) => [type, { type: 'string', maxLength: 20 }] as const,
    ),
    ['tinytext', { type: 'string', maxLength: 255 }],
    ['longtext', { type: 'string', maxLength: 5000 }],
    ['decimal(10,2) unsigned', { type: 'number', format: 'decimal', precision: 10, scale: 2, signed: true }],
    ['numeric(9)', integer],
    ['timestamp with time zone', { type: 'string', format: 'date-time' }],
    ['datetime(6)', { type: 'string', format: 'date-time' }],
    ['tinyint(1)', { type: 'boolean' }],
    ['char(36)', { type: 'string', format: 'uuid' }],
  ];
  test.each(types)('%s', (type, shape) => {
    expect(shapeOf(type)).toEqual(shape);
  });
});

test('a file that is none is told', async () => {
  const folder = new Folder();
  expect(await folder.run('introspect sqlite:nothing.db')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no file nothing.db.\n',
  });
  writeFileSync(join(folder.path, 'text.db'), 'this is no database, but it is long enough to look like one'.repeat(20));
  const { code, stderr } = await folder.run('introspect sqlite:text.db');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'text.db cannot be read: file is not a database\n' });
  const away = await folder.run('introspect sqlite:.');
  expect(away).toMatchObject({ code: 1, stdout: '' });
  expect(away.stderr).toMatch(/^\. cannot be read: .+\n$/);
  folder.remove();
});
