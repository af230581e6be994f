// Boxes with few and with many leaves in them, and what one write of a leaf, or of its box, asks of the database.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExplainAnswer } from '../../../src/app/explain.ts';
import type { Workspace } from '../../../src/app/workspace.ts';
import { type Endpoint, endpointsOf } from '../../../src/endpoints/routes/endpoint.ts';
import { verifyGroup } from '../../../src/engine/verify/verify.ts';
import type { Operation, Registry } from '../../../src/registry/model/model.ts';
import { parseBody } from '../../../src/request/body.ts';
import { parseAddress } from '../../../src/request/parse.ts';
import { tableName } from '../../../src/storage/schema/tables.ts';
import { type Noted, note } from '../../support/databases/noted.ts';
import { openQuietly } from '../../support/databases/workspace.ts';
import { isObject, type Json } from '../../support/service/client.ts';
import { boxOf, leafOf, referenceOf, type Shape } from './shapes.ts';

/** What one request took. */
export interface Measured {
  readonly statements: readonly Noted[];
  readonly cpuMs: number;
  readonly ms: number;
  readonly body: Json;
}

/** One that has a box for each number of leaves. */
export interface Boxes {
  readonly shape: Shape;
  /** Ids by their number of leaves. */
  readonly boxes: ReadonlyMap<number, string>;
}

/** Where one of each deed is done: on a box, and on a leaf that comes to it, or to what hangs below it. */
export interface Site {
  readonly box: string;
  readonly boxId: string;
  readonly leaf: string;
  /** What a new leaf names. */
  readonly reference: Readonly<Record<string, string>>;
}

/** The groups of one thing that is measured: descriptors by group. */
export type Descriptors = Readonly<Record<string, Json>>;

export const operations = ['create', 'update', 'delete', 'write box', 'get box'] as const;
export type Deed = (typeof operations)[number];

/** Numbers from 0 on, for rows that are made in the database itself. */
const numbers = 'growth_numbers';
/** The record that they are copies of: a table that is read while it is filled goes through files of the server. */
const pattern = 'growth_pattern';
/** What one statement makes: none lasts long, and none needs much room. */
const rowsAtOnce = 10_000;

export class Ground {
  readonly #workspace: Workspace;
  readonly #endpoints: readonly Endpoint[];
  readonly #folder: string;
  readonly #asked: Noted[] = [];
  #made = 0;

  private constructor(workspace: Workspace, folder: string) {
    this.#workspace = workspace;
    this.#folder = folder;
    this.#endpoints = endpointsOf(workspace.registry);
    note(workspace.database, this.#asked);
  }

  /** @param most leaves of one box */
  static async open(databaseUrl: string, all: readonly Descriptors[], most: number): Promise<Ground> {
    const folder = mkdtempSync(join(tmpdir(), 'praxis-growth-'));
    mkdirSync(join(folder, 'resources'));
    for (const descriptors of all)
      for (const [group, descriptor] of Object.entries(descriptors))
        writeFileSync(join(folder, 'resources', `${group}.json`), JSON.stringify(descriptor));
    const workspace = await openQuietly({
      databaseUrl,
      resources: join(folder, 'resources'),
    });
    const ground = new Ground(workspace, folder);
    await ground.#makeNumbers(most);
    return ground;
  }

  get registry(): Registry {
    return this.#workspace.registry;
  }

  async close(): Promise<void> {
    await this.#workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(sql: string): Promise<void> {
    await this.#workspace.database.script([sql]);
  }

  async #makeNumbers(most: number): Promise<void> {
    await this.#run(`create table ${numbers} (i integer primary key)`);
    for (let start = 0; start < most; start += 1000) {
      const some = Array.from({ length: Math.min(1000, most - start) }, (_value, n) => `(${start + n})`);
      await this.#run(`insert into ${numbers} values ${some.join(', ')}`);
    }
  }

  /** Makes a box for each of these numbers of leaves, most of them in the database itself; their figures are right then. */
  async fill(shape: Shape, sizes: readonly number[]): Promise<Boxes> {
    const boxes = new Map<number, string>();
    for (const size of sizes) {
      const { body: box } = await this.execute('create', boxOf(shape), { body: { name: `${size}` } });
      const { body: leaf } = await this.execute('create', leafOf(shape), {
        body: { name: 'Leaf', [referenceOf(shape)]: box['id'], n: 1, day: '2026-01-01' },
      });
      await this.multiply(leafOf(shape), String(leaf['id']), size);
      boxes.set(size, String(box['id']));
    }
    await this.repair([boxOf(shape), leafOf(shape)]);
    return { shape, boxes };
  }

  /** Puts figures right after rows were made in the database itself; those that others come from are to come first. */
  async repair(groups: readonly string[]): Promise<void> {
    for (const group of groups)
      for await (const difference of verifyGroup(this.#workspace.engine.verifyContext, group, { repair: true }))
        void difference;
  }

  /** What is kept of a shape and is not what its formula gives. */
  async differences(shape: Shape): Promise<readonly string[]> {
    return this.wrongIn([boxOf(shape), leafOf(shape)]);
  }

  async wrongIn(groups: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const group of groups)
      for await (const { place, stored, right } of verifyGroup(this.#workspace.engine.verifyContext, group, {
        repair: false,
      }))
        found.push(`${group}.${place} is ${String(stored)}, not ${String(right)}`);
    return found;
  }

