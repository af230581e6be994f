// What must hold of bills whatever is in them and whatever happens to them: totals against a computation of their own in
// whole numbers, payments and credits against a plain model, and chains of dated periods.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../src/values/date.ts';
import { verified } from '../support/databases/verify.ts';
import { type Answer, type Context, isObject, type Json, onEveryDatabase } from '../support/service/praxis.ts';

const shown = ({ body }: Answer): Json => (isObject(body) ? body : {});
const idOf = (answer: Answer): string => String(shown(answer)['id']);

// Amounts, quantities and rates in units of 0.0001, ratios of 0.000001: whole numbers all of them.
const scale = 4;
const numberOf = (units: bigint, decimals = scale): number => Number(units) / 10 ** decimals;

/** @param value A number as the service shows it. @returns how many units of `decimals` it is. */
function unitsOf(value: unknown, decimals = scale): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  expect(part.length, `${value} has at most ${decimals} decimals`).toBeLessThanOrEqual(decimals);
  return BigInt(sign + whole + part.padEnd(decimals, '0'));
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
/** A quotient as the nearest whole number, halves away from zero. */
function quotient(dividend: bigint, divisor: bigint): bigint {
  const size = (2n * abs(dividend) + abs(divisor)) / (2n * abs(divisor));
  return dividend < 0n === divisor < 0n ? size : -size;
}
/** Rounds to the smallest unit of a currency. @param fraction Units of 0.0001 as dividend and divisor. */
function inMinor(dividend: bigint, divisor: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(scale - digits);
  return quotient(dividend, divisor * unit) * unit;
}

const currencies = { JPY: 0, EUR: 2, KWD: 3, BHD: 3 } as const;
type Currency = keyof typeof currencies;

interface Line {
  readonly quantity: bigint | undefined;
  /** Of a unit where there is a quantity, else the amount. */
  readonly price: bigint;
  readonly taxable: boolean;
}
interface Bill {
  readonly currency: Currency;
  readonly lines: readonly Line[];
  /** In millionths. */
  readonly tax: bigint;
  readonly discount: { readonly method: 'percentage' | 'amount'; readonly share: bigint } | undefined;
}

const signed = (most: bigint) => fc.bigInt({ min: -most, max: most });
/** Halves and quarters are where rounding goes wrong. Six lines of the most, a thousand times each and taxed in full, still have 15 digits. */
const price = fc.oneof(
  signed(10n ** 9n),
  signed(400n).map((n) => n * 25n),
  signed(16_000_000n).map((n) => n * 5000n),
);
const ratio = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000_000n }),
  fc.constantFrom(0n, 50_000n, 125_000n, 333_333n, 1_000_000n),
);
const line = fc.record({
  quantity: fc.option(fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 7n }), fc.constantFrom(2500n, 5000n, 10_000n)), {
    nil: undefined,
  }),
  price,
  taxable: fc.boolean(),
});
const anyBill: fc.Arbitrary<Bill> = fc.record({
  currency: fc.constantFrom(...(Object.keys(currencies) as Currency[])),
  lines: fc.array(line, { maxLength: 6 }),
  tax: ratio,
  discount: fc.option(fc.record({ method: fc.constantFrom('percentage', 'amount'), share: ratio }), { nil: undefined }),
});

/** Sent amounts are whole in a currency without minor units. */
const bill: fc.Arbitrary<Bill> = anyBill.map((one) => ({
  ...one,
  lines: one.lines.map((each) =>
    each.quantity === undefined && currencies[one.currency] === 0
      ? { ...each, price: inMinor(each.price, 1n, 0) }
      : each,
  ),
}));

/** What a bill comes to, each figure from its own parts. */
function totalsOf({ currency, lines, tax, discount }: Bill) {
  const digits = currencies[currency];
  const amounts = lines.map(({ quantity, price: each }) =>
    quantity === undefined ? each : inMinor(quantity * each, 10n ** BigInt(scale), digits),
  );
  const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
  const subtotal = sum(amounts);
  const million = 10n ** 6n;
  const isLess = discount !== undefined && subtotal > 0n;
  // As an amount: a share of the subtotal, to the fourth decimal where the currency has decimals.
  const totalDiscount = !isLess
    ? 0n
    : discount.method === 'percentage' || digits === 0
      ? inMinor(subtotal * discount.share, million, digits)
      : (subtotal * discount.share) / million;
  const taxed = sum(amounts.filter((_amount, place) => lines[place]?.taxable));
  const share =
    discount?.method === 'percentage' && subtotal >= 0n
      ? { numerator: million - discount.share, denominator: million }
      : subtotal === 0n
        ? { numerator: 1n, denominator: 1n }
        : { numerator: subtotal - totalDiscount, denominator: subtotal };
  const totalTax = inMinor(taxed * tax * share.numerator, million * share.denominator, digits);
  return { amounts, subtotal, totalDiscount, totalTax, total: subtotal - totalDiscount + totalTax };
}

