// Other bounds of what the engine reads at once, for one run: set in the texts of its modules, as no service needs others.
import { registerHooks } from 'node:module';

/** By the end of a module's address: what stands there, and what shall. */
const changes = (few: number): readonly (readonly [file: string, text: string, instead: string])[] => [
  ['/src/engine/transaction/record-queries.ts', 'fewItems = 50;', `fewItems = ${few};`],
  ['/src/facts/read-facts.ts', 'mostTalliesOfMany] = [2, 50];', 'mostTalliesOfMany] = [1, 3];'],
  ['/src/engine/changes/portions.ts', 'portionSize = 500;', `portionSize = ${few};`],
];

/**
 * Sets how many siblings are few, in what is imported from now on; what is asked of more of them is read sooner, too, and a portion is
 * no more than so many records.
 */
export function setFew(few: number): void {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const change = changes(few).find(([file]) => url.endsWith(file));
      if (change === undefined) return loaded;
      const [file, text, instead] = change;
      const source = Buffer.from(loaded.source as Uint8Array).toString();
      if (!source.includes(text)) throw new Error(`${file} does not say ${text}`);
      return { ...loaded, source: source.replace(text, instead) };
    },
  });
}
