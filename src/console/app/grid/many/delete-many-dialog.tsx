// Deletes many records: what would be refused is told first, each with what it is in use by.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import { type ApiProblem, asProblem, type Operation, type Shown } from '../../service/api.ts';
import type { GroupModel } from '../../service/model.ts';
import { countText } from '../../values/format.ts';
import { RefusedList } from './refused-list.tsx';
import { type Tried, tryMany, writeMany } from './trial.ts';

interface DeleteManyProps {
  readonly group: GroupModel;
  readonly records: readonly Shown[];
  readonly onClose: (isWritten: boolean) => void;
}

export function DeleteManyDialog({ group, records, onClose }: DeleteManyProps): JSX.Element {
  const [tried, setTried] = useState<readonly Tried[] | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [isWritten, setWritten] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const make = ({ id }: Shown, ifMatch: string | undefined): Operation => ({
    method: 'DELETE',
    path: `${group.path}/${id}`,
    ...(ifMatch !== undefined && { ifMatch }),
  });
  const fail = (error: unknown): void => setProblem(asProblem(error));
  useEffect(() => {
    tryMany(group, records, make).then(setTried, fail);
  }, []);
  const free = tried?.filter(({ refusal }) => refusal === undefined).length ?? 0;
  const name = (count: number): string =>
    `${countText(count)} ${(count === 1 ? group.title : group.plural).toLowerCase()}`;
  const remove = async (): Promise<void> => {
    if (tried === undefined) return;
    setBusy(true);
    try {
      const refused = await writeMany(tried, make, () => undefined);
      setWritten(true);
      say(`${countText(free - refused.length)} deleted`);
      if (refused.length === 0) onClose(true);
      else setTried(refused);
    } catch (error) {
      setWritten(true);
      fail(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Delete ${name(records.length)}?`} onClose={() => onClose(isWritten)}>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {tried === undefined && problem === undefined && <p class="quiet">Trying it …</p>}
      {tried !== undefined && (
        <RefusedList group={group} tried={tried} words={isWritten ? 'were refused' : 'would be refused'} />
      )}
      <footer>
        <button type="button" onClick={() => onClose(isWritten)}>
          {isWritten ? 'Close' : 'Keep them'}
        </button>
        <button type="button" class="danger" disabled={free === 0 || isBusy || isWritten} onClick={() => void remove()}>
          Delete {name(free)}
        </button>
      </footer>
    </Dialog>
  );
}
