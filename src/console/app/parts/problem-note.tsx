// What the service refuses, in its own words, with what to do next where there is something.
import type { JSX } from 'preact';
import type { ApiProblem } from '../api.ts';
import { groups } from '../model.ts';
import { groupAddress } from '../router.ts';

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
          Features are switched in the <a href={groupAddress(workspace.path)}>{workspace.title.toLowerCase()}</a>.
        </p>
      )}
      {onAgain !== undefined && (
        <button type="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </div>
  );
}
