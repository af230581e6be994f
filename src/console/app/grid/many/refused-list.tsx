// Which of many records would be refused, by the reason.
import type { JSX } from 'preact';
import { recordAddress } from '../../browser/router.ts';
import type { GroupModel } from '../../service/model.ts';
import { countText, shownName } from '../../values/format.ts';
import { reasonOf, type Tried } from './trial.ts';

interface RefusedListProps {
  readonly group: GroupModel;
  readonly tried: readonly Tried[];
  /** What is said of them: `would be refused`. */
  readonly words: string;
}

/** So many of one reason are named. */
const named = 6;

export function RefusedList({ group, tried, words }: RefusedListProps): JSX.Element {
  const refused = tried.filter(({ refusal }) => refusal !== undefined);
  const reasons = Map.groupBy(refused, ({ refusal }) => (refusal === undefined ? '' : reasonOf(group, refusal)));
  const of =
    tried.length === refused.length
      ? countText(refused.length)
      : `${countText(refused.length)} of ${countText(tried.length)}`;
  if (refused.length === 0) return <p role="status">None of {countText(tried.length)} would be refused.</p>;
  return (
    <div class="problem" role="status">
      <p>
        {of} {words}:
      </p>
      <ul>
        {[...reasons].map(([reason, some]) => (
          <li key={reason}>
            {reason}{' '}
            <span class="quiet">
              {some.slice(0, named).map(({ record }, index) => (
                <span key={record.id}>
                  {index > 0 && ', '}
                  <a href={recordAddress(group.path, String(record.id))}>{shownName(group, record)}</a>
                </span>
              ))}
              {some.length > named && ` and ${countText(some.length - named)} more`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
