// What callers were promised, group by group, in files of its own: not made from the descriptors, so that a slip in one of
// them shows. A change of the interface changes the line there, in the same commit.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { promiseOf } from '../support/data/promise.ts';
import { registryOf } from '../support/service/praxis.ts';

const registry = registryOf('product');
const endpoints = endpointsOf(registry);

/** `Clients & contacts` → `clients-contacts`. */
const fileOf = (area: string): string => area.toLowerCase().replaceAll(/[^a-z]+/g, '-');

interface Promised {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

const folder = join(import.meta.dirname, 'promises');
const promised: readonly Promised[] = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n\n')
    .map((text) => ({ name: text.slice(0, text.indexOf(':')), file: basename(file, '.txt'), text: `${text}\n` })),
);

test('there are the groups that were promised, and no others', () => {
  const names = promised.map(({ name }) => name);
  expect([...registry.resources.keys()].sort()).toEqual(names.sort());
});

describe.each(promised)('$name', (group) => {
  test('has the address, the operations, the filters and the fields that were promised', () => {
    const resource = registry.resources.get(group.name);
    if (resource === undefined) throw new Error(`there is no group ${group.name}`);
    const own = endpoints.filter((endpoint) => endpoint.resource === resource);
    expect(promiseOf(resource, own, registry)).toBe(group.text);
    expect(fileOf(resource.area)).toBe(group.file);
  });
});
