// Rows to JSON text, by a function that is generated once for each group. Generated code, because walking the view for each
// record costs several times as much; its source comes from descriptors alone, never from a request.
import { unreachable } from '../../unreachable.ts';
import type { Row } from '../schema/cells.ts';
import type { ColumnType } from '../schema/column-types.ts';
import { formatOf } from '../schema/columns.ts';
import type { Dialect } from '../schema/dialect.ts';
import { conversions } from '../schema/encodings.ts';
import type { Member, NamePart, Node } from './view.ts';

/** JSON by what it belongs to. */
type Texts = readonly ReadonlyMap<string, string>[];

/**
 * Makes the JSON of one record or item; `lists` hold the JSON of its lists by owner, in the order of the view. `taken` holds by
 * number what has been taken for records by their ids, and records by their ids that stand in place of references.
 */
export type RecordWriter = (row: Row, lists: Texts, taken?: Texts) => string;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these (RFC 8259, 7).
const needsEscape = /["\\\u0000-\u001f]/;

/** Helpers that generated code calls. */
const runtime = { picked, needsEscape, ...conversions };

/** A JSON string. Texts that need no escapes are the rule, and a test is much cheaper than JSON.stringify. */
const quoteSource = (text: string): string =>
  `(runtime.needsEscape.test(${text}) ? JSON.stringify(${text}) : '"' + ${text} + '"')`;

/** A list of objects that is kept as JSON, with these members alone. */
function picked(text: string, names: string): string {
  const kept = names.split(',');
  const list = JSON.parse(text) as readonly object[];
  return JSON.stringify(
    list.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => kept.includes(name)))),
  );
}

/** Compiles the writer of a view's rows. */
export function compileWriter(node: Node, dialect: Dialect): RecordWriter {
  const body = `"use strict"; return (row, lists, taken) => { let name; return ${nodeSource(node, dialect)}; };`;
  // The source is made of numbers and JSON literals out of the descriptor; see `nodeSource`.
  const make = new Function('runtime', body) as (helpers: typeof runtime) => RecordWriter;
  return make(runtime);
}

function nodeSource(node: Node, dialect: Dialect): string {
  switch (node.kind) {
    case 'cell':
      if (node.picks !== undefined)
        return `(row[${node.cell}] === null ? 'null' : runtime.picked(${cellSource(`row[${node.cell}]`, node.type, dialect)}, ${literal(node.picks.join())}))`;
      return `(row[${node.cell}] === null ? 'null' : ${cellSource(`row[${node.cell}]`, node.type, dialect)})`;
    case 'list':
      return `(lists[${node.list}].get(${ownerSource(node.depth)}) ?? '[]')`;
    case 'figure':
      return `(taken[${node.figure}].get(row[0]) ?? 'null')`;
    case 'expanded':
      return `(row[${node.cell}] === null ? 'null' : taken[${node.expansion}].get(row[${node.cell}]) ?? ${nodeSource(node.otherwise, dialect)})`;
    case 'name':
      return `(name = ${node.parts.map((part) => partSource(part, dialect)).join(' + ') || "''"}, ${quoteSource('name')})`;
    case 'object': {
      const object =
        node.members[0]?.when === undefined ? membersSource(node.members, dialect) : laterSource(node.members, dialect);
      return node.present === undefined ? object : `(row[${node.present}] ? ${object} : 'null')`;
    }
  }
}

/** Members of an object of which the first is always there. */
function membersSource(members: readonly Member[], dialect: Dialect): string {
  const texts = members.map(({ name, node, when }, index) => {
    const text = `${literal(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)} + ${nodeSource(node, dialect)}`;
    return when === undefined ? text : `(row[${when}] ? ${text} : '')`;
  });
  return texts.length === 0 ? "'{}'" : `${texts.join(' + ')} + '}'`;
}

/** The same where any of them may be missing. */
function laterSource(members: readonly Member[], dialect: Dialect): string {
  const texts = members.map(({ name, node, when }) => {
    const text = `${literal(`,${JSON.stringify(name)}:`)} + ${nodeSource(node, dialect)}`;
    return when === undefined ? text : `(row[${when}] ? ${text} : '')`;
  });
  return `'{' + (${texts.join(' + ')}).slice(1) + '}'`;
}

/** What a list goes by in a row: the cells that tell whose it is. */
const ownerSource = (depth: number): string =>
  Array.from({ length: depth }, (_value, cell) => `row[${cell}]`).join(" + '/' + ");

/** The same of a row of the list itself. */
export const ownerOf = (row: Row, depth: number): string => row.slice(0, depth).join('/');

/** JSON of a cell that is not null. Ids, words and dates are ASCII without quotes, so they need no escapes. */
function cellSource(cell: string, type: ColumnType, dialect: Dialect): string {
  switch (type.kind) {
    case 'id':
    case 'word':
    case 'date':
    case 'dateTime':
      return `'"' + ${textSource(cell, type, dialect)} + '"'`;
    case 'boolean':
      return `(${cell} ? 'true' : 'false')`;
    case 'integer':
    case 'decimal':
    case 'json':
      return textSource(cell, type, dialect);
    case 'text':
      return quoteSource(cell);
    case 'folded':
    case 'key':
    case 'bytes':
      unreachable(`a ${type.kind} column is never shown`);
  }
}

/** Plain text of a part of a name: the first cell with a value, else the fixed text. */
function partSource(part: NamePart, dialect: Dialect): string {
  if (part.kind === 'literal') return literal(part.text);
  const choices = part.cells.map(
    (cell, index) =>
      `row[${cell}] !== null && row[${cell}] !== '' ? ${plainSource(`row[${cell}]`, part.types[index], dialect)} : `,
  );
  return `(${choices.join('')}${literal(part.otherwise)})`;
}

function plainSource(cell: string, type: ColumnType | undefined, dialect: Dialect): string {
  if (type?.kind === 'boolean') return cellSource(cell, type, dialect);
  return `String(${type === undefined ? cell : textSource(cell, type, dialect)})`;
}

/** The text of a cell, whatever stands for it in the database. */
const textSource = (cell: string, type: ColumnType, dialect: Dialect): string =>
  formatOf(type, dialect).source?.(cell, type) ?? cell;

/** A string literal of JavaScript. JSON is one, but for two line separators, which ES2019 allows too. */
const literal = (text: string): string => JSON.stringify(text);

const scratchBytes = 64 * 1024;
/** A larger one is dropped, so that one long page does not hold its memory for good. */
const keptBytes = 1024 * 1024;

/**
 * Puts records together into one buffer. Each is encoded by itself: one character outside Latin-1 would make a page
 * that is joined as a string twice as wide and much slower to encode.
 */
export class PageBuffer {
  #bytes = Buffer.allocUnsafe(scratchBytes);
  #length = 0;

  reset(): void {
    this.#length = 0;
  }

  write(text: string): void {
    const needed = this.#length + text.length * 3;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(needed * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** A copy of what was written, and no larger: the scratch space is used again, and slow readers hold their page long. */
  take(): Buffer {
    const page = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(scratchBytes);
    return page;
  }
}