const lineBody = ({ quantity, price: each, taxable }: Line): Json => ({
  taxable,
  ...(quantity === undefined ? { amount: numberOf(each) } : { quantity: numberOf(quantity), rate: numberOf(each) }),
});
function discountBody({ discount }: Bill, { subtotal, totalDiscount }: ReturnType<typeof totalsOf>): Json {
  if (discount === undefined || (discount.method === 'amount' && subtotal < 0n)) return { discountMethod: null };
  return discount.method === 'percentage'
    ? { discountMethod: 'percentage', discountRatio: numberOf(discount.share, 6) }
    : { discountMethod: 'amount', discountAmount: numberOf(totalDiscount) };
}

function expectTotals(record: Json, wanted: ReturnType<typeof totalsOf>): void {
  const figures = {
    subtotal: 'subtotal',
    totalDiscount: 'totalDiscount',
    totalTax: 'totalTax',
    total: 'total',
  } as const;
  expect((record['lines'] as Json[]).map(({ amount }) => unitsOf(amount))).toEqual(wanted.amounts);
  for (const key of Object.values(figures))
    if (key in record) expect([key, unitsOf(record[key])]).toEqual([key, wanted[key]]);
  const due = record['amountDue'] ?? record['amountRemaining'];
  expect(unitsOf(due)).toBe(wanted.total);
}

onEveryDatabase(
  'what bills come to',
  (context) => {
    const rates = new Map<bigint, Promise<string>>();
    const rateOf = (tax: bigint): Promise<string> => {
      const made = rates.get(tax) ?? context.make('tax-rate', { rate: numberOf(tax, 6) }).then(({ id }) => id);
      rates.set(tax, made);
      return made;
    };
    const succeed = async (method: 'POST' | 'PATCH', path: string, body: Json): Promise<Json> => {
      const answer = await context.call(method, path, body);
      expect(answer.status, answer.text).toBe(200);
      return shown(answer);
    };

    test('every total is that of its parts, to the last unit, made and changed', async () => {
      const { id: clientId } = await context.make('client');
      await fc.assert(
        fc.asyncProperty(bill, bill, async (first, second) => {
          const bodyOf = async (one: Bill): Promise<Json> => ({
            currency: one.currency,
            taxRateId: await rateOf(one.tax),
            lines: one.lines.map(lineBody),
            ...discountBody(one, totalsOf(one)),
          });
          const made = await succeed('POST', '/invoices', { clientId, ...(await bodyOf(first)) });
          expectTotals(made, totalsOf(first));
          const changed = await succeed('PATCH', `/invoices/${made['id']}`, await bodyOf(second));
          expectTotals(changed, totalsOf(second));
        }),
        { numRuns: 60 },
      );
      expect(await verified(context, 'product')).toEqual([]);
    }, 60_000);

    test('a credit comes to the sum of its lines and their tax', async () => {
      const { id: clientId } = await context.make('client');
      await fc.assert(
        fc.asyncProperty(bill, async ({ currency, lines, tax }) => {
          const plain = lines.map((each) => ({ ...each, price: abs(each.price) }));
          const made = await succeed('POST', '/credit-notes', {
            ...{ clientId, currency, taxRateId: await rateOf(tax), lines: plain.map(lineBody) },
          });
          expectTotals(made, totalsOf({ currency, lines: plain, tax, discount: undefined }));
        }),
        { numRuns: 40 },
      );
      expect(await verified(context, 'product')).toEqual([]);
    }, 60_000);

    test('payments and credits settle invoices as a plain ledger has it', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const { id: clientId } = await context.make('client', { currency: 'EUR' });
          const ledger = new Ledger(context, clientId);
          for (const each of steps) await ledger.take(each);
          await ledger.expectShown();
        }),
        { numRuns: 15, endOnFailure: true },
      );
      expect(await verified(context, 'product')).toEqual([]);
    }, 120_000);

    for (const path of ['/cost-periods', '/availability-periods'])
      test(`periods of ${path} follow each other without gaps, whatever comes, moves and goes`, async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 20 }), async (moves) => {
            await playChain(context, path, moves);
          }),
          { numRuns: 8, endOnFailure: true },
        );
        expect(await verified(context, 'product')).toEqual([]);
      }, 120_000);
  },
  'product',
);

