// Objects whose fields hold what they cannot hold: for each kind of field, JSON of every other kind and form.
import { meant } from './meant.ts';
import { bodyMessage, hostileTexts, type Row, unknownId } from './row.ts';

const noTexts = [
  '5',
  '-0',
  '1e999',
  'true',
  'false',
  '{}',
  '{"$ne":""}',
  '[]',
  '["x"]',
  '[[]]',
  '{"toString":1}',
  '{"length":1}',
  '{"toSqlString":1}',
];
const noBooleans = ['0', '1', '""', '"true"', '"yes"', '{}', '[]', '[true]', '1e999'];
const noWords = [
  '5',
  'true',
  '""',
  '" "',
  '"x"',
  '"OPEN"',
  '" open"',
  '["open"]',
  '{}',
  '"open,won"',
  '1e999',
  '"constructor"',
  '"__proto__"',
];
const noIds = [
  '5',
  'true',
  '""',
  '"x"',
  '{}',
  '[]',
  `["${unknownId}"]`,
  `{"id":"${unknownId}"}`,
  `"${unknownId} "`,
  `"{${unknownId}}"`,
  `"urn:uuid:${unknownId}"`,
  `"${unknownId.replaceAll('-', '')}"`,
  '1e999',
  '"1 or 1=1"',
];
const noDates = [
  ...[
    '5',
    '1700000000',
    'true',
    '{}',
    '[]',
    '""',
    '"x"',
    '"today"',
    '"2024-1-1"',
    '"2024-13-01"',
    '"2024-00-10"',
    '"2024-02-30"',
    '"2023-02-29"',
    '"1900-02-29"',
    '"2024-04-31"',
    '"0999-12-31"',
    '"0000-00-00"',
  ],
  ...[
    '"10000-01-01"',
    '"+2024-01-01"',
    '"-2024-01-01"',
    '"2024-01-01T00:00:00Z"',
    '"2024-01-01 "',
    '" 2024-01-01"',
    '"01/02/2024"',
    '"20240101"',
    '"2024-W01-1"',
    '"2024-001"',
    '"２０２４-01-01"',
    '1e999',
    '"2024-01-01\' or 1=1"',
  ],
];
const noNumbers = ['true', '""', '"5"', '"0.5"', '"x"', '{}', '[]', '[1]', '"1e5"', '"Infinity"'];
const noLists = ['5', 'true', '"x"', '""', '{}', '{"0":"x"}', '{"length":1}', '1e999'];
const noObjects = ['5', 'true', '"x"', '""', '1e999', '[]', '-1e999', '0.1e-99'];
const noCurrencies = [
  '5',
  'true',
  '{}',
  '[]',
  '""',
  '"usd"',
  '"US"',
  '"USDX"',
  '"EURO"',
  '"XXX"',
  '"€"',
  '" USD"',
  '"DEM"',
  '1e999',
];
const noEmails = [
  '5',
  'true',
  '{}',
  '[]',
  '"x"',
  '"a@"',
  '"@b"',
  '"a b@c.d"',
  '"a@b c"',
  '"a@b@c"',
  '"a@.b"',
  '"a@-b.c"',
  '"A <a@b.c>"',
  '"a@b.c,d@e.f"',
  '"a@b.c\\n"',
  '"ä@b.c"',
  '"a@b_c.d"',
  '1e999',
];
const noZones = [
  '5',
  'true',
  '{}',
  '[]',
  '"x"',
  '"+01:00"',
  '"-00:00"',
  '"UTC+1"',
  '"Europe/Nowhere"',
  '"Europe Paris"',
  '"../UTC"',
  '1e999',
];

const texts = (words: string, values: readonly string[]) => values.map((value) => [value, words] as const);
const kinds = {
  text: texts('must be a string', noTexts),
  boolean: texts('must be a boolean', noBooleans),
  id: texts('must be a UUID', noIds),
  date: texts('must be a date (YYYY-MM-DD)', noDates),
  number: texts('must be a number', noNumbers),
  list: texts('must be an array', noLists),
  object: texts('must be an object', noObjects),
  currency: texts('must be an ISO 4217 currency code', noCurrencies),
  email: texts('must be an e-mail address', noEmails),
  zone: texts('must be an IANA time zone', noZones),
  slug: texts('must be lower-case letters and digits joined by -', [
    ...noTexts,
    '"A"',
    '"a b"',
    '"a--b"',
    '"-a"',
    '"a-"',
    '"a_b"',
    '"a/b"',
    '"é"',
    '"a\\n"',
    '"１"',
  ]),
} as const;

/** All of them, as JSON, whatever they are wrong for. */
export const wrongTokens: readonly string[] = [
  ...new Set([...noWords, ...Object.values(kinds).flatMap((values) => values.map(([value]) => value))]),
];

const words = (list: string) => texts(`must be one of ${list}`, noWords);
type Values = readonly (readonly [value: string, words: string])[];

/** One wrong field in a body that is right otherwise. */
function wrong(method: string, path: string, rest: string, field: string, values: Values): Row[] {
  return values.map(([value, text]) => ({
    ...{ method, path, status: 400, message: bodyMessage, errors: [`'${field}' ${text}`] },
    body: `{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:${value}}`,
  }));
}

