// The Server-Timing header (https://www.w3.org/TR/server-timing), for developers.
import type { HttpContext } from '../request/context.ts';

/**
 * Tells in milliseconds how long the request waited in line, how long its units of work on the database took, and how long
 * it took in all until its answer was made.
 */
export function setServerTiming(ctx: HttpContext): void {
  const { waitedMs, databaseMs, totalMs } = ctx.state.deadline.timings;
  const times = Object.entries({ wait: waitedMs, db: databaseMs, total: totalMs });
  const text = times.map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`).join(', ');
  if (!ctx.res.headersSent) ctx.res.setHeader('Server-Timing', text);
}
