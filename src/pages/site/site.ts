// What all pages are rendered from, and their addresses.
import type { Endpoint } from '../../endpoints/routes/endpoint.ts';
import type { GuideEntry } from '../../registry/guide/guide.ts';
import type { Registry, Resource, RuleSignature } from '../../registry/model/model.ts';
import type { Files } from './files.ts';
import { type Html, html } from './html.ts';
import type { Manual } from './manual.ts';
import type { References } from './references.ts';

/** What pages tell of a role. */
interface RoleTold {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Who may do what, as far as anybody may read it: no conditions. */
interface RolesTold {
  readonly all: readonly RoleTold[];
  /**
   * By the names of groups, what each role may do: `CRUDLH` for create, read, update, delete, list and history; lower case under a
   * condition, `-` for what it may not.
   */
  readonly cells: () => ReadonlyMap<string, readonly string[]>;
}

export interface Site {
  readonly registry: Registry;
  /** In the order of the registry. */
  readonly endpoints: readonly Endpoint[];
  readonly references: References;
  /** The catalogue of rules, for what each says. */
  readonly signatures: Readonly<Record<string, RuleSignature>>;
  /** The catalogue of rules and formulas to read; made when a page asks for it. */
  readonly guide: () => readonly GuideEntry[];
  /** The guides; read when a page asks for them. */
  readonly manual: () => Manual;
  readonly files: Files;
  /** Undefined where there are no roles. */
  readonly roles?: RolesTold | undefined;
  /** Whether there is a log of changes. */
  readonly hasLog: boolean;
  /** Whether the console is there to be led to. */
  readonly hasConsole: boolean;
}

/** Where the API is, on the host of the pages. */
export const base = '/api';

export const groupAddress = (name: string): string => `/docs/groups/${name}`;
export const fieldAnchor = (path: string): string => `field-${path.replaceAll('[]', '')}`;
export const formulaAnchor = (name: string): string => `formula-${name}`;
export const operationAddress = ({ resource, operation }: Pick<Endpoint, 'resource' | 'operation'>): string =>
  `${groupAddress(resource.name)}/${operation}`;
/** `rule-range`, `function-round`, `operator-12`: signs make no address. */
export const guideAnchor = ({ kind, name }: Pick<GuideEntry, 'kind' | 'name'>): string =>
  `${kind}-${name.replaceAll(/[^\w-]/g, (sign) => sign.charCodeAt(0).toString(16))}`;

export const groupLink = ({ name, title }: Pick<Resource, 'name' | 'title'>): Html =>
  html`<a href="${groupAddress(name)}">${title}</a>`;

/** A link to a group by its name. */
export const linkTo = ({ registry }: Site, name: string): Html => {
  const resource = registry.resources.get(name);
  return resource === undefined ? html`<code>${name}</code>` : groupLink(resource);
};

/** The same behind its article. */
export const aLinkTo = (site: Site, name: string): Html =>
  html`${/^[aeio]/i.test(site.registry.resources.get(name)?.title ?? name) ? 'an' : 'a'} ${linkTo(site, name)}`;

/** Chapters with their groups, in alphabetical order of both. */
export function areasOf(registry: Registry): readonly (readonly [area: string, groups: readonly Resource[]])[] {
  const byArea = Map.groupBy(registry.resources.values(), ({ area }) => area);
  const byTitle = (one: Resource, other: Resource): number => one.title.localeCompare(other.title, 'en');
  return [...byArea]
    .map(([area, groups]) => [area, groups.toSorted(byTitle)] as const)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));
}

/** `Clients & contacts` → `clients-contacts`. */
export const areaAnchor = (area: string): string =>
  area
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** "1 field", "12 fields". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
