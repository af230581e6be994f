// What is new: the newest writes of all groups, kept up while one looks.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EntryShown } from '../../../past/entry-json.ts';
import { commonMessages } from '../messages/common.ts';
import { frameMessages } from '../messages/frame.ts';
import { historyMessages } from '../messages/history.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { type ApiProblem, asProblem } from '../service/api.ts';
import { useFollowed } from '../service/follow.ts';
import { Entry } from './entry.tsx';
import { newestEntries } from './newest.ts';

const shown = 50;
const isOfPeople = ({ cause }: EntryShown): boolean => cause?.kind === 'caller' || cause?.kind === 'undo';

export default function News(): JSX.Element {
  const [entries, setEntries] = useState<readonly EntryShown[] | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const read = (): void => {
    newestEntries(shown).then(
      (found) => {
        setProblem(undefined);
        setEntries((before) => withNewer(before ?? [], found));
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(() => {
    document.title = commonMessages.pageTitle(frameMessages.news);
    read();
  }, []);
  useFollowed(undefined, (news) => {
    if (news === undefined) read();
    else setEntries((before) => withNews(before ?? [], news));
  });
  return (
    <section class="past" aria-labelledby="title">
      <h1 id="title">{frameMessages.news}</h1>
      {problem !== undefined && <ProblemNote problem={problem} onAgain={read} />}
      {entries === undefined && problem === undefined && <p class="quiet loading">{commonMessages.loading}</p>}
      {entries?.length === 0 && <p class="quiet">{historyMessages.empty}</p>}
      <ul class="past-list">
        {(entries ?? []).map((entry) => (
          <Entry key={`${entry.write}/${entry.part}`} entry={entry} isNamed onUndone={read} />
        ))}
      </ul>
    </section>
  );
}

/** What is read, behind the news that came while it was. */
function withNewer(before: readonly EntryShown[], read: readonly EntryShown[]): readonly EntryShown[] {
  const last = read[0]?.at ?? '';
  return [...before.filter(({ at }) => at >= last).filter(notAmong(read)), ...read].slice(0, shown);
}

/** The news before what is there; nothing twice. */
function withNews(before: readonly EntryShown[], news: readonly EntryShown[]): readonly EntryShown[] {
  return [...news.filter(isOfPeople).filter(notAmong(before)).toReversed(), ...before].slice(0, shown);
}

function notAmong(entries: readonly EntryShown[]): (one: EntryShown) => boolean {
  const known = new Set(entries.map(({ position }) => position));
  return ({ position }) => !known.has(position);
}
