// Styles and scripts of the pages. Their addresses hold a digest of their content.
import { readFileSync } from 'node:fs';
import { digest, type Page, pageOf } from './page.ts';

const own = (name: string): URL => new URL(`../files/${name}`, import.meta.url);

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';
const sources = {
  'site.css': { type: style, at: () => own('site.css') },
  'access.css': { type: style, at: () => own('access.css') },
  'access.js': { type: script, at: () => own('access.js') },
  'tables.css': { type: style, at: () => own('tables.css') },
  'groups.css': { type: style, at: () => own('groups.css') },
  'map.css': { type: style, at: () => own('map.css') },
  'changes.css': { type: style, at: () => own('changes.css') },
  'site.js': { type: script, at: () => own('site.js') },
  'search.js': { type: script, at: () => own('search.js') },
  'icon.svg': { type: 'image/svg+xml', at: () => own('icon.svg') },
  'guides.css': { type: style, at: () => own('guides.css') },
  'home.css': { type: style, at: () => own('home.css') },
  'rules.css': { type: style, at: () => own('rules.css') },
  'calls.css': { type: style, at: () => own('calls.css') },
  'drawings.css': { type: style, at: () => own('drawings.css') },
  'map.js': { type: script, at: () => own('map.js') },
  'call.js': { type: script, at: () => own('call.js') },
  'changes.js': { type: script, at: () => own('changes.js') },
  'records.js': { type: script, at: () => own('records.js') },
} as const satisfies Record<string, { readonly type: string; readonly at: () => URL }>;
export type FileName = keyof typeof sources;

export interface Files {
  /** Address of a file; reads it the first time. */
  addressOf(name: FileName): string;
  /** The file of an address; undefined for other addresses, among them those of files that have changed. */
  find(path: string): (() => Promise<Page>) | undefined;
  /** A file under an address of another's choosing, which stays when the file changes. */
  page(name: FileName): Promise<Page>;
}

const folder = '/docs/files/';
const isName = (name: string): name is FileName => Object.hasOwn(sources, name);

/** Makes the store; each file is read once. */
export function createFiles(): Files {
  const read = new Map<FileName, { readonly body: Buffer; readonly path: string }>();

  function fileOf(name: FileName) {
    const known = read.get(name);
    if (known !== undefined) return known;
    const body = readFileSync(sources[name].at());
    const file = { body, path: `${folder}${digest(body)}/${name}` };
    read.set(name, file);
    return file;
  }

  function find(path: string): (() => Promise<Page>) | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!path.startsWith(folder) || !isName(name)) return undefined;
    const file = fileOf(name);
    return file.path === path ? () => pageOf(sources[name].type, file.body, true) : undefined;
  }

  return {
    addressOf: (name) => fileOf(name).path,
    find,
    page: (name) => pageOf(sources[name].type, fileOf(name).body),
  };
}
