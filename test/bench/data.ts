// The records that are measured: the same on every database, put straight into the tables that Praxis has made.

import type { Field, Registry, Resource, Values } from '../../src/registry/model/model.ts';
import { loadRegistry } from '../../src/registry/registry.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { RowReader } from '../../src/storage/rows/row-reader.ts';
import type { Bound } from '../../src/storage/schema/cells.ts';
import { LruCache } from '../../src/storage/schema/lru-cache.ts';
import type { Database, Session } from '../../src/storage/schema/session.ts';
import { columnsOf, isList, listTableName, tableName } from '../../src/storage/schema/tables.ts';

const rowsAStatement = 200;
const rowsATransaction = 10_000;
const betweenClientsMs = 20_123;
/** Fixed, so that every run and every database has the same ids; two clients in five share their millisecond with another. */
const newestMs = Date.UTC(2025, 0, 31, 12, 0, 0, 345);

const small = {
  member: 40,
  practice: 20,
  industry: 20,
  location: 20,
  'payment-term': 10,
  'business-unit': 10,
} as const;
const tagGroup = 'client-tag';
const tagCount = 60;
const tagsAClient = 3;

/** A version 7 id that can be told beforehand. */
function idAt(ms: number, number: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

const smallMs = newestMs - 10 * 365 * 86_400_000;
/** Id of a record of one of the small groups. */
const smallId = (group: string, number: number): string =>
  idAt(smallMs + number, (Object.keys(small).indexOf(group) + 1) * 1000 + number);

const clientMs = (place: number): number => newestMs - (place - (place % 5 === 1 ? 1 : 0)) * betweenClientsMs;
/** Id of the client at a place of the list, 0 being the newest. */
export const clientId = (place: number): string => idAt(clientMs(place), 0xffff_ffff - place);
const vocabulary =
  'quarterly review agreed with finance about scope staffing rates travel and the renewal of the framework contract next steps are open'.split(
    ' ',
  );

/** Text of about so many characters, another for each seed. */
function prose(seed: number, characters: number): string {
  const words: string[] = [];
  for (let length = 0, at = seed; length < characters; at = (at * 7 + 3) % 1_000_003) {
    const word = vocabulary[at % vocabulary.length] ?? '';
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ');
}

function clientAt(place: number): Values {
  const pick = (group: keyof typeof small, salt: number): string => smallId(group, (place * 31 + salt) % small[group]);
  const source = place % 10 === 3 ? 'business_unit' : place % 10 === 7 ? 'custom' : 'workspace';
  const text = (salt: number, characters: number): string => prose(place + salt, characters);
  return {
    id: clientId(place),
    createdAt: new Date(clientMs(place)).toISOString(),
    modifiedAt: new Date(clientMs(place)).toISOString(),
    key: `client-${place}`,
    // One name in nine holds a character outside Latin-1, as real text does: it makes strings twice as wide.
    name: place % 9 === 0 ? `Client ${place} – ${text(1, 12)}` : `Client ${place} ${text(1, 12)}`,
    code: `C${place}`,
    currency: place % 4 === 0 ? 'USD' : 'EUR',
    notes: text(2, 200 + (place % 7) * 60),
    emails: [`billing.${place}@client.example`, `office.${place}@client.example`],
    streetAddress: `${place} Harbour Street\n${text(3, 20)}\n10115 Berlin`,
    invoiceDetailsSource: source,
    invoiceSubject: source === 'custom' ? text(4, 30) : '',
    invoiceNotes: source === 'custom' ? text(5, 80) : '',
    isInternal: false,
    recordStatusId: place % 50 === 0 ? 'archived' : 'active',
    ownerId: smallId('member', place % small.member),
    practiceId: pick('practice', 1),
    industryId: pick('industry', 2),
    locationId: place % 13 === 0 ? null : pick('location', 3),
    invoicePaymentTermId: source === 'custom' ? pick('payment-term', 4) : null,
    salesRepresentativeId: pick('member', 5),
    businessUnitId: source === 'business_unit' || place % 3 === 0 ? pick('business-unit', 6) : null,
    useWorkspaceInvoiceDetails: source === 'workspace',
    tagIds: Array.from({ length: tagsAClient }, (_value, nth) => tagIdAt(place, nth)),
    integrations: place % 20 === 0 ? [{ type: 'ledger', connectionId: 'main', externalId: `L-${place}` }] : [],
  };
}

/** Three tags a client, no two of them the same. */
const tagIdAt = (place: number, nth: number): string => idAt(smallMs, 900_000 + ((place * 7 + nth * 17) % tagCount));

function smallAt(group: string, number: number): Values {
  const title = group.replace('-', ' ');
  return {
    name: number % 9 === 0 ? `${title} ${number} – Übersee` : `${title} ${number}`,
    email: `${group}.${number}@praxis.example`,
    type: 'net',
    days: number,
    invoiceSubject: `Invoice of ${title} ${number}`,
    invoiceNotes: prose(number, 80),
    invoiceEmailSubject: `Your invoice from ${title} ${number}`,
    invoiceEmailBody: prose(number + 9, 250),
    invoicePaymentTermId: smallId('payment-term', number % small['payment-term']),
  };
}

/**
 * Fills the tables of a database on which Praxis has been started once. What set-up has put beside them is made the
 * same on every database.
 */
export async function fill(databaseUrl: string, count: number): Promise<void> {
  const registry = loadRegistry('resources', ruleSignatures);
  const database = await openDatabase(databaseUrl);
  try {
    await database.transact(async (session) => {
      await session.run('delete from client', []);
      const [role] = await session.all('select id from security_role order by id limit 1', []);
      const securityRoleId = String(role?.[0] ?? '');
      // Those that others refer to go first.
      for (const group of ['payment-term', 'practice', 'industry', 'location', 'business-unit', 'member'] as const) {
        const records = Array.from({ length: small[group] }, (_value, number) => ({
          ...smallAt(group, number),
          securityRoleId,
          ...place(smallId(group, number), smallMs + number),
        }));
        await insertRecords(session, database, registry, group, records);
      }
      const tags = Array.from({ length: tagCount }, (_value, number) => ({
        name: `tag ${number}`,
        ...place(idAt(smallMs, 900_000 + number), smallMs),
      }));
      await insertRecords(session, database, registry, tagGroup, tags);
      await settle(session);
    });
    for (let first = 0; first < count; first += rowsATransaction) {
      const length = Math.min(rowsATransaction, count - first);
      // Oldest first, as they would have come.
      const clients = Array.from({ length }, (_value, nth) => clientAt(count - 1 - first - nth));
      await database.transact((session) => insertRecords(session, database, registry, 'client', clients));
    }
    if (database.dialect.name === 'mysql') await database.script(['analyze table client, client_tags']);
  } finally {
    await database.close();
  }
}

const place = (id: string, ms: number): Values => ({ id, createdAt: new Date(ms).toISOString() });

/** The workspace's invoice settings, which most clients inherit. */
async function settle(session: Session): Promise<void> {
  await session.run(
    'update workspace_settings set invoice_subject = ?, invoice_notes = ?, invoice_email_subject = ?, invoice_email_body = ?, invoice_payment_term_id = ?',
    [
      'Invoice for our services',
      prose(1, 80),
      'Your invoice – please see attached',
      prose(2, 250),
      smallId('payment-term', 3),
    ],
  );
}

async function insertRecords(
  session: Session,
  database: Database,
  registry: Registry,
  group: string,
  records: readonly Values[],
): Promise<void> {
  const resource = registry.resources.get(group);
  if (resource === undefined) throw new Error(`"${group}" is not a group to measure`);
  const store = new RowReader(resource, database.dialect, new LruCache(100));
  const whole = records.map((record) => withEmpty(resource, record));
  const columns = await columnsOfTable(session, database, tableName(group));
  await insertRows(
    session,
    tableName(group),
    columns,
    whole.map((values) => columns.map((column) => store.cellOf(column, values) ?? (isCounter(column) ? 0 : null))),
  );
  for (const field of resource.fields) {
    if (!isList(field)) continue;
    const items = whole.flatMap((values) => listRows(field, values, store));
    if (items.length === 0) continue;
    const names = ['owner_id', 'position', 'created_at', ...itemColumns(field)];
    await insertRows(session, listTableName(resource, field), names, items);
  }
}

const isCounter = (column: string): boolean => column === 'version' || column === 'guard';

const itemColumns = (field: Field): string[] =>
  field.kind === 'objects' ? field.fields.flatMap((item) => columnsOf(item).map(({ name }) => name)) : ['target_id'];

/** Rows of a list: links, or items whose fields are all text. */
function listRows(field: Field, values: Values, store: RowReader): Bound[][] {
  const items = values[field.key];
  if (!Array.isArray(items)) return [];
  const owner = store.cellOf('id', values) ?? null;
  const createdAt = store.cellOf('created_at', values) ?? null;
  return items.map((item: Values | string, position) => {
    const cells = typeof item === 'string' ? [item] : Object.values(item).map(String);
    return [owner, position, createdAt, ...cells];
  });
}

/** What the stages of a create would have given to fields that are left out. */
function withEmpty(resource: Resource, record: Values): Values {
  const values: Values = { ...record };
  for (const { key, kind, unset, default: usual } of resource.fields) {
    values[key] ??=
      usual ?? (kind === 'references' || kind === 'objects' || kind === 'list' ? [] : unset === 'empty' ? '' : null);
  }
  return values;
}

async function columnsOfTable(session: Session, { dialect }: Database, table: string): Promise<string[]> {
  const rows =
    dialect.name === 'sqlite'
      ? await session.all('select name from pragma_table_info(?)', [table])
      : await session.all(
          'select column_name from information_schema.columns where table_schema = database() and table_name = ?',
          [table],
        );
  return rows.map(([name]) => String(name));
}

async function insertRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Bound[])[],
): Promise<void> {
  const names = columns.map((column) => `\`${column}\``).join(', ');
  const places = `(${columns.map(() => '?').join(', ')})`;
  for (let first = 0; first < rows.length; first += rowsAStatement) {
    const part = rows.slice(first, first + rowsAStatement);
    await session.run(`insert into \`${table}\` (${names}) values ${part.map(() => places).join(', ')}`, part.flat());
  }
}
