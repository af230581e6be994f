// Shows a Problem in the service's own words, with the next step where there is one.
import type { JSX } from 'preact';
import { groupAddress } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import type { ApiProblem } from '../service/api.ts';
import { groups } from '../service/model.ts';

interface ProblemNoteProps {
  readonly problem: ApiProblem;
  readonly onAgain?: (() => void) | undefined;
}

export function ProblemNote({ problem, onAgain }: ProblemNoteProps): JSX.Element {
  const workspace = groups().all.find(({ isWorkspace }) => isWorkspace);
  return (
    <div class="problem" role="alert">
      <p>{problem.message}</p>
      {problem.errors.length > 0 && (
        <ul>
          {problem.errors.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {problem.status === 403 && workspace !== undefined && (
        <p>
          {commonMessages.switchFeatures} <a href={groupAddress(workspace.path)}>{workspace.title.toLowerCase()}</a>.
        </p>
      )}
      {onAgain !== undefined && (
        <button type="button" onClick={onAgain}>
          {commonMessages.tryAgain}
        </button>
      )}
    </div>
  );
}
