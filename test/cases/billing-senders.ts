// Who sends invoices: the workspace, a business unit, and a client with words of its own.
import type { World } from './case.ts';

/** Settings of three senders, each with words of its own. */
const words = (of: string) => ({
  ...{ invoiceSubject: `Work of ${of}`, invoiceNotes: `Thanks of ${of}`, invoiceEmailSubject: `Bill of ${of}` },
  ...{ invoiceEmailBody: `Letter of ${of}` },
});
const sender = (of: string) => ({
  ...{ ...words(of), companyName: of, streetAddress: `${of} Street 1`, invoiceEmailFromName: `${of} Accounts` },
  ...{ invoiceEmailReplyTo: `${of.toLowerCase()}@example.com`, invoiceTaxableItems: [] },
});

/** The workspace bills in the name of House, with terms of 7 days and 7 % tax; a unit as Unit, 8 days, 8 %. */
export async function senders({ make, send }: World) {
  const [houseTerm, unitTerm, ownTerm] = [
    await make('payment-term', { type: 'net', days: 7 }),
    await make('payment-term', { type: 'net', days: 8 }),
    await make('payment-term', { type: 'net', days: 9 }),
  ];
  const [houseTax, unitTax] = [await make('tax-rate', { rate: 0.07 }), await make('tax-rate', { rate: 0.08 })];
  await send('PATCH', '/workspace-settings', {
    ...sender('House'),
    ...{ invoicePaymentTermId: houseTerm.id, invoiceTaxRateId: houseTax.id },
  });
  const unit = await make('business-unit', {
    ...sender('Unit'),
    ...{ invoicePaymentTermId: unitTerm.id, invoiceTaxRateId: unitTax.id },
  });
  return { unit, ownTerm };
}

/** Others have no tax and no words from the workspace. */
export const plain = {
  ...{ invoiceSubject: '', invoiceNotes: '', invoiceEmailSubject: '', invoiceEmailBody: '', invoiceEmailFromName: '' },
  ...{ invoiceEmailReplyTo: '', invoiceTaxableItems: [], invoiceTaxRateId: null, streetAddress: '' },
};

export const saysOf = (of: string) => ({
  ...{ companyName: of, companyStreetAddress: `${of} Street 1`, emailFromName: `${of} Accounts` },
  emailReplyTo: `${of.toLowerCase()}@example.com`,
});
export const wordsOf = (of: string) => ({
  ...{
    subject: `Work of ${of}`,
    notes: `Thanks of ${of}`,
    emailSubject: `Bill of ${of}`,
    emailBody: `Letter of ${of}`,
  },
});

/** A client with words of its own. */
export const ownClient = ({ make }: World, more: object) =>
  make('client', { invoiceDetailsSource: 'custom', ...words('Own'), ...more });
