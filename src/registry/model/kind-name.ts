// The names of the kinds of fields.

/** Formats of a fixed form: not free text, but one of a closed set of short words. */
export type Code = 'currency' | 'time';

export type Kind =
  | 'text'
  | 'enum'
  | 'uuid'
  | 'date'
  | 'dateTime'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'json'
  | 'list'
  | 'reference'
  | 'references'
  | 'choice'
  | 'object'
  | 'objects';
