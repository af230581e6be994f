// The least domain and the shortest history in which something still differs.
import type { Domain, RawDescriptor, RawField } from './shape.ts';
import type { Request } from './write.ts';

/** Whether something differs in a domain after a history. */
export type Differs = (domain: Domain, requests: readonly Request[]) => Promise<boolean>;

export interface Shrunk {
  readonly domain: Domain;
  readonly requests: readonly Request[];
}

export async function shrink(start: Shrunk, differs: Differs): Promise<Shrunk> {
  let best = { ...start, requests: await fewer(start.domain, start.requests, differs) };
  // What goes may leave others that nothing needs any more.
  for (let hasShrunk = true; hasShrunk; ) {
    hasShrunk = false;
    for (const candidate of smaller(best.domain)) {
      const domain = candidate(best.domain);
      if (domain === undefined || !(await differs(domain, fitting(domain, best.requests)))) continue;
      best = { domain, requests: fitting(domain, best.requests) };
      hasShrunk = true;
    }
  }
  return { ...best, requests: await fewer(best.domain, best.requests, differs) };
}

/** Leaves out ever smaller parts. */
async function fewer(domain: Domain, requests: readonly Request[], differs: Differs): Promise<readonly Request[]> {
  let best = requests;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = best.length - size; start > -size; start -= size) {
      const rest = [...best.slice(0, Math.max(0, start)), ...best.slice(Math.max(0, start) + size)];
      if (rest.length < best.length && (await differs(domain, rest))) best = rest;
    }
  }
  return best;
}

type Less = (domain: Domain) => Domain | undefined;

/** Each with one thing less: a group, a field, a list of its conditions, one of its effects. */
function smaller(domain: Domain): readonly Less[] {
  return Object.entries(domain)
    .reverse()
    .flatMap(([name, { properties, resource }]) => [
      (from: Domain): Domain => Object.fromEntries(Object.entries(from).filter(([each]) => each !== name)),
      ...(['effects', 'rules', 'indexes'] as const)
        .filter((word) => resource[word] !== undefined)
        .flatMap((word) => (resource[word] ?? []).map((one) => changing(name, (raw) => withoutPart(raw, word, one)))),
      ...Object.keys(properties)
        .reverse()
        .flatMap((field) => [
          changing(name, (raw) => withoutField(raw, field)),
          ...Object.keys(properties[field]?.items?.properties ?? {}).map((inner) =>
            changing(name, (raw) => withoutItemField(raw, field, inner)),
          ),
        ]),
    ]);
}

const changing =
  (name: string, change: (raw: RawDescriptor) => RawDescriptor): Less =>
  (domain) => {
    const raw = domain[name];
    return raw === undefined ? undefined : { ...domain, [name]: change(raw) };
  };

const withoutPart = (raw: RawDescriptor, word: 'effects' | 'rules' | 'indexes', part: unknown): RawDescriptor => ({
  ...raw,
  resource: {
    ...raw.resource,
    [word]: (raw.resource[word] ?? []).filter((one: unknown) => JSON.stringify(one) !== JSON.stringify(part)),
  },
});

function withoutField(raw: RawDescriptor, field: string): RawDescriptor {
  const properties = Object.fromEntries(Object.entries(raw.properties).filter(([name]) => name !== field));
  return { ...raw, properties, required: raw.required.filter((name) => name !== field) };
}

function withoutItemField(raw: RawDescriptor, list: string, field: string): RawDescriptor {
  const { items, ...rest } = raw.properties[list] ?? ({} as RawField);
  if (items === undefined) return raw;
  const inner = Object.fromEntries(Object.entries(items.properties).filter(([name]) => name !== field));
  const required = (items.required ?? []).filter((name) => name !== field);
  const fewerItems: RawField = { ...(rest as RawField), items: { ...items, properties: inner, required } };
  return { ...raw, properties: { ...raw.properties, [list]: fewerItems } };
}

/** The requests without what the domain no longer has. */
function fitting(domain: Domain, requests: readonly Request[]): readonly Request[] {
  return requests.flatMap((request) => {
    const raw = domain[request.group];
    if (raw === undefined) return [];
    return [request.body === undefined ? request : { ...request, body: known(raw.properties, request.body) }];
  });
}

function known(
  properties: RawDescriptor['properties'],
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const keys = new Map(
    Object.entries(properties).flatMap(([name, field]) =>
      [name, `${name}Id`, `${name.replace(/s$/, '')}Ids`].map((key) => [key, field]),
    ),
  );
  return Object.fromEntries(
    Object.entries(body)
      .filter(([key]) => keys.has(key))
      .map(([key, value]) => {
        const items = keys.get(key)?.items;
        if (items === undefined || !Array.isArray(value)) return [key, value];
        return [key, value.map((item) => known(items.properties, item as Readonly<Record<string, unknown>>))];
      }),
  );
}
