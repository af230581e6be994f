// Loaded before a service that is watched: answers every message with the bytes of its heap that are in use.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

process.on('message', () => {
  // Twice: what the first run finalises, the second one frees.
  for (const _run of [1, 2]) if (typeof collectGarbage === 'function') collectGarbage();
  process.send?.(process.memoryUsage().heapUsed);
});
// Or the service would not end.
process.channel?.unref();
