// Invoices without discounts and prepayments; the sources of their lines are service items.
import { v7 } from 'uuid';
import { minorUnits } from '../../../src/values/currency.ts';
import { addDays, lastOfMonth, today } from '../../../src/values/date.ts';
import { add, compare, multiply, numberToText, round } from '../../../src/values/decimal.ts';
import { keyHash } from '../../../src/values/fold.ts';
import { Refusal } from './app.ts';
import {
  among,
  body,
  day,
  decimal,
  flag,
  id,
  inserting,
  insertRows,
  invalid,
  line,
  missing,
  money,
  newRecord,
  problems,
  refuse,
  shown,
  text,
} from './records.ts';
import { type Cell, isTaken, type Session } from './store.ts';

interface Source {
  readonly typeId: 'project_service_item';
  readonly id: string;
}
interface Line {
  readonly kindId?: string;
  readonly description?: string;
  readonly quantity?: number;
  readonly rate?: number;
  readonly amount?: number;
  readonly taxable?: boolean;
  readonly projectId?: string;
  readonly invoiceItemId?: string;
  readonly sources?: readonly Source[];
}
interface Sent {
  readonly clientId: string;
  readonly number?: string;
  readonly statusId?: 'draft' | 'issued';
  readonly subject?: string;
  readonly issuedOn?: string;
  readonly dueOn?: string;
  readonly notes?: string;
  readonly taxRateId?: string;
  readonly lines?: readonly Line[];
}
const signed = decimal(4, 99_999_999_999, -99_999_999_999);
export const newInvoice = body(['clientId'], {
  clientId: id,
  number: { ...line, pattern: '\\S' },
  statusId: { enum: ['draft', 'issued'] },
  subject: line,
  issuedOn: day,
  dueOn: day,
  notes: text,
  taxRateId: id,
  lines: {
    type: 'array',
    maxItems: 1000,
    items: body([], {
      kindId: { enum: ['services', 'expenses', 'products', 'other_items'] },
      description: text,
      quantity: money,
      rate: signed,
      amount: signed,
      taxable: flag,
      projectId: id,
      invoiceItemId: id,
      sources: {
        type: 'array',
        maxItems: 1000,
        items: body(['typeId', 'id'], { typeId: { const: 'project_service_item' }, id }),
      },
    }),
  },
});

/** The client with the settings of the workspace, the business unit or itself, whichever it goes by. */
interface Bill {
  readonly client: string;
  readonly street_address: string;
  readonly currency: string;
  readonly emails: string;
  readonly is_internal: number;
  readonly record_status_id: string;
  readonly subject: string;
  readonly notes: string;
  readonly email_subject: string;
  readonly email_body: string;
  readonly company_name: string;
  readonly company_street_address: string;
  readonly from_name: string;
  readonly reply_to: string;
  readonly taxable_items: string;
  readonly time_zone_id: string;
  readonly prefix: string;
  readonly term_id: string | null;
  readonly term: string;
  readonly term_type: string;
  readonly term_days: number;
  readonly tax_id: string | null;
  readonly tax: string;
  readonly tax_rate: Cell;
  readonly service_id: string;
  readonly service: string;
}
const inherited = (column: string): string =>
  `case c.invoice_details_source when 'workspace' then w.${column} when 'business_unit' then b.${column} else c.${column} end`;
const sender = (column: string): string =>
  `case when c.invoice_details_source = 'workspace' or b.id is null then w.${column} else b.${column} end`;
const look = `select c.name as client, c.street_address, c.currency, c.emails, c.is_internal, c.record_status_id,
    ${inherited('invoice_subject')} as subject, ${inherited('invoice_notes')} as notes,
    ${inherited('invoice_email_subject')} as email_subject, ${inherited('invoice_email_body')} as email_body,
    ${sender('company_name')} as company_name, ${sender('street_address')} as company_street_address,
    ${sender('invoice_email_from_name')} as from_name, ${sender('invoice_email_reply_to')} as reply_to,
    ${sender('invoice_taxable_items')} as taxable_items, w.time_zone_id, w.invoice_number_prefix as prefix,
    pt.id as term_id, pt.name as term, pt.type as term_type, pt.days as term_days,
    tr.id as tax_id, tr.name as tax, tr.rate as tax_rate, si.id as service_id, si.name as service
  from client c
    join workspace_settings w on w.id = (select id from workspace_settings limit 1)
    left join business_unit b on b.id = c.business_unit_id
    left join payment_term pt on pt.id = ${inherited('invoice_payment_term_id')}
    left join tax_rate tr on tr.id = coalesce(?, ${sender('invoice_tax_rate_id')})
    left join invoice_item si on si.name_key = ? and si.read_only = 1
  where c.id = ?`;
