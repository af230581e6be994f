// Brings the rows of a table into a group: where each column goes, a trial, then the import.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { saveFile } from '../browser/save-file.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { GroupModel } from '../service/model.ts';
import { countText, wordsOf } from '../values/format.ts';
import { type Brought, bring, lookInto, type Proposal } from './bring.ts';

interface ImportDialogProps {
  readonly group: GroupModel;
  /** What was dropped on the grid. */
  readonly dropped: File | undefined;
  readonly onClose: (isWritten: boolean) => void;
}

const days = { iso: '2026-12-31', 'DD.MM.YYYY': '31.12.2026', 'DD/MM/YYYY': '31/12/2026', 'MM/DD/YYYY': '12/31/2026' };

interface Choice {
  /** By the name of the column; '' for those that are not taken. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: string;
  readonly decimal: '.' | ',';
  readonly date: string;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export default function ImportDialog({ group, dropped, onClose }: ImportDialogProps): JSX.Element {
  const [file, setFile] = useState(dropped);
  const [proposal, setProposal] = useState<Proposal | undefined>(undefined);
  const [choice, setChoice] = useState<Choice>({ columns: {}, key: '', decimal: '.', date: 'iso' });
  const [brought, setBrought] = useState<Brought | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [progress, setProgress] = useState<number | undefined>(undefined);
  const [isWritten, setWritten] = useState(false);
  useEffect(() => {
    if (file === undefined) return;
    setProposal(undefined);
    setProblem(undefined);
    lookInto(group, file).then(
      (found) => {
        setProposal(found);
        const columns = Object.fromEntries(found.columns.map(({ name, to = '' }) => [name, to]));
        const isSaid = (key: string): boolean =>
          key.split(',').every((field) => Object.values(columns).includes(field));
        setChoice((before) => ({ ...before, columns, key: found.keys.find(isSaid) ?? '' }));
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [group, file]);
  useEffect(() => setBrought(undefined), [file, choice]);
  const go = async (isTrial: boolean): Promise<void> => {
    if (file === undefined) return;
    const { columns, key, decimal, date } = choice;
    setProblem(undefined);
    setProgress(0);
    if (!isTrial) setWritten(true);
    try {
      const mapping = {
        decimal,
        ...(date !== 'iso' && { date }),
        columns: Object.fromEntries(Object.entries(columns).map(([name, to]) => [name, to === '' ? null : to])),
      };
      setBrought(
        await bring({ group, file, mapping, key: key === '' ? undefined : key, isTrial, onProgress: setProgress }),
      );
    } catch (error) {
      setProblem(messageOf(error));
    }
    setProgress(undefined);
  };
  const isBusy = progress !== undefined;
  const isTried = brought?.isTrial === true;
  const isDone = brought?.isTrial === false;
  const taken = brought === undefined ? 0 : brought.created + brought.updated;
  return (
    <Dialog class="wide" title={`Import ${group.plural.toLowerCase()}`} onClose={() => onClose(isWritten)}>
      <form
        class="many-form"
        onSubmit={(event) => {
          event.preventDefault();
          void go(!isTried);
        }}
      >
        <label for="import-file">A table (CSV), with a line of names</label>
        <input
          id="import-file"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ currentTarget: { files } }) => setFile(files?.[0])}
        />
        {proposal !== undefined && <Columns proposal={proposal} choice={choice} onChoose={setChoice} />}
        {file !== undefined && proposal === undefined && problem === undefined && <p class="quiet">Reading …</p>}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {brought !== undefined && <Outcome brought={brought} name={group.path.slice(1)} />}
        <footer>
          <button type="button" onClick={() => onClose(isWritten)}>
            {isWritten ? 'Close' : 'Cancel'}
          </button>
          {!isDone && (
            <button
              type="submit"
              class="primary"
              disabled={isBusy || proposal === undefined || (isTried && taken + brought.unjudged === 0)}
            >
              {isBusy ? `${countText(progress)} rows …` : isTried ? 'Import' : 'Try it'}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

interface ColumnsProps {
  readonly proposal: Proposal;
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

/** `client.name` → Client: name */
const targetText = (to: string): string => {
  const [own = '', inner] = to.split('.');
  return inner === undefined ? wordsOf(own) : `${wordsOf(own)}: ${wordsOf(inner).toLowerCase()}`;
};

function Columns({ proposal, choice, onChoose }: ColumnsProps): JSX.Element {
  const { columns, targets, keys } = proposal;
  return (
    <>
      <div class="table-scroll">
        <table class="items">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First rows</th>
              <th scope="col">Becomes</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, samples }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="quiet">{samples.join(' · ').slice(0, 80)}</td>
                <td>
                  <select
                    aria-label={`${name} becomes`}
                    value={choice.columns[name] ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      onChoose({ ...choice, columns: { ...choice.columns, [name]: value } })
                    }
                  >
                    <option value="">– not taken –</option>
                    {targets.map((to) => (
                      <option key={to} value={to}>
                        {targetText(to)}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <label for="import-key">Records that are there already</label>
      <select
        id="import-key"
        value={choice.key}
        onChange={({ currentTarget: { value } }) => onChoose({ ...choice, key: value })}
      >
        <option value="">All rows are new records</option>
        <option value="id">are changed, known by their id</option>
        {keys.map((key) => (
          <option key={key} value={key}>
            are changed, known by {key.split(',').map(targetText).join(' and ').toLowerCase()}
          </option>
        ))}
      </select>
      <label for="import-date">Days and numbers are written as</label>
      <span class="side-by-side">
        <select
          id="import-date"
          value={choice.date}
          onChange={({ currentTarget: { value } }) => onChoose({ ...choice, date: value })}
        >
          {Object.entries(days).map(([form, text]) => (
            <option key={form} value={form}>
              {text}
            </option>
          ))}
        </select>
        <select
          aria-label="Numbers are written as"
          value={choice.decimal}
          onChange={({ currentTarget: { value } }) => onChoose({ ...choice, decimal: value === ',' ? ',' : '.' })}
        >
          <option value=".">1234.50</option>
          <option value=",">1234,50</option>
        </select>
      </span>
    </>
  );
}

/** So many rows are told here; all of them stand in the file. */
const told = 12;

function Outcome({ brought, name }: { readonly brought: Brought; readonly name: string }): JSX.Element {
  const { isTrial, created, updated, unchanged, refused, unjudged, stopped, refusedRows, notices, table } = brought;
  const parts = [
    `${countText(created)} ${isTrial ? 'would be made' : 'made'}`,
    `${countText(updated)} changed`,
    ...(unchanged > 0 ? [`${countText(unchanged)} stay as they are`] : []),
    `${countText(refused)} refused`,
    ...(unjudged > 0 ? [`${countText(unjudged)} not judged`] : []),
  ];
  return (
    <div class={refused > 0 ? 'problem' : undefined} role="status">
      <p>
        <b>{parts.join(', ')}.</b> {isTrial && 'Nothing has been written yet.'}
        {stopped !== undefined && ` It ended before its end: ${stopped}.`}
      </p>
      {notices.map((text) => (
        <p key={text} class="quiet">
          {text}
        </p>
      ))}
      {refusedRows.length > 0 && (
        <>
          <ul>
            {refusedRows.slice(0, told).map(({ line, errors }) => (
              <li key={line}>
                Line {line}: {errors.join('; ')}
              </li>
            ))}
            {refusedRows.length > told && <li>and {countText(refusedRows.length - told)} more</li>}
          </ul>
          <button
            type="button"
            onClick={() => saveFile(new Blob([table], { type: 'text/csv' }), `${name}.refused.csv`)}
          >
            Save the refused rows
          </button>
        </>
      )}
    </div>
  );
}
