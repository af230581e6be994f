// The compatibility policy: what each difference does to callers, generated types and stored data. One table, read at
// once.

/** Whom a difference can hurt; what `praxis check --against` refuses unless it is allowed. */
export const harms = ['data', 'readers', 'writers', 'filters'] as const;
export type Harm = (typeof harms)[number];

export interface Effect {
  /**
   * What stored records go through: nothing, a new column or table, a check of the rows, values in another form, values
   * that a formula gives, or their loss.
   */
  readonly data: 'none' | 'added' | 'checked' | 'rewritten' | 'computed' | 'destroyed';
  /** A program that reads records must change. */
  readonly readers: boolean;
  /** A body that was accepted may be refused, or mean something else. */
  readonly writers: boolean;
  /** Generated types: the same, a superset, or such that code written against them may not compile. */
  readonly types: 'same' | 'wider' | 'breaking';
  readonly filters: 'same' | 'added' | 'removed';
}

const none: Effect = { data: 'none', readers: false, writers: false, types: 'same', filters: 'same' };
const make = (effect: Partial<Effect>): Effect => Object.freeze({ ...none, ...effect });
const everyone = { readers: true, writers: true, types: 'breaking', filters: 'removed' } as const;
const writers = { writers: true } as const;

/** Codes keep their meaning for good: programs read them in `--json`. */
export const effects = {
  'group-added': make({ data: 'added', types: 'wider', filters: 'added' }),
  'group-removed': make({ data: 'destroyed', ...everyone }),
  'group-renamed': make({ data: 'rewritten', types: 'breaking' }),
  'path-changed': make({ readers: true, writers: true }),
  'operation-added': make({ types: 'wider' }),
  'reading-operation-removed': make({ readers: true, types: 'breaking' }),
  'writing-operation-removed': make({ writers: true, types: 'breaking' }),
  'gate-closed': make({ readers: true, writers: true }),
  'gate-opened': none,
  'key-added': make({ data: 'checked', ...writers }),
  'key-removed': none,
  'rule-added': make(writers),
  'rule-removed': none,
  'condition-added': make(writers),
  'condition-removed': none,
  'title-changed': none,
  'field-added': make({ data: 'added', types: 'wider' }),
  'shown-field-added': make({ types: 'wider' }),
  'required-field-added': make({ data: 'added', ...writers, types: 'breaking' }),
  'field-removed': make({ data: 'destroyed', readers: true, writers: true, types: 'breaking' }),
  'unstored-field-removed': make({ readers: true, writers: true, types: 'breaking' }),
  'field-renamed': make({ data: 'rewritten', readers: true, writers: true, types: 'breaking' }),
  'kind-converted': make({ data: 'rewritten', readers: true, writers: true, types: 'breaking' }),
  'kind-replaced': make({ data: 'destroyed', readers: true, writers: true, types: 'breaking' }),
  'body-name-changed': make({ ...writers, types: 'breaking' }),
  'shape-of-reference-changed': make({ readers: true, ...writers, types: 'breaking' }),
  'target-changed': make({ data: 'destroyed', readers: true, ...writers, types: 'breaking' }),
  'included-added': make({ types: 'wider' }),
  'included-removed': make({ readers: true, types: 'breaking' }),
  'value-added': make({ readers: true, types: 'breaking' }),
  'value-removed': make({ data: 'checked', ...writers, types: 'breaking' }),
  'value-renamed': make({ data: 'rewritten', readers: true, ...writers, types: 'breaking' }),
  'initial-state-refused': make({ ...writers, types: 'breaking' }),
  'initial-state-accepted': make({ types: 'wider' }),
  'bound-tightened': make({ data: 'checked', ...writers }),
  'bound-widened': none,
  'null-allowed': make({ readers: true, types: 'breaking' }),
  'null-refused': make({ data: 'checked', ...writers, types: 'breaking' }),
  'now-required': make({ ...writers, types: 'breaking' }),
  'no-longer-required': make({ types: 'wider' }),
  'create-refused': make({ ...writers, types: 'breaking' }),
  'create-accepted': make({ types: 'wider' }),
  'update-refused': make({ ...writers, types: 'breaking' }),
  'update-accepted': make({ types: 'wider' }),
  'hidden-now': make({ readers: true, types: 'breaking' }),
  'shown-now': make({ types: 'wider' }),
  'no-longer-stored': make({ data: 'destroyed' }),
  'now-stored': make({ data: 'added' }),
  'default-changed': make(writers),
  'source-of-value-changed': make({ ...writers }),
  // What a formula gives is read where something else was.
  'figure-added': make({ data: 'computed', readers: true }),
  'figure-changed': make({ data: 'computed', readers: true }),
  'figure-removed': make({ readers: true }),
  'formula-changed': make({ data: 'computed', readers: true, ...writers }),
  'states-changed': make({ data: 'computed', readers: true, ...writers }),
  // The same body does more, or less, to other records.
  'effect-added': make(writers),
  'effect-removed': make(writers),
  'currency-told': none,
  'currency-changed': make({ readers: true, ...writers }),
  'transitions-changed': make(writers),
  'delete-rule-changed': make(writers),
  'filter-added': make({ filters: 'added', data: 'added' }),
  'filter-removed': make({ filters: 'removed', types: 'breaking' }),
  'deprecated-now': none,
  'deprecated-no-more': none,
} as const satisfies Record<string, Effect>;

export type ChangeCode = keyof typeof effects;

/** What must be allowed for a difference to pass. */
export function harmsOf(code: ChangeCode): Harm[] {
  const { data, readers, writers: hurtsWriters, filters } = effects[code];
  return harms.filter(
    (harm) =>
      ({
        data: data === 'destroyed',
        readers,
        writers: hurtsWriters,
        filters: filters === 'removed',
      })[harm],
  );
}
