// Confirms a delete with a preview of its cascade, from a trial that the service rolls back.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go, groupAddress } from '../browser/router.ts';
import { forgetLists } from '../grid/list/places.ts';
import { commonMessages } from '../messages/common.ts';
import { deleteMessages, recordMessages } from '../messages/record.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { say } from '../parts/say.tsx';
import { type ApiProblem, asProblem, type DeleteTrial, remove, tryDelete, type Users } from '../service/api.ts';
import { type GroupModel, groups } from '../service/model.ts';
import { countText } from '../values/format.ts';

interface DeleteDialogProps {
  readonly group: GroupModel;
  readonly id: string;
  readonly name: string;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}

export function DeleteDialog({ group, id, name, etag, onClose }: DeleteDialogProps): JSX.Element {
  const [trial, setTrial] = useState<DeleteTrial | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  useEffect(() => {
    tryDelete(group.path, id, etag).then(setTrial, (error: unknown) => setProblem(asProblem(error)));
  }, [group, id]);
  const confirm = (): void => {
    remove(group.path, id, etag).then(
      () => {
        forgetLists();
        say(recordMessages.deleted(group.title));
        go(groupAddress(group.path));
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  return (
    <Dialog title={deleteMessages.title(name)} onClose={onClose}>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {problem !== undefined && problem.usedBy.length > 0 && <UsedBy group={group} id={id} users={problem.usedBy} />}
      {trial === undefined && problem === undefined && <p class="quiet">{deleteMessages.checking}</p>}
      {trial !== undefined && problem === undefined && <Consequences group={group} trial={trial} />}
      <footer>
        <button type="button" onClick={onClose}>
          {commonMessages.cancel}
        </button>
        <button type="button" class="danger" disabled={trial === undefined || problem !== undefined} onClick={confirm}>
          {commonMessages.delete}
        </button>
      </footer>
    </Dialog>
  );
}

interface UsedByProps {
  readonly group: GroupModel;
  readonly id: string;
  readonly users: readonly Users[];
}

/** What refers to the record, with the way there. */
function UsedBy({ group, id, users }: UsedByProps): JSX.Element {
  const referring = groups().referringTo(group.name);
  return (
    <>
      <p>{deleteMessages.usedBy}</p>
      <ul class="counts">
        {users.map(({ group: path, count, countIsLowerBound }) => {
          const user = groups().at(path);
          const filter = referring.find((one) => one.group === user)?.filter;
          const words = `${countIsLowerBound === true ? deleteMessages.orMore(countText(count)) : countText(count)} ${(count === 1 ? user?.title : user?.plural)?.toLowerCase() ?? path}`;
          const narrowed = filter && new URLSearchParams({ [filter.name]: id });
          return (
            <li key={path}>{user && narrowed ? <a href={groupAddress(user.path, narrowed)}>{words}</a> : words}</li>
          );
        })}
      </ul>
    </>
  );
}

function Consequences({ group, trial }: { readonly group: GroupModel; readonly trial: DeleteTrial }): JSX.Element {
  const own = group.path.slice(1);
  // The record itself is no consequence.
  const gone = Object.entries(trial.deletes)
    .map(([path, count]) => [path, path === own ? count - 1 : count] as const)
    .filter(([, count]) => count > 0);
  const cleared = Object.entries(trial.clears);
  if (gone.length + cleared.length === 0) return <p>{deleteMessages.nothingElse}</p>;
  return (
    <>
      <Counts words={deleteMessages.alsoDeletes} counts={gone} />
      <Counts words={deleteMessages.clears} counts={cleared} />
    </>
  );
}

function Counts({
  words,
  counts,
}: {
  readonly words: string;
  readonly counts: readonly (readonly [string, number])[];
}) {
  if (counts.length === 0) return null;
  return (
    <>
      <p>{words}</p>
      <ul class="counts">
        {counts.map(([path, count]) => {
          const group = groups().at(path);
          return (
            <li key={path}>
              <strong>{countText(count)}</strong> {(count === 1 ? group?.title : group?.plural)?.toLowerCase() ?? path}
            </li>
          );
        })}
      </ul>
    </>
  );
}
