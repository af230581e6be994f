import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('a course counts its enrolments, and refuses more than it has places', async () => {
  const courseId = await service.create('/courses', { name: `Pottery ${Date.now()}`, places: 1 });
  await service.create('/enrolments', { person: 'Ada', courseId });
  const { body } = await service.call('GET', `/courses/${courseId}`);
  assert.deepEqual([body['taken'], body['isFull']], [1, true]);
  const refused = await service.call('POST', '/enrolments', { person: 'Grace', courseId });
  assert.deepEqual(refused.body['errors'], ["'courseId' must be a course with a place left; it has 1"]);
});
