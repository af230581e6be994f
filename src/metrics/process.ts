// What Node tells of this process: delay of the event loop, processor time, memory.
import { Histogram } from './histogram.ts';

const everyMs = 20;

let delays: Histogram | undefined;

/** How late timers come. The watch begins with the first call, so that it costs nothing where nobody looks. */
export function loopDelays(): Histogram {
  delays ??= watchLoop();
  return delays;
}

/** Node's own watch forgets with each reset when the last timer came, and with that the delay that lasts. */
function watchLoop(): Histogram {
  const times = new Histogram();
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    times.note(Math.max(0, now - last - everyMs));
    last = now;
  }, everyMs);
  timer.unref();
  return times;
}

/** Time of the event loop and of the processor in milliseconds since the start, memory in bytes. */
export function processSight() {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return {
    loopBusyMs: performance.eventLoopUtilization().active,
    cpuMs: (user + system) / 1000,
    memory: { resident: rss, heap: heapTotal, heap_used: heapUsed, external },
  };
}
