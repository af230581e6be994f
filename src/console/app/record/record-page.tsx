// A record: all that it holds, to read and to change.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiProblem, get, type Tagged } from '../api.ts';
import { labelOf, shownName } from '../format.ts';
import type { GroupModel } from '../model.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { groupAddress } from '../router.ts';
import { Value } from '../value.tsx';

interface RecordPageProps {
  readonly group: GroupModel;
  readonly id: string | undefined;
  readonly isNew?: boolean;
}

export function RecordPage({ group, id }: RecordPageProps): JSX.Element {
  const [tagged, setTagged] = useState<Tagged | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  useEffect(() => {
    get(group.path, id).then(setTagged, (error: unknown) =>
      setProblem(error instanceof ApiProblem ? error : new ApiProblem(0, String(error))),
    );
  }, [group, id]);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (tagged === undefined) return <p class="quiet loading">Loading …</p>;
  const { record } = tagged;
  return (
    <article class="record">
      <p class="crumbs">
        <a href={groupAddress(group.path)}>{group.plural}</a>
      </p>
      <h1>{shownName(group, record)}</h1>
      <dl class="fields">
        {group.fields
          .filter(({ shown }) => shown)
          .map((field) => (
            <div key={field.name} class="field">
              <dt title={field.description}>{labelOf(field)}</dt>
              <dd>
                <Value field={field} value={record[field.name]} around={[record]} />
              </dd>
            </div>
          ))}
      </dl>
    </article>
  );
}