const kindsOfActivity =
  'amount_change, call, client_assignment, edit, email, expected_close_date_change, file, meeting, next_steps_change, note, open_date_change, other, owner_change, probability_change, project_assignment, revenue_change, stage_change';

const client = (field: string, values: Values) => wrong('PATCH', '/clients/{client}', '', field, values);
const contact = (field: string, values: Values) => wrong('POST', '/contacts', '"name":"x"', field, values);
const stage = (field: string, values: Values) =>
  wrong('POST', '/opportunity-stages', '"name":"x","opportunityPipelineId":"{pipeline}"', field, values);
const type = (field: string, values: Values) => wrong('PATCH', '/pipeline-activity-types/{type}', '', field, values);
const report = (field: string, values: Values) => wrong('PATCH', '/expense-reports/{report}', '', field, values);
const period = (field: string, values: Values) => wrong('PATCH', '/cost-periods/{period}', '', field, values);
const payment = (field: string, values: Values) => wrong('PATCH', '/payments/{payment}', '', field, values);
const settings = (field: string, values: Values) => wrong('PATCH', '/workspace-settings', '', field, values);
const project = (field: string, values: Values) => wrong('PATCH', '/projects/{project}', '', field, values);
const card = (field: string, values: Values) => wrong('PATCH', '/project-rate-cards/{card}', '', field, values);

const bounds = (...pairs: readonly (readonly [string, string])[]): Values =>
  pairs.map(([value, text]) => [value, `must be ${text}`]);
const money = bounds(
  ['-1', 'at least 0'],
  ['-0.0001', 'at least 0'],
  ['-1e999', 'at least 0'],
  ['0.00001', 'a number with at most 4 decimals'],
  ['1e-400', 'a number with at most 4 decimals'],
  ['100000000000000', 'a number with at most 15 digits'],
  ['123456789012.3456', 'a number with at most 15 digits'],
  ['1e400', 'a number with at most 15 digits'],
  ['1e999999999', 'a number with at most 15 digits'],
  [`1${'0'.repeat(100_000)}`, 'a number with at most 15 digits'],
);

