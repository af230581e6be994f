// How long processes are waited for: by the processor time that they take, so that none is ended because the machine is busy.
import { readdirSync, readFileSync } from 'node:fs';

/** Who has taken next to nothing for so long waits for what does not come: the clocks of a service that rests take some 1 ms a second. */
const idleMs = 60_000;
const leastMs = 300;
/** In `/proc`, processor time is counted in hundredths of a second. */
const tickMs = 10;

/** What this process has taken. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1000);
};

/** What a process, and the group of processes that it leads, has taken; undefined where the system does not tell. */
function spentMs(leader: number): number | undefined {
  let ids: readonly string[];
  try {
    ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return ids.reduce((sum, id) => sum + spentBy(id, leader), 0);
}

/** See proc_pid_stat(5): behind the name in brackets, the third is the group, and from the twelfth on stand four times. */
function spentBy(id: string, leader: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(id) !== leader && Number(words[2]) !== leader) return 0;
    return words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/**
 * Ends processes that have taken so much, or that hang. @param leader A process, alone or with the group that it leads.
 * @returns what is to be called when they have ended by themselves
 */
export function endAfter(limitMs: number, leader: number, end: () => void): () => void {
  const begun = Date.now();
  const first = spentMs(leader) ?? 0;
  let moved = { at: begun, spent: first };
  const timer = setInterval(() => {
    const now = Date.now();
    const spent = spentMs(leader) ?? first + now - begun;
    if (spent >= moved.spent + leastMs) moved = { at: now, spent };
    if (spent - first <= limitMs && now - moved.at <= idleMs) return;
    clearInterval(timer);
    end();
  }, 1000);
  return () => clearInterval(timer);
}
