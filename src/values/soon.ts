// Values that are mostly there already: whoever waits for them pays for a promise only where there is something to wait for.

/** A value that is there, or on its way. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value at once where it is there. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);
