// What Node tells of its own process: how late the event loop is, and what it takes of processor and memory.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const nsASecond = 1e9;

let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
let utilization = performance.eventLoopUtilization();

/**
 * How much later than asked for the loop came to a timer, in seconds: half of the times, 99 of 100, and at most, and the
 * part of the time in which it was busy; both since the last call. The watch begins with the first, so that it costs nothing
 * where nobody looks.
 */
export function loopSight(): {
  readonly delays: Readonly<Record<'0.5' | '0.99' | '1', number>>;
  readonly busy: number;
} {
  delay ??= monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const late = (ns: number): number => Math.max(0, ns / nsASecond - resolutionMs / 1000);
  const delays = { 0.5: late(delay.percentile(50)), 0.99: late(delay.percentile(99)), 1: late(delay.max) };
  delay.reset();
  const before = utilization;
  utilization = performance.eventLoopUtilization();
  return { delays, busy: performance.eventLoopUtilization(utilization, before).utilization };
}

/** Time of the processor in seconds, memory in bytes. */
export function processSight(): { readonly cpuSeconds: number; readonly memory: Readonly<Record<string, number>> } {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    memory: { resident: rss, heap: heapTotal, heap_used: heapUsed, external },
  };
}
