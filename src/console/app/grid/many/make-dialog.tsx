// Makes records of many others, one of all that have in common what it has once: a payment of each client and currency. It is tried first.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { newKey } from '../../browser/new-key.ts';
import { commonMessages } from '../../messages/common.ts';
import { selectionMessages } from '../../messages/grid.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import { type ApiProblem, asProblem, batch, type Operation, problemOf, type Shown } from '../../service/api.ts';
import type { GroupModel } from '../../service/model.ts';
import { amountText, countText, shownName } from '../../values/format.ts';
import { alike, bodyOf, type Maker, sumDue } from './makers.ts';
import { reasonOf } from './trial.ts';

interface MakeDialogProps {
  readonly group: GroupModel;
  readonly made: Maker;
  readonly records: readonly Shown[];
  readonly onClose: (isWritten: boolean) => void;
}

/** Records of which one is made, and why it is not. */
interface Part {
  readonly records: readonly Shown[];
  readonly refusal: ApiProblem | undefined;
}

export function MakeDialog({ group, made, records, onClose }: MakeDialogProps): JSX.Element {
  const { maker } = made;
  const [parts, setParts] = useState<readonly Part[] | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const [isBusy, setBusy] = useState(true);
  const [isWritten, setWritten] = useState(false);
  const key = useRef(newKey());
  const send = async (some: readonly (readonly Shown[])[], isTrial: boolean): Promise<readonly Part[]> => {
    setBusy(true);
    setProblem(undefined);
    const operations = some.map(
      (each): Operation => ({ method: 'POST', path: maker.path, body: bodyOf(made, group, each) }),
    );
    try {
      const results = await batch(operations, isTrial ? { isTrial } : { key: key.current });
      return some.map((each, index) => {
        const result = results[index];
        return { records: each, refusal: result === undefined ? undefined : problemOf(result) };
      });
    } finally {
      setBusy(false);
    }
  };
  const failed = (error: unknown): void => setProblem(asProblem(error));
  useEffect(() => {
    // What they have in common, and what is due of them, may stand in no column.
    whole(group, records)
      .then((all) => send(alike(made, group, all), true))
      .then(setParts, failed);
  }, []);
  const free = (parts ?? []).filter(({ refusal }) => refusal === undefined);
  const name = (count: number): string =>
    `${countText(count)} ${(count === 1 ? maker.title : maker.plural).toLowerCase()}`;
  const make = (): void => {
    setWritten(true);
    send(
      free.map((each) => each.records),
      false,
    ).then((done) => {
      const refused = done.filter(({ refusal }) => refusal !== undefined);
      say(selectionMessages.created(name(done.length - refused.length)));
      if (refused.length === 0) onClose(true);
      else setParts(refused);
    }, failed);
  };
  return (
    <Dialog
      class="wide"
      title={selectionMessages.createFrom(
        maker.plural.toLowerCase(),
        countText(records.length),
        group.plural.toLowerCase(),
      )}
      onClose={() => onClose(isWritten)}
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      {parts === undefined && problem === undefined && <p class="quiet">{selectionMessages.checking}</p>}
      {parts !== undefined && <Parts group={group} made={made} parts={parts} />}
      <footer>
        <button type="button" onClick={() => onClose(isWritten)}>
          {isWritten ? commonMessages.close : commonMessages.cancel}
        </button>
        <button type="button" class="primary" disabled={isBusy || free.length === 0} onClick={make}>
          {selectionMessages.create(name(free.length))}
        </button>
      </footer>
    </Dialog>
  );
}

/** Records as they are now, with all their fields. */
async function whole({ path }: GroupModel, records: readonly Shown[]): Promise<readonly Shown[]> {
  const results = await batch(records.map(({ id }) => ({ method: 'GET', path: `${path}/${id}` })));
  return results.map(({ body }, index) => ({ ...records[index], ...(body as Shown) }));
}

/** So many of one are named. */
const named = 4;

function Parts({ group, made, parts }: Pick<MakeDialogProps, 'group' | 'made'> & { readonly parts: readonly Part[] }) {
  return (
    <div class="table-scroll">
      <table class="items">
        <thead>
          <tr>
            <th scope="col">{made.maker.title}</th>
            <th scope="col">{selectionMessages.from}</th>
            <th scope="col" class="numeric">
              {selectionMessages.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ records, refusal }) => (
            <tr key={records[0]?.id}>
              <th scope="row">{commonText(records)}</th>
              <td>
                {records
                  .slice(0, named)
                  .map((record) => shownName(group, record))
                  .join(', ')}
                {records.length > named && ` ${commonMessages.more(countText(records.length - named))}`}
                {refusal !== undefined && <p class="fault">{reasonOf(made.maker, refusal)}</p>}
              </td>
              <td class="numeric">{dueText(group, records)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What they have in common that has a name: the client. */
const commonText = ([first]: readonly Shown[]): string =>
  Object.values(first ?? {}).flatMap((value) =>
    typeof value === 'object' && value !== null && 'name' in value ? [String(value.name)] : [],
  )[0] ?? '';

function dueText(group: GroupModel, records: readonly Shown[]): string {
  const sum = sumDue(group, records);
  return sum === undefined ? '' : amountText(sum, String(records[0]?.['currency'] ?? ''));
}
