// Progress of long work: one line on standard error that is overwritten and removed at the end. If standard error is not a terminal,
// it shows nothing, or a new line now and then.

export interface Progress {
  /** Says how far it is. */
  readonly show: (text: string) => void;
  /** Takes the line away, so that something else can be printed, and counts the seconds anew. */
  readonly clear: () => void;
  /** Takes the line away for good. */
  readonly end: () => void;
}

/** What is done before anybody wonders shows nothing. */
const quietMs = 500;
/** Often enough to seem alive, and seldom enough to cost nothing. */
const betweenMs = 100;
const secondMs = 1000;
const eraseLine = '\r\u001b[K';

const silent: Progress = { show: () => undefined, clear: () => undefined, end: () => undefined };

/**
 * @param stream Where the line is shown, if it is a terminal.
 * @param lineMs Time between lines if it is not a terminal; undefined shows nothing.
 */
export function progressOn(stream: NodeJS.WriteStream, lineMs?: number): Progress {
  if (!stream.isTTY) return lineMs === undefined ? silent : linesOn(stream, lineMs);
  let text = '';
  let since = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const draw = (): void => {
    const now = performance.now();
    if (now - since < quietMs || now - drawnAt < betweenMs) return;
    drawnAt = now;
    isShown = true;
    const line = `${text}${text === '' ? '' : '  '}${Math.floor((now - since) / secondMs)} s`;
    // A line that is broken by the terminal could not be erased.
    stream.write(`${eraseLine}${line.slice(0, Math.max(1, stream.columns - 1))}`);
  };
  const erase = (): void => {
    if (isShown) stream.write(eraseLine);
    isShown = false;
  };
  // Work that says nothing for long goes on all the same.
  const ticking = setInterval(draw, secondMs);
  ticking.unref();
  return {
    show: (now) => {
      text = now;
      draw();
    },
    clear: () => {
      erase();
      text = '';
      since = performance.now();
    },
    end: () => {
      clearInterval(ticking);
      erase();
    },
  };
}

/** Progress for the log of a deployment: a line at most once in a time. */
function linesOn(stream: NodeJS.WriteStream, lineMs: number): Progress {
  let shownAt = performance.now();
  return {
    ...silent,
    show: (text) => {
      if (performance.now() - shownAt < lineMs) return;
      shownAt = performance.now();
      stream.write(`${text}\n`);
    },
    clear: () => {
      shownAt = performance.now();
    },
  };
}

const perMinute = 60;

/**
 * Returns `1,200 of 9,211 rows, 350 a second, 23 s left`, or minutes if they are two or more.
 * @param elapsedMs Time that the first `done` of them have taken.
 */
export function paceText(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(1, elapsedMs / secondMs);
  const seconds = (total - done) / Math.max(1, rate);
  const time = seconds < 2 * perMinute ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / perMinute)} min`;
  const count = (number: number): string => Math.round(number).toLocaleString('en');
  return `${count(done)} of ${count(total)} rows, ${count(rate)} a second, ${time} left`;
}

const barWidth = 30;

/** `███░░░  42 %`: a few characters need no package. @param done From 0 to 1. */
export function barOf(done: number): string {
  const part = Math.min(1, Math.max(0, done));
  const full = Math.round(part * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${`${Math.floor(part * 100)} %`.padStart(5)}`;
}
