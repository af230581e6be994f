// The OpenAPI document as the generator reads it: all that it knows of a service.

export type Schema = Readonly<Record<string, unknown>>;
export type Json = Record<string, unknown>;

export const isNode = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

type Kind = 'list' | 'get' | 'create' | 'update' | 'delete' | 'batch' | 'explain' | 'other';

export interface Operation {
  /** `listClients` */
  readonly id: string;
  readonly kind: Kind;
  readonly method: string;
  /** Below the base, as `/clients/{id}`. */
  readonly path: string;
  readonly hasId: boolean;
  /** The group that its records are of, as `groupOf` has it. */
  readonly group: string;
  readonly inPath: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Names of the parameters that say together which record is meant: one of these sets. */
  readonly keys: readonly (readonly string[])[];
  readonly headers: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Bodies that the document shows. */
  readonly examples: readonly Json[];
}

/** A group's name in one form, whoever says it: `InvoiceItem`, `invoice-item` → `invoiceitem`. */
export const groupOf = (name: string): string => name.replaceAll('-', '').toLowerCase();

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export class Document {
  /** Where paths begin, as `/api`. */
  readonly base: string;
  readonly operations: readonly Operation[];
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
    const [server] = listOf(root['servers']);
    this.base = String(server?.['url'] ?? '').replace(/\/$/, '');
    this.operations = Object.entries(nodeOf(root['paths'])).flatMap(([path, item]) =>
      this.#operationsAt(path, nodeOf(item)),
    );
  }

  /** A schema itself, where a reference to one stands; what stands beside the reference is added. */
  resolve(schema: Schema): Schema {
    const { $ref: target, ...beside } = schema;
    if (typeof target !== 'string') return schema;
    const found = target
      .slice(2)
      .split('/')
      .reduce<unknown>((node, step) => nodeOf(node)[step], this.#root);
    return this.resolve({ ...nodeOf(found), ...beside });
  }

  /** The properties of an object's schema. */
  properties(schema: Schema): [string, Schema][] {
    return Object.entries(nodeOf(this.resolve(schema)['properties'])).map(([key, part]) => [
      key,
      this.resolve(nodeOf(part)),
    ]);
  }

  #operationsAt(path: string, item: Schema): Operation[] {
    const shown = methods.map((method) => nodeOf(item[method])).map((operation) => this.#shownBy(operation));
    return methods
      .filter((method) => isNode(item[method]))
      .map((method) => {
        const operation = nodeOf(item[method]);
        const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((each) =>
          this.resolve(each),
        );
        const at = (place: string): Parameter[] =>
          parameters
            .filter((each) => each['in'] === place)
            .map(({ name, schema }) => ({ name: String(name), schema: this.resolve(nodeOf(schema)) }));
        const content = nodeOf(nodeOf(this.resolve(nodeOf(operation['requestBody']))['content'])['application/json']);
        const { isList, name } = this.#shownBy(operation);
        return {
          id: String(operation['operationId']),
          kind:
            isList && !path.startsWith('/summary/')
              ? 'list'
              : this.#isBatch(content['schema'])
                ? 'batch'
                : kindOf(method, path),
          method: method.toUpperCase(),
          path,
          hasId: path.includes('{id}'),
          // A delete answers with something else than the record that it is about.
          group: groupOf(
            (method === 'delete' ? undefined : name) ?? shown.find((each) => each.name !== undefined)?.name ?? path,
          ),
          inPath: at('path'),
          query: at('query'),
          keys: setsOf(operation['x-unique-keys']),
          headers: at('header'),
          body: isNode(content['schema']) ? this.resolve(content['schema']) : undefined,
          examples: Object.values(nodeOf(content['examples'])).map((each) =>
            nodeOf(this.resolve(nodeOf(each))['value']),
          ),
        } satisfies Operation;
      });
  }

  /** A list of operations is what a batch is known by. */
  #isBatch(schema: unknown): boolean {
    return isNode(nodeOf(this.resolve(nodeOf(schema))['properties'])['operations']);
  }

  /** The schema of the records that an operation answers with, by its name. */
  #shownBy(operation: Schema): { readonly isList: boolean; readonly name: string | undefined } {
    const answer = this.resolve(nodeOf(nodeOf(operation['responses'])['200']));
    const schema = nodeOf(nodeOf(nodeOf(answer['content'])['application/json'])['schema']);
    const { results, hasMore } = nodeOf(this.resolve(schema)['properties']);
    const isList = isNode(results) && isNode(hasMore);
    const record = isList ? nodeOf(results['items']) : schema;
    const name = typeof record['$ref'] === 'string' ? record['$ref'].split('/').at(-1) : undefined;
    return { isList, name };
  }
}

function kindOf(method: string, path: string): Kind {
  if (method === 'get') return path.includes('{field}') ? 'explain' : 'get';
  if (method === 'post') return path.split('/').length === 2 ? 'create' : 'other';
  return method === 'patch' ? 'update' : method === 'delete' ? 'delete' : 'other';
}

const setsOf = (value: unknown): string[][] =>
  Array.isArray(value) ? value.map((set) => (Array.isArray(set) ? set.map(String) : [])) : [];

export const nodeOf = (value: unknown): Json => (isNode(value) ? value : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(nodeOf) : []);
