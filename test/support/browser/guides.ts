// The README and the guides as tests read them: whole, and their fenced blocks by the heading that they stand under.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const guides = 'src/pages/guides';

/** Paths in the project: the README, then all guides. */
export const textFiles: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, guides), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${guides}/${name}`)
    .toSorted(),
];

/** `README`, `backup`, `decisions/cel`; `list` for the list of the guides. */
export const names: readonly string[] = textFiles.map((file) =>
  file === 'README.md' ? 'README' : file.slice(guides.length + 1, -'.md'.length).replace('README', 'list'),
);

/** The text of the README, or of a guide by its name: `decisions/cel`. */
export const textOf = (name: string): string =>
  readFileSync(join(root, textFiles[names.indexOf(name)] ?? `there is no guide ${name}`), 'utf8');

export interface Block {
  /** `README`, or the name of the guide. */
  readonly guide: string;
  /** The heading above it. */
  readonly part: string;
  /** `sh`, `json`… */
  readonly kind: string;
  readonly text: string;
}

/** All fenced blocks of a text, in order. */
export function blocksIn(guide: string): readonly Block[] {
  const blocks: Block[] = [];
  let part = '';
  let open: { kind: string; lines: string[] } | undefined;
  for (const line of textOf(guide).split('\n')) {
    const fence = /^```(\w*)$/.exec(line);
    if (open === undefined) {
      part = /^#{1,3} (.*)$/.exec(line)?.[1] ?? part;
      if (fence !== null) open = { kind: fence[1] ?? '', lines: [] };
    } else if (fence === null) open.lines.push(line);
    else {
      blocks.push({ guide, part, kind: open.kind, text: open.lines.map((each) => `${each}\n`).join('') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`a block of ${guide} does not end`);
  return blocks;
}

/** Those under one heading. */
export const blocksOf = (guide: string, part: string): readonly Block[] =>
  blocksIn(guide).filter((block) => block.part === part);

/** Of all texts. */
export const allBlocks: readonly Block[] = names.flatMap(blocksIn);
/** All texts, one after the other. */
export const allText: string = names.map(textOf).join('\n');
