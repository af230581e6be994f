// A call as code, for curl and for the generated client. Parts that the form changes are slots, which the page's script
// fills.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import { pascalCase } from '../../endpoints/routes/names.ts';
import { exampleId } from '../../endpoints/values/example-id.ts';
import { type Html, html } from '../site/html.ts';
import { base } from '../site/site.ts';

/** A body as JSON, and where ids in it are those of examples: the path of their group by the id. */
export interface ExampleBody {
  readonly words: string;
  readonly text: string;
}

/** Where a service listens that is started without more. */
const origin = 'http://127.0.0.1:3000';

const slot = (name: string, text = ''): Html => html`<span data-slot="${name}">${text}</span>`;

/** `invoice-lines` → `invoiceLines`, as the generated client calls a group. */
const propertyOf = ({ resource }: Endpoint): string => {
  const name = pascalCase(resource.path.slice(1));
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
};

/** Text between single quotes of a shell. */
const shellText = (text: string): string => text.replaceAll("'", "'\\''");

/** JSON as an object of TypeScript: names without quotes. */
const literalText = (json: string): string => json.replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

/** One command; lines end in a backslash but for the last. */
export function curlText({ method, path, hasBody, resource }: Endpoint, body: string): Html {
  const [before, after] = path.split('{id}');
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const id = after === undefined ? undefined : html`${slot('id', exampleId(resource.name))}${after}`;
  const sent = html` \\
  -H 'Content-Type: application/json' \\
  -d '${slot('body', shellText(body))}'`;
  return html`curl ${verb}'${slot('origin', origin)}${base}${before}${id}${slot('query')}' \\
  -H "Authorization: Bearer $TOKEN"${slot('headers')}${hasBody ? sent : undefined}`;
}

const results: Readonly<Record<Endpoint['operation'], string>> = {
  list: 'const page = ',
  get: 'const record = ',
  create: 'const record = ',
  update: 'const record = ',
  put: 'const record = ',
  delete: '',
};

/** The same with the client that `praxis types` writes. */
export function clientText(endpoint: Endpoint, body: string): Html {
  const { operation, hasId, hasBody, resource } = endpoint;
  const id = hasId ? html`'${slot('id', exampleId(resource.name))}'` : undefined;
  const key = operation === 'put' ? html`{${slot('query')} }` : undefined;
  const before = id ?? key;
  const sent = hasBody ? html`${before === undefined ? '' : ', '}${slot('body', literalText(body))}` : undefined;
  return html`import { createClient } from './client.ts';
const praxis = createClient({
  baseUrl: '${slot('origin', origin)}${base}',
  token: process.env.TOKEN,
});

${results[operation]}await praxis.${propertyOf(endpoint)}.${operation}(${before}${sent}${key === undefined ? slot('query') : undefined}${slot('options')});`;
}
