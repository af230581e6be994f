// Rewrites a descriptor or a role of an earlier version. Edits replace keywords at their position in the syntax tree, so that
// comments and layout stay, and names and values that a project chose are never taken for keywords.
import { type Edit, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { findNewKeyword, type NestedPart, type NewKeyword, nestedParts, type Part } from './renames.ts';

export interface Rewritten {
  readonly text: string;
  /** Number of keywords renamed. */
  readonly renames: number;
}

/** Returns the text with today's keywords. @returns undefined if the text is neither a descriptor nor a role */
export function rewriteKeywords(text: string): Rewritten | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const part = root === undefined ? undefined : findPart(root);
  if (root === undefined || part === undefined) return undefined;
  const keywords = listRenames(root, part);
  return { text: applyEdits(text, keywords.flatMap(toEdits)), renames: keywords.length };
}

/** Applies edits that do not overlap. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { offset, length, content } of edits.toSorted((a, b) => b.offset - a.offset))
    result = result.slice(0, offset) + content + result.slice(offset + length);
  return result;
}

/** A keyword of an earlier version. */
interface OldKeyword {
  readonly key: Node;
  readonly value: Node;
  readonly keyword: NewKeyword;
}

/** Lists the old keywords of a part, and of the parts inside it. */
function listRenames(node: Node, part: Part): OldKeyword[] {
  if (node.type === 'array') return (node.children ?? []).flatMap((item) => listRenames(item, part));
  if (node.type !== 'object') return [];
  const members = listMembers(node);
  const names = new Set(members.map(({ name }) => name));
  return members.flatMap(({ name, key, value }) => {
    const keyword = findNewKeyword(part, name, getNodeValue(value));
    // The author must choose if an object has both keywords.
    const own = keyword === undefined || names.has(keyword.name) ? [] : [{ key, value, keyword }];
    const nested = nestedParts[part][keyword?.name ?? name];
    return nested === undefined ? own : [...own, ...listNestedRenames(value, nested)];
  });
}

const listNestedRenames = (node: Node, { part, isByName }: NestedPart): OldKeyword[] =>
  isByName === true ? listMembers(node).flatMap(({ value }) => listRenames(value, part)) : listRenames(node, part);

/** Returns the edits that replace a keyword, and its value if that differs. */
function toEdits({ key, value, keyword }: OldKeyword): Edit[] {
  const replace = (node: Node, content: unknown): Edit => ({
    offset: node.offset,
    length: node.length,
    content: JSON.stringify(content),
  });
  return [replace(key, keyword.name), ...(keyword.value === undefined ? [] : [replace(value, keyword.value)])];
}

interface Member {
  readonly name: string;
  readonly key: Node;
  readonly value: Node;
}

const listMembers = (node: Node): Member[] =>
  node.type !== 'object'
    ? []
    : (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
        key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
      );

/** Returns the part that a whole file is. */
function findPart(root: Node): Part | undefined {
  const names = new Set(listMembers(root).map(({ name }) => name));
  return names.has('resource') ? 'descriptor' : undefined;
}
