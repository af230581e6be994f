// Takes back a write: first tried, so that one knows whether it can be and what stops it.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EntryShown } from '../../../past/entry-json.ts';
import { newKey } from '../browser/new-key.ts';
import { forgetLists } from '../grid/list/places.ts';
import { commonMessages } from '../messages/common.ts';
import { undoMessages } from '../messages/history.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { say } from '../parts/say.tsx';
import { type ApiProblem, asProblem } from '../service/api.ts';
import { undo } from '../service/log.ts';
import { countText, momentText } from '../values/format.ts';
import { writerOf } from './differences.ts';

interface UndoDialogProps {
  readonly entry: EntryShown;
  readonly onClose: () => void;
  readonly onUndone: () => void;
}

export function UndoDialog({ entry, onClose, onUndone }: UndoDialogProps): JSX.Element {
  const [key] = useState(newKey);
  const [isTried, setTried] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const { write, at, parts } = entry;
  useEffect(() => {
    undo(write, { isTrial: true }).then(
      () => setTried(true),
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, [write]);
  const confirm = (): void => {
    setTried(false);
    undo(write, { key }).then(
      () => {
        forgetLists();
        say(undoMessages.done);
        onClose();
        onUndone();
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  return (
    <Dialog title={undoMessages.question} onClose={onClose}>
      <p>{undoMessages.reverts(parts > 1 ? countText(parts) : undefined, writerOf(entry), momentText(at))}</p>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {!isTried && problem === undefined && <p class="quiet">{undoMessages.checking}</p>}
      {isTried && <p>{undoMessages.noConflicts}</p>}
      <footer>
        <button type="button" onClick={onClose}>
          {commonMessages.cancel}
        </button>
        <button type="button" class="primary" disabled={!isTried} onClick={confirm}>
          {undoMessages.undo}
        </button>
      </footer>
    </Dialog>
  );
}
