// Changes a field of many records: what would be refused is told first.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Control } from '../../controls/control.tsx';
import { emptyDraft, toJson } from '../../controls/draft.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import { type ApiProblem, asProblem, type Operation, type Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { countText, labelOf } from '../../values/format.ts';
import { isState } from '../../values/tone.ts';
import { RefusedList } from './refused-list.tsx';
import { type Tried, tryMany, writeMany } from './trial.ts';

interface ChangeDialogProps {
  readonly group: GroupModel;
  readonly records: readonly Shown[];
  readonly onClose: (isWritten: boolean) => void;
}

const kinds = ['text', 'enum', 'date', 'dateTime', 'integer', 'decimal', 'boolean', 'reference', 'references', 'list'];

/** Fields that may be the same in many records: states first. */
const changeable = ({ fields }: GroupModel): readonly FieldModel[] =>
  fields
    .filter(({ onUpdate, kind }) => onUpdate && kinds.includes(kind))
    .toSorted((a, b) => Number(isState(b)) - Number(isState(a)));

export function ChangeDialog({ group, records, onClose }: ChangeDialogProps): JSX.Element {
  const fields = changeable(group);
  const [key, setKey] = useState(fields[0]?.key ?? '');
  const field = fields.find((one) => one.key === key);
  const [value, setValue] = useState<unknown>(undefined);
  const [tried, setTried] = useState<readonly Tried[] | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [isWritten, setWritten] = useState(false);
  const [done, setDone] = useState<number | undefined>(undefined);
  const control =
    value === undefined && field !== undefined ? emptyDraft([{ ...field, default: undefined }])[field.key] : value;
  const make = ({ id }: Shown, ifMatch: string | undefined): Operation => ({
    method: 'PATCH',
    path: `${group.path}/${id}`,
    body: field === undefined ? {} : { [field.key]: JSON.parse(toJson(field, control)) },
    ...(ifMatch !== undefined && { ifMatch }),
  });
  const fail = (error: unknown): void => setProblem(asProblem(error));
  const attempt = (): void => {
    setProblem(undefined);
    setDone(0);
    tryMany(group, records, make)
      .then(setTried, fail)
      .finally(() => setDone(undefined));
  };
  const write = async (): Promise<void> => {
    if (tried === undefined) return;
    setDone(0);
    try {
      const refused = await writeMany(tried, make, setDone);
      setWritten(true);
      const count = tried.filter(({ refusal }) => refusal === undefined).length - refused.length;
      say(`${countText(count)} changed`);
      if (refused.length === 0) onClose(true);
      else setTried(refused);
    } catch (error) {
      setWritten(true);
      fail(error);
    } finally {
      setDone(undefined);
    }
  };
  const free = tried?.filter(({ refusal }) => refusal === undefined).length ?? 0;
  const name = (count: number): string =>
    `${countText(count)} ${(count === 1 ? group.title : group.plural).toLowerCase()}`;
  return (
    <Dialog title={`Change ${name(records.length)}`} onClose={() => onClose(isWritten)}>
      <form
        class="many-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (tried === undefined) attempt();
          else void write();
        }}
      >
        <label for="many-field">Field</label>
        <select
          id="many-field"
          value={key}
          onChange={(event) => {
            setKey(event.currentTarget.value);
            setValue(undefined);
            setTried(undefined);
          }}
        >
          {fields.map((one) => (
            <option key={one.key} value={one.key}>
              {labelOf(one)}
            </option>
          ))}
        </select>
        {field !== undefined && (
          <>
            <label for="many-value">{labelOf(field)} of all of them</label>
            <Control
              key={field.key}
              field={field}
              value={control}
              id="many-value"
              onChange={(next) => {
                setValue(next);
                setTried(undefined);
              }}
            />
          </>
        )}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {tried !== undefined && (
          <RefusedList group={group} tried={tried} words={isWritten ? 'were refused' : 'would be refused'} />
        )}
        <footer>
          <button type="button" onClick={() => onClose(isWritten)}>
            {isWritten ? 'Close' : 'Leave them as they are'}
          </button>
          {tried === undefined ? (
            <button type="submit" class="primary" disabled={done !== undefined}>
              {done === undefined ? 'Try it' : 'Trying …'}
            </button>
          ) : (
            <button type="submit" class="primary" disabled={done !== undefined || free === 0 || isWritten}>
              {done === undefined ? `Change ${name(free)}` : `${countText(done)} of ${countText(free)} …`}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
