// What Praxis is compared with: the same requests on the same tables, written by hand for these tables alone.
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { v7 } from 'uuid';
import { fold, keyHash } from '../../src/values/fold.ts';
import { createApp, Refusal } from './by-hand/app.ts';
import {
  changes,
  clientSchema,
  contactSchema,
  type contactTexts,
  jobTitleSchema,
  newContact,
  newJobTitle,
  pageSchema,
  params,
  querystring,
  summaryQuery,
} from './handwritten-schemas.ts';

const { DATABASE_URL = '', PORT = '0' } = process.env;

const pool = createPool({
  uri: DATABASE_URL,
  connectionLimit: 10,
  dateStrings: true,
  timezone: 'Z',
  charset: 'UTF8MB4_BIN',
});
const app = createApp();

const inherited = (column: string): string =>
  `case c.invoice_details_source when 'workspace' then w.${column} when 'business_unit' then bu.${column} else c.${column} end`;
const select = `select c.id, c.\`key\`, c.name, c.code, c.currency, c.notes, c.emails, c.integrations, c.street_address, c.invoice_details_source,
    ${inherited('invoice_subject')} as invoice_subject, ${inherited('invoice_notes')} as invoice_notes,
    ${inherited('invoice_email_subject')} as invoice_email_subject, ${inherited('invoice_email_body')} as invoice_email_body,
    c.is_internal, c.record_status_id, c.created_at, c.modified_at, c.owner_id, o.name as owner, c.practice_id, p.name as practice,
    c.industry_id, i.name as industry, c.location_id, l.name as location, pt.id as payment_term_id, pt.name as payment_term,
    c.sales_representative_id, s.name as sales_representative, c.business_unit_id, bu.name as business_unit
  from client c
    left join workspace_settings w on w.id = (select id from workspace_settings limit 1)
    left join member o on o.id = c.owner_id
    left join practice p on p.id = c.practice_id
    left join industry i on i.id = c.industry_id
    left join location l on l.id = c.location_id
    left join member s on s.id = c.sales_representative_id
    left join business_unit bu on bu.id = c.business_unit_id
    left join payment_term pt on pt.id = ${inherited('invoice_payment_term_id')}`;
const newestFirst = 'order by c.created_at desc, c.id desc limit ?';
const place = '(select created_at from client where id = ?)';
const firstPage = `${select} ${newestFirst}`;
const nextPage = `${select} where c.created_at <= ${place} and (c.created_at < ${place} or c.id < ?) ${newestFirst}`;
const oneClient = `${select} where c.id = ?`;

const tagsOf = (count: number): string =>
  `select straight_join ct.owner_id, t.id, t.name from client_tags ct left join client_tag t on t.id = ct.target_id
    where ct.owner_id in (${places(count)}) order by ct.owner_id, ct.position`;
const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** The driver leaves a fraction of zero out. */
const toIso = (time: string): string => `${time.slice(0, 10)}T${time.slice(11, 19)}${time.slice(19) || '.000'}Z`;
const toReference = (id: string | null, name: string | null) => (id === null ? null : { id, name });

/** Tags of some clients, by the client's id. */
async function tagsById(ids: readonly string[]): Promise<Map<string, object[]>> {
  const tags = new Map<string, object[]>();
  if (ids.length === 0) return tags;
  const [rows] = await pool.execute<RowDataPacket[]>(tagsOf(ids.length), [...ids]);
  for (const { owner_id, id, name } of rows) {
    const known = tags.get(owner_id);
    if (known === undefined) tags.set(owner_id, [{ id, name }]);
    else known.push({ id, name });
  }
  return tags;
}

function toClient(row: RowDataPacket, tags: ReadonlyMap<string, object[]>) {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    code: row.code,
    currency: row.currency,
    notes: row.notes,
    emails: JSON.parse(row.emails),
    streetAddress: row.street_address,
    invoiceDetailsSource: row.invoice_details_source,
    invoiceSubject: row.invoice_subject,
    invoiceNotes: row.invoice_notes,
    invoiceEmailSubject: row.invoice_email_subject,
    invoiceEmailBody: row.invoice_email_body,
    isInternal: row.is_internal === 1,
    recordStatusId: row.record_status_id,
    createdAt: toIso(row.created_at),
    modifiedAt: toIso(row.modified_at),
    owner: toReference(row.owner_id, row.owner),
    practice: toReference(row.practice_id, row.practice),
    industry: toReference(row.industry_id, row.industry),
    location: toReference(row.location_id, row.location),
    tags: tags.get(row.id) ?? [],
    invoicePaymentTerm: toReference(row.payment_term_id, row.payment_term),
    salesRepresentative: toReference(row.sales_representative_id, row.sales_representative),
    useWorkspaceInvoiceDetails: row.invoice_details_source === 'workspace',
    businessUnit: toReference(row.business_unit_id, row.business_unit),
    integrations: JSON.parse(row.integrations),
  };
}

