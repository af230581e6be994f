// Brings the rows of a file into a group: where each column goes, a trial, then the import. One that was broken off goes on here.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { commonMessages } from '../messages/common.ts';
import { importMessages } from '../messages/importing.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { GroupModel } from '../service/model.ts';
import { countText } from '../values/format.ts';
import { type Brought, bring, formatOf, lookInto, type Proposal } from './bring.ts';
import { type Choice, Columns } from './columns.tsx';
import { forgetJournal, type Journal, readJournal } from './journal.ts';
import { Outcome } from './outcome.tsx';

interface ImportDialogProps {
  readonly group: GroupModel;
  /** What was dropped on the grid. */
  readonly dropped: File | undefined;
  readonly onClose: (isWritten: boolean) => void;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export default function ImportDialog({ group, dropped, onClose }: ImportDialogProps): JSX.Element {
  const [file, setFile] = useState(dropped);
  const [journal, setJournal] = useState<Journal | undefined>(undefined);
  const [choice, setChoice] = useState<Choice>({ columns: {}, key: '', decimal: '.', date: 'iso' });
  const { proposal, fault } = useProposal(group, file, setChoice);
  const running = useRunning();
  const { brought, progress } = running;
  const problem = fault ?? running.problem;
  const recall = (): void => {
    if (dropped === undefined) void readJournal(group.name).then(setJournal);
  };
  useEffect(recall, [group]);
  useEffect(() => running.forget(), [file, choice]);
  const go = async (isTrial: boolean): Promise<void> => {
    if (file === undefined) return;
    await running.run({
      group,
      file,
      mapping: mappingOf(choice, formatOf(file)),
      key: choice.key || undefined,
      isTrial,
    });
    if (!isTrial) recall();
  };
  const goOn = async (begun: Journal): Promise<void> => {
    setJournal(undefined);
    await running.run({ ...begun, group, isTrial: false, journal: begun });
    recall();
  };
  const isBusy = progress !== undefined;
  const isTried = brought?.isTrial === true;
  const taken = brought === undefined ? 0 : brought.created + brought.updated;
  const close = (): void => {
    running.stop();
    onClose(running.isWritten);
  };
  const isAsking = journal !== undefined && !isBusy;
  return (
    <Dialog class="wide" title={importMessages.title(group.plural.toLowerCase())} onClose={close}>
      <form
        class="many-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAsking) void goOn(journal);
          else void go(!isTried);
        }}
      >
        {isAsking && (
          <Broken
            journal={journal}
            onForget={() => {
              void forgetJournal(group.name);
              setJournal(undefined);
            }}
          />
        )}
        {!isAsking && !(isBusy && file === undefined) && (
          <FileChoice onChoose={setFile} isHidden={brought?.isTrial === false} />
        )}
        {proposal !== undefined && file !== undefined && !isAsking && (
          <Columns
            proposal={proposal}
            isOfRecords={formatOf(file) === 'ndjson'}
            choice={choice}
            hasOutcome={brought !== undefined}
            onChoose={setChoice}
          />
        )}
        {file !== undefined && proposal === undefined && problem === undefined && (
          <p class="quiet">{importMessages.reading}</p>
        )}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {brought !== undefined && running.file !== undefined && (
          <Outcome brought={brought} file={running.file} name={group.path.slice(1)} />
        )}
        <footer>
          <button type="button" onClick={isBusy ? running.stop : close}>
            {isBusy ? importMessages.stop : running.isWritten ? commonMessages.close : commonMessages.cancel}
          </button>
          {brought?.isTrial !== false && (
            <button
              type="submit"
              class="primary"
              disabled={
                isBusy || (!isAsking && (proposal === undefined || (isTried && taken + brought.unjudged === 0)))
              }
            >
              {isBusy
                ? importMessages.rows(countText(progress))
                : isAsking
                  ? importMessages.continue
                  : isTried
                    ? importMessages.import
                    : importMessages.check}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

const mappingOf = ({ columns, decimal, date }: Choice, format: 'csv' | 'ndjson') =>
  format === 'ndjson'
    ? {}
    : {
        decimal,
        ...(date !== 'iso' && { date }),
        columns: Object.fromEntries(Object.entries(columns).map(([name, to]) => [name, to === '' ? null : to])),
      };

/** What a file would become, as soon as its beginning is read. */
function useProposal(group: GroupModel, file: File | undefined, onChoice: (set: (before: Choice) => Choice) => void) {
  const [proposal, setProposal] = useState<Proposal | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (file === undefined) return;
    setProposal(undefined);
    setFault(undefined);
    lookInto(group, file).then(
      (found) => {
        setProposal(found);
        const columns = Object.fromEntries(found.columns.map(({ name, to = '' }) => [name, to]));
        const isSaid = (key: string): boolean =>
          key.split(',').every((field) => Object.values(columns).includes(field));
        onChoice((before) => ({ ...before, columns, key: found.keys.find(isSaid) ?? '' }));
      },
      (error: unknown) => setFault(messageOf(error)),
    );
  }, [group, file]);
  return { proposal, fault };
}

/** An import that runs, and what it has come to. */
function useRunning() {
  const [brought, setBrought] = useState<Brought | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [isWritten, setWritten] = useState(false);
  const [file, setFile] = useState<File | undefined>(undefined);
  const ends = useRef(new AbortController());
  const run = async (asked: Omit<Parameters<typeof bring>[0], 'onProgress' | 'ends'>): Promise<void> => {
    ends.current = new AbortController();
    setFile(asked.file);
    setProblem(undefined);
    setProgress(0);
    if (!asked.isTrial) setWritten(true);
    try {
      setBrought(await bring({ ...asked, ends: ends.current.signal, onProgress: setProgress }));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setProgress(undefined);
  };
  const forget = (): void => setBrought(undefined);
  return { brought, problem, progress, isWritten, file, run, forget, stop: () => ends.current.abort() };
}

interface FileChoiceProps {
  readonly onChoose: (file: File | undefined) => void;
  readonly isHidden: boolean;
}

function FileChoice({ onChoose, isHidden }: FileChoiceProps): JSX.Element | null {
  if (isHidden) return null;
  return (
    <>
      <label for="import-file">{importMessages.fileChoice}</label>
      <input
        id="import-file"
        type="file"
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json,text/csv"
        onChange={({ currentTarget: { files } }) => onChoose(files?.[0])}
      />
    </>
  );
}

interface BrokenProps {
  readonly journal: Journal;
  readonly onForget: () => void;
}

/** An import that has not come to its end. */
function Broken({ journal: { file, state }, onForget }: BrokenProps): JSX.Element {
  const { created, updated, unchanged, refused } = state;
  return (
    <div class="newer" role="status">
      <p>
        {importMessages.theImportOf}
        <b>{file.name}</b>
        {importMessages.stoppedAfter(countText(created + updated + unchanged + refused))}
      </p>
      <button type="button" onClick={onForget}>
        {importMessages.otherFile}
      </button>
    </div>
  );
}
