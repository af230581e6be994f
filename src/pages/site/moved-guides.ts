// Guides and headings that have been renamed. Published addresses keep working: an old page redirects, and an old anchor leads to
// its heading. A browser keeps the fragment of an address if the redirect has none (RFC 9110, 10.2.2).

/** New names of guides, by their old names. */
export const movedGuides: Readonly<Record<string, string>> = {
  figures: 'computed-fields',
};

/** New anchors by their old anchors, by the current name of the guide. */
export const movedAnchors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  access: {
    begin: 'get-started',
    'what-a-caller-sees': 'what-a-caller-can-read',
    why: 'explain-a-decision',
    'what-is-not-hidden': 'what-roles-do-not-hide',
  },
  'computed-fields': {
    'formulas-with-names': 'named-formulas',
    'figures-over-other-records': 'aggregates-over-other-records',
    'how-they-are-kept-up-to-date': 'how-values-stay-up-to-date',
    'figures-along-a-line-of-records': 'hierarchies',
    'figures-of-the-day': 'values-that-depend-on-today',
    'when-a-figure-is-taken': 'when-a-value-is-computed',
    'at-read': 'computed-on-read',
    'figures-with-a-condition': 'conditional-computed-fields',
    'defaults-by-a-formula': 'default-values-from-a-formula',
    lists: 'computed-lists',
    'where-does-a-number-come-from-and-is-it-right': 'explain-and-verify-values',
  },
  conditions: {
    'what-they-see': 'what-a-condition-reads',
    'what-they-answer': 'messages-and-problems',
    'when-they-are-asked': 'when-conditions-are-checked',
    'writes-at-the-same-moment': 'concurrent-writes',
  },
  console: {
    'a-group-is-a-grid': 'the-grid-of-a-group',
    writing: 'forms',
    'around-them': 'home-and-search',
  },
  contributing: {
    'the-map': 'all-folders',
    'the-rooms-of-the-tests': 'test-folders',
  },
  data: {
    'records-behind-references': 'expand-references',
    'some-fields-alone': 'select-fields',
    'how-many-there-are': 'count-records',
    'short-answers': 'minimal-responses',
  },
  'data-recipes': {
    'what-is-still-to-be-paid-by-currency': 'open-amounts-by-currency',
    'a-page-with-all-that-it-shows-in-one-request': 'a-page-with-all-its-data-in-one-request',
    'keep-in-step-with-another-system': 'sync-with-another-system',
  },
  databases: {
    'through-a-proxy': 'pipelining-and-proxies',
  },
  descriptors: {
    'a-figure-and-a-condition': 'a-computed-field-and-a-condition',
    'records-to-begin-with': 'seed-records',
    'what-costs-more-when-records-are-very-many': 'costs-that-grow-with-the-number-of-records',
    'from-tables-that-you-have': 'descriptors-from-existing-tables',
  },
  effects: {
    'states-that-follow': 'computed-states',
    'effects-of-a-day-schedules': 'scheduled-effects',
    'logs-of-changes': 'audit-trails',
  },
  errors: {
    'what-a-body-may-hold': 'json-restrictions',
    'details-of-some-errors': 'misspelt-names',
    'codes-of-fields': 'field-codes',
  },
  files: {
    'a-field-that-holds-a-file': 'declare-a-file-field',
    'where-they-are-kept': 'storage',
  },
  history: {
    'switch-it-on': 'enable-the-log',
    'who-may-see-it': 'who-may-read-the-log',
    'what-it-costs': 'cost',
  },
  keywords: {
    'praxiss-own': 'praxis-keywords',
  },
  metrics: {
    'is-all-well': 'diagnose-a-service',
  },
  migrations: {
    figures: 'computed-fields',
    'the-files': 'migration-files',
    'while-it-runs': 'while-a-migration-runs',
    'what-a-start-does': 'startup-checks',
    'in-your-ci': 'checks-in-ci',
    'who-notices-a-change': 'breaking-changes',
  },
  performance: {
    'beside-a-service-written-by-hand': 'comparison-with-a-hand-written-service',
  },
  project: {
    'make-one': 'create-a-project',
  },
  recipes: {
    'limit-how-many-there-are': 'limit-the-number-of-records',
    'delete-softly': 'soft-delete',
  },
  rules: {
    'use-one': 'use-a-rule',
    'write-one': 'write-a-rule',
  },
  run: {
    'durability-what-is-on-disk': 'durability',
    'overload-too-many-callers': 'overload',
    'no-database': 'database-unavailable',
    'no-writes': 'database-full-read-only-or-replaced',
  },
  'safe-writes': {
    'nobody-overwrites-what-they-have-not-seen': 'optimistic-locking',
    'nothing-is-done-twice': 'idempotency-keys',
    'try-without-doing': 'dry-runs',
    'several-as-one': 'batches',
  },
  'sign-in': {
    'who-signs-in': 'members-who-can-sign-in',
    'by-password': 'passwords',
    guessing: 'limits-on-failed-attempts',
    'when-it-does-not-work': 'troubleshooting',
  },
  tokens: {
    'make-list-and-revoke': 'create-list-and-revoke',
    'who-acts': 'acting-members',
  },
  tutorial: {
    '1-a-place-to-begin': '1-set-up-a-folder',
    'where-to-go-on': 'next-steps',
  },
  webhooks: {
    'make-one': 'create-a-webhook',
    'what-is-sent': 'messages-and-signatures',
    'when-it-is-not-taken': 'retries-and-failures',
    'see-to-it': 'manage-a-webhook',
    'where-it-may-go': 'allowed-addresses',
  },
};

/** Returns the old anchors of a heading. */
export const listOldAnchors = (guide: string, anchor: string): readonly string[] =>
  Object.entries(movedAnchors[guide] ?? {}).flatMap(([old, current]) => (current === anchor ? [old] : []));