const service = Buffer.from(keyHash('Service'));

interface Project {
  readonly id: string;
  readonly name: string;
  readonly client_id: string;
  readonly po_number: string | null;
}
interface Item {
  readonly id: string;
  readonly name: string;
  readonly type_id: string;
}
interface ServiceItem {
  readonly id: string;
  readonly project_id: string;
  readonly invoice_item_id: string;
}
/** What the lines refer to, by id. */
interface Around {
  readonly bill: Bill;
  readonly projects: ReadonlyMap<string, Project>;
  readonly items: ReadonlyMap<string, Item>;
  readonly sources: ReadonlyMap<string, ServiceItem>;
}

/** Records by id. */
async function byId<R extends { readonly id: string }>(
  session: Session,
  sql: string,
  { ids, lock }: { ids: readonly string[]; lock: string },
): Promise<Map<string, R>> {
  if (ids.length === 0) return new Map();
  const rows = await session.all<R>(`${sql} ${among(ids)} order by id${lock}`, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

const distinct = (ids: readonly (string | undefined)[]): string[] => [
  ...new Set(ids.filter((each) => each !== undefined)),
];
const sourcesOf = (lines: readonly Line[]): Source[] => lines.flatMap(({ sources = [] }) => sources);

async function lookAround(session: Session, sent: Sent): Promise<Around> {
  const { clientId, taxRateId = null, lines = [] } = sent;
  // Whoever bills a service item has it alone, so that no two do.
  const sources = await byId<ServiceItem>(
    session,
    'select id, project_id, invoice_item_id from project_service_item where id',
    { ids: distinct(sourcesOf(lines).map((source) => source.id)), lock: session.alone },
  );
  const [bill] = await session.all<Bill>(look + session.share, [taxRateId, service, clientId]);
  const projects = await byId<Project>(session, 'select id, name, client_id, po_number from project where id', {
    ids: distinct(lines.map(({ projectId }) => projectId)),
    lock: session.share,
  });
  const ofSources = [...sources.values()].map((source) => source.invoice_item_id);
  const items = await byId<Item>(session, 'select id, name, type_id from invoice_item where id', {
    ids: distinct([...lines.map(({ invoiceItemId }) => invoiceItemId), ...ofSources]),
    lock: session.share,
  });
  const wanting = [
    ...problems([
      [bill === undefined, "'clientId' does not refer to an existing Client"],
      missing('taxRateId', 'Tax Rate', bill && taxRateId, bill?.tax_id),
    ]),
    ...lines.flatMap(({ projectId, invoiceItemId, sources: billed = [] }, nth) => [
      ...problems([
        missing(`lines[${nth}].projectId`, 'Project', projectId, projectId && projects.get(projectId)),
        missing(
          `lines[${nth}].invoiceItemId`,
          'Invoice Item',
          invoiceItemId,
          invoiceItemId && items.get(invoiceItemId),
        ),
      ]),
      ...billed.flatMap((source, place) =>
        sources.has(source.id)
          ? []
          : [`'lines[${nth}].sources[${place}].id' does not refer to an existing Project Service Item`],
      ),
    ]),
  ];
  if (bill === undefined || wanting.length > 0) throw invalid(wanting);
  return { bill, projects, items, sources };
}

/** A line with all that is given where nothing is sent. */
interface Whole {
  readonly id: string;
  readonly lineNumber: number;
  readonly kindId: string;
  readonly description: string | null;
  readonly quantity: number | null;
  readonly rate: number | null;
  readonly amount: string;
  readonly taxable: boolean;
  readonly projectId: string | null;
  readonly item: Item;
  readonly sources: readonly Source[];
}

function toWhole(sent: Line, place: number, { bill, items, sources }: Around): Whole {
  const { description = null, quantity = null, rate = null, sources: billed = [] } = sent;
  const first = billed[0] && sources.get(billed[0].id);
  const usual: Item = { id: bill.service_id, name: bill.service, type_id: 'income' };
  const item = items.get(sent.invoiceItemId ?? first?.invoice_item_id ?? '') ?? usual;
  const kindId = sent.kindId ?? (first === undefined && item.type_id === 'expense' ? 'expenses' : 'services');
  const amount =
    quantity === null || rate === null
      ? numberToText(sent.amount ?? 0)
      : round(multiply(numberToText(quantity), numberToText(rate)), minorUnits(bill.currency));
  const taxable = sent.taxable ?? (JSON.parse(bill.taxable_items) as string[]).includes(kindId);
  const projectId = sent.projectId ?? null;
  return {
    ...{ id: v7(), lineNumber: place + 1, kindId, description, quantity, rate, amount, taxable, projectId, item },
    sources: billed,
  };
}

function judge(sent: Sent, issuedOn: string, dueOn: string, { bill, projects, sources }: Around): void {
  const { clientId, statusId = 'draft', lines = [] } = sent;
  refuse([
    ...problems([
      [dueOn < issuedOn, "'dueOn' must be on or after issuedOn"],
      [bill.is_internal === 1, "'clientId' must be a client other than the internal one"],
      [bill.record_status_id !== 'active', "'clientId' must be an active client"],
      [statusId !== 'draft' && lines.length === 0, "'lines' must be not empty unless the invoice is a draft"],
    ]),
    ...lines.flatMap(({ quantity, rate, amount, projectId, sources: billed = [] }, nth) => {
      const isPriced = quantity !== undefined && rate !== undefined;
      const isFree = quantity === undefined && rate === undefined;
      return [
        ...problems([
          [quantity === undefined && rate !== undefined, `'lines[${nth}].quantity' is required`],
          [quantity !== undefined && rate === undefined, `'lines[${nth}].rate' is required`],
          [isPriced && amount !== undefined, `'lines[${nth}].amount' is not allowed`],
          [isFree && amount === undefined, `'lines[${nth}].amount' is required`],
          [
            projectId !== undefined && projects.get(projectId)?.client_id !== clientId,
            `'lines[${nth}].projectId' must be of the same client`,
          ],
        ]),
        ...billed.flatMap((source, place) =>
          sources.get(source.id)?.project_id === projectId
            ? []
            : [`'lines[${nth}].sources[${place}].id' must be of the line's project`],
        ),
      ];
    }),
  ]);
}

/** @throws Refusal 409 where another invoice that is not void bills one of the sources, or this one bills it twice */
async function refuseBilled(session: Session, lines: readonly Line[]): Promise<void> {
  const ids = sourcesOf(lines).map((source) => source.id);
  if (ids.length === 0) return;
  const billed = await session.all(
    `select 1 from invoice_lines_sources s join invoice i on i.id = s.owner_id
      where s.project_service_item_id ${among(ids)} and i.status_id <> 'void' limit 1`,
    ids,
  );
  if (billed.length > 0 || new Set(ids).size < ids.length)
    throw new Refusal(409, 'The Project Service Item is in use and cannot be deleted.');
}

const dueOnOf = ({ term_id, term_type, term_days }: Bill, issuedOn: string): string => {
  if (term_id === null || term_type === 'due_on_receipt') return issuedOn;
  const later = addDays(issuedOn, term_days);
  return term_type === 'end_of_month' ? lastOfMonth(later) : later;
};

const insert = inserting('invoice', [
  ...[
    'id',
    'number',
    'number_key',
    'status_id',
    'company_name',
    'company_street_address',
    'bill_to',
    'subject',
    'issued_on',
  ],
  ...[
    'due_on',
    'po_number',
    'notes',
    'emails',
    'cc_emails',
    'email_subject',
    'email_body',
    'email_from_name',
    'email_reply_to',
  ],
  ...[
    'currency',
    'subtotal',
    'total_discount',
    'tax_ratio',
    'total_tax',
    'total',
    'amount_paid',
    'amount_credited',
    'amount_due',
    'due_status_id',
  ],
  ...['created_at', 'modified_at', 'client_id', 'payment_term_id', 'tax_rate_id', 'version', 'guard'],
]);
const lineColumns = [
  ...['owner_id', 'position', 'id', 'line_number', 'kind_id', 'description', 'quantity', 'rate', 'amount', 'taxable'],
  ...['project_id', 'invoice_item_id', 'created_at'],
];
const sourceColumns = ['owner_id', 'item', 'position', 'type_id', 'project_service_item_id', 'created_at'];

const leastDigits = 4;

/** Inserts the row with the number that was sent, else with the next one that nobody has taken. @returns the number */
async function insertNumbered(
  session: Session,
  { number, prefix }: { number: string | undefined; prefix: string },
  row: Readonly<Record<string, Cell>>,
): Promise<string> {
  for (;;) {
    const given = number ?? prefix + (await nextNumber(session));
    try {
      await insert(session, { ...row, number: given, number_key: Buffer.from(keyHash(given)) });
      return given;
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (number !== undefined) throw new Refusal(409, 'An Invoice with the same number already exists.');
    }
  }
}

/** Others wait for theirs until this transaction ends. */
async function nextNumber(session: Session): Promise<string> {
  const [next] = await session.all<{ value: number }>(
    `insert into praxis_sequence (name, value) values ('invoice', 1) ${session.onTaken('name')} value = value + 1 returning value`,
    [],
  );
  return String(next?.value).padStart(leastDigits, '0');
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** @throws Refusal 400 for what does not fit, 409 for a number or a source that is taken */
export async function createInvoice(session: Session, sent: Sent) {
  const around = await lookAround(session, sent);
  const { bill, projects } = around;
  const { statusId: sentStatus = 'draft', lines: sentLines = [], clientId } = sent;
  const issuedOn = sent.issuedOn ?? today(bill.time_zone_id, new Date());
  const dueOn = sent.dueOn ?? dueOnOf(bill, issuedOn);
  judge(sent, issuedOn, dueOn, around);
  await refuseBilled(session, sentLines);

  const lines = sentLines.map((line, place) => toWhole(line, place, around));
  const projectIds = distinct(lines.map((line) => line.projectId ?? undefined));
  const poNumber = projectIds.length === 1 ? (projects.get(projectIds[0] ?? '')?.po_number ?? null) : null;
  const subtotal = lines.reduce((sum, line) => add(sum, line.amount), '0');
  const taxed = lines.reduce((sum, line) => (line.taxable ? add(sum, line.amount) : sum), '0');
  const taxRatio = bill.tax_id === null ? '0' : session.text(bill.tax_rate, 6);
  const totalTax = round(multiply(taxed, taxRatio), minorUnits(bill.currency));
  const total = add(subtotal, totalTax);
  const statusId = sentStatus === 'issued' && compare(total, '0') <= 0 ? 'paid' : sentStatus;
  const beforeToday = dueOn < today(bill.time_zone_id, new Date());
  const dueStatusId = statusId !== 'issued' ? 'none' : beforeToday ? 'overdue' : 'open';
  const { id, createdAt } = newRecord();
  const moment = session.moment(createdAt);
  const texts = {
    companyName: orNull(bill.company_name),
    companyStreetAddress: orNull(bill.company_street_address),
    billTo: bill.street_address === '' ? bill.client : `${bill.client}\n${bill.street_address}`,
    subject: sent.subject ?? orNull(bill.subject),
    notes: sent.notes ?? orNull(bill.notes),
    emailSubject: orNull(bill.email_subject),
    emailBody: orNull(bill.email_body),
    emailFromName: orNull(bill.from_name),
    emailReplyTo: orNull(bill.reply_to),
  };
  const money = (value: string): Cell => session.decimal(value, 4);
  const number = await insertNumbered(
    session,
    { number: sent.number, prefix: bill.prefix },
    {
      ...{
        id,
        status_id: statusId,
        company_name: texts.companyName,
        company_street_address: texts.companyStreetAddress,
      },
      ...{ bill_to: texts.billTo, subject: texts.subject, issued_on: issuedOn, due_on: dueOn, po_number: poNumber },
      ...{ notes: texts.notes, emails: bill.emails, cc_emails: '[]', email_subject: texts.emailSubject },
      ...{ email_body: texts.emailBody, email_from_name: texts.emailFromName, email_reply_to: texts.emailReplyTo },
      ...{ currency: bill.currency, subtotal: money(subtotal), total_discount: money('0') },
      ...{ tax_ratio: session.decimal(taxRatio, 6), total_tax: money(totalTax), total: money(total) },
      ...{ amount_paid: money('0'), amount_credited: money('0'), amount_due: money(total) },
      due_status_id: dueStatusId,
      ...{ created_at: moment, modified_at: moment, client_id: clientId, payment_term_id: bill.term_id },
      ...{ tax_rate_id: bill.tax_id, version: 0, guard: 0 },
    },
  );
  await insertLists(session, { id, moment, lines, projectIds });
  if (statusId !== 'draft') await keepInvoiced(session, sentLines);
  const amount = Number(total);
  return {
    ...{ id, number, statusId, companyName: texts.companyName, companyStreetAddress: texts.companyStreetAddress },
    ...{ billTo: texts.billTo, subject: texts.subject, issuedOn, dueOn, servicesThrough: null, poNumber },
    ...{
      notes: texts.notes,
      emails: JSON.parse(bill.emails) as string[],
      ccEmails: [],
      emailSubject: texts.emailSubject,
    },
    ...{
      emailBody: texts.emailBody,
      emailFromName: texts.emailFromName,
      emailReplyTo: texts.emailReplyTo,
      sentOn: null,
    },
    ...{ currency: bill.currency, subtotal: Number(subtotal), discountMethod: null, discountRatio: null },
    ...{
      discountAmount: null,
      totalDiscount: 0,
      taxRatio: Number(taxRatio),
      totalTax: Number(totalTax),
      total: amount,
    },
    ...{ amountPaid: 0, amountCredited: 0, amountDue: amount, dueStatusId, createdAt, modifiedAt: createdAt },
    client: shown(clientId, bill.client),
    projects: projectIds.map((projectId) => shown(projectId, projects.get(projectId)?.name ?? '')),
    paymentTerm:
      bill.term_id === null ? null : { ...shown(bill.term_id, bill.term), type: bill.term_type, days: bill.term_days },
    taxRate: bill.tax_id === null ? null : { ...shown(bill.tax_id, bill.tax), rate: Number(taxRatio) },
    lines: lines.map(({ item, projectId, sources, amount: lineAmount, ...plain }) => ({
      ...plain,
      amount: Number(lineAmount),
      project: projectId === null ? null : shown(projectId, projects.get(projectId)?.name ?? ''),
      invoiceItem: shown(item.id, item.name),
      projectPrepayment: null,
      sources,
    })),
    ...{ payments: [], creditNotes: [] },
  };
}

interface Lists {
  readonly id: string;
  readonly moment: string;
  readonly lines: readonly Whole[];
  readonly projectIds: readonly string[];
}

async function insertLists(session: Session, { id, moment, lines, projectIds }: Lists): Promise<void> {
  const links = projectIds.map((projectId, place) => [id, place, projectId, moment]);
  await insertRows(session, 'invoice_projects', ['owner_id', 'position', 'target_id', 'created_at'], links);
  const rows = lines.map((line, place) => [
    ...[id, place, line.id, line.lineNumber, line.kindId, line.description, session.decimal(line.quantity, 4)],
    ...[session.decimal(line.rate, 4), session.decimal(line.amount, 4), line.taxable ? 1 : 0, line.projectId],
    ...[line.item.id, moment],
  ]);
  await insertRows(session, 'invoice_lines', lineColumns, rows);
  const sources = lines.flatMap((line, item) =>
    line.sources.map((source, place) => [id, item, place, source.typeId, source.id, moment]),
  );
  await insertRows(session, 'invoice_lines_sources', sourceColumns, sources);
}

/** What an issued or paid invoice bills is invoiced. */
async function keepInvoiced(session: Session, lines: readonly Line[]): Promise<void> {
  const ids = sourcesOf(lines).map((source) => source.id);
  if (ids.length > 0) await session.run(`update project_service_item set invoiced = 1 where id ${among(ids)}`, ids);
}
