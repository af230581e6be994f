// Loaded before a service that is watched (`--import`): measures each turn of its event loop in processor time, so that other work
// on the machine does not count, and how fast the machine is meanwhile.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the service answers to a message. */
export interface Turns {
  /** Longest turn since the last answer, in ms of processor time. */
  readonly longestMs: number;
  /** Processor time of a fixed piece of work, in ms: the same unit on a slow or busy machine. */
  readonly referenceMs: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let longestMs = 0;
let before = process.threadCpuUsage();

const elapsedMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system - since.user - since.system) / 1000;
};

// A timer runs once a turn. Turns that end within a millisecond of the last one are counted with the next, which adds at most 1 ms.
function endTurn(): void {
  longestMs = Math.max(longestMs, elapsedMs(before));
  beginTurn();
}

function beginTurn(): void {
  before = process.threadCpuUsage();
  setTimeout(endTurn, 1).unref();
}

const reference = JSON.stringify(Array.from({ length: 5000 }, (_value, n) => ({ name: `record ${n}`, rate: n / 8 })));
/** So many rounds that the system's own measure, which is in steps of some ms, is good enough. */
const referenceRounds = 40;

function measureReference(): number {
  const since = process.threadCpuUsage();
  for (let round = 0; round < referenceRounds; round += 1) JSON.parse(reference);
  return elapsedMs(since);
}

beginTurn();
process.on('message', (message) => {
  if (message === 'collect') collectGarbage();
  const turns: Turns = { longestMs, referenceMs: measureReference() };
  process.send?.(turns);
  longestMs = 0;
  before = process.threadCpuUsage();
});
// Otherwise the service would not end.
process.channel?.unref();
