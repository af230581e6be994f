// The message catalogue of the console.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ts = createRequire(new URL('../generators/package.json', import.meta.url))('typescript');
const app = join(import.meta.dirname, '../../src/console/app');
/** Attributes whose value people read or hear. */
const spoken = new Set(['title', 'label', 'placeholder', 'alt', 'aria-label', 'note', 'cut', 'caption', 'words']);

/** Strings for people that the source of a component holds: text of elements, and literal values of spoken attributes. */
function stringsIn(source: string): readonly string[] {
  const file = ts.createSourceFile('component.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const strings: string[] = [];
  const visit = (node: { readonly text?: string }): void => {
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text ?? '')) strings.push((node.text ?? '').trim());
    if (ts.isJsxAttribute(node)) {
      const { name, initializer } = node as unknown as { name: { text: string }; initializer?: { text?: string } };
      if (spoken.has(name.text) && /\p{L}{2}/u.test(initializer?.text ?? '')) strings.push(initializer?.text ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return strings;
}

describe('the message catalogue of the console', () => {
  it('holds every string of its components', () => {
    const files = globSync('**/*.tsx', { cwd: app });
    expect(files.length).toBeGreaterThan(60);
    const outside = files.flatMap((file) =>
      stringsIn(readFileSync(join(app, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(outside).toEqual([]);
  });

  it('finds a string in an element or an attribute', () => {
    expect(stringsIn('<p title="Where it is">Read <b>all</b> {count}</p>')).toEqual(['Where it is', 'Read', 'all']);
    expect(stringsIn('<p class="quiet small" title={labels.where}>{labels.read} …</p>')).toEqual([]);
  });
});
