// Refuses anything but plain values as parameters: an object, a Date or a boolean would become SQL, NULL or a named parameter in
// a driver.

/** @throws TypeError that names what is no value of a statement. */
export const refuseValue = (value: unknown, place: number): never => {
  const found = typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
  throw new TypeError(`value ${place + 1} of a statement is ${found}; expected text, a finite number, bytes or null`);
};
