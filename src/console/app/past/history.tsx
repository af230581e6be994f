// What became of a record, newest first, and undo.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EntryShown } from '../../../past/entry-json.ts';
import { commonMessages } from '../messages/common.ts';
import { historyMessages } from '../messages/history.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { type ApiProblem, asProblem, type Shown } from '../service/api.ts';
import { useFollowed } from '../service/follow.ts';
import { historyOf } from '../service/log.ts';
import type { GroupModel } from '../service/model.ts';
import { Entry } from './entry.tsx';

interface HistoryProps {
  readonly group: GroupModel;
  /** Undefined for the one record of its group. */
  readonly id: string | undefined;
  readonly name: string;
  /** Undefined for one that is gone. */
  readonly record: Shown | undefined;
  /** Called once a write is undone. */
  readonly onUndone: () => void;
}

const pageSize = '20';

export default function History({ group, id, name, record, onUndone }: HistoryProps): JSX.Element {
  const [entries, setEntries] = useState<readonly EntryShown[] | undefined>(undefined);
  const [end, setEnd] = useState({ hasMore: false, isComplete: true });
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [withFigures, setWithFigures] = useState(false);
  const read = (after?: EntryShown): void => {
    const query = new URLSearchParams({ limit: pageSize });
    if (withFigures) query.set('figures', 'true');
    if (after?.entry !== undefined) query.set('startingAfter', after.entry);
    historyOf(group.path, id, query).then(
      ({ results, hasMore, isComplete }) => {
        setProblem(undefined);
        setEnd({ hasMore, isComplete });
        setEntries((before) => (after === undefined ? results : [...(before ?? []), ...results]));
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(() => read(), [group, id, withFigures]);
  useFollowed(group.name, (news) => {
    if (news === undefined || news.some((one) => one.id === id || id === undefined)) read();
  });
  return (
    <section class="past" aria-labelledby="history">
      <h1 id="history">{historyMessages.title(name)}</h1>
      <label class="check">
        <input
          type="checkbox"
          checked={withFigures}
          onChange={({ currentTarget }) => setWithFigures(currentTarget.checked)}
        />{' '}
        {historyMessages.includeComputed}
      </label>
      {problem !== undefined && <ProblemNote problem={problem} onAgain={() => read()} />}
      {entries === undefined && problem === undefined && <p class="quiet loading">{commonMessages.loading}</p>}
      <ul class="past-list">
        {(entries ?? []).map((entry) => (
          <Entry
            key={entry.entry}
            entry={entry}
            record={record}
            onUndone={() => {
              read();
              onUndone();
            }}
          />
        ))}
      </ul>
      {end.hasMore && (
        <button type="button" onClick={() => read(entries?.at(-1))}>
          {historyMessages.older}
        </button>
      )}
      {!end.hasMore && !end.isComplete && entries !== undefined && <p class="quiet">{historyMessages.incomplete}</p>}
    </section>
  );
}
