// The pages that people look at, by path: made from the registry at the first request, kept as bytes.
import { createFiles } from './files.ts';
import { groupPage } from './group-page.ts';
import { groupsPage } from './groups-page.ts';
import type { Html } from './html.ts';
import { mapPage } from './map-page.ts';
import { once, type Page, pageOf } from './page.ts';
import { referencePage } from './reference-page.ts';
import { referencesOf } from './references.ts';
import { searchIndex } from './search-index.ts';
import { groupAddress, type Site } from './site.ts';

/** @returns what makes the page of a path, or undefined where there is none. Nothing is made before it is called. */
export type FindPage = (path: string) => (() => Promise<Page>) | undefined;

type Make = () => Promise<Page>;

/** Makes the pages of a registry. */
export function createPages(source: Pick<Site, 'registry' | 'endpoints' | 'signatures'>): FindPage {
  const { registry } = source;
  const files = createFiles();
  let known: Site | undefined;
  const site = (): Site => {
    known ??= { ...source, files, references: referencesOf(registry) };
    return known;
  };
  const pages = new Map<string, Make>([
    ['/docs', page(() => referencePage(site()))],
    ['/docs/groups', page(() => groupsPage(site()))],
    ['/docs/map', page(() => mapPage(site()))],
    ['/docs/search.json', once(async () => pageOf('application/json; charset=utf-8', json(searchIndex(site()))))],
  ]);
  for (const resource of registry.resources.values())
    pages.set(
      groupAddress(resource.name),
      page(() => groupPage(site(), resource)),
    );
  return (path) => {
    const make = pages.get(path);
    if (make !== undefined || !path.startsWith('/docs/')) return make;
    const file = files.find(path);
    if (file === undefined) return undefined;
    const kept = once(file);
    pages.set(path, kept);
    return kept;
  };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const page = (render: () => Html): Make =>
  once(async () => pageOf('text/html; charset=utf-8', Buffer.from(render().text)));