async function readClient(id: string) {
  // The lists are found by the same id, so nothing waits.
  const [[rows], lists] = await Promise.all([pool.execute<RowDataPacket[]>(oneClient, [id]), tagsById([id])]);
  const [row] = rows;
  if (row === undefined) throw new Refusal(404, `Object with id '${id}' not found.`);
  return toClient(row, lists);
}

const someFields = `select c.id, c.name, c.code, c.currency from client c ${newestFirst}`;

/** A page of some fields alone. Its text is written here: the schema of answers is that of whole records. */
async function someFieldsPage(limit: number): Promise<string> {
  const [rows] = await pool.execute<RowDataPacket[]>(someFields, [String(limit + 1)]);
  const hasMore = rows.length > limit;
  return JSON.stringify({ results: rows.slice(0, limit), hasMore });
}

const named = (group: string, count: number): string =>
  `select id, name, is_active, created_at from ${group} where id in (${places(count)})`;

/** The records behind the references of a page, by their ids. */
async function behind(group: string, ids: readonly (string | null)[]): Promise<Map<string, object>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const [rows] = await pool.execute<RowDataPacket[]>(named(group, wanted.length), wanted);
  return new Map(
    rows.map(({ id, name, is_active, created_at }) => [
      id,
      { id, name, isActive: is_active === 1, createdAt: toIso(created_at) },
    ]),
  );
}

async function expandedPage(limit: number): Promise<string> {
  const [rows] = await pool.execute<RowDataPacket[]>(firstPage, [String(limit + 1)]);
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const [tags, industries, locations] = await Promise.all([
    tagsById(rows.map((row) => row.id)),
    behind(
      'industry',
      rows.map((row) => row.industry_id),
    ),
    behind(
      'location',
      rows.map((row) => row.location_id),
    ),
  ]);
  const results = rows.map((row) => ({
    ...toClient(row, tags),
    industry: industries.get(row.industry_id) ?? null,
    location: locations.get(row.location_id) ?? null,
  }));
  return JSON.stringify({ results, hasMore });
}

const byIndustry = `select c.industry_id, i.name, count(*) as count, max(c.created_at) as latest
  from client c left join industry i on i.id = c.industry_id group by c.industry_id, i.name`;

app.get('/api/summary/clients', { schema: { querystring: summaryQuery } }, async () => {
  const [rows] = await pool.execute<RowDataPacket[]>(byIndustry);
  const results = rows
    .map(({ industry_id, name, count, latest }) => ({
      by: { industry: toReference(industry_id, name) },
      ...{ count, max: { createdAt: toIso(latest) } },
    }))
    .sort((a, b) => (fold(a.by.industry?.name ?? '') < fold(b.by.industry?.name ?? '') ? -1 : 1));
  return { results, hasMore: false, rows: results.reduce((sum, { count }) => sum + count, 0) };
});

app.get<{ Querystring: { limit?: string; startingAfter?: string; expand?: string; fields?: string } }>(
  '/api/clients',
  { schema: { querystring, response: { 200: pageSchema } } },
  async ({ query }, reply) => {
    const limit = Number(query.limit ?? 10);
    if (query.expand !== undefined)
      return reply.type('application/json; charset=utf-8').send(await expandedPage(limit));
    if (query.fields !== undefined)
      return reply.type('application/json; charset=utf-8').send(await someFieldsPage(limit));
    const after = query.startingAfter?.toLowerCase();
    const [sql, values] = after === undefined ? [firstPage, []] : [nextPage, [after, after, after]];
    const [rows] = await pool.execute<RowDataPacket[]>(sql, [...values, String(limit + 1)]);
    const hasMore = rows.length > limit;
    if (hasMore) rows.pop();
    const lists = await tagsById(rows.map((row) => row.id));
    return { results: rows.map((row) => toClient(row, lists)), hasMore };
  },
);

