// The search box for groups, lists by their states, records by name, and actions: Ctrl-K from anywhere. What was opened last
// comes first.
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { go, groupAddress, homeAddress, newAddress, recordAddress, steps } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { frameMessages, searchMessages } from '../messages/frame.ts';
import { Dialog } from '../parts/dialog.tsx';
import { findRecords, searchFilter, wholeFilters } from '../parts/picker.tsx';
import { can, type GroupModel, groups } from '../service/model.ts';
import { leave } from '../service/people.ts';
import { recentRecords } from '../values/recent.ts';
import { narrowedLists } from './lists.ts';

export const isSearching = signal(false);

interface Hit {
  readonly key: string;
  readonly kind: string;
  readonly title: string;
  readonly within: string;
  /** Of its title what must be typed, at least in part, so that it is told. */
  readonly needs?: string;
  readonly act: () => void;
}

/** How well a text fits what is typed; 0 where it does not: all words must be in it, best at the beginning of words. */
function fitOf(text: string, words: readonly string[]): number {
  const folded = text.toLowerCase();
  let fit = 1;
  for (const word of words) {
    const at = folded.indexOf(word);
    if (at < 0) return 0;
    fit += at === 0 ? 4 : /[\s&/–-]/.test(folded.charAt(at - 1)) ? 2 : 0;
  }
  return fit + 1 / folded.length;
}

const nameOfGroup = ({ isSingle, title, plural }: GroupModel): string => (isSingle ? title : plural);

const docs: Hit = {
  key: 'docs',
  kind: 'go',
  title: searchMessages.docs,
  within: searchMessages.docsPlace,
  act: () => location.assign('/docs/groups'),
};

/** What is known without asking: places and actions. */
function known(): readonly Hit[] {
  const { all } = groups();
  return [
    {
      key: 'home',
      kind: 'go',
      title: frameMessages.home,
      within: searchMessages.homePlace,
      act: () => go(homeAddress),
    },
    ...all.map(
      (group): Hit => ({
        key: `group/${group.name}`,
        kind: 'group',
        title: nameOfGroup(group),
        within: group.area,
        act: () => go(groupAddress(group.path)),
      }),
    ),
    ...all
      .filter((group) => can(group, 'create'))
      .map(
        (group): Hit => ({
          key: `new/${group.name}`,
          kind: 'new',
          title: commonMessages.newRecord(group.title.toLowerCase()),
          within: group.area,
          act: () => go(newAddress(group.path)),
        }),
      ),
    ...all.flatMap((group) =>
      narrowedLists(group).map(
        ({ words, query }): Hit => ({
          key: `list/${group.name}?${query}`,
          kind: 'list',
          title: `${group.plural}: ${words}`,
          within: group.area,
          needs: words,
          act: () => go(groupAddress(group.path, query)),
        }),
      ),
    ),
    ...(groups().hasPages ? [docs] : []),
    { key: 'out', kind: 'go', title: frameMessages.signOut, within: '', act: leave },
  ];
}

/** Records that were opened, the last first; those of groups that are not to be seen are left out. */
const opened = (): readonly Hit[] =>
  recentRecords().flatMap(({ group: name, id, name: title }): Hit[] => {
    const group = groups().named(name);
    if (group === undefined || !can(group, 'get')) return [];
    const act = (): void => go(recordAddress(group.path, id));
    return [{ key: `record/${id}`, kind: 'recent', title, within: group.title, act }];
  });

/** The better the sooner: those of which all words are found, and of lists one of the words that narrow them. */
function fitting(hits: readonly Hit[], words: readonly string[], most: number): readonly Hit[] {
  const isAsked = ({ needs }: Hit): boolean => needs === undefined || words.some((word) => fitOf(needs, [word]) > 2);
  return hits
    .map((hit) => ({ hit, fit: fitOf(`${hit.title} ${hit.within}`, words) - (weights[hit.kind] ?? 0) }))
    .filter(({ hit, fit }) => fit > 0.5 && isAsked(hit))
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, most)
    .map(({ hit }) => hit);
}

/** Places of which all words are found; where there is none, groups of which one is, as far as it says something. */
function placesFor(places: readonly Hit[], words: readonly string[]): readonly Hit[] {
  const found = fitting(places, words, mostKnown);
  if (found.length > 0 || words.length < 2) return found;
  const telling = words.filter((word) => word.length > 3);
  return places.filter(({ kind, title }) => kind === 'group' && telling.some((word) => fitOf(title, [word]) > 2));
}

