// What was refused of a record and why: each thing with the field that it is about, as a link where that can be written in.
import type { JSX } from 'preact';
import { controlAt, type Draft, faultsByPlace, placeLabel, withoutPlace } from '../controls/draft.ts';
import { recordMessages } from '../messages/record.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import type { ApiProblem } from '../service/api.ts';
import type { GroupModel } from '../service/model.ts';
import type { Judgement } from './draft/judge.ts';

/** An answer that is not the one asked for, and what was sent. */
export interface Refusal {
  readonly problem: ApiProblem;
  readonly sent: Draft;
}

/** The texts of the service by their places, without those about what has been changed since. */
export function standingFaults(refusal: Refusal | undefined, draft: Draft): ReadonlyMap<string, readonly string[]> {
  const all = faultsByPlace(refusal?.problem.errors ?? []);
  return new Map(
    [...all].filter(
      ([place]) => JSON.stringify(controlAt(draft, place)) === JSON.stringify(controlAt(refusal?.sent ?? {}, place)),
    ),
  );
}

/** The first wrong field is brought to where one sees it, above the bar with Save. */
export function showFirstFault(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: 'center' });
  if (first === null || first === undefined)
    document.querySelector<HTMLElement>('.refused')?.scrollIntoView({ block: 'center' });
}

interface RefusedProps {
  readonly refusal: Refusal;
  readonly group: GroupModel;
  /** Those of its texts that still stand. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly judgement: Judgement;
  readonly isEditing: boolean;
}

export function RefusedNote({
  refusal: { problem },
  group,
  faults,
  judgement,
  isEditing,
}: RefusedProps): JSX.Element | null {
  if (problem.errors.length === 0) return <ProblemNote problem={problem} />;
  // A change of state has no form: all that was said of it stands here.
  const told = isEditing ? faults : faultsByPlace(problem.errors);
  const own = isEditing ? [...judgement.faults].filter(([place]) => !told.has(place)) : [];
  const texts = [
    ...[...told].flatMap(([place, all]) => all.map((text) => ({ place, text: withoutPlace(text) }))),
    ...own.map(([place, text]) => ({ place, text })),
  ];
  if (texts.length === 0) return null;
  const title = texts.length === 1 ? recordMessages.fixOne : recordMessages.fixMany(texts.length);
  return (
    <div class="problem refused" role="alert">
      <p>{isEditing ? `${title}:` : problem.message.replace(/ See errors for more details\.$/, '')}</p>
      <ul>
        {texts.map(({ place, text }) => (
          <li key={`${place} ${text}`}>
            <Place group={group} place={place} isEditing={isEditing} /> {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Place({ group, place, isEditing }: Pick<RefusedProps, 'group' | 'isEditing'> & { readonly place: string }) {
  if (place === '') return null;
  const label = placeLabel(group.fields, place);
  if (!isEditing) return <b>{label}:</b>;
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        const field = document.getElementById(`field-${place}`);
        field?.focus({ preventScroll: true });
        field?.scrollIntoView({ block: 'center' });
      }}
    >
      {label}:
    </button>
  );
}
