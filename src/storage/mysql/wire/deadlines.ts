// Deadlines of commands, watched by one timer: to start and to stop one for each command takes longer than the rest of its way.

/** A command under way. */
interface Watched {
  /** By `performance.now()`. */
  readonly expiresAt: number;
  expire(): void;
}

const underWay = new Set<Watched>();
/** The most by which a deadline is passed. */
const lookEveryMs = 20;
let timer: NodeJS.Timeout | undefined;

/** Lets a command expire after its deadline, unless it is forgotten before. */
export function watchDeadline(command: Watched): void {
  underWay.add(command);
  timer ??= setInterval(look, lookEveryMs);
}

/** To be called when a command is over. */
export function forgetDeadline(command: Watched): void {
  underWay.delete(command);
}

function look(): void {
  if (underWay.size === 0) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  const now = performance.now();
  // Where the loop was held up, the answer may be there already: sockets are looked at before the time is over.
  for (const command of underWay)
    if (now >= command.expiresAt) setImmediate(() => underWay.has(command) && command.expire());
}
