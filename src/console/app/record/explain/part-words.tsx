// A part of a formula in words. What reads formulas is large: it is loaded where a part is more than a name, and the part stands as it
// is written until then.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { peopleText } from '../../values/format.ts';

/** A formula's words for people: without the letter by which it calls the items that it goes through. */
export const saidWords = (words: string): string => peopleText(words.replaceAll(/\b[a-z]\.(?=[a-z])/g, ''));

const known = new Map<string, string>();

export function PartWords({ source }: { readonly source: string }): JSX.Element {
  const [, setKnown] = useState(known.has(source));
  const isName = /^[a-zA-Z][\w.]*$/.test(source);
  useEffect(() => {
    if (isName || known.has(source)) return;
    void import('./formula-text.ts').then(({ formulaText }) => {
      known.set(source, formulaText(source));
      setKnown(true);
    });
  }, [source]);
  return <>{saidWords(known.get(source) ?? source)}</>;
}
