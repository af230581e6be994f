// Brings the records of a file into a service, as a client of its API: rows are read as they come, references are looked up by what
// people call their records, and batches are sent, each under a key of its own, so that whoever begins again goes on where it was.
import { Columns } from './columns.ts';
import { type GroupShape, Shapes } from './document.ts';
import { type Draft, Drafts } from './drafts.ts';
import { type ImportCall, ImportFault, type Mapping, type RefusedRow } from './model.ts';
import { fold, letters, suggestName } from './names.ts';
import { References } from './references.ts';
import { csvRows, guessDelimiter, namesIn, ndjsonRows, textOf } from './rows.ts';
import { Sender, type Verdict } from './sender.ts';
import { findFreeNames } from './values.ts';

export const importModes = ['upsert', 'create', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** Where an import stands: what is in its first chunks is judged. */
export interface ImportState extends ImportCounts {
  /** Its name, which is part of the keys of its chunks. */
  readonly run: string;
  readonly chunks: number;
}

export interface ImportOptions {
  readonly call: ImportCall;
  /** The OpenAPI document of the service, parsed. */
  readonly document: unknown;
  /** Name or path. */
  readonly group: string;
  readonly format: 'csv' | 'ndjson';
  readonly source: AsyncIterable<Uint8Array>;
  readonly mapping?: Mapping | undefined;
  /** Fields of the unique key by which records are made or changed, one behind the other with commas; or `id`. */
  readonly key?: string | null | undefined;
  readonly mode?: ImportMode | undefined;
  /** Whether nothing is written. */
  readonly isTrial?: boolean | undefined;
  /** Whether the first row that is refused ends it, and nothing of its chunk is taken. */
  readonly stops?: boolean | undefined;
  /** Ends it beyond so many; 100 by default. */
  readonly mostRefused?: number | undefined;
  /** Records of a batch: 500 by default, at most 1,000. */
  readonly chunk?: number | undefined;
  /** Batches at a time: 2 by default, at most 8. */
  readonly callers?: number | undefined;
  /** How often what cannot be answered for the moment is sent again; 7 by default. */
  readonly repeats?: number | undefined;
  /** Whether new records have the ids of the file: where the service takes them, which it does of commands in its process. */
  readonly keepsIds?: boolean | undefined;
  /** Whether columns that are no fields are passed over. */
  readonly ignoresColumns?: boolean | undefined;
  /** Where an earlier run has come to; a new one without it. */
  readonly state?: ImportState | undefined;
  /** Called once for each guess or change of values. */
  readonly onNotice?: (text: string) => void;
  /** The header of a table, before its first row. */
  readonly onHeader?: (names: readonly string[], delimiter: string) => void;
  readonly onRefused?: (row: RefusedRow) => Promise<void> | void;
  /** Before the first chunk, and after each, when all that was told of it is kept. */
  readonly onState?: (state: ImportState) => Promise<void> | void;
}

export interface ImportResult extends ImportCounts {
  /** Records of the file, as far as it was read. */
  readonly rows: number;
  /** Of a trial: what names records of this file, and can only be judged when these are there. */
  readonly unjudged: number;
  /** Columns that were not taken. */
  readonly ignored: readonly string[];
  /** Fields that were not sent with some rows: computed, inherited or not applicable there, or ids of new records. */
  readonly leftOut: readonly string[];
  /** Why it has ended before its end. */
  readonly stopped?: string;
}

/** Characters of the bodies of one batch: a service takes 8 MiB. */
const mostCharacters = 2 * 1024 * 1024;

/** @throws ImportFault where it cannot be begun, or not go on: what was taken before stays */
export async function importRows(options: ImportOptions): Promise<ImportResult> {
  const shapes = new Shapes(options.document);
  const group = shapes.find(options.group);
  if (group === undefined)
    throw new ImportFault(`There is no group '${options.group}'${shapes.didYouMean(options.group)}`);
  return new Import(options, shapes, group).run();
}

/** Records that are sent together. */
interface Chunk {
  readonly number: number;
  readonly drafts: readonly Draft[];
  /** Keys of its records, folded: a chunk with one of them waits for this one. */
  readonly names: ReadonlySet<string>;
  readonly verdicts: Promise<readonly Verdict[]>;
}

class Import {
  readonly #options: ImportOptions;
  readonly #group: GroupShape;
  readonly #columns: Columns;
  readonly #mapping: Mapping;
  readonly #key: readonly string[] | undefined;
  readonly #references: References;
  readonly #sender: Sender;
  readonly #drafts: Drafts;
  /** Chunks that an earlier run has judged. */
  readonly #done: number;
  #state: ImportState;
  #rows = 0;
  #unjudged = 0;
  #stopped: string | undefined;
  #ignored: readonly string[] = [];
  readonly #inFlight: Chunk[] = [];
  /** Of a trial: keys that came before. */
  readonly #tried = new Set<string>();

  constructor(options: ImportOptions, shapes: Shapes, group: GroupShape) {
    this.#options = options;
    this.#group = group;
    this.#mapping = options.mapping ?? {};
    this.#columns = new Columns(shapes, group, this.#mapping);
    const key = options.key ?? this.#mapping.key ?? undefined;
    this.#key = key?.split(',').map((each) => each.trim());
    this.#state = options.state ?? { run: newRun(), chunks: 0, created: 0, updated: 0, unchanged: 0, refused: 0 };
    this.#references = new References(options.call);
    this.#done = this.#state.chunks;
    const mode = options.mode ?? (this.#key === undefined ? 'create' : 'upsert');
    this.#sender = new Sender({ ...options, mode, group, key: this.#key, run: this.#state.run });
    this.#drafts = new Drafts(group, this.#mapping);
    this.#check(mode);
    this.#checkMapping();
  }

  #check(mode: ImportMode): void {
    const { operations, keys, name } = this.#group;
    const key = this.#key;
    if (mode !== 'create' && key === undefined) throw new ImportFault(`The mode '${mode}' needs a key.`);
    const isById = key?.length === 1 && key[0] === 'id';
    if (
      key !== undefined &&
      !isById &&
      !keys.some((each) => each.length === key.length && each.every((field) => key.includes(field)))
    ) {
      const known = keys.map((each) => each.join(',')).join(', or ');
      throw new ImportFault(
        `'${key.join(',')}' is not a unique key of ${name}${known === '' ? '.' : `; it has ${known}.`}`,
      );
    }
    const needed = mode === 'create' || key === undefined ? 'create' : isById ? 'update' : 'put';
    if (!operations.has(needed)) throw new ImportFault(`${name} takes no ${needed}.`);
  }

  #checkMapping(): void {
    const { constants = {}, decimal = '.', thousands } = this.#mapping;
    const { fields, name } = this.#group;
    const unknown = Object.keys(constants).find((each) => !fields.has(each));
    if (unknown !== undefined)
      throw new ImportFault(
        `The constant '${unknown}' is not a field of ${name}${suggestName(unknown, fields.keys()) || '.'}`,
      );
    if (decimal === thousands)
      throw new ImportFault(`'${decimal}' cannot be both before the decimals of numbers and between their thousands.`);
  }

  async run(): Promise<ImportResult> {
    const { chunk: most = 500 } = this.#options;
    let waiting: Draft[] = [];
    /** Texts by which a row may refer to the waiting ones. */
    const waitingNames = new Set<string>();
    let characters = 0;
    let number = 0;
    const flush = async (): Promise<void> => {
      const drafts = waiting;
      [waiting, characters] = [[], 0];
      waitingNames.clear();
      number += 1;
      if (number > this.#done) await this.#begin(number, drafts);
    };
    for await (const draft of this.#all()) {
      this.#rows += 1;
      // A row that refers to a waiting one is sent after it.
      const isCut = draft.lookUps.some(
        ({ lookUp, text }) => lookUp.group === this.#group && waitingNames.has(`${lookUp.by} ${letters(text)}`),
      );
      if (waiting.length > 0 && (waiting.length >= most || characters + draft.length > mostCharacters || isCut))
        await flush();
      if (this.#stopped !== undefined) break;
      waiting.push(draft);
      for (const by of this.#columns.ownLookUpFields) waitingNames.add(`${by} ${letters(draft.body[by])}`);
      characters += draft.length;
    }
    if (this.#stopped === undefined && waiting.length > 0) await flush();
    while (this.#inFlight.length > 0) await this.#settle();
    const { run: _run, chunks: _chunks, ...counts } = this.#state;
    const { ignored, marked } = this.#drafts;
    if (marked.size > 0)
      this.#options.onNotice?.(`The ' before =, +, -, @ and ' was removed in ${[...marked].join(', ')}.`);
    return {
      ...counts,
      rows: this.#rows,
      unjudged: this.#unjudged,
      ignored: [...this.#ignored, ...ignored],
      leftOut: [...this.#sender.leftOut],
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    };
  }

  async *#all(): AsyncGenerator<Draft, void, undefined> {
    const { source, format, onNotice = () => {}, onHeader, ignoresColumns = false } = this.#options;
    const texts = textOf(source, this.#mapping.encoding);
    const passing = { ignores: ignoresColumns, notice: onNotice };
    if (format === 'ndjson') {
      yield* this.#drafts.ofRecords(
        ndjsonRows(texts, findFreeNames(this.#group.fields, this.#mapping)),
        this.#columns,
        passing,
      );
      return;
    }
    let delimiter = '';
    const rows = csvRows(texts, (header) => {
      delimiter = this.#mapping.delimiter ?? guessDelimiter(header);
      return delimiter;
    });
    const first = await rows.next();
    if (first.done === true) throw new ImportFault('The file is empty.');
    const names = namesIn(first.value.cells);
    const twice = names.find((name, place) => name !== '' && names.indexOf(name) < place);
    if (twice !== undefined) throw new ImportFault(`The column '${twice}' is there twice.`);
    if (this.#mapping.delimiter === undefined && delimiter !== ',' && delimiter !== '')
      onNotice(`Columns are parted by ${delimiter === '\t' ? 'tabs' : `'${delimiter}'`}.`);
    const { columns, ignored } = this.#columns.of(names, passing);
    this.#ignored = ignored;
    onHeader?.(names, delimiter || ',');
    yield* this.#drafts.ofTable(rows, names, columns);
  }

  async #begin(number: number, drafts: readonly Draft[]): Promise<void> {
    const { callers = 2, isTrial = false, onNotice } = this.#options;
    // Look up other records of the group only after earlier chunks have created them.
    const hasOwn = drafts.some(({ lookUps }) => lookUps.some(({ lookUp }) => lookUp.group === this.#group));
    while (hasOwn && this.#inFlight.length > 0) await this.#settle();
    const missing = await this.#references.fill(drafts);
    // Rows of one key stay in order. Look-ups come first, because references are part of keys.
    const names = new Set(drafts.flatMap(({ body }) => this.#joinKey(body, letters) ?? []));
    while (this.#inFlight.some((chunk) => [...names].some((name) => chunk.names.has(name)))) await this.#settle();
    while (this.#inFlight.length >= callers) await this.#settle();
    if (this.#stopped !== undefined) return;
    for (const { draft, looked, error } of missing) {
      const isOwn = looked.lookUp.group === this.#group && this.#tried.has(`${looked.lookUp.by} ${fold(looked.text)}`);
      if (isTrial && isOwn) {
        if (this.#unjudged === 0)
          onNotice?.(
            `Line ${draft.rows[0]?.line} names a record of this file (${looked.lookUp.words} is ${looked.text}), which does not exist yet; such rows are not checked.`,
          );
        draft.isUnjudged = true;
      } else draft.errors.push(error);
    }
    if (isTrial) this.#remember(drafts);
    else if (number === 1) await this.#options.onState?.(this.#state);
    const verdicts = this.#sender.send(number, drafts);
    verdicts.catch(() => {});
    this.#inFlight.push({ number, drafts, names, verdicts });
  }

  /** Returns the key of a record as one text. @returns undefined if it is incomplete */
  #joinKey(body: Draft['body'], plain: (value: unknown) => string): string | undefined {
    const values = this.#key?.map((field) => body[field]);
    return values === undefined || values.includes(undefined) ? undefined : values.map(plain).join(' ');
  }

  /** By what later rows may name these. */
  #remember(drafts: readonly Draft[]): void {
    for (const by of this.#columns.ownLookUpFields)
      for (const { body } of drafts) this.#tried.add(`${by} ${fold(body[by])}`);
  }

  /** Tells of the chunk that was begun first. */
  async #settle(): Promise<void> {
    const [chunk] = this.#inFlight;
    if (chunk === undefined) return;
    const verdicts = await chunk.verdicts;
    this.#inFlight.shift();
    const counts = { ...this.#state, chunks: chunk.number };
    for (const [place, draft] of chunk.drafts.entries()) {
      const verdict = verdicts[place] ?? { kind: 'unjudged' };
      if (verdict.kind === 'refused') {
        counts.refused += 1;
        for (const { line, raw } of draft.rows)
          await this.#options.onRefused?.({ line, errors: verdict.errors, row: raw });
      } else if (verdict.kind === 'unjudged') this.#unjudged += 1;
      else counts[this.#wasTried(draft, verdict.kind)] += 1;
    }
    this.#state = counts;
    if (this.#options.isTrial !== true) await this.#options.onState?.(counts);
    const { stops = false, mostRefused = 100 } = this.#options;
    if (stops && verdicts.some(({ kind }) => kind === 'refused'))
      this.#stopped = 'a row was refused, and nothing of its chunk was taken';
    else if (counts.refused > mostRefused) this.#stopped = `more than ${mostRefused} rows were refused`;
  }

  /** In a trial each chunk is taken back: what an earlier one would have made is there in truth. */
  #wasTried(draft: Draft, kind: 'created' | 'updated' | 'unchanged'): typeof kind {
    const key = this.#options.isTrial === true ? this.#joinKey(draft.body, fold) : undefined;
    if (key === undefined) return kind;
    const isKnown = this.#tried.has(`\0${key}`);
    this.#tried.add(`\0${key}`);
    return isKnown && kind === 'created' ? 'updated' : kind;
  }
}

const newRun = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16).padStart(2, '0')).join('');
