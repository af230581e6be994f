// What pages say that a write is refused with, held against the answers of the service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpointsOf } from '../../src/endpoints/routes/endpoint.ts';
import { createPages } from '../../src/pages/pages.ts';
import { ruleSignatures } from '../../src/rules/catalogue.ts';
import { type Context, type Json, startService } from '../support/service/praxis.ts';

let service: Context & { stop(): Promise<void> };
let pages: ReturnType<typeof createPages>;
beforeAll(async () => {
  service = await startService('product', 'sqlite::memory:');
  const { registry } = service;
  pages = createPages({ registry, endpoints: endpointsOf(registry), signatures: ruleSignatures });
});
afterAll(() => service.stop());

const plain = (html: string): string =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Texts of a page that are those of answers. */
async function textsOf(group: string, operation: string): Promise<readonly string[]> {
  const page = await pages.find(`/docs/groups/${group}/${operation}`)?.();
  const texts = [...(page?.body.toString() ?? '').matchAll(/<code class="answer">(.*?)<\/code>/g)];
  expect(texts.length).toBeGreaterThan(3);
  return texts.map(([, text = '']) => plain(text));
}

const errorsOf = (body: unknown): readonly string[] => (body as { readonly errors?: readonly string[] }).errors ?? [];

/** Wrong in many ways; each field of a body is sent each of them. */
const wrong: readonly unknown[] = [{}, true, 'x', [], null, 0.5, -1e16, 1e16, 1.00000001, 'x'.repeat(30_000), [{}, {}]];

/** So many fields at a time that an answer has room for all of their texts. */
const atOnce = 20;

test.each(['client', 'project', 'invoice', 'time-entry', 'member', 'expense-category', 'tax-rate'])(
  'a create of a %s is refused with texts that its page has',
  async (group) => {
    const known = new Set(await textsOf(group, 'create'));
    const { fields, path } = service.resource(group);
    const keys = fields.filter(({ onCreate }) => onCreate).map(({ key }) => key);
    const answered = new Set<string>();
    for (const value of wrong)
      for (let from = 0; from < keys.length; from += atOnce) {
        const body = Object.fromEntries(keys.slice(from, from + atOnce).map((key) => [key, value]));
        const { status, body: answer } = await service.call('POST', path, body as Json);
        expect(status).toBe(400);
        for (const text of errorsOf(answer)) answered.add(text.replaceAll(/\[\d+\]/g, '[0]'));
      }
    expect(answered.size).toBeGreaterThan(keys.length);
    const ofItems = (text: string): boolean => /^'\w+\[0\]' /.test(text);
    expect([...answered].filter((text) => !known.has(text) && !ofItems(text))).toEqual([]);
  },
);

test('an update is refused with the texts that its page has', async () => {
  const known = await textsOf('client', 'update');
  const { id } = await service.make('client');
  const { body } = await service.call('PATCH', `/clients/${id}`, { name: null, currency: 'EURO', code: {} });
  expect(errorsOf(body).length).toBe(3);
  expect(errorsOf(body).filter((text) => !known.includes(text))).toEqual([]);
});

test('rules refuse with the texts that their uses are said to have', async () => {
  const known = await textsOf('project', 'create');
  expect(known).toContain("'end' must be on or after start");
  const client = await service.make('client');
  const { body } = await service.call('POST', '/projects', {
    ...(await service.bodyOf('project')),
    clientId: client.id,
    start: '2026-02-01',
    end: '2026-01-01',
  });
  expect(errorsOf(body)).toContain("'end' must be on or after start");
});

test('messages of other statuses are those of answers', async () => {
  const known = await textsOf('job-title', 'create');
  await service.call('POST', '/job-titles', { name: 'Gardener' });
  const { status, body } = await service.call('POST', '/job-titles', { name: 'Gardener' });
  expect(status).toBe(409);
  expect(known).toContain((body as { readonly message: string }).message);
});
