// The router; the address bar holds the whole state. `/console`, `/console/<group>`, `/console/<group>/<id>`,
// `/console/<group>/new`; filters are query parameters by their API names, the console's own begin with `_`.
import { computed, signal } from '@preact/signals';
import { frameMessages } from '../messages/frame.ts';

const root = '/console';

interface Place {
  readonly path: string;
  readonly query: string;
}

const here = (): Place => ({ path: location.pathname, query: location.search });

const place = signal<Place>(here());

/** Whether something is unsaved where one is. */
let isUnsaved: (() => boolean) | undefined;

/** Sets what tells whether something would be lost by leaving; undefined for nothing. */
export function guardLeaving(ask: (() => boolean) | undefined): void {
  isUnsaved = ask;
}

const mayLeave = (): boolean => {
  if (isUnsaved?.() === true && !confirm(frameMessages.unsaved)) return false;
  isUnsaved = undefined;
  return true;
};

addEventListener('popstate', () => {
  const isElsewhere = location.pathname !== place.value.path;
  if (!isElsewhere || mayLeave()) place.value = here();
  else history.pushState(null, '', `${place.value.path}${place.value.query}`);
});
addEventListener('beforeunload', (event) => {
  if (isUnsaved?.() === true) event.preventDefault();
});

/** Goes to an address of the console. @param isInPlace Without a step for "back". */
export function go(address: string, isInPlace = false): void {
  const url = new URL(address, location.origin);
  const isElsewhere = url.pathname !== place.value.path;
  if (isElsewhere && !mayLeave()) return;
  history[isInPlace ? 'replaceState' : 'pushState'](null, '', address);
  place.value = here();
  if (isElsewhere && !isInPlace) scrollTo(0, 0);
}

/** Links within the console are followed without leaving the page. */
addEventListener('click', (event) => {
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const isOurs = link.origin === location.origin && (link.pathname === root || link.pathname.startsWith(`${root}/`));
  if (!isOurs || link.target !== '' || link.hasAttribute('download')) return;
  event.preventDefault();
  go(`${link.pathname}${link.search}`);
});

/** Steps behind `/console`, decoded: the path of a group, then an id or `new`. */
export const steps = computed<readonly string[]>(() =>
  place.value.path
    .slice(root.length)
    .split('/')
    .filter((step) => step !== '')
    .map((step) => {
      try {
        return decodeURIComponent(step);
      } catch {
        return step;
      }
    }),
);

export const query = computed(() => new URLSearchParams(place.value.query));

/** The same place with another query; in place, as filters are set one after the other. */
export function setQuery(next: URLSearchParams, isInPlace = true): void {
  go(`${place.value.path}${next.size === 0 ? '' : `?${next}`}`, isInPlace);
}

/** What of a query is the API's: without the console's own. */
export const filtersIn = (all: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...all].filter(([name]) => !name.startsWith('_')));

// --- Addresses

/** @param path Of the group: `/clients`. */
export const groupAddress = (path: string, narrowed?: URLSearchParams): string =>
  `${root}${path}${narrowed === undefined || narrowed.size === 0 ? '' : `?${narrowed}`}`;
export const recordAddress = (path: string, id: string): string => `${root}${path}/${id}`;
export const newAddress = (path: string, values?: URLSearchParams): string =>
  `${root}${path}/new${values === undefined || values.size === 0 ? '' : `?${values}`}`;
export const homeAddress = root;
/** A path that the API keeps for itself, so that no group has it. */
export const newsStep = 'changes';
export const newsAddress = `${root}/${newsStep}`;