/** Places are taken modulo what there is. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['invoice', 'invoice', 'state', 'state', 'lines', 'remove'] as const),
    ...(['pay', 'pay', 'repay', 'unpay', 'credit', 'credit', 'recredit', 'creditState', 'uncredit'] as const),
  ),
  one: fc.nat(30),
  /** In cents. */
  amount: fc.oneof(fc.nat(12), fc.constantFrom(0, 5, 10)),
  parts: fc.uniqueArray(fc.record({ place: fc.nat(30), amount: fc.integer({ min: 1, max: 8 }) }), {
    maxLength: 3,
    selector: ({ place }) => place,
  }),
  stateId: fc.constantFrom('draft', 'issued', 'issued', 'void'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Parts = ReadonlyMap<Invoice, number>;
interface Invoice {
  readonly id: string;
  total: number;
  state: 'draft' | 'issued' | 'paid' | 'void' | 'gone';
}
interface Payment {
  readonly id: string;
  readonly amount: number;
  parts: Parts;
}
interface Credit {
  readonly id: string;
  readonly total: number;
  /** `applied` follows from the parts. */
  state: 'draft' | 'issued' | 'void';
  parts: Parts;
}

const sumOf = (parts: Parts): number => [...parts.values()].reduce((sum, amount) => sum + amount, 0);
const cents = (count: number): number => count / 100;

/** Invoices, payments and credits of a client, as somebody keeps them on paper; each step is told to the service as well. */
class Ledger {
  readonly #context: Context;
  readonly #clientId: string;
  readonly #invoices: Invoice[] = [];
  readonly #payments: Payment[] = [];
  readonly #credits: Credit[] = [];

  constructor(context: Context, clientId: string) {
    this.#context = context;
    this.#clientId = clientId;
  }

  #paid = (invoice: Invoice): number => this.#payments.reduce((sum, { parts }) => sum + (parts.get(invoice) ?? 0), 0);
  #credited = (invoice: Invoice): number =>
    this.#credits.reduce((sum, { parts }) => sum + (parts.get(invoice) ?? 0), 0);
  #due = (invoice: Invoice): number => invoice.total - this.#paid(invoice) - this.#credited(invoice);

  /** Invoices that are issued are paid as soon as nothing is due, and open again when something is. */
  #follow(): void {
    for (const invoice of this.#invoices)
      if (invoice.state === 'issued' || invoice.state === 'paid')
        invoice.state = this.#due(invoice) <= 0 ? 'paid' : 'issued';
  }

  /** Whether these parts may take the place of those of one payment or credit. */
  #mayTake(parts: Parts, most: number, instead: Parts = new Map()): boolean {
    return (
      sumOf(parts) <= most &&
      [...parts].every(
        ([invoice, amount]) =>
          (invoice.state === 'issued' || invoice.state === 'paid') &&
          this.#due(invoice) + (instead.get(invoice) ?? 0) >= amount,
      )
    );
  }

  #partsOf({ parts }: Step): Parts {
    const found = new Map<Invoice, number>();
    for (const { place, amount } of parts) {
      const invoice = at(this.#invoices, place);
      if (invoice !== undefined) found.set(invoice, amount);
    }
    return found;
  }

  async #told(status: number, ...request: Parameters<Context['call']>): Promise<Answer> {
    const answer = await this.#context.call(...request);
    expect(answer.status, `${request[0]} ${request[1]} ${JSON.stringify(request[2])} ${answer.text}`).toBe(status);
    return answer;
  }

  async take(each: Step): Promise<void> {
    const { what, one } = each;
    if (what === 'invoice') await this.#makeInvoice(each);
    else if (what === 'pay') await this.#pay(each);
    else if (what === 'credit') await this.#credit(each);
    else if (what === 'state' || what === 'lines' || what === 'remove') {
      const invoice = at(this.#invoices, one);
      if (invoice !== undefined && invoice.state !== 'gone') await this.#changeInvoice(invoice, each);
    } else if (what === 'repay' || what === 'unpay') {
      const payment = at(this.#payments, one);
      if (payment !== undefined) await this.#changePayment(payment, each);
    } else {
      const credit = at(this.#credits, one);
      if (credit !== undefined) await this.#changeCredit(credit, each);
    }
    this.#follow();
  }

  async #makeInvoice({ amount, one }: Step): Promise<void> {
    const statusId = one % 3 === 0 ? 'draft' : 'issued';
    const lines = [{ amount: cents(amount), taxable: false }];
    const body = { clientId: this.#clientId, statusId, taxRateId: null, lines };
    const id = idOf(await this.#told(200, 'POST', '/invoices', body));
    this.#invoices.push({ id, total: amount, state: statusId });
  }

  async #changeInvoice(invoice: Invoice, { what, amount, stateId }: Step): Promise<void> {
    const path = `/invoices/${invoice.id}`;
    if (what === 'remove') {
      const isDraft = invoice.state === 'draft';
      await this.#told(isDraft ? 204 : 409, 'DELETE', path);
      if (isDraft) invoice.state = 'gone';
      return;
    }
    if (what === 'lines') {
      const total = amount === invoice.total ? amount + 1 : amount;
      const isDraft = invoice.state === 'draft';
      const lines = [{ amount: cents(total), taxable: false }];
      await this.#told(isDraft ? 200 : 409, 'PATCH', path, { lines });
      if (isDraft) invoice.total = total;
      return;
    }
    const isFree = this.#paid(invoice) + this.#credited(invoice) === 0;
    const mayCome =
      stateId === invoice.state ||
      (invoice.state === 'draft' && stateId === 'issued') ||
      (invoice.state === 'issued' && stateId !== 'issued' && isFree);
    await this.#told(invoice.state === 'void' ? 409 : mayCome ? 200 : 400, 'PATCH', path, { statusId: stateId });
    if (invoice.state !== 'void' && mayCome) invoice.state = stateId;
  }

  async #pay(each: Step): Promise<void> {
    const parts = this.#partsOf(each);
    const amount = each.amount + 1;
    const isRight = this.#mayTake(parts, amount);
    const body = { clientId: this.#clientId, amount: cents(amount), invoices: bodyOf(parts) };
    const answer = await this.#told(isRight ? 200 : 400, 'POST', '/payments', body);
    if (isRight) this.#payments.push({ id: idOf(answer), amount, parts });
  }

  async #changePayment(payment: Payment, each: Step): Promise<void> {
    const path = `/payments/${payment.id}`;
    if (each.what === 'unpay') {
      await this.#told(204, 'DELETE', path);
      this.#payments.splice(this.#payments.indexOf(payment), 1);
      return;
    }
    const parts = this.#partsOf(each);
    const isRight = this.#mayTake(parts, payment.amount, payment.parts);
    await this.#told(isRight ? 200 : 400, 'PATCH', path, { invoices: bodyOf(parts) });
    if (isRight) payment.parts = parts;
  }

  async #credit(each: Step): Promise<void> {
    const parts = this.#partsOf(each);
    const total = each.amount + 1;
    const state = each.one % 4 === 0 ? 'draft' : 'issued';
    const isRight = this.#mayTake(parts, total) && (state === 'issued' || parts.size === 0);
    const lines = [{ amount: cents(total) }];
    const body = { clientId: this.#clientId, statusId: state, taxRateId: null, lines, invoices: bodyOf(parts) };
    const answer = await this.#told(isRight ? 200 : 400, 'POST', '/credit-notes', body);
    if (isRight) this.#credits.push({ id: idOf(answer), total, state, parts });
  }

  async #changeCredit(credit: Credit, each: Step): Promise<void> {
    const { what, stateId } = each;
    const path = `/credit-notes/${credit.id}`;
    if (what === 'uncredit') {
      const isDraft = credit.state === 'draft';
      await this.#told(isDraft ? 204 : 409, 'DELETE', path);
      if (isDraft) this.#credits.splice(this.#credits.indexOf(credit), 1);
      return;
    }
    if (credit.state === 'void') {
      await this.#told(409, 'PATCH', path, what === 'recredit' ? { invoices: [] } : { statusId: stateId });
      return;
    }
    if (what === 'recredit') {
      const parts = this.#partsOf(each);
      const isRight =
        this.#mayTake(parts, credit.total, credit.parts) && (credit.state === 'issued' || parts.size === 0);
      await this.#told(isRight ? 200 : 400, 'PATCH', path, { invoices: bodyOf(parts) });
      if (isRight) credit.parts = parts;
      return;
    }
    const isApplied = credit.state === 'issued' && sumOf(credit.parts) === credit.total;
    const mayCome =
      (stateId === credit.state && !isApplied) ||
      (credit.state === 'draft' && stateId === 'issued') ||
      (credit.state === 'issued' && stateId !== 'issued' && credit.parts.size === 0);
    await this.#told(mayCome ? 200 : 400, 'PATCH', path, { statusId: stateId });
    if (mayCome) credit.state = stateId;
  }

  /** Compares all that the service shows with what stands on paper. */
  async expectShown(): Promise<void> {
    for (const invoice of this.#invoices) {
      const answer = await this.#context.call('GET', `/invoices/${invoice.id}`);
      if (invoice.state === 'gone') {
        expect(answer.status).toBe(404);
        continue;
      }
      const [paid, credited] = [this.#paid(invoice), this.#credited(invoice)];
      const partsIn = (all: readonly (Payment | Credit)[]) =>
        all.flatMap(({ id, parts }) => (parts.has(invoice) ? [{ id, amount: cents(parts.get(invoice) ?? 0) }] : []));
      expect(shown(answer)).toMatchObject({
        ...{ statusId: invoice.state, total: cents(invoice.total) },
        ...{ amountPaid: cents(paid), amountCredited: cents(credited) },
        amountDue: invoice.state === 'void' ? 0 : cents(invoice.total - paid - credited),
        payments: partsIn(this.#payments),
        creditNotes: partsIn(this.#credits),
      });
    }
    for (const { id, total, state, parts } of this.#credits) {
      const remaining = state === 'void' ? 0 : total - sumOf(parts);
      const statusId = state === 'issued' && remaining === 0 ? 'applied' : state;
      expect(shown(await this.#context.call('GET', `/credit-notes/${id}`))).toMatchObject({
        ...{ statusId, total: cents(total), amountApplied: cents(sumOf(parts)), amountRemaining: cents(remaining) },
      });
    }
  }
}

const at = <T>(list: readonly T[], place: number): T | undefined => list[place % Math.max(1, list.length)];
const bodyOf = (parts: Parts): readonly Json[] => [...parts].map(([{ id }, amount]) => ({ id, amount: cents(amount) }));

const move = fc.record({
  what: fc.constantFrom('add', 'add', 'move', 'delete'),
  one: fc.nat(30),
  /** Few enough that some meet. */
  day: fc.integer({ min: 0, max: 24 }),
});

/** Adds, moves and deletes periods of a member, and compares the chain with the days at which one begins. */
async function playChain(
  { call, make, all }: Context,
  path: string,
  moves: readonly { readonly what: string; readonly one: number; readonly day: number }[],
): Promise<void> {
  const dayAt = (place: number): string => addDays('2024-02-18', place);
  const { id: memberId } = await make('member', { activeStartDate: dayAt(12) });
  const group = path === '/cost-periods' ? 'cost-period' : 'availability-period';
  const more = group === 'cost-period' ? {} : { hoursPerDay: [8, 8, 8, 8, 4, 0, 0] };
  const [first] = await all(group, `&memberId=${memberId}`);
  const starts = new Map([[first?.id ?? '', dayAt(12)]]);
  for (const { what, one, day } of moves) {
    const start = dayAt(day);
    const id = at([...starts.keys()], one) ?? '';
    const isTaken = [...starts].some(([other, taken]) => taken === start && (what === 'add' || other !== id));
    if (what === 'add') {
      const answer = await call('POST', path, { memberId, start, ...more });
      expect(answer.status, answer.text).toBe(isTaken ? 409 : 200);
      if (!isTaken) starts.set(idOf(answer), start);
    } else if (what === 'move') {
      const answer = await call('PATCH', `${path}/${id}`, { start });
      expect(answer.status, answer.text).toBe(isTaken ? 409 : 200);
      if (!isTaken) starts.set(id, start);
    } else {
      const answer = await call('DELETE', `${path}/${id}`);
      expect(answer.status, answer.text).toBe(starts.size === 1 ? 409 : 204);
      if (starts.size > 1) starts.delete(id);
    }
  }
  const chain = [...starts].toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  const found = (await all(group, `&memberId=${memberId}`)).map(({ id, start, end, isDefault }) => ({
    ...{ id, start, end, isDefault },
  }));
  expect(found.toSorted((a, b) => (String(a.start) < String(b.start) ? -1 : 1))).toEqual(
    chain.map(([id, start], place) => {
      const next = chain[place + 1]?.[1];
      return { id, start, end: next === undefined ? null : addDays(next, -1), isDefault: place === 0 };
    }),
  );
}