/** What is meant less often where texts fit alike. */
const weights: Readonly<Record<string, number>> = { new: 0.5, list: 0.25 };

const mostOpened = 5;
const mostKnown = 12;
const mostRecords = 5;
const delayMs = 160;
/** So many groups are asked for records at once. */
const mostGroups = 20;

/** Groups whose records are found by a part of their name: that where one is first, then those with the most to them. */
function searched(): readonly GroupModel[] {
  const here = groups().at(steps.value[0] ?? '');
  const weight = (group: GroupModel): number => (group === here ? 1000 : 0) + groups().referringTo(group.name).length;
  return groups()
    .all.filter((group) => can(group, 'list') && can(group, 'get'))
    .filter((group) => searchFilter(group) !== undefined || wholeFilters(group).length > 0)
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, mostGroups);
}

async function recordsNamed(text: string, ends: AbortSignal): Promise<readonly Hit[]> {
  const found = await Promise.all(
    searched().map(async (group) => {
      const choices = await findRecords(group, text, { signal: ends }).catch(() => []);
      return choices.slice(0, mostRecords).map(
        ({ id, name }): Hit => ({
          key: `record/${id}`,
          kind: 'record',
          title: name,
          within: group.title,
          act: () => go(recordAddress(group.path, id)),
        }),
      );
    }),
  );
  return found.flat();
}

export function Search(): JSX.Element | null {
  if (!isSearching.value) return null;
  return <SearchDialog />;
}

function SearchDialog(): JSX.Element {
  const [text, setText] = useState('');
  const [records, setRecords] = useState<readonly Hit[]>([]);
  const [active, setActive] = useState(0);
  const [asked, setAsked] = useState('');
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const places = useMemo(() => known(), []);
  const recent = useMemo(() => opened(), []);
  useEffect(() => {
    setActive(0);
    setRecords([]);
    if (text.trim().length < 2) return;
    const ends = new AbortController();
    const timer = setTimeout(() => {
      recordsNamed(text.trim(), ends.signal).then(
        (found) => {
          if (ends.signal.aborted) return;
          setRecords(found);
          setAsked(text);
        },
        () => undefined,
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      ends.abort();
    };
  }, [text]);
  const latest = fitting(recent, words, words.length === 0 ? recent.length : mostOpened);
  const told = new Set(latest.map(({ key }) => key));
  const hits = [...latest, ...placesFor(places, words), ...records.filter(({ key }) => !told.has(key))];
  const close = (): void => {
    isSearching.value = false;
  };
  const choose = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    close();
    hit.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.min(Math.max(active + step, 0), hits.length - 1));
    else if (event.key === 'Enter') choose(hits[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={commonMessages.search} class="search-dialog" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label={searchMessages.label}
        aria-expanded="true"
        aria-controls="search-hits"
        aria-autocomplete="list"
        aria-activedescendant={hits[active] === undefined ? undefined : `hit-${active}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={searchMessages.placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        // The first thing that one does here is to type.
        ref={(input) => input?.focus()}
      />
      <Hits hits={hits} active={active} onChoose={choose} />
      <p class="quiet search-none" role="status">
        {hits.length === 0 &&
          text.trim() !== '' &&
          (asked === text || text.trim().length < 2 ? searchMessages.noResults(text.trim()) : searchMessages.searching)}
      </p>
    </Dialog>
  );
}

interface HitsProps {
  readonly hits: readonly Hit[];
  readonly active: number;
  readonly onChoose: (hit: Hit) => void;
}

function Hits({ hits, active, onChoose }: HitsProps): JSX.Element {
  return (
    <ul id="search-hits" class="search-hits" role="listbox" aria-label={searchMessages.results}>
      {hits.map((hit, index) => (
        <li
          key={hit.key}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === active}
          ref={(item) => {
            if (index === active) item?.scrollIntoView({ block: 'nearest' });
          }}
          onClick={() => onChoose(hit)}
        >
          <span class="kind">{searchMessages.kinds[hit.kind]}</span>
          <span class="title">{hit.title}</span>
          <span class="within">{hit.within}</span>
        </li>
      ))}
    </ul>
  );
}
