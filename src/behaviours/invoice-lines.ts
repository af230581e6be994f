// What the lines of an invoice are, where the body leaves it open: kind, tax, and what follows for the invoice.
import type { Field, Values } from '../registry/model.ts';
import { settingsOf } from './invoice-settings.ts';
import { isUnset, itemsOf, textsOf } from './record-values.ts';
import { keyArgument, keyOfName, type Moment, type Rule, textArgument, textOf } from './rule.ts';

/**
 * Derives for each line of `list` its number, its kind by the type of its invoice item and whether it is taxed, by the
 * settings of `client`; for the invoice `projects`, in order of first appearance, and on create `poNumber`, when the
 * lines name one project only.
 */
export const invoiceLines = {
  says: 'Each item of {list} gets its number, its kind from its invoice item, and whether it is taxed from the settings of {client}, its {unit} or the workspace. {projects} holds the projects of the lines; where they name one only, {poNumber} comes from it on create.',
  parameters: {
    list: { field: 'objects' },
    client: { field: 'reference' },
    unit: 'group',
    projects: { field: 'references' },
    poNumber: { field: 'text', filled: true },
  },
  needs: {
    list: {
      lineNumber: 'integer',
      kindId: { field: 'enum', filled: true },
      taxable: { field: 'boolean', filled: true },
      projectId: 'reference',
      invoiceItemId: 'reference',
    },
  },
  looksAt: (use, resource) => [keyArgument(resource, use, 'list')],
  on: ['create', 'update'],
  derive: async (moment) => {
    const { use, resource, operation, values, sent } = moment;
    const list = keyArgument(resource, use, 'list');
    const lines = itemsOf(values, list);
    values[list] = await withKinds(moment, list, lines);
    const projects = [...new Set(lines.flatMap((line) => textOf(line, 'projectId') ?? []))];
    values[keyOfName(resource, textArgument(use, 'projects'))] = projects;
    const poNumber = keyArgument(resource, use, 'poNumber');
    const [only] = projects;
    if (operation === 'create' && !sent.has(poNumber) && only !== undefined && projects.length === 1) {
      const project = await recordOf(moment, itemField(moment, list, 'projectId'), only);
      values[poNumber] = project?.poNumber ?? null;
    }
  },
} as const satisfies Rule;

async function withKinds(moment: Moment, list: string, lines: readonly Values[]): Promise<Values[]> {
  const needsSettings = lines.some((line) => isUnset(line.taxable));
  const taxable = needsSettings ? textsOf({ kinds: (await settingsOf(moment))('invoiceTaxableItems') }, 'kinds') : [];
  const made: Values[] = [];
  for (const [index, line] of lines.entries()) {
    const kindId = textOf(line, 'kindId') ?? ((await isExpense(moment, list, line)) ? 'expenses' : 'services');
    made.push({ ...line, lineNumber: index + 1, kindId, taxable: line.taxable ?? taxable.includes(kindId) });
  }
  return made;
}

/** Whether a line's invoice item is one for expenses. */
async function isExpense(moment: Moment, list: string, line: Values): Promise<boolean> {
  const id = textOf(line, 'invoiceItemId') ?? '';
  const item = await recordOf(moment, itemField(moment, list, 'invoiceItemId'), id);
  return item?.typeId === 'expense';
}

function itemField({ resource }: Moment, list: string, key: string): Field | undefined {
  const field = resource.byKey.get(list);
  return field?.kind === 'objects' ? field.fields.find((inside) => inside.key === key) : undefined;
}

const recordOf = async ({ records }: Moment, field: Field | undefined, id: string): Promise<Values | undefined> =>
  field?.kind === 'reference' ? records.find(field.target, id) : undefined;
