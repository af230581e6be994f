// Values that are mostly there already: whoever waits for them pays for a promise only where there is something to wait for.

/** A value that is there, or on its way. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value at once where it is there. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Acts on one after the other; waits only where there is something to wait for. */
export function inTurn<T>(list: readonly T[], act: (one: T) => Soon<unknown>, first = 0): Soon<void> {
  for (let at = first; at < list.length; at += 1) {
    const done = act(list[at] as T); // there is one at each place
    if (done instanceof Promise) return done.then(() => inTurn(list, act, at + 1));
  }
}

/** All of these in their order. Costs a promise for each that is on its way, and one for all. */
export function soonAll<T>(values: readonly Soon<T>[]): Soon<readonly T[]> {
  const [first] = values;
  if (first instanceof Promise && values.length === 1) return first.then((value) => [value]);
  if (!values.some((value) => value instanceof Promise)) return values as readonly T[]; // none is on its way
  return new Promise((resolve, reject) => {
    const all: T[] = [];
    let left = 0;
    const put = (index: number, value: T): void => {
      all[index] = value;
      left -= 1;
      if (left === 0) resolve(all);
    };
    for (const [index, value] of values.entries())
      if (value instanceof Promise) {
        left += 1;
        value.then((one) => put(index, one), reject);
      } else all[index] = value;
  });
}
