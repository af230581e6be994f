// Labels for API names; used by the service and the browser.

/** Words of names that people write otherwise. */
const written: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['api', 'bic', 'cc', 'crm', 'cv', 'iban', 'id', 'isbn', 'po', 'pdf', 'sku', 'ui', 'url', 'utc', 'vat'].map(
      (word) => [word, word.toUpperCase()],
    ),
  ),
  tm: 'T&M',
};

/** `not_submitted` → Not submitted; `ratioOfCapacity` → Ratio of capacity; `poNumber` → PO number. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((word) => written[word] ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface Named {
  readonly name: string;
  readonly kind: string;
  readonly label?: string | undefined;
  /** Of a reference. */
  readonly target?: string | undefined;
}

/** The label of a field: what its descriptor says, else the words of its name; `statusId` of an enum is Status. */
export function labelOf({ name, kind, label, target }: Named): string {
  if (label !== undefined) return label;
  // An item that is told by the record that it names.
  if (name === 'id' && target !== undefined) return wordsOf(target);
  if (kind === 'boolean') return wordsOf(name.replace(/^is(?=[A-Z])/, ''));
  const isBare = kind === 'enum' || kind === 'reference';
  return wordsOf(isBare && name.length > 2 ? name.replace(/Id$/, '') : name);
}

/** A text of the service as people read it: code and names of fields in their words. */
export const peopleText = (text: string): string =>
  text
    .replaceAll(/[;,]? (?:else|otherwise) null\b/g, '')
    .replaceAll(/\b(not|one) sent\b/g, '$1 given')
    .replaceAll(/\bnull\b/g, 'empty')
    .replaceAll(/`([a-z][a-zA-Z0-9_]*)`/g, (_all, name: string) => `“${wordsOf(name)}”`)
    .replaceAll('`', '')
    .replaceAll(/\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g, (name) => lowered(wordsOf(name.replace(/Ids?$/, ''))))
    .replaceAll(/(?<=[\s(,]|^)[a-z]+(?:_[a-z]+)+\b/g, (name) => lowered(wordsOf(name)));

const lowered = (words: string): string =>
  /^[A-Z]{2}/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
