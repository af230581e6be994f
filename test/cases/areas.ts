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
import { financialsExpenses } from './financials-expenses.ts';
import { financialsHeld } from './financials-held.ts';
import { financialsItems } from './financials-items.ts';
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
};

export const unreachable: Unreachable = {};
