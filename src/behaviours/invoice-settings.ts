// What is written on the invoices of a client, unless a body says otherwise (domain: invoice settings).
import type { Value } from '../registry/model.ts';
import { isRecord } from './record-values.ts';
import { keyArgument, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/** Settings that a client may have of its own; all others are those of its business unit or of the workspace. */
const ownSettings: ReadonlySet<string> = new Set([
  'invoicePaymentTermId',
  'invoiceSubject',
  'invoiceNotes',
  'invoiceEmailSubject',
  'invoiceEmailBody',
]);

/** Fills on create the fields that are not sent; `values` gives key → key of the setting. */
export const invoiceSettings = {
  says: 'On create, what is not sent comes from the settings of {client}, its {unit} or the workspace: {values:from}.',
  parameters: {
    client: { field: 'reference' },
    unit: 'group',
    values: { map: { field: 'any', filled: true }, to: { field: 'any', in: 'workspace', like: '@key' } },
  },
  needs: { client: { invoiceDetailsSource: 'enum', businessUnitId: { field: 'reference', to: 'unit' } } },
  on: ['create'],
  fill: async (moment) => {
    const { use, values, sent } = moment;
    const fields = use.arguments.values;
    if (!isRecord(fields)) return;
    const setting = await settingsOf(moment);
    for (const [key, name] of Object.entries(fields)) {
      if (sent.has(key)) continue;
      const value = setting(String(name));
      values[key] = value === '' ? null : value;
    }
  },
} as const satisfies Rule;

/**
 * The settings for the client that the use's argument `client` names; `unit` is the group of business units.
 * @returns a function from the key of a setting to its value, null where it is unset.
 */
export async function settingsOf({ use, resource, values, records }: Moment): Promise<(key: string) => Value> {
  const field = resource.byKey.get(keyArgument(resource, use, 'client'));
  const id = field && textOf(values, field.key);
  const client = field?.kind === 'reference' && id ? await records.find(field.target, id) : undefined;
  const source = client?.invoiceDetailsSource;
  const unitId = client && source !== 'workspace' ? textOf(client, 'businessUnitId') : null;
  const unit = unitId === null ? undefined : await records.find(textArgument(use, 'unit'), unitId);
  const sender = unit ?? (await records.workspace());
  const own = client !== undefined && source === 'custom' ? client : sender;
  return (key) => (ownSettings.has(key) ? own : sender)[key] ?? null;
}
