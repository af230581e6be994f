// In which order missing values are filled in: a default after those that it looks at, and after the fields that apply only in
// some states of the record, where it looks at such a one.
import type { Field, Resource } from '../registry/model.ts';
import { isLocalCondition } from './shortcuts.ts';

export interface Filled {
  /** With a default of their own. */
  readonly fixed: readonly Field[];
  /** With values that come from elsewhere. */
  readonly sourced: readonly Field[];
  /** That apply only in some states of the record, and those whose defaults look at them. */
  readonly late: readonly Field[];
  /** That hang on other records. */
  readonly reaching: readonly Field[];
  /** With fields inside. */
  readonly composite: readonly Field[];
}

export function filledOf({ fields }: Resource): Filled {
  const plain = fields.filter(
    (field) =>
      field.onlyWhen === undefined &&
      field.derived === undefined &&
      (field.figure === undefined || field.figure.when !== undefined) &&
      field.from === undefined,
  );
  const sourced = inOrder(plain.filter((field) => field.defaultFrom.length > 0));
  const late = new Set(fields.filter((field) => field.onlyWhen !== undefined));
  for (const field of sourced) if (looksAtAny(field, late)) late.add(field);
  return {
    fixed: plain.filter((field) => field.default !== undefined),
    sourced: sourced.filter((field) => !late.has(field)),
    late: inOrder(fields.filter((field) => late.has(field))),
    reaching: fields.filter(({ onlyWhen }) => onlyWhen !== undefined && !isLocalCondition(onlyWhen)),
    composite: fields.filter(({ kind }) => kind === 'object' || kind === 'objects'),
  };
}

const looksAtAny = (field: Field, others: ReadonlySet<Field>): boolean =>
  defaultKeys(field).some((key) => [...others].some((other) => other.key === key));

/** Keys of the fields that the default of one looks at. */
const defaultKeys = ({ defaultFrom }: Field): readonly string[] =>
  defaultFrom.flatMap((source) => (source.kind === 'formula' ? source.figure.keys : []));

/** Each after those that its default looks at; whether it applies at all comes second, for that may go round. */
function inOrder(fields: readonly Field[]): readonly Field[] {
  const ordered: Field[] = [];
  const seen = new Set<Field>();
  const visit = (field: Field): void => {
    if (seen.has(field)) return;
    seen.add(field);
    for (const other of fields) {
      const isNeeded = defaultKeys(field).includes(other.key);
      const isAsked = field.onlyWhen?.keys.includes(other.key) === true && !needs(other, field, fields);
      if (isNeeded || isAsked) visit(other);
    }
    ordered.push(field);
  };
  for (const field of fields) visit(field);
  return ordered;
}

/** Whether the default of a field waits for another one, however many are between them. */
function needs(field: Field, other: Field, fields: readonly Field[]): boolean {
  const reached = new Set([field]);
  for (const each of reached) for (const next of fields) if (defaultKeys(each).includes(next.key)) reached.add(next);
  return reached.has(other);
}
