// The calls of the guide on data are answered as it says.
import { expect, test } from 'vitest';
import { blocksIn } from '../support/guides.ts';
import { onEveryDatabase } from '../support/praxis.ts';
import { send } from '../support/send.ts';

/** Each command with what the guide says that it prints. */
const calls = blocksIn('data')
  .filter(({ kind }) => kind === 'sh')
  .map(({ text }) => {
    const path = /http:\/\/127\.0\.0\.1:3000\/api([^"]*)"/.exec(text)?.[1] ?? '';
    const method = /-X (\w+)/.exec(text)?.[1] ?? 'GET';
    const body = /-d '([^']*)'/.exec(text)?.[1];
    return { path, method, body, printed: /^# ([\w-]+): (.*)$/m.exec(text) };
  });

onEveryDatabase(
  'the guide on data',
  (context) => {
    test('shows calls that are answered', async () => {
      const client = await context.make('client', { key: 'rebuild', name: 'Rebuild' });
      await context.make('project', { clientId: client.id, name: 'Rebuild' });
      expect(calls).toHaveLength(4);
      for (const { path, method, body, printed } of calls) {
        const { status, headers, text } = await send(context, `${method} ${path}`, {
          ...(body !== undefined && { body }),
        });
        expect(status, `${path}: ${text}`).toBe(200);
        if (printed !== null) expect(headers.get(printed[1] ?? '')).toBe(printed[2]);
      }
      const { body } = await send(context, 'GET /projects?expand=client,client.owner');
      expect(body.results[0].client.key).toBe('rebuild');
    });
  },
  'product',
);
