// A reference to what a caller does not see is one to what there is not: the same answer, whatever the record behind it would bring with
// it.
import { expect, test } from 'vitest';
import type { Field, Resource } from '../../src/registry/model/model.ts';
import { withRoles } from '../access/callers.ts';
import { part } from '../support/run/part.ts';
import type { Answer } from '../support/service/client.ts';
import { type Folder, isObject, type Json, registryOf } from '../support/service/praxis.ts';

const unknownId = (n: number): string => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`;

/** A body with other ids in the place of those of references, but for those to its own group; undefined where it has none. */
function elsewhere({ name, fields }: Resource, body: Json): Json | undefined {
  let count = 0;
  const next = (): string => {
    count += 1;
    return unknownId(count);
  };
  const ofField = (field: Field, value: unknown): unknown => {
    if ('target' in field && field.target === name) return value;
    if (field.kind === 'reference' || field.kind === 'choice') return typeof value === 'string' ? next() : value;
    if (!Array.isArray(value)) return value;
    if (field.kind === 'references') return value.map(next);
    return field.kind === 'objects' ? value.map((item) => (isObject(item) ? of(field.fields, item) : item)) : value;
  };
  const of = (among: readonly Field[], values: Json): Json =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const field = among.find((each) => each.key === key);
        return [key, field === undefined ? value : ofField(field, value)];
      }),
    );
  const other = of(fields, body);
  return count === 0 ? undefined : other;
}

const told = ({ status, text }: Answer): string => (status === 200 ? 'done' : text);

/** `npm test` asks for the engine's own groups, all other runs for those of the product, too. */
const domains: readonly Folder[] = part === 'quick' ? ['test'] : ['test', 'shop', 'product'];

for (const folder of domains) {
  const groups = [...registryOf(folder).resources.values()].filter(
    ({ computed, operations, fields }) =>
      computed === undefined &&
      operations.has('create') &&
      fields.some(({ kind }) => ['reference', 'references', 'choice', 'objects'].includes(kind)),
  );
  // Each writes records of one group, and sees that there are these: what is stored must not be told either.
  const roles = Object.fromEntries(
    groups.map(({ name }) => [
      name,
      {
        allow: [
          { on: [name], to: ['read'], fields: { show: ['id'] } },
          { on: [name], to: ['write'] },
        ],
      },
    ]),
  );
  withRoles(`references to what is hidden (${folder})`, { folder, roles }, (context) => {
    const trial = { headers: { Prefer: 'tx=rollback' } };
    /** Asks with a body, and with it leaving out one of its fields after the other. @returns how many were refused */
    async function compared(
      resource: Resource,
      [method, path]: readonly [string, string],
      body: Json,
    ): Promise<number> {
      const call = context.as(null, resource.name);
      const other = elsewhere(resource, body);
      let refused = 0;
      for (const left of other === undefined ? [] : [undefined, ...Object.keys(body)]) {
        const sent = (of: Json): Json => Object.fromEntries(Object.entries(of).filter(([key]) => key !== left));
        const hidden = told(await call(method, path, sent(body), trial));
        expect(hidden, `${method} ${path} without ${left}`).toBe(
          told(await call(method, path, sent(other ?? {}), trial)),
        );
        if (hidden.includes('does not refer to an existing')) refused += 1;
      }
      return refused;
    }

    test('are refused as those to what there is not, with all else that is wrong', async () => {
      let refused = 0;
      for (const resource of groups)
        for (const extent of ['all', 'required'] as const)
          refused += await compared(resource, ['POST', resource.path], await context.bodyOf(resource.name, {}, extent));
      expect(refused).toBeGreaterThan(groups.length);
    }, 600_000);

    test('are so where a record is changed', async () => {
      let refused = 0;
      for (const resource of groups.filter(({ operations }) => operations.has('update'))) {
        const { id } = await context.make(resource.name);
        const body = await context.bodyOf(resource.name, {}, 'all');
        refused += await compared(resource, ['PATCH', `${resource.path}/${id}`], body);
      }
      expect(refused).toBeGreaterThan(groups.length / 2);
    }, 600_000);
  });
}
