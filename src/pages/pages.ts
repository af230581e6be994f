// The pages for people, by path: rendered from the registry at the first request, cached as bytes.
import { guideOf } from '../registry/guide/guide.ts';
import { searchIndex } from './search-index.ts';
import { createFiles } from './site/files.ts';
import type { Html } from './site/html.ts';
import { guideAddress, guidesAddress, readManual } from './site/manual.ts';
import { movedGuides } from './site/moved-guides.ts';
import { once, type Page, pageOf } from './site/page.ts';
import { referencesOf } from './site/references.ts';
import { groupAddress, operationAddress, type Site } from './site/site.ts';
import { accessPage } from './views/access-page.ts';
import { changesPage } from './views/changes-page.ts';
import { groupPage } from './views/group-page.ts';
import { groupsPage } from './views/groups-page.ts';
import { guidePage, guidesPage } from './views/guide-page.ts';
import { homePage } from './views/home-page.ts';
import { mapPage } from './views/map-page.ts';
import { missingPage } from './views/missing-page.ts';
import { operationPage } from './views/operation-page.ts';
import { rulesPage } from './views/rules-page.ts';
import { writesPage } from './views/writes-page.ts';

type Make = () => Promise<Page>;

export interface Pages {
  /** @returns what makes the page of a path, or undefined where there is none. Nothing is made before it is called. */
  find(path: string): Make | undefined;
  /** Returns the new path of a moved page; undefined if the path has not moved. */
  findMoved(path: string): string | undefined;
  /** The page that people see for a path that there is not; made anew each time. */
  missing(path: string): Promise<Page>;
}

type Source = Pick<Site, 'registry' | 'endpoints' | 'signatures'> &
  Partial<Pick<Site, 'hasConsole' | 'hasLog' | 'roles'>>;

/** Makes the pages of a registry. */
export function createPages(source: Source): Pages {
  const { registry, endpoints, signatures, hasConsole = false, hasLog = false } = source;
  const files = createFiles();
  let known: Site | undefined;
  const site = (): Site => {
    known ??= {
      ...source,
      hasConsole,
      hasLog,
      files,
      references: referencesOf(registry),
      guide: onceSync(() => guideOf(registry, signatures)),
      manual: onceSync(readManual),
    };
    return known;
  };
  const icon = once(() => files.page('icon.svg'));
  const pages = new Map<string, Make>([
    ['/docs', page(() => homePage(site()))],
    [guidesAddress, page(() => guidesPage(site()))],
    ['/docs/groups', page(() => groupsPage(site()))],
    ['/docs/rules', page(() => rulesPage(site()))],
    ['/docs/map', page(() => mapPage(site()))],
    ['/docs/writes', page(() => writesPage(site()))],
    ...(hasLog ? [['/docs/changes', page(() => changesPage(site()))] as const] : []),
    ...(source.roles === undefined ? [] : [['/docs/access', page(() => accessPage(site()))] as const]),
    ['/docs/search.json', once(async () => pageOf('application/json; charset=utf-8', json(searchIndex(site()))))],
    // Browsers ask for it beside answers that no page leads to.
    ['/favicon.ico', icon],
  ]);
  for (const resource of registry.resources.values())
    pages.set(
      groupAddress(resource.name),
      page(() => groupPage(site(), resource)),
    );
  for (const endpoint of endpoints)
    pages.set(
      operationAddress(endpoint),
      page(() => operationPage(site(), endpoint)),
    );
  const guideAt = (path: string): Make | undefined => {
    if (!path.startsWith(`${guidesAddress}/`)) return undefined;
    const guide = site()
      .manual()
      .find(path.slice(guidesAddress.length + 1));
    return guide && page(() => guidePage(site(), guide));
  };
  return {
    find: (path) => {
      const make = pages.get(path);
      if (make !== undefined || !path.startsWith('/docs/')) return make;
      const found = guideAt(path) ?? files.find(path);
      if (found === undefined) return undefined;
      const kept = once(found);
      pages.set(path, kept);
      return kept;
    },
    findMoved: (path) => findMovedGuide(path, (name) => site().manual().find(name) !== undefined),
    missing: (path) => pageOf(htmlType, Buffer.from(missingPage(site(), path).text)),
  };
}

/** Returns the address of a guide that was renamed, or that is requested by the name of its file (`backup.md`). */
function findMovedGuide(path: string, isGuide: (name: string) => boolean): string | undefined {
  if (!path.startsWith(`${guidesAddress}/`)) return undefined;
  const requested = path.slice(guidesAddress.length + 1);
  const bare = requested.replace(/\.md$/, '');
  const name = Object.hasOwn(movedGuides, bare) ? (movedGuides[bare] ?? bare) : bare;
  return name !== requested && isGuide(name) ? guideAddress(name) : undefined;
}

const htmlType = 'text/html; charset=utf-8';

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const page = (render: () => Html): Make => once(async () => pageOf(htmlType, Buffer.from(render().text)));

function onceSync<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