  /** Copies a record until there are so many, with other numbers, days and times. */
  async multiply(group: string, id: string, size: number): Promise<void> {
    const { dialect } = this.#workspace.database;
    this.#made += 1;
    const isFile = dialect.isEmbedded;
    const place = String(this.#made).padStart(3, '0');
    const text = (expression: string, digits: number): string =>
      isFile ? `printf('%0${digits}x', ${expression})` : `lpad(lower(hex(${expression})), ${digits}, '0')`;
    const prefix = `'01890a5d-0000-7000-8${place}-'`;
    const others: Record<string, string> = {
      id: isFile ? `${prefix} || ${text('k.i', 12)}` : `concat(${prefix}, ${text('k.i', 12)})`,
      n: `(k.i * 7919 % 100000)${isFile ? '' : ' / 100'}`,
      day: isFile
        ? "date('2010-01-01', '+' || (k.i % 5000) || ' days')"
        : "date_add('2010-01-01', interval k.i % 5000 day)",
      created_at: isFile
        ? "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || k.i || ' seconds')"
        : "date_add('2026-01-01', interval k.i second)",
    };
    const table = dialect.quote(tableName(group));
    const columns = (await this.#columnsOf(group)).map((name) => [dialect.quote(name), others[name]] as const);
    const names = columns.map(([name]) => name).join(', ');
    const values = columns.map(([name, other]) => other ?? `t.${name}`).join(', ');
    await this.#run(`create table ${pattern} as select * from ${table} where id = '${id}'`);
    for (let start = 0; start < size - 1; start += rowsAtOnce) {
      const end = Math.min(start + rowsAtOnce, size - 1);
      await this.#run(
        `insert into ${table} (${names}) select ${values} from ${pattern} as t, ${numbers} as k where k.i >= ${start} and k.i < ${end}`,
      );
    }
    await this.#run(`drop table ${pattern}`);
    if (!isFile) await this.#run(`analyze table ${table}`);
  }

  async #columnsOf(group: string): Promise<readonly string[]> {
    const { database } = this.#workspace;
    const sql = database.dialect.isEmbedded
      ? `select name from pragma_table_info('${tableName(group)}')`
      : `select column_name from information_schema.columns where table_schema = database() and table_name = '${tableName(group)}'`;
    return (await database.all(sql, [])).map(([name]) => String(name));
  }

  /** Does what a request would, without HTTP. */
  async execute(
    operation: Operation,
    group: string,
    { id = '', body }: { id?: string; body?: Json },
  ): Promise<Measured> {
    const endpoint = this.#endpoints.find((each) => each.resource.name === group && each.operation === operation);
    if (endpoint === undefined) throw new Error(`no ${operation} of ${group}`);
    const mode = operation === 'create' ? 'create' : 'update';
    const parsed = body && parseBody(endpoint.resource, mode, body);
    return this.#noted(() =>
      this.#workspace.engine.execute({
        endpoint,
        caller: { tokenId: 'T', memberId: null },
        ...parseAddress(endpoint, id, ''),
        body: parsed,
      }),
    );
  }

  async #noted(ask: () => Promise<{ readonly body?: Buffer | string | undefined }>): Promise<Measured> {
    this.#asked.length = 0;
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const { body } = await ask();
    const { user, system } = process.cpuUsage(cpu);
    const answer: unknown = body === undefined ? {} : JSON.parse(body.toString());
    return {
      statements: [...this.#asked],
      cpuMs: (user + system) / 1000,
      ms: performance.now() - startedAt,
      body: isObject(answer) ? answer : {},
    };
  }

  /** Tells where the figure of a box comes from. */
  async explain(shape: Shape, id: string): Promise<Measured> {
    const explain = createExplainAnswer(this.#workspace);
    const caller = { tokenId: 'T', memberId: null };
    const deadline = { since: performance.now(), isDisconnected: () => false };
    return this.#noted(() => explain({ path: `${boxOf(shape)}s/${id}/out`, query: '', caller, deadline }));
  }

  /** One of each, on a box with so many leaves. */
  measure({ shape, boxes }: Boxes, size: number): Promise<ReadonlyMap<Deed, Measured>> {
    const boxId = boxes.get(size) ?? '';
    return this.measureAt({
      box: boxOf(shape),
      boxId,
      leaf: leafOf(shape),
      reference: { [referenceOf(shape)]: boxId },
    });
  }

  /** One of each: what one deed makes, the next ones change. */
  async measureAt({ box, boxId, leaf, reference }: Site): Promise<ReadonlyMap<Deed, Measured>> {
    const made = await this.execute('create', leaf, {
      body: { name: 'New', ...reference, n: 123.45, day: '2026-02-03' },
    });
    const leafId = String(made.body['id']);
    return new Map([
      ['create', made],
      ['update', await this.execute('update', leaf, { id: leafId, body: { n: 543.21 } })],
      ['delete', await this.execute('delete', leaf, { id: leafId })],
      ['write box', await this.execute('update', box, { id: boxId, body: { name: `Box ${this.#made}` } })],
      ['get box', await this.execute('get', box, { id: boxId })],
    ]);
  }
}
