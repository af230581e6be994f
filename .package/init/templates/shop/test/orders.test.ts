import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Service, startService } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('an order takes the price of the product, and computes its total', async () => {
  const productId = await service.create('/products', { name: `Cup ${Date.now()}`, price: 4.5, received: 10 });
  const orderId = await service.create('/orders', { customer: 'Ada', lines: [{ productId, quantity: 3 }] });
  await service.call('PATCH', `/products/${productId}`, { price: 5 });
  const { body } = await service.call('GET', `/orders/${orderId}`);
  assert.equal(body['total'], 13.5);
});

test('an order takes units out of the stock, until it is cancelled', async () => {
  const productId = await service.create('/products', { name: `Bowl ${Date.now()}`, price: 8, received: 3 });
  const stock = async () => (await service.call('GET', `/products/${productId}`)).body['stock'];
  const orderId = await service.create('/orders', { customer: 'Ada', lines: [{ productId, quantity: 2 }] });
  assert.equal(await stock(), 1);
  const refused = await service.call('POST', '/orders', { customer: 'Grace', lines: [{ productId, quantity: 2 }] });
  assert.deepEqual(refused.body['errors'], ["'lines[0].productId' must be a product with enough units in stock"]);
  await service.call('PATCH', `/orders/${orderId}`, { statusId: 'cancelled' });
  assert.equal(await stock(), 3);
});
