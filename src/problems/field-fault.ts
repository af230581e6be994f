// A fault of one field of a body: its text for people, and its code and place for programs.
import type { FieldCode, ProblemCode } from './codes.ts';

export interface FieldFault {
  readonly text: string;
  /** A refused operation of a batch has the code of its problem. */
  readonly code: FieldCode | ProblemCode;
  /** JSON pointer (RFC 6901) into the body; undefined if the fault is not of a field of the body. */
  readonly pointer: string | undefined;
  /** Pointer into the operation of a batch, if the fault is outside its body. */
  readonly pointerInOperation?: string;
}

/** Returns the fault of a field. @param place The field as the caller writes it: `lines[0].amount`. */
export const fieldFault = (place: string, words: string, code: FieldCode): FieldFault => ({
  text: `'${place}' ${words}`,
  code,
  pointer: pointerTo(place),
});

/** Returns the fault of a field that does not exist. @param meant `; did you mean 'name'?`, or nothing. */
export const unknownField = (name: string, meant = ''): FieldFault => ({
  text: `'${name}' is not allowed${meant}`,
  code: 'unknown-field',
  pointer: pointerStep(name),
});

/** Returns `/lines/0/amount` for `lines[0].amount`. The names of the path must not have a dot or a bracket. */
export const pointerTo = (place: string): string =>
  place
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map(pointerStep)
    .join('');

/** Returns one step of a pointer, escaped. */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the same faults without pointers: those of a record that the body does not hold. */
export const withoutPointers = (faults: readonly FieldFault[]): readonly FieldFault[] =>
  faults.map(({ text, code }) => ({ text, code, pointer: undefined }));
