// One write of many records: it is tried first, and what would be refused is told with its reason.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { commonMessages } from '../../messages/common.ts';
import { selectionMessages } from '../../messages/grid.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import { type ApiProblem, asProblem, type Shown } from '../../service/api.ts';
import type { GroupModel } from '../../service/model.ts';
import { countText } from '../../values/format.ts';
import { RefusedList } from './refused-list.tsx';
import { type Make, type Tried, tryMany, writeMany } from './trial.ts';

interface ManyDialogProps {
  readonly group: GroupModel;
  readonly records: readonly Shown[];
  /** `Change`, and what is said of those with which it is done: `changed`. */
  readonly verb: string;
  readonly done: string;
  readonly isDanger?: boolean;
  readonly make: Make;
  /** What is to be done, where somebody says that here: it is tried when that is asked, and anew once it has become another. */
  readonly asked?: string;
  readonly onClose: (isWritten: boolean) => void;
  readonly children?: ComponentChildren;
}

export function ManyDialog(props: ManyDialogProps): JSX.Element {
  const { group, records, verb, done, isDanger = false, make, asked, onClose, children } = props;
  const [tried, setTried] = useState<readonly Tried[] | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [isWritten, setWritten] = useState(false);
  const [answered, setAnswered] = useState<number | undefined>(undefined);
  const isBusy = answered !== undefined;
  /** What goes wrong is told, and nothing else is begun meanwhile. */
  const busyWith = async (work: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    setAnswered(0);
    await work().catch((error: unknown) => setProblem(asProblem(error)));
    setAnswered(undefined);
  };
  const attempt = () => busyWith(async () => setTried(await tryMany(group, records, make)));
  useEffect(() => {
    setTried(undefined);
    if (asked === undefined) void attempt();
  }, [asked]);
  const free = tried?.filter(({ refusal }) => refusal === undefined).length ?? 0;
  const write = (some: readonly Tried[]) =>
    busyWith(async () => {
      setWritten(true);
      const refused = await writeMany(some, make, setAnswered);
      say(`${countText(free - refused.length)} ${done}`);
      if (refused.length === 0) onClose(true);
      else setTried(refused);
    });
  const name = (count: number): string =>
    `${countText(count)} ${(count === 1 ? group.title : group.plural).toLowerCase()}`;
  return (
    <Dialog title={`${verb} ${name(records.length)}${isDanger ? '?' : ''}`} onClose={() => onClose(isWritten)}>
      <form
        class="many-form"
        onSubmit={(event) => {
          event.preventDefault();
          void (tried === undefined ? attempt() : write(tried));
        }}
      >
        {children}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {tried !== undefined && <RefusedList group={group} tried={tried} isWritten={isWritten} />}
        <footer>
          <button type="button" onClick={() => onClose(isWritten)}>
            {isWritten ? commonMessages.close : commonMessages.cancel}
          </button>
          {tried === undefined ? (
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? selectionMessages.checking : selectionMessages.check}
            </button>
          ) : (
            <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isBusy || free === 0 || isWritten}>
              {isBusy ? selectionMessages.progress(countText(answered), countText(free)) : `${verb} ${name(free)}`}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
