// Laws of addresses: methods, ids, HEAD, and the gates of features.

import { expect } from 'vitest';
import { hasPut } from '../../src/endpoints/routes/unique-keys.ts';
import type { Resource } from '../../src/registry/model/model.ts';
import { type Context, isObject } from '../support/service/praxis.ts';
import { get, type Law, offers, pathOf, someRecord, unknownId } from './law.ts';

/** Which methods an address answers. */
function methodsAt(resource: Resource, withId: boolean): string[] {
  const { operations, singleton } = resource;
  const at = singleton || withId;
  const offered = [
    ...(at ? (operations.has('get') ? ['GET', 'HEAD'] : []) : operations.has('list') ? ['GET', 'HEAD'] : []),
    ...(!at && operations.has('create') ? ['POST'] : []),
    ...(!at && hasPut(resource) ? ['PUT'] : []),
    ...(at && operations.has('update') ? ['PATCH'] : []),
    ...(at && !singleton && operations.has('delete') ? ['DELETE'] : []),
  ];
  return offered.length === 0 ? [] : [...offered, 'OPTIONS'];
}

async function setFeatures(context: Context, features: readonly string[]): Promise<void> {
  const { workspace } = context.registry;
  if (workspace === undefined) throw new Error('no workspace record');
  const answer = await context.call('PATCH', workspace.path, { features });
  expect(answer.status, answer.text).toBe(200);
}

async function featuresOf(context: Context): Promise<string[]> {
  const settings = (await context.call('GET', context.registry.workspace?.path ?? '')).body;
  const features = isObject(settings) ? settings['features'] : [];
  return Array.isArray(features) ? features.map(String) : [];
}

export const pathLaws: readonly Law[] = [
  {
    title: 'answers 405 to methods that it does not offer, and names those it does',
    appliesTo: () => true,
    check: async (context, resource) => {
      for (const withId of resource.singleton ? [false] : [false, true]) {
        const offered = methodsAt(resource, withId);
        const path = withId ? `${resource.path}/${unknownId}` : resource.path;
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'REPORT']) {
          if (offered.includes(method)) continue;
          const { status, body, headers } = await context.call(method, path);
          const message = offered.length === 0 ? 'No such path.' : 'Method not allowed.';
          expect(body, `${method} ${path}`).toEqual({ status: offered.length === 0 ? 404 : 405, message });
          if (status === 405) expect(headers.allow).toBe(offered.join(', '));
        }
        if (offered.length > 0) expect((await context.call('OPTIONS', path)).headers.allow).toBe(offered.join(', '));
      }
      const longer = resource.singleton ? `${resource.path}/${unknownId}` : `${resource.path}/${unknownId}/more`;
      for (const path of [longer, `${resource.path}/`, resource.path.toUpperCase(), `${resource.path}x`])
        expect((await context.call('GET', path)).body, path).toEqual({ status: 404, message: 'No such path.' });
    },
  },
  {
    title: 'answers HEAD as GET without the body',
    appliesTo: (resource) => offers('get')(resource),
    check: async (context, resource) => {
      const { id } = await someRecord(context, resource);
      const paths = [
        pathOf(resource, id),
        ...(resource.operations.has('list') ? [`${resource.path}?limit=2`] : []),
        `${pathOf(resource, id)}?x=1`,
      ];
      for (const path of paths) {
        const [one, other] = [await context.call('GET', path), await context.call('HEAD', path)];
        expect(other.status).toBe(one.status);
        expect(other.text).toBe('');
        expect(other.headers['content-length']).toBe(one.headers['content-length']);
        expect(other.headers['content-type']).toBe(one.headers['content-type']);
      }
    },
  },
  {
    title: 'takes ids in either case, and answers 400 to what is no id and 404 to ids of nothing',
    appliesTo: (resource) => !resource.singleton,
    check: async (context, resource) => {
      const { id } = resource.operations.has('list')
        ? await someRecord(context, resource, 'required')
        : { id: unknownId };
      if (resource.operations.has('get'))
        expect(await get(context, resource, id.toUpperCase())).toBe(await get(context, resource, id));
      for (const method of methodsAt(resource, true).filter((each) => each !== 'HEAD' && each !== 'OPTIONS')) {
        const body = method === 'PATCH' ? {} : undefined;
        for (const wrong of [
          'x',
          `${unknownId}0`,
          unknownId.slice(1),
          `urn:uuid:${unknownId}`,
          '%00',
          `${unknownId}%20`,
        ])
          expect((await context.call(method, `${resource.path}/${wrong}`, body)).body, `${method} ${wrong}`).toEqual({
            status: 400,
            message: "Parameter 'id' is not a valid UUID.",
          });
        for (const unknown of [unknownId, '01890A5D-AC96-774B-BCCE-B302099A8057'])
          expect(
            (await context.call(method, `${resource.path}/${unknown}`, body)).body,
            `${method} ${unknown}`,
          ).toEqual({ status: 404, message: `Object with id '${unknown}' not found.` });
        expect((await context.call(method, `${resource.path}/${id}?limit=1`, body)).body).toEqual({
          status: 400,
          message: "Parameter 'limit' is not allowed.",
        });
      }
    },
  },
  {
    title: 'answers 403 to every operation while its feature is off, and as before once it is on again',
    appliesTo: ({ feature }) => feature !== undefined,
    check: async (context, resource) => {
      const { feature } = resource;
      if (feature === undefined) return;
      const record = await someRecord(context, resource, 'required');
      const before = await get(context, resource, record.id);
      const features = await featuresOf(context);
      await setFeatures(
        context,
        features.filter((each) => each !== feature.switch),
      );
      try {
        const off = { status: 403, message: `Feature '${feature.name}' is not enabled.` };
        const of = async (method: string, path: string, body?: unknown): Promise<void> =>
          expect((await context.call(method, path, body)).body, `${method} ${path}`).toEqual(off);
        for (const method of methodsAt(resource, false).filter((each) => each !== 'HEAD' && each !== 'OPTIONS')) {
          await of(method, resource.path, method === 'GET' ? undefined : {});
          await of(method, `${resource.path}?nonsense=1`, method === 'GET' ? undefined : '[');
        }
        for (const id of resource.singleton ? [] : [record.id, unknownId, 'x']) {
          for (const method of methodsAt(resource, true).filter((each) => each !== 'HEAD' && each !== 'OPTIONS'))
            await of(method, `${resource.path}/${id}`, method === 'PATCH' ? {} : undefined);
        }
      } finally {
        await setFeatures(context, features);
      }
      expect(await get(context, resource, record.id)).toBe(before);
    },
  },
];
