import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('the service starts, and refuses a group that it does not have', async () => {
  const { status } = await service.call('GET', '/contacts');
  assert.equal(status, 404);
});
