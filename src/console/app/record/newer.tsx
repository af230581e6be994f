// An open record follows the feed: it is read again where others write it; while one edits it, that is said instead.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { recordMessages } from '../messages/record.ts';
import { get, type Tagged } from '../service/api.ts';
import { useFollowed } from '../service/follow.ts';
import type { GroupModel } from '../service/model.ts';

interface NewerProps {
  readonly group: GroupModel;
  readonly tagged: Tagged;
  readonly isEditing: boolean;
  readonly onRead: (now: Tagged) => void;
  /** Called with the record as it is now, to be put beside what is written. */
  readonly onCompare: (now: Tagged) => void;
}

export function Newer({ group, tagged, isEditing, onRead, onCompare }: NewerProps): JSX.Element | null {
  const [newer, setNewer] = useState<Tagged | 'gone' | undefined>(undefined);
  const { id } = tagged.record;
  useFollowed(group.name, (news) => {
    const own = news?.filter((one) => one.id === id || group.isSingle);
    if (own?.length === 0) return;
    if (own?.at(-1)?.operation === 'delete') setNewer('gone');
    else
      get(group.path, group.isSingle ? undefined : id).then(
        (now) => {
          if (now.etag === tagged.etag) return;
          if (isEditing) setNewer(now);
          else onRead(now);
        },
        // What cannot be read now is told where one asks for it.
        () => undefined,
      );
  });
  if (newer === 'gone')
    return (
      <p class="problem" role="status">
        {recordMessages.deletedMeanwhile(group.title.toLowerCase())}
      </p>
    );
  if (!isEditing || newer === undefined || newer.etag === tagged.etag) return null;
  return (
    <p class="newer" role="status">
      {recordMessages.newerVersion}{' '}
      <button type="button" onClick={() => onCompare(newer)}>
        {recordMessages.compare}
      </button>
    </p>
  );
}
