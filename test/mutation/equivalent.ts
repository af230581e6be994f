// Equivalent mutants: slips after which everybody gets what they got before, at most later or with more work. They count neither way.
// One that stands here wrongly would hide a gap in the tests: so each has its reason.
import { readFileSync } from 'node:fs';
import type { Mutant } from './sandbox.ts';

interface Equivalent {
  /** The source from where it begins, white space as one blank. */
  readonly at: string;
  readonly becomes: string;
  readonly why: string;
}

const equivalents: Readonly<Record<string, readonly Equivalent[]>> = {
  'src/engine/access/holders.ts': [{ at: '>= mostKept) this.#sweep', becomes: '>', why: 'one more is kept' }],
  'src/engine/changes/writer.ts': [
    { at: '>= fewestEach ? each', becomes: '>', why: 'so many rows are written in another way' },
  ],
  'src/engine/explain/explain.ts': [
    { at: 'taken[index] ?? null', becomes: 'taken[index]', why: 'each item has its value' },
  ],
  'src/engine/explain/eyes.ts': [
    { at: "'get'); this.#names = names", becomes: "''", why: 'what is no list is read as a record' },
  ],
  'src/engine/figures/compute-figure.ts': [
    { at: '?.keys ?? [])]; const found', becomes: '.', why: 'each of them has a condition' },
  ],
  'src/engine/log/write-log.ts': [
    { at: '- 1; index >= 0; index -= 1) { const entry', becomes: '+', why: 'behind the last there is none' },
  ],
  'src/engine/plan/single-statement.ts': [
    {
      at: 'isUnset(values[key])) return undefined; for (const key of lists)',
      becomes: 'true',
      why: 'the stages make the same record',
    },
  ],
  'src/engine/read/range-scan.ts': [
    {
      at: '(places[n] ?? places[0])?.id ?? null',
      becomes: '(places[n] ?? places[0])?.id',
      why: 'there is a first place',
    },
  ],
  'src/engine/read/sorted.ts': [
    { at: 'rows.length >= limit) break', becomes: 'false', why: 'the parts that are left are asked for no rows' },
  ],
  'src/engine/transaction/constraints.ts': [
    { at: 'resource === undefined) continue', becomes: 'false', why: 'each table is of a group' },
  ],
  'src/engine/transaction/records.ts': [
    {
      at: "?.kind === 'enum' || field?.kind === 'reference'",
      becomes: '.',
      why: 'records are looked for by their fields',
    },
  ],
  'src/engine/transaction/scope.ts': [
    {
      at: "=== 'update' ? change.keys",
      becomes: '!==',
      why: 'only an update has keys: without them more is forgotten',
    },
  ],
  'src/engine/upkeep/maintain.ts': [
    { at: 'isUpkeep(cause) && scope', becomes: 'undefined', why: 'others are looked for in other portions' },
    { at: "&& change.cause.kind === 'clear' && watchers", becomes: '||', why: 'more is read ahead' },
  ],
  'src/engine/write/delete.ts': [
    {
      at: '&& field.target === resource.name ? [field.key]',
      becomes: '||',
      why: 'what another group has is none of these',
    },
  ],
  'src/engine/write/prefetch.ts': [
    {
      at: '!== notKnown; for (const { when } of states',
      becomes: '===',
      why: 'less is read ahead, or asked for once more',
    },
    {
      at: "(typeof old === 'object' && old !== null) || (typeof value === 'object' && value !== null)",
      becomes: 'false',
      why: 'less is read ahead',
    },
  ],
  'src/engine/write/write.ts': [
    { at: 'read instanceof Promise) await read', becomes: 'true', why: 'what is there is waited for' },
  ],
  'src/facts/pending-questions.ts': [
    { at: 'this.#open.clear(); } }', becomes: ';', why: 'places with nothing to ask are passed over' },
    { at: "id === '') this.workspace", becomes: 'true', why: 'settings that are at hand are read' },
  ],
  'src/facts/read-facts.ts': [
    { at: "group === '' ? undefined", becomes: 'true', why: 'settings that are at hand are read' },
  ],
  'src/facts/results.ts': [
    {
      at: 'this.#given.judging.size === 0 && this.#given.computing.size === 0; }',
      becomes: 'undefined',
      why: 'what is known is evaluated again',
    },
  ],
  'src/rules/no-circle.ts': [{ at: '?.key ?? name }', becomes: '.', why: 'a list that is named has such a field' }],
  'src/rules/require/require-in-items.ts': [
    {
      at: "isOn(use.arguments, 'update') ? [keyArgument",
      becomes: 'true',
      why: 'a use takes part in no update that it does not name',
    },
  ],
  'src/storage/formulas/formula-sql.ts': [
    {
      at: 'error instanceof Unsayable) return undefined',
      becomes: 'true',
      why: 'nothing else is thrown',
    },
  ],
  'src/storage/rows/list-writer.ts': [{ at: '- done;', becomes: '+', why: 'the rows are written in other portions' }],
  'src/storage/rows/row-writer.ts': [
    { at: 'most >= part.length) ?? size', becomes: 'undefined', why: 'more places hold the first record again' },
  ],
};

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/**
 * Those of some mutants that change nothing, each with the reason.
 * @param all The mutants of all sources.
 * @throws Error where what stands above is no slip of the sources
 */
export function equivalentsAmong(all: readonly Mutant[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [file, listed] of Object.entries(equivalents)) {
    const own = all.filter((mutant) => mutant.file === file);
    const source = own.length === 0 ? '' : readFileSync(file, 'utf8');
    for (const { at, becomes, why } of own.length === 0 ? [] : listed) {
      const those = own.filter(
        ({ place, text }) => oneLine(text) === becomes && oneLine(source.slice(place.start)).startsWith(at),
      );
      if (those.length === 0) throw new Error(`${file} has no slip to "${becomes}" at "${at}".`);
      for (const { id } of those) found.set(id, why);
    }
  }
  return found;
}
