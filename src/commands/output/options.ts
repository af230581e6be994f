// Options that several commands have.

/** What programs ask for instead of text; its shape and codes keep their meaning. */
export const json = ['--json', 'print the result as JSON'] as const;

/** Of an option that may be given several times. */
export const collect = (text: string, others: readonly string[] = []): string[] => [...others, text];
