import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('a project computes its progress from the states of its tasks', async () => {
  const projectId = await service.create('/projects', { name: `Move ${Date.now()}` });
  const progress = async () => (await service.call('GET', `/projects/${projectId}`)).body['progress'];
  assert.equal(await progress(), 0);
  const taskId = await service.create('/tasks', { title: 'Pack', projectId });
  await service.create('/tasks', { title: 'Drive', projectId });
  await service.call('PATCH', `/tasks/${taskId}`, { statusId: 'done' });
  assert.equal(await progress(), 0.5);
});

test('a task begins as open, and changes its state only as the transitions allow', async () => {
  const projectId = await service.create('/projects', { name: `Garden ${Date.now()}` });
  const refused = await service.call('POST', '/tasks', { title: 'Dig', projectId, statusId: 'done' });
  assert.equal(refused.status, 400);
  const taskId = await service.create('/tasks', { title: 'Dig', projectId });
  await service.call('PATCH', `/tasks/${taskId}`, { statusId: 'done' });
  const { body } = await service.call('PATCH', `/tasks/${taskId}`, { statusId: 'in_progress' });
  assert.deepEqual(body['errors'], ["'statusId' cannot change from 'done' to 'in_progress'"]);
});
