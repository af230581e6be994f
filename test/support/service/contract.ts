// What the OpenAPI document promises, held against every request and answer of the tests: a status, a header, a body, a
// parameter that it does not tell of fails the test that met it.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { apiInfo, type DocumentInfo, openApiDocument } from '../../../src/endpoints/document/openapi.ts';
import { endpointsOf } from '../../../src/endpoints/routes/endpoint.ts';
import type { Registry } from '../../../src/registry/model/model.ts';
import { createAjv } from '../data/schemas.ts';

type Node = Readonly<Record<string, unknown>>;

/** One request and its answer. `path` is below the base, with the query. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sent: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Parsed; undefined where there is none. */
  readonly body: unknown;
}

interface Operation {
  readonly pointer: string;
  readonly pattern: RegExp;
  readonly method: string;
  readonly step: string;
}

/** Headers of HTTP itself, which no document need tell of. */
const ofHttp = new Set([
  ...['date', 'connection', 'keep-alive', 'content-type', 'content-length', 'server-timing'],
  ...[
    'cache-control',
    'x-content-type-options',
    'vary',
    'access-control-allow-origin',
    'access-control-expose-headers',
  ],
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const firstStep = (path: string): string => path.split('/', 2)[1] ?? '';
const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

export class Contract {
  readonly #document: Node;
  readonly #ajv: Ajv2020;
  /** By the first step of their paths. */
  readonly #operations: Readonly<Partial<Record<string, readonly Operation[]>>>;
  /** What has been looked up, by its pointer: requests ask for the same places again and again. */
  readonly #found = new Map<string, unknown>();
  readonly #validators = new Map<string, ValidateFunction>();

  /** @param info What of the service there is besides its groups. */
  constructor(registry: Registry, info: DocumentInfo = apiInfo) {
    const document = openApiDocument(registry, endpointsOf(registry), info);
    this.#document = JSON.parse(JSON.stringify(document));
    this.#ajv = createAjv().addSchema({ $id: 'praxis', ...this.#document });
    const operations = Object.entries(this.#at('#/paths')).flatMap(([path, item]) =>
      Object.keys(isNode(item) ? item : {})
        .filter((key) => key !== 'parameters')
        .map((method) => ({
          method: method.toUpperCase(),
          pointer: `#/paths/${escaped(path)}/${method}`,
          pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          step: firstStep(path),
        })),
    );
    this.#operations = Object.groupBy(operations, ({ step }) => step);
  }

  /** What of an exchange the document does not say, one text a fault. None for what is no operation of it. */
  faultsOf(exchange: Exchange): string[] {
    const [address = '', query = ''] = exchange.path.split('?');
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const operation = this.#operations[firstStep(address)]?.find(
      (each) => each.method === method && each.pattern.test(address),
    );
    if (operation === undefined) return exchange.status < 400 && method !== 'OPTIONS' ? ['is no operation'] : [];
    const { pointer } = operation;
    const answer = `${pointer}/responses/${exchange.status}`;
    if (this.#find(answer) === undefined) return [`has no status ${exchange.status}`];
    const isAccepted = exchange.status < 300;
    return [
      ...this.#answerFaults(this.#resolve(answer), exchange, isShaped(query)),
      ...(isAccepted ? this.#queryFaults(pointer, query) : []),
      ...(isAccepted ? this.#bodyFaults(`${pointer}/requestBody`, exchange.sent) : []),
    ];
  }

  #answerFaults(pointer: string, { method, headers, body }: Exchange, isOfParts: boolean): string[] {
    const declared = this.#find(`${pointer}/headers`);
    const names = Object.keys(isNode(declared) ? declared : {});
    const known = new Set(names.map((name) => name.toLowerCase()));
    const unknown = Object.keys(headers).filter((name) => !ofHttp.has(name) && !known.has(name));
    const headerFaults = names.flatMap((name) => {
      const header = this.#resolve(`${pointer}/headers/${name}`);
      if (headers[name.toLowerCase()] === undefined && this.#at(header)['required'] !== true) return [];
      return this.#schemaFaults(`${header}/schema`, headers[name.toLowerCase()], `header ${name}`);
    });
    const schema = `${pointer}/content/application~1json/schema`;
    const hasBody = this.#find(schema) !== undefined;
    return [
      ...unknown.map((name) => `header ${name} is not declared`),
      ...headerFaults,
      ...(hasBody && !isOfParts && method !== 'HEAD' ? this.#schemaFaults(schema, body, 'answer') : []),
      ...(!hasBody && body !== undefined ? ['answer has a body'] : []),
    ];
  }

  /** The service has accepted these parameters: the document must too. */
  #queryFaults(pointer: string, query: string): string[] {
    const parameters = this.#find(`${pointer}/parameters`);
    const places = (Array.isArray(parameters) ? parameters : []).map((_each, index) =>
      this.#resolve(`${pointer}/parameters/${index}`),
    );
    return [...new URLSearchParams(query)].flatMap(([name, text]) => {
      const place = places.find((each) => this.#at(each)['in'] === 'query' && this.#at(each)['name'] === name);
      if (place === undefined) return [`parameter ${name} is not declared`];
      const { type } = this.#at(this.#resolve(`${place}/schema`));
      return this.#schemaFaults(`${place}/schema`, parameterValue(text, type), `parameter ${name}`);
    });
  }

  #bodyFaults(pointer: string, sent: string | undefined): string[] {
    if (this.#find(pointer) === undefined) return [];
    if (sent === undefined) return ['body is required'];
    return this.#schemaFaults(`${pointer}/content/application~1json/schema`, JSON.parse(sent), 'body');
  }

  #schemaFaults(pointer: string, value: unknown, what: string): string[] {
    const validate = this.#validator(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${what} ${instancePath} ${message}`);
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    const found = this.#ajv.getSchema(`praxis${this.#resolve(pointer)}`);
    if (found === undefined) throw new Error(`there is no schema at ${pointer}`);
    const validate = found as ValidateFunction;
    this.#validators.set(pointer, validate);
    return validate;
  }

  /** Follows `$ref` where one stands alone. @returns the pointer at its end */
  #resolve(pointer: string): string {
    const node = this.#find(pointer);
    const target = isNode(node) ? node['$ref'] : undefined;
    return typeof target === 'string' ? this.#resolve(target) : pointer;
  }

  #at(pointer: string): Node {
    const node = this.#find(pointer);
    if (!isNode(node)) throw new Error(`nothing at ${pointer}`);
    return node;
  }

  #find(pointer: string): unknown {
    if (this.#found.has(pointer)) return this.#found.get(pointer);
    const steps = pointer.slice(2).split('/');
    const found = steps
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (node, step) => (isNode(node) && Object.hasOwn(node, step) ? node[step] : undefined),
        this.#document,
      );
    this.#found.set(pointer, found);
    return found;
  }
}

/** Whether the caller has said what is shown: the document tells of whole records. */
const isShaped = (query: string): boolean => /(?:^|&)(?:expand|fields)=/.test(query);

/** A parameter's text as the value that it stands for. */
function parameterValue(text: string, type: unknown): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'array') return text.split(',');
  return text;
}
