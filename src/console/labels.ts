// Labels for API names; used by the service and the browser.

/** `not_submitted` → Not submitted; `ratioOfCapacity` → Ratio of capacity. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of a field: `statusId` of an enum is Status. */
export function labelOf({ name, kind }: { readonly name: string; readonly kind: string }): string {
  const isBare = kind === 'enum' || kind === 'reference';
  return wordsOf(isBare && name.length > 2 ? name.replace(/Id$/, '') : name);
}
