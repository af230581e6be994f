// Payments of a client, and what they leave due on the invoices that they name.
import { today } from '../../../src/values/date.ts';
import { add, compare, numberToText, subtract } from '../../../src/values/decimal.ts';
import {
  among,
  body,
  day,
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
import type { Cell, Session } from './store.ts';

interface Part {
  readonly id: string;
  readonly amount: number;
}
interface Sent {
  readonly clientId: string;
  readonly amount: number;
  readonly receivedOn?: string;
  readonly referenceNumber?: string;
  readonly notes?: string;
  readonly currency?: string;
  readonly paymentMethodId?: string;
  readonly invoices?: readonly Part[];
}
const amount = { ...money, minimum: 0.0001 } as const;
export const newPayment = body(['clientId', 'amount'], {
  clientId: id,
  amount,
  receivedOn: day,
  referenceNumber: line,
  notes: text,
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  paymentMethodId: id,
  invoices: { type: 'array', maxItems: 1000, items: body(['id', 'amount'], { id, amount }) },
});

interface Payer {
  readonly name: string;
  readonly currency: string;
  readonly is_internal: number;
  readonly record_status_id: string;
  readonly time_zone_id: string;
  readonly method_id: string | null;
  readonly method: string | null;
}
const look = `select c.name, c.currency, c.is_internal, c.record_status_id, pm.id as method_id, pm.name as method,
    (select time_zone_id from workspace_settings limit 1) as time_zone_id
  from client c left join payment_method pm on pm.id = ? where c.id = ?`;

interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly client_id: string;
  readonly currency: string;
  readonly status_id: string;
  readonly amount_paid: Cell;
  readonly amount_due: Cell;
}

const insert = inserting('payment', [
  ...['id', 'reference_number', 'received_on', 'notes', 'currency', 'amount', 'created_at', 'client_id'],
  ...['payment_method_id', 'version', 'guard'],
]);
// Behind those that the invoice has: nobody else has it meanwhile.
const showParts = `insert into invoice_payments (owner_id, position, id, received_on, amount, created_at)
  select i.id, coalesce((select max(position) + 1 from invoice_payments where owner_id = i.id), 0), p.owner_id, ?, p.amount, i.created_at
  from payment_invoices p join invoice i on i.id = p.id where p.owner_id = ?`;

/** @throws Refusal 400 for what does not fit */
export async function createPayment(session: Session, sent: Sent) {
  const { clientId, paymentMethodId = null, invoices: parts = [] } = sent;
  const [payer] = await session.all<Payer>(look + session.share, [paymentMethodId, clientId]);
  const invoices = await invoicesOf(session, parts);
  const wanting = [
    ...problems([
      [payer === undefined, "'clientId' does not refer to an existing Client"],
      missing('paymentMethodId', 'Payment Method', payer && paymentMethodId, payer?.method_id),
    ]),
    ...parts.flatMap((part, place) =>
      invoices.has(part.id) ? [] : [`'invoices[${place}].id' does not refer to an existing Invoice`],
    ),
  ];
  if (payer === undefined || wanting.length > 0) throw invalid(wanting);
  const { currency = payer.currency, referenceNumber = '', notes = '', amount } = sent;
  const receivedOn = sent.receivedOn ?? today(payer.time_zone_id, new Date());
  judge(session, { ...sent, currency }, payer, invoices);
  const { id, createdAt } = newRecord();
  const moment = session.moment(createdAt);
  await insert(session, {
    ...{ id, reference_number: referenceNumber, received_on: receivedOn, notes, currency },
    ...{ amount: session.decimal(amount, 4), created_at: moment, client_id: clientId },
    ...{ payment_method_id: paymentMethodId, version: 0, guard: 0 },
  });
  const rows = parts.map((part, place) => [id, place, part.id, session.decimal(part.amount, 4), moment]);
  await insertRows(session, 'payment_invoices', ['owner_id', 'position', 'id', 'amount', 'created_at'], rows);
  if (parts.length > 0) {
    await session.run(showParts, [receivedOn, id]);
    await settle(session, parts, invoices);
  }
  return {
    ...{ id, referenceNumber, receivedOn, notes, currency, amount, createdAt },
    client: shown(clientId, payer.name),
    paymentMethod: shown(payer.method_id, payer.method),
    invoices: parts.map((part) => ({ id: part.id, number: invoices.get(part.id)?.number, amount: part.amount })),
  };
}

/** Invoices by id, which are this transaction's alone. */
async function invoicesOf(session: Session, parts: readonly Part[]): Promise<Map<string, Invoice>> {
  if (parts.length === 0) return new Map();
  const ids = parts.map((part) => part.id);
  // By id, so that nobody waits for another who waits for them.
  const sql = `select id, number, client_id, currency, status_id, amount_paid, amount_due from invoice where id ${among(ids)} order by id`;
  return new Map((await session.all<Invoice>(sql + session.alone, ids)).map((invoice) => [invoice.id, invoice]));
}

function judge(session: Session, sent: Sent, payer: Payer, invoices: ReadonlyMap<string, Invoice>): void {
  const { clientId, currency, invoices: parts = [], amount } = sent;
  const sum = parts.reduce((so, part) => add(so, numberToText(part.amount)), '0');
  refuse([
    ...problems([
      [payer.is_internal === 1, "'clientId' must be a client other than the internal one"],
      [payer.record_status_id !== 'active', "'clientId' must be an active client"],
      [compare(sum, numberToText(amount)) > 0, `'invoices' must add up to at most ${amount}`],
    ]),
    ...parts.flatMap((part, place) => {
      const invoice = invoices.get(part.id);
      if (invoice === undefined) return [];
      const due = session.text(invoice.amount_due, 4);
      const isOpen = invoice.status_id === 'issued' || invoice.status_id === 'paid';
      return problems([
        [
          invoice.client_id !== clientId || invoice.currency !== currency,
          `'invoices[${place}].id' must be of the same client and currency`,
        ],
        [!isOpen, `'invoices[${place}].id' must be an issued or paid invoice`],
        [compare(numberToText(part.amount), due) > 0, `'invoices[${place}].amount' must be at most ${due}`],
      ]);
    }),
  ]);
}

/** Keeps what is paid and due; an invoice with nothing due is paid from then on. */
async function settle(session: Session, parts: readonly Part[], invoices: ReadonlyMap<string, Invoice>): Promise<void> {
  const now = session.moment(new Date().toISOString());
  for (const { id, amount } of parts) {
    const invoice = invoices.get(id);
    if (invoice === undefined) continue;
    const paid = session.decimal(add(session.text(invoice.amount_paid, 4), numberToText(amount)), 4);
    const due = subtract(session.text(invoice.amount_due, 4), numberToText(amount));
    const figures = [paid, session.decimal(due, 4)];
    if (invoice.status_id === 'issued' && compare(due, '0') <= 0)
      await session.run(
        "update invoice set amount_paid = ?, amount_due = ?, status_id = 'paid', due_status_id = 'none', modified_at = ?, version = version + 1 where id = ?",
        [...figures, now, id],
      );
    else await session.run('update invoice set amount_paid = ?, amount_due = ? where id = ?', [...figures, id]);
  }
}
