// The guides: Markdown files, readable in the repository and served as pages. Their README.md lists all.
import { existsSync, readFileSync } from 'node:fs';
import { plainText } from './html.ts';
import { type Section, sectionsOf } from './markdown.ts';

interface GuideListing {
  /** `backup`, `decisions/cel`: the name of its file, and the end of its address. */
  readonly name: string;
  readonly title: string;
  /** What it is about, in a few words. */
  readonly about: string;
}

export interface ManualPart {
  readonly title: string;
  readonly guides: readonly GuideListing[];
}

export interface Guide extends GuideListing {
  /** Title of the part in which it is listed. */
  readonly part: string;
  /** The first is that of its title. */
  readonly sections: readonly Section[];
}

export interface Manual {
  readonly parts: readonly ManualPart[];
  /** All guides, in the order of the list. */
  readonly guides: readonly Guide[];
  find(name: string): Guide | undefined;
}

export const guidesAddress = '/docs/guides';
export const guideAddress = (name: string): string => `${guidesAddress}/${name}`;

// Beside the source, and beside `dist` in a package.
const folder = ['../guides/', '../../../../src/pages/guides/']
  .map((place) => new URL(place, import.meta.url))
  .find((place) => existsSync(new URL('README.md', place)));

/** Reads all guides. */
export function readManual(): Manual {
  const parts = partsOf(textOf('README'));
  const guides = parts.flatMap(({ title, guides: listed }) =>
    listed.map((listing): Guide => {
      const sections = sectionsOf(textOf(listing.name), (link) => addressFrom(listing.name, link));
      return Object.freeze({ ...listing, part: title, sections });
    }),
  );
  const byName = new Map(guides.map((guide) => [guide.name, guide]));
  return Object.freeze({ parts, guides, find: (name: string) => byName.get(name) });
}

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, folder), 'utf8');

/** The list: `## Part` above lines of `- [Title](./name.md): what it is about`. */
function partsOf(list: string): readonly ManualPart[] {
  return list
    .split('\n## ')
    .slice(1)
    .map((text) => {
      const [title = ''] = text.split('\n', 1);
      const guides = [...text.matchAll(/^- \[(.+?)\]\(\.\/(.+?)\.md\): (.+)$/gm)].map(
        ([, heading = '', name = '', about = '']) => Object.freeze({ name, title: heading, about }),
      );
      return Object.freeze({ title, guides });
    });
}

/** `./computed-fields.md#computed-lists` → `/docs/guides/computed-fields#computed-lists`; anchors of the page itself and other hosts stay as they are. */
function addressFrom(name: string, link: string): string {
  if (link.startsWith('#') || /^https?:/.test(link)) return link;
  const { pathname, hash } = new URL(link, `file://${guideAddress(name)}.md`);
  return pathname.replace(/(?:\/README)?\.md$/, '') + hash;
}

/** The words of a section, without its heading. */
export const wordsOf = ({ content }: Section): string => plainText(content).replaceAll(/\s+/g, ' ').trim();
