// Descriptor files as text, tree and data; knows where every value stands, so that each fault has its line.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Fault } from './faults.ts';

/** A descriptor file that is well-formed JSON. */
export interface Source {
  /** Group name: the file's name without `.json`. */
  readonly name: string;
  readonly file: string;
  readonly data: unknown;
  readonly fault: (path: JSONPath, text: string, where?: 'key' | 'value') => Fault;
}

/** Reads every `.json` of a folder, in the order of their names. Files that are no JSON become faults. */
export function readSources(folder: string): { sources: Source[]; faults: Fault[] } {
  const sources: Source[] = [];
  const faults: Fault[] = [];
  for (const entry of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const file = join(folder, entry);
    const read = parseSource(file, entry.slice(0, -'.json'.length), readFileSync(file, 'utf8'));
    faults.push(...read.faults);
    if (read.source !== undefined) sources.push(read.source);
  }
  return { sources, faults };
}

/** Parses one file strictly: no comments, no trailing commas, no key twice in an object. */
export function parseSource(file: string, name: string, text: string): { source: Source | undefined; faults: Fault[] } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const faultAt = (offset: number, path: JSONPath, message: string): Fault => ({
    file,
    ...positionOf(text, offset),
    pointer: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    text: message,
  });
  if (tree === undefined || errors.length > 0) {
    const error = errors[0];
    const code = error === undefined ? 'empty file' : printParseErrorCode(error.error);
    return { source: undefined, faults: [faultAt(error?.offset ?? 0, [], `is not valid JSON (${code})`)] };
  }
  const faults: Fault[] = [];
  const data = toData(tree, [], (node, path) =>
    faults.push(faultAt(node.offset, path, `"${path.at(-1)}" stands twice in one object`)),
  );
  const fault: Source['fault'] = (path, message, where = 'value') => {
    const node = nearestNode(tree, path);
    const place = where === 'key' && node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node;
    return faultAt(place.offset, path, message);
  };
  return { source: { name, file, data, fault }, faults };
}

/** The node at a path, or that of the nearest container that exists (for things that are missing). */
function nearestNode(tree: Node, path: JSONPath): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

function toData(node: Node, path: JSONPath, onTwice: (key: Node, path: JSONPath) => void): unknown {
  if (node.type === 'array') return (node.children ?? []).map((item, index) => toData(item, [...path, index], onTwice));
  if (node.type !== 'object') return node.value as unknown;
  const data: Record<string, unknown> = {};
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const place = [...path, String(key.value)];
    if (Object.hasOwn(data, String(key.value))) onTwice(key, place);
    Object.defineProperty(data, String(key.value), {
      value: toData(value, place, onTwice),
      enumerable: true,
      configurable: true,
    });
  }
  return data;
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
