// Resolves a version conflict: the record as it is now beside what was typed, field by field.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Draft, draftOf, numeral, toJson } from '../controls/draft.ts';
import { commonMessages } from '../messages/common.ts';
import { conflictMessages } from '../messages/record.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Tagged } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
import { labelOf } from '../values/format.ts';
import { Value } from '../values/value.tsx';

interface ConflictProps {
  readonly group: GroupModel;
  /** As it was read, as it is written, as it is now. */
  readonly before: Draft;
  readonly mine: Draft;
  readonly now: Tagged;
  readonly onClose: () => void;
  /** @param draft What is to be written now: theirs, with what of mine was chosen. */
  readonly onResolve: (draft: Draft) => void;
}

interface Difference {
  readonly field: FieldModel;
  readonly isMine: boolean;
  readonly isTheirs: boolean;
}

export function ConflictDialog({ group, before, mine, now, onClose, onResolve }: ConflictProps): JSX.Element {
  const theirs = draftOf(group.fields, now.record);
  const differences = group.fields
    .map((field): Difference => {
      const [a, b, c] = [before, mine, theirs].map((draft) => toJson(field, draft[field.key]));
      return { field, isMine: a !== b && b !== c && field.onUpdate, isTheirs: a !== c };
    })
    .filter(({ field, isMine, isTheirs }) => (isMine || isTheirs) && field.shown && field.name !== 'modifiedAt');
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    new Set(differences.filter(({ isMine }) => isMine).map(({ field }) => field.key)),
  );
  const choose = (key: string, isMine: boolean): void =>
    setTaken(new Set(isMine ? [...taken, key] : [...taken].filter((one) => one !== key)));
  const resolve = (): void =>
    onResolve({ ...theirs, ...Object.fromEntries([...taken].map((key) => [key, mine[key]])) });
  return (
    <Dialog class="wide" title={conflictMessages.title} onClose={onClose}>
      <p>{conflictMessages.choose}</p>
      <div class="table-scroll">
        <table class="items conflict">
          <thead>
            <tr>
              <th scope="col">{commonMessages.field}</th>
              <th scope="col">{conflictMessages.now}</th>
              <th scope="col">{conflictMessages.yours}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, isMine }) => (
              <tr key={field.key}>
                <th scope="row">{labelOf(field)}</th>
                <td>
                  <Side
                    field={field}
                    isChosen={!taken.has(field.key)}
                    isFree={isMine}
                    onChoose={() => choose(field.key, false)}
                  >
                    <Value field={field} value={now.record[field.name]} around={[now.record]} isBrief />
                  </Side>
                </td>
                <td>
                  {isMine && (
                    <Side field={field} isChosen={taken.has(field.key)} isFree onChoose={() => choose(field.key, true)}>
                      <Value field={field} value={mineShown(field, mine[field.key])} around={[now.record]} isBrief />
                    </Side>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <footer>
        <button type="button" onClick={onClose}>
          {conflictMessages.keepEditing}
        </button>
        <button type="button" class="primary" onClick={resolve}>
          {conflictMessages.use}
        </button>
      </footer>
    </Dialog>
  );
}

/** What a control holds, as a record would show it. */
const mineShown = (field: FieldModel, control: unknown): unknown =>
  (field.kind === 'decimal' || field.kind === 'integer') && control !== ''
    ? Number(numeral(field, String(control)))
    : control;

interface SideProps {
  readonly field: FieldModel;
  readonly isChosen: boolean;
  /** Whether there is a choice. */
  readonly isFree: boolean;
  readonly onChoose: () => void;
  readonly children: JSX.Element;
}

function Side({ field, isChosen, isFree, onChoose, children }: SideProps): JSX.Element {
  if (!isFree) return children;
  return (
    <label class="check">
      <input type="radio" name={`side-${field.key}`} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