const refused = (method: string, path: string, body: string, ...errors: readonly string[]): Row => ({
  method,
  path,
  body,
  status: 400,
  message: bodyMessage,
  errors,
});
const strange = [
  'toString',
  'constructor',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'then',
  'toJSON',
  '$where',
  'name.x',
  'name[0]',
  'NAME',
  ' name',
  '',
  'é',
  '0',
  'a/b',
  "'",
  '😀',
  'isActive\u200b',
];
const many = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join()}]`;

export const fieldRows: readonly Row[] = [
  ...wrong('POST', '/job-titles', '', 'name', kinds.text),
  ...wrong('POST', '/job-titles', '"name":"x"', 'isActive', kinds.boolean),
  ...['name', 'code', 'notes', 'streetAddress', 'invoiceSubject', 'invoiceNotes', 'invoiceEmailBody'].flatMap((field) =>
    client(field, kinds.text),
  ),
  ...client('key', kinds.slug),
  ...client('currency', kinds.currency),
  ...client('emails', kinds.list),
  ...client('tagIds', kinds.list),
  ...client('ownerId', kinds.id),
  ...client('invoicePaymentTermId', kinds.id),
  ...client('invoiceDetailsSource', words('workspace, custom, business_unit')),
  ...client('recordStatusId', words('active, archived')),
  ...contact('firstName', kinds.text),
  ...contact('email', kinds.email),
  ...contact('timeZoneId', kinds.zone),
  ...contact('practiceId', kinds.id),
  ...contact('tagIds', kinds.list),
  ...stage('description', kinds.text),
  ...stage('probability', kinds.number),
  ...stage(
    'probability',
    bounds(
      ['-0.1', 'from 0 to 1'],
      ['1.1', 'from 0 to 1'],
      ['1e999', 'from 0 to 1'],
      ['0.00005', 'a number with at most 4 decimals'],
      ['1e-999', 'a number with at most 4 decimals'],
    ),
  ),
  ...stage(
    'statusId',
    words('open, won, lost').filter(([value]) => value !== '"open"'),
  ),
  ...stage('isActive', kinds.boolean),
  ...type('name', kinds.text),
  ...type('typeId', words(kindsOfActivity)),
  ...type('isActive', kinds.boolean),
  ...report('title', kinds.text),
  ...report('date', kinds.date),
  ...period('start', kinds.date),
  ...period('costPerHour', kinds.number),
  ...period('costPerHour', money),
  ...period('currency', kinds.currency),
  ...period('costMethodId', words('hourly, fixed_hourly, fixed_monthly')),
  ...payment('receivedOn', kinds.date),
  ...payment('amount', kinds.number),
  ...payment('invoices', kinds.list),
  ...payment('paymentMethodId', kinds.id),
  ...payment('referenceNumber', kinds.text),
  ...settings('features', kinds.list),
  ...settings('hoursPerDay', kinds.list),
  ...settings('timeZoneId', kinds.zone),
  ...settings('invoiceEmailReplyTo', kinds.email),
  ...project('budget', kinds.object),
  ...project('start', kinds.date),
  ...card('memberRates', kinds.list),
  ...noObjects.map((item) =>
    refused('PATCH', '/project-rate-cards/{card}', `{"memberRates":[${item}]}`, "'memberRates[0]' must be an object"),
  ),
  ...noObjects.map((item) =>
    refused('PATCH', '/payments/{payment}', `{"invoices":[${item}]}`, "'invoices[0]' must be an object"),
  ),
  ...noObjects.map((item) =>
    refused('POST', '/invoices', `{"clientId":"{client}","lines":[${item}]}`, "'lines[0]' must be an object"),
  ),
  ...['null', ...noEmails].map((item) =>
    refused('PATCH', '/clients/{client}', `{"emails":[${item}]}`, "'emails[0]' must be an e-mail address"),
  ),
  ...['null', ...noIds].map((item) =>
    refused('PATCH', '/clients/{client}', `{"tagIds":[${item}]}`, "'tagIds[0]' must be a UUID"),
  ),
  // Clients have no `isActive`.
  ...strange.flatMap((name) => [
    refused('POST', '/job-titles', `{"name":"x",${JSON.stringify(name)}:1}`, `'${name}' is not allowed${meant(name)}`),
    refused(
      'PATCH',
      '/clients/{client}',
      `{${JSON.stringify(name)}:{"polluted":1}}`,
      `'${name}' is not allowed${name.startsWith('isActive') ? '' : meant(name)}`,
    ),
  ]),
  refused('PATCH', '/clients/{client}', '{"constructor":{"prototype":{"polluted":1}}}', "'constructor' is not allowed"),
  ...[
    'id',
    'isInternal',
    'createdAt',
    'modifiedAt',
    'useWorkspaceInvoiceDetails',
    'integrations',
    'owner',
    'tags',
    'businessUnit',
    'deletedAt',
    'workspaceId',
  ].map((field) =>
    refused('PATCH', '/clients/{client}', `{"${field}":null}`, `'${field}' is not allowed${meant(field)}`),
  ),
  ...['id', 'number', 'createdAt', 'memberId', 'member'].map((field) =>
    refused('PATCH', '/expense-reports/{report}', `{"${field}":5}`, `'${field}' is not allowed${meant(field)}`),
  ),
  ...['isDefault', 'end', 'totalCostPerHour', 'totalCostPerMonth', 'memberId', 'costPerMonth'].map((field) =>
    refused(
      'PATCH',
      '/cost-periods/{period}',
      `{"${field}":${field === 'costPerMonth' ? 1 : null}}`,
      `'${field}' is not allowed${meant(field)}`,
    ),
  ),
  refused('PATCH', '/clients/{client}', `{"emails":${many(51, '5')}}`, "'emails' must be at most 50 items"),
  refused('PATCH', '/clients/{client}', `{"tagIds":${many(1001, '5')}}`, "'tagIds' must be at most 1000 items"),
  refused('PATCH', '/clients/{client}', `{"tagIds":${many(240_000, '{}')}}`, "'tagIds' must be at most 1000 items"),
  refused(
    'PATCH',
    '/clients/{client}',
    `{"tagIds":[${Array.from({ length: 60 }, (_, index) => index).join()}]}`,
    ...Array.from({ length: 50 }, (_, index) => `'tagIds[${index}]' must be a UUID`),
  ),
  refused(
    'PATCH',
    '/project-rate-cards/{card}',
    `{"memberRates":${many(1001, '{}')}}`,
    "'memberRates' must be at most 1000 items",
  ),
  refused('PATCH', '/workspace-settings', `{"hoursPerDay":${many(8, '8')}}`, "'hoursPerDay' must be exactly 7 items"),
  refused(
    'POST',
    '/job-titles',
    `{${Array.from({ length: 900 }, (_, index) => `"k${index}":1`).join()}}`,
    "'name' is required",
    ...Array.from({ length: 49 }, (_, index) => `'k${index}' is not allowed`),
  ),
  ...hostileTexts
    .filter((text) => text.trim() !== '' && text.trim() !== 'true')
    .flatMap((text): Row[] => {
      const value = JSON.stringify(text);
      return [
        refused('PATCH', '/clients/{client}', `{"name":${value},"x":1}`, "'x' is not allowed"),
        refused('PATCH', '/clients/{client}', `{"ownerId":${value}}`, "'ownerId' must be a UUID"),
        refused(
          'PATCH',
          '/clients/{client}',
          `{"recordStatusId":${value}}`,
          "'recordStatusId' must be one of active, archived",
        ),
        refused('PATCH', '/expense-reports/{report}', `{"date":${value}}`, "'date' must be a date (YYYY-MM-DD)"),
        refused('PATCH', '/payments/{payment}', `{"amount":${value}}`, "'amount' must be a number"),
      ];
    })
    .filter(({ body = '' }) => !body.includes('"name":"xxxxx')),
];
