// All areas of the specification.
import { billingCreditNotes } from './billing-credit-notes.ts';
import { billingCredits } from './billing-credits.ts';
import { billingInvoices } from './billing-invoices.ts';
import { billingLines } from './billing-lines.ts';
import { billingPayments } from './billing-payments.ts';
import { billingPrepayments } from './billing-prepayments.ts';
import { billingSources } from './billing-sources.ts';
import { billingStates } from './billing-states.ts';
import { billingTerms } from './billing-terms.ts';
import { billingTotals } from './billing-totals.ts';
import { exchangeRate } from './exchange-rate.ts';
import { financialsExpenses } from './financials-expenses.ts';
import { financialsHeld } from './financials-held.ts';
import { financialsItems } from './financials-items.ts';
import { financialsRateCards } from './financials-rate-cards.ts';
import { financialsRevenue } from './financials-revenue.ts';
import type { Areas, Unreachable } from './run.ts';
import { tasks } from './tasks.ts';

export const areas: Areas = {
  Tasks: tasks,
  'Payment terms and due dates': billingTerms,
  'What an invoice amounts to': billingTotals,
  'Senders and receivers of invoices': billingInvoices,
  'Lines of invoices': billingLines,
  'What invoices bill': billingSources,
  'Advances of clients': billingPrepayments,
  Payments: billingPayments,
  'Credit notes': billingCreditNotes,
  'Credits on invoices': billingCredits,
  'Numbers and states of invoices': billingStates,
  'Items that projects bill': financialsItems,
  'Costs of projects': financialsExpenses,
  'What is billed stays': financialsHeld,
  'Rate cards': financialsRateCards,
  'Advances and earned revenue': financialsRevenue,
  'Exchange rates of a day': exchangeRate,
};

const onlyRefuses = 'It gives no value and changes no record: it only refuses states to begin in, and cases see that.';
const byTheWrite = 'The write itself sets the time of a change, and cases see it; the rule only says where.';

export const unreachable: Unreachable = {
  'invoice rules[0] startsIn: no case in which it gives a value or changes a record': onlyRefuses,
  'credit-note rules[0] startsIn: no case in which it gives a value or changes a record': onlyRefuses,
  'invoice.modifiedAt modified: no case that it allows': byTheWrite,
  'credit-note.modifiedAt modified: no case that it allows': byTheWrite,
};
