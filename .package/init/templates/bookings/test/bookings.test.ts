import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('a room is booked once at a time', async () => {
  const roomId = await service.create('/rooms', { name: `Attic ${Date.now()}` });
  const booking = { title: 'Choir', roomId, date: '2026-03-02' };
  await service.create('/bookings', { ...booking, start: '09:00', end: '10:30' });
  const { body } = await service.call('POST', '/bookings', { ...booking, start: '10:00', end: '11:00' });
  assert.deepEqual(body['errors'], ["'roomId' must be a room that is free at that time"]);
  await service.create('/bookings', { ...booking, start: '10:30', end: '11:00' });
});

test('a booking ends after it starts, and fits into the room', async () => {
  const roomId = await service.create('/rooms', { name: `Cellar ${Date.now()}`, seats: 4 });
  const booking = { title: 'Chess', roomId, date: '2026-03-02', people: 5, start: '19:00', end: '18:00' };
  const { body } = await service.call('POST', '/bookings', booking);
  assert.deepEqual(body['errors'], ["'people' must be at most 4", "'end' must be after the start"]);
});
