// Which of many records would be refused, by the reason.
import type { JSX } from 'preact';
import { recordAddress } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { selectionMessages } from '../../messages/grid.ts';
import type { GroupModel } from '../../service/model.ts';
import { countText, shownName } from '../../values/format.ts';
import { reasonOf, type Tried } from './trial.ts';

interface RefusedListProps {
  readonly group: GroupModel;
  readonly tried: readonly Tried[];
  /** Whether the write was sent; `false` for a trial. */
  readonly isWritten: boolean;
}

/** So many of one reason are named. */
const named = 6;

export function RefusedList({ group, tried, isWritten }: RefusedListProps): JSX.Element {
  const refused = tried.filter(({ refusal }) => refusal !== undefined);
  const reasons = Map.groupBy(refused, ({ refusal }) => (refusal === undefined ? '' : reasonOf(group, refusal)));
  const of =
    tried.length === refused.length
      ? countText(refused.length)
      : selectionMessages.outOf(countText(refused.length), countText(tried.length));
  if (refused.length === 0) return <p role="status">{selectionMessages.canAllChange(countText(tried.length))}</p>;
  return (
    <div class="problem" role="status">
      <p>{isWritten ? selectionMessages.wereRefused(of) : selectionMessages.cannotChange(of)}</p>
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
              {some.length > named && ` ${commonMessages.more(countText(some.length - named))}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