app.get<{ Params: { id: string } }>(
  '/api/clients/:id',
  { schema: { params, response: { 200: clientSchema } } },
  (request) => readClient(request.params.id.toLowerCase()),
);

const columns = { name: 'name', code: 'code', notes: 'notes', streetAddress: 'street_address' } as const;
app.patch<{ Params: { id: string }; Body: Partial<Record<keyof typeof columns, string>> }>(
  '/api/clients/:id',
  { schema: { params, body: changes, response: { 200: clientSchema } } },
  async ({ params, body }) => {
    const id = params.id.toLowerCase();
    const sent = Object.entries(body).map(([key, value]) => [columns[key as keyof typeof columns], value] as const);
    if (sent.length > 0) {
      const assignments = sent.map(([column]) => `${column} = ?`);
      const values: (string | Buffer)[] = sent.map(([, value]) => value);
      if (body.name !== undefined) {
        assignments.push('name_folded = ?');
        values.push(Buffer.from(fold(body.name)));
      }
      assignments.unshift(
        `modified_at = case when ${sent.map(([column]) => `${column} = ?`).join(' and ')} then modified_at else ? end`,
      );
      const [{ affectedRows }] = await pool.execute<ResultSetHeader>(
        `update client set ${assignments.join(', ')}, version = version + 1 where id = ?`,
        [...sent.map(([, value]) => value), now(), ...values, id],
      );
      if (affectedRows === 0) throw new Refusal(404, `Object with id '${params.id}' not found.`);
    }
    return readClient(id);
  },
);

const now = (): string => toDatabaseTime(new Date().toISOString());
const toDatabaseTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
/** Time of a version 7 id, so that both give one order. */
const timeOf = (id: string): string => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();

app.post<{ Body: { name: string; isActive?: boolean } }>(
  '/api/job-titles',
  { schema: { body: newJobTitle, response: { 200: jobTitleSchema } } },
  async ({ body: { name, isActive = true } }) => {
    const id = v7();
    const createdAt = timeOf(id);
    try {
      await pool.execute(
        'insert into job_title (id, name, name_key, is_active, created_at, version, guard) values (?, ?, ?, ?, ?, 0, 0)',
        [id, name, Buffer.from(keyHash(name)), isActive ? 1 : 0, toDatabaseTime(createdAt)],
      );
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ER_DUP_ENTRY') {
        throw new Refusal(409, 'A Job Title with the same name already exists.');
      }
      throw error;
    }
    return { id, name, isActive, createdAt };
  },
);

const contactColumns =
  'id, first_name, last_name, name, name_folded, email, email_folded, title, description, office_phone, mobile_phone, fax, website_url, created_at, time_zone_id';
app.post<{ Body: Record<keyof typeof contactTexts, string> }>(
  '/api/contacts',
  { schema: { body: newContact, response: { 200: contactSchema } } },
  async ({ body }) => {
    const name = `${body.firstName} ${body.lastName}`.trim();
    if (name === '') throw new Refusal(400, "'name' is required");
    const [[workspace]] = await pool.execute<RowDataPacket[]>('select time_zone_id from workspace_settings limit 1');
    const timeZoneId: string = workspace?.time_zone_id ?? 'UTC';
    const id = v7();
    const createdAt = timeOf(id);
    const { firstName, lastName, email, title, description, officePhone, mobilePhone, fax, websiteUrl } = body;
    await pool.execute(`insert into contact (${contactColumns}, version, guard) values (${places(15)}, 0, 0)`, [
      ...[id, firstName, lastName, name, Buffer.from(fold(name)), email, Buffer.from(fold(email)), title, description],
      ...[officePhone, mobilePhone, fax, websiteUrl, toDatabaseTime(createdAt), timeZoneId],
    ]);
    const none = {
      createdBy: null,
      ownerId: null,
      practiceId: null,
      businessUnitId: null,
      crmOneId: null,
      crmTwoId: null,
    };
    return { id, ...body, name, createdAt, ...none, timeZoneId, tags: [] };
  },
);

app.get('/readyz', async () => {
  await pool.query('select 1');
  return { status: 'ok' };
});

process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
