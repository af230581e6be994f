// What the hand-written service takes and answers, as JSON Schema: Ajv checks by it, Fastify writes by it.

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const params = { type: 'object', properties: { id: { type: 'string', pattern: uuid } } } as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const named = { type: 'object', properties: { id: text, name: text } } as const;
const reference = { ...named, nullable: true } as const;
const integration = { type: 'object', properties: { type: text, connectionId: text, externalId: text } } as const;
export const clientSchema = {
  type: 'object',
  properties: {
    id: text,
    key: text,
    name: text,
    code: text,
    currency: text,
    notes: text,
    emails: { type: 'array', items: text },
    streetAddress: text,
    invoiceDetailsSource: text,
    invoiceSubject: text,
    invoiceNotes: text,
    invoiceEmailSubject: text,
    invoiceEmailBody: text,
    isInternal: flag,
    recordStatusId: text,
    createdAt: text,
    modifiedAt: text,
    owner: reference,
    practice: reference,
    industry: reference,
    location: reference,
    tags: { type: 'array', items: named },
    invoicePaymentTerm: reference,
    salesRepresentative: reference,
    useWorkspaceInvoiceDetails: flag,
    businessUnit: reference,
    integrations: { type: 'array', items: integration },
  },
} as const;
export const pageSchema = {
  type: 'object',
  properties: { results: { type: 'array', items: clientSchema }, hasMore: flag },
};

export const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'string', pattern: '^([1-9][0-9]?|100)$' },
    startingAfter: { type: 'string', pattern: uuid },
    expand: { const: 'industry,location' },
    fields: { const: 'name,code,currency' },
  },
} as const;
export const summaryQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['by', 'max'],
  properties: { by: { const: 'industry' }, max: { const: 'createdAt' } },
} as const;
export const changes = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string', maxLength: 255, pattern: '\\S' },
    code: { type: 'string', maxLength: 255 },
    notes: { type: 'string', maxLength: 5000 },
    streetAddress: { type: 'string', maxLength: 5000 },
  },
} as const;
export const jobTitleSchema = {
  type: 'object',
  properties: { id: text, name: text, isActive: flag, createdAt: text },
} as const;
export const newJobTitle = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 255, pattern: '\\S' }, isActive: flag },
} as const;
const short = { type: 'string', maxLength: 255, default: '' } as const;
const nullableText = { ...text, nullable: true } as const;
export const contactTexts = {
  firstName: { ...short, maxLength: 127 },
  lastName: { ...short, maxLength: 127 },
  email: { ...short, pattern: '^([^@\\s]+@[^@\\s]+)?$' },
  title: short,
  description: { ...short, maxLength: 5000 },
  officePhone: short,
  mobilePhone: short,
  fax: short,
  websiteUrl: short,
} as const;
export const newContact = { type: 'object', additionalProperties: false, properties: contactTexts } as const;
export const contactSchema = {
  type: 'object',
  properties: {
    id: text,
    firstName: text,
    lastName: text,
    name: text,
    ...Object.fromEntries(
      Object.keys(contactTexts)
        .slice(2)
        .map((key) => [key, text]),
    ),
    createdAt: text,
    createdBy: nullableText,
    ownerId: nullableText,
    practiceId: nullableText,
    businessUnitId: nullableText,
    timeZoneId: text,
    tags: { type: 'array', items: named },
    crmOneId: nullableText,
    crmTwoId: nullableText,
  },
} as const;
