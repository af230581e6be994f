// Answers that are no success, in the words of the interface.

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly string[];
}

/** A write that is refused. Where several things are wrong and nothing says which is told first, any of them may be. */
export class Refused extends Error {
  readonly any: readonly Refusal[];

  constructor(any: readonly Refusal[]) {
    super(any.map(({ message, errors = [] }) => [message, ...errors].join(' ')).join(' or '));
    this.any = any;
  }
}

/** What the language leaves open: no history asks for it. */
export class Open extends Error {}

export const bodyInvalid = (errors: readonly string[]): Refusal => ({
  status: 400,
  message: 'There was a problem processing your request. See errors for more details.',
  errors,
});
export const readOnly = (title: string): Refusal => ({ status: 409, message: `The ${title} is read-only.` });
export const inUse = (title: string): Refusal => ({
  status: 409,
  message: `The ${title} is in use and cannot be deleted.`,
});
export const datesOverlap = (title: string): Refusal => ({
  status: 409,
  message: `${/^[AEIO]/.test(title) ? 'An' : 'A'} ${title} with overlapping dates already exists.`,
});
export const unknownRecord = (id: string): Refusal => ({ status: 404, message: `Object with id '${id}' not found.` });
