// Descriptor files as text and as data, with the line of every value for messages. Lines are computed only when there is a
// fault.
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { excerpt } from '../../text/excerpt.ts';
import { type Breach, type Fault, fileFault } from '../model/faults.ts';
import { filesOf, groupOfFile } from './folder.ts';
import { jsonFault } from './json-fault.ts';

/** A descriptor file that is well-formed JSON. */
export interface DescriptorSource {
  /** Group name: the file's name without `.json`. */
  readonly name: string;
  readonly file: string;
  readonly data: unknown;
  readonly fault: (path: JSONPath, text: string, about?: 'key' | 'value' | Breach) => Fault;
}

/** Deeper than any descriptor, and far from what a recursive reader can bear. */
const deepest = 64;

/** Reads the descriptors of a folder, in the order of their names. Files that are no JSON, and what cannot stand there, become faults. */
export function readSources(folder: string): { sources: DescriptorSource[]; faults: Fault[] } {
  const { descriptors, strangers } = filesOf(folder);
  const sources: DescriptorSource[] = [];
  const faults: Fault[] = strangers.map(({ file, text }) => fileFault({ file, rule: 'no-descriptor', text }));
  for (const name of descriptors) {
    const file = join(folder, name);
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) {
      faults.push(fileFault({ file, rule: 'not-utf-8', text: 'is not UTF-8' }));
      continue;
    }
    const read = parseSource(file, groupOfFile(name), bytes.toString('utf8'));
    faults.push(...read.faults);
    if (read.source !== undefined) sources.push(read.source);
  }
  return { sources, faults };
}

/** Parses one file strictly: no comments, no trailing commas, no key twice in an object. */
export function parseSource(
  file: string,
  name: string,
  text: string,
): { source: DescriptorSource | undefined; faults: Fault[] } {
  const faultAt = ({ offset, length = 1 }: Span, rule: string, { path = [], message }: Told): Fault => ({
    file,
    ...positionOf(text, offset),
    pointer: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    rule,
    text: message,
    excerpt: sourceExcerpt(text, offset, length),
  });
  const { keys, depth, deepAt } = measure(text);
  if (depth > deepest)
    return {
      source: undefined,
      faults: [faultAt({ offset: deepAt }, 'nested-too-deep', { message: `is nested deeper than ${deepest} levels` })],
    };
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    const { offset, text: reason } = jsonFault(text) ?? { offset: 0, text: String(error) };
    return {
      source: undefined,
      faults: [faultAt({ offset }, 'not-json', { message: `is not valid JSON: ${reason}${excerpt(text, offset)}` })],
    };
  }
  let tree: Node | undefined;
  const treeOf = (): Node | undefined => {
    tree ??= parseTree(text);
    return tree;
  };
  const faults: Fault[] = [];
  if (countKeys(data) !== keys) {
    findTwice(treeOf(), [], (key, path) =>
      faults.push(faultAt(key, 'twice', { path, message: `"${path.at(-1)}" is twice in one object` })),
    );
  }
  const fault: DescriptorSource['fault'] = (path, message, about) => {
    const { where, rule } = typeof about === 'object' ? about : { where: about, rule: 'descriptor' };
    const node = nearestNode(treeOf(), path);
    const place = where === 'key' && node?.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node;
    return faultAt(placed(place), rule, { path, message });
  };
  return { source: { name, file, data, fault }, faults };
}

/** What is said of which place. */
interface Told {
  readonly path?: JSONPath;
  readonly message: string;
}

/** A place in a text. */
interface Span {
  readonly offset: number;
  readonly length?: number;
}

/** A plain value is marked whole; of what holds others, where it begins. */
const placed = (node: Node | undefined): Span =>
  node === undefined || node.type === 'object' || node.type === 'array' ? { offset: node?.offset ?? 0 } : node;

/** Nothing of a line that is a bracket alone: what is meant is all that it opens. */
function sourceExcerpt(text: string, offset: number, length: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1)[0] ?? '';
  return /\w/.test(line) ? excerpt(text, offset, length) : '';
}

/** Keys that a text of JSON writes down, and how deep it goes. Fewer keys in the data mean that one stands twice. */
function measure(text: string): { keys: number; depth: number; deepAt: number } {
  let keys = 0;
  let depth = 0;
  let most = 0;
  let deepAt = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}[\]]/g)) {
    if (token === '{' || token === '[') {
      depth++;
      if (depth > most) most = depth;
      if (depth === deepest + 1) deepAt ||= index;
    } else if (token === '}' || token === ']') depth--;
    else if (token.endsWith(':')) keys++;
  }
  return { keys, depth: most, deepAt };
}

function countKeys(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  const values: unknown[] = Object.values(data);
  return values.reduce<number>((sum, value) => sum + countKeys(value), Array.isArray(data) ? 0 : values.length);
}

/** The node at a path, or that of the nearest container that exists (for things that are missing). */
function nearestNode(tree: Node | undefined, path: JSONPath): Node | undefined {
  if (tree === undefined) return undefined;
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

/** Keys that stand a second time in their object. */
function findTwice(node: Node | undefined, path: JSONPath, onTwice: (key: Node, path: JSONPath) => void): void {
  if (node?.type === 'array')
    for (const [index, item] of (node.children ?? []).entries()) findTwice(item, [...path, index], onTwice);
  if (node?.type !== 'object') return;
  const seen = new Set<string>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (seen.has(name)) onTwice(key, [...path, name]);
    seen.add(name);
    findTwice(value, [...path, name], onTwice);
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
