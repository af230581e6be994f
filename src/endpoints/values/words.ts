// Validation messages that do not belong to a kind (those stand in `kinds.ts`).
export const enumWords = (values: readonly string[]): string => `one of ${values.join(', ')}`;
export const lengthWords = (characters: number): string => `at most ${characters} characters`;
/** An example says more to people than an expression, which is there for programs. */
export const patternWords = ({
  pattern,
  sample,
}: {
  readonly pattern: string;
  readonly sample: string | undefined;
}): string => `like ${sample} (${pattern})`;
export const invisibleWords = 'without invisible characters';
export const distinctWords = 'without duplicates';
export const itemsWords = (minimum: number, maximum: number): string =>
  minimum === maximum ? `exactly ${maximum} items` : `at most ${maximum} items`;
export const fewItemsWords = (minimum: number, maximum: number): string =>
  minimum === maximum ? `exactly ${maximum} items` : `at least ${minimum} items`;
