// Message templates with formulas in braces: `at most {subtotal}`. Two braces stand for one.
import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import type { Tree, Type } from '../../formulas/language/tree.ts';
import { typeWords } from '../../formulas/language/types.ts';
import type { Message } from '../model/model.ts';
import { orInWords } from './in-words.ts';

/**
 * Compiles a text with formulas over the names of a record.
 * @returns it, or the text of what is wrong with it; undefined where that cannot be told, because it leads to a group whose
 * descriptor has faults.
 */
export function compileMessage(text: string, scope: Scope): Message | string | undefined {
  const parts: (string | Tree)[] = [];
  for (const part of split(text)) {
    if (typeof part === 'string') parts.push(part);
    else if (part.formula === undefined) return 'has a brace without its partner; write {formula}, or {{ for a brace';
    else {
      const tree = compilePart(part.formula, scope);
      if (tree === undefined || typeof tree === 'string') return tree;
      parts.push(tree);
    }
  }
  return Object.freeze({ parts });
}

function compilePart(source: string, scope: Scope): Tree | string | undefined {
  const tree = orInWords(source, () => compileFormula(source, scope));
  if (tree === undefined || typeof tree === 'string' || isShown(tree.type)) return tree;
  return `shows ${typeWords(tree.type)}, and a text shows a single value: {${source}}`;
}

const isShown = ({ kind }: Type): boolean => kind !== 'record' && kind !== 'list' && kind !== 'map';

/** Texts, and formulas between braces; undefined for one that does not end. */
function* split(text: string): Generator<string | { readonly formula: string | undefined }> {
  let plain = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign !== '{') plain += sign;
    else if (text[at + 1] === '{') {
      plain += sign;
      at += 1;
    } else {
      if (plain !== '') yield plain;
      plain = '';
      const end = endOf(text, at + 1);
      yield { formula: end === undefined ? undefined : text.slice(at + 1, end) };
      if (end === undefined) return;
      at = end;
    }
  }
  if (plain !== '') yield plain;
}

/** Where the brace stands that ends a formula: not one of its objects, nor in one of its texts. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quote !== undefined) {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = undefined;
    } else if (sign === "'" || sign === '"') quote = sign;
    else if (sign === '{') depth += 1;
    else if (sign === '}' && depth === 0) return at;
    else if (sign === '}') depth -= 1;
  }
  return undefined;
}
