// A copy of the project in which every chosen mutant waits for its number: sources are read and transformed once for all.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Choice, type Slip, slipsOf } from './operators.ts';

const root = join(import.meta.dirname, '../..');

export interface Mutant extends Slip {
  /** `src/engine/read/read.ts:41:7:2`: where, and which of those that begin there. */
  readonly id: string;
  readonly file: string;
  readonly before: string;
}

/**
 * All mutants of the sources in some folders or files of the project, in the order of the files.
 * @throws Error where there is no source in one of them: it has another name by now
 */
export function mutantsOf(places: readonly string[]): Mutant[] {
  const isIn = (file: string, place: string): boolean => `${file}/`.startsWith(`${place}/`);
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => file.endsWith('.ts') && places.some((place) => isIn(file, place)))
    .toSorted();
  const empty = places.filter((place) => !files.some((file) => isIn(file, place)));
  if (empty.length > 0) throw new Error(`There is no source in ${empty.join(', ')}.`);
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const counts = new Map<string, number>();
    return slipsOf(file, source).map((slip) => {
      const lines = source.slice(0, slip.place.start).split('\n');
      const place = `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      return { ...slip, id: `${place}:${count}`, file, before: source.slice(slip.place.start, slip.place.end) };
    });
  });
}

/** @param mutants Their number is their place in this list. @returns the folder of the copy */
export function makeSandbox(mutants: readonly Mutant[]): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'praxis-mutants-'));
  const isLeft = (name: string): boolean => ['node_modules', '.git', '.artefacts', 'data', 'dist'].includes(name);
  for (const name of readdirSync(root).filter((each) => !isLeft(each)))
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const numbered = mutants.map((mutant, number) => ({ ...mutant, number }));
  for (const [file, own] of Map.groupBy(numbered, (mutant) => mutant.file)) {
    const path = join(folder, file);
    const switchPath = relative(dirname(path), join(folder, 'test/mutation/switch.ts'));
    const text = withChoices(readFileSync(path, 'utf8'), own);
    // On the first line, so that all others keep their numbers.
    writeFileSync(path, `import { acts as mutantActs } from '${switchPath}'; ${text}`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

type Numbered = Slip & { readonly number: number };

/** The source with all its mutants, each chosen at run time. Inside the text of one mutant there is no choice of another. */
function withChoices(source: string, slips: readonly Numbered[], start = 0, end = source.length): string {
  let text = '';
  let at = start;
  const inside = slips.toSorted((a, b) => a.choice.start - b.choice.start || b.choice.end - a.choice.end);
  while (inside.length > 0) {
    const [{ choice }] = inside as [Numbered];
    const within = inside.filter((slip) => slip.choice.end <= choice.end);
    inside.splice(0, within.length);
    // At the same place: the body of a function is also its block.
    const isHere = (slip: Numbered): boolean => slip.choice.start === choice.start && slip.choice.end === choice.end;
    const original = withChoices(
      source,
      within.filter((slip) => !isHere(slip)),
      choice.start,
      choice.end,
    );
    text += source.slice(at, choice.start) + choiceText(choice, original, source, within.filter(isHere));
    at = choice.end;
  }
  return text + source.slice(at, end);
}

function choiceText(
  { kind, start, end }: Choice,
  original: string,
  source: string,
  slips: readonly Numbered[],
): string {
  const changed = ({ place, text }: Slip): string =>
    source.slice(start, place.start) + text + source.slice(place.end, end);
  if (kind === 'expression')
    return `(${slips.map((slip) => `mutantActs(${slip.number})?(${changed(slip)}):`).join('')}(${original}))`;
  const text = `${slips.map((slip) => `if(mutantActs(${slip.number})){${changed(slip)}}else `).join('')}{${original}}`;
  return kind === 'body' ? `{${text}}` : text;
}
