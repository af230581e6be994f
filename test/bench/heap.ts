// Loaded before a service that is watched: answers every message with the bytes that are in use, in its heap and outside.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

process.on('message', () => {
  // Twice: what the first run finalises, the second one frees.
  for (const _run of [1, 2]) if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ heapUsed, external });
});
// Or the service would not end.
process.channel?.unref();
