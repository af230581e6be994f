// The head of a record: name, states, actions.
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { areMeaningsShown } from '../browser/layout.ts';
import { newAddress } from '../browser/router.ts';
import { curlOf } from '../grid/columns/copies.ts';
import { commonMessages } from '../messages/common.ts';
import { recordMessages } from '../messages/record.ts';
import { copyText, Menu } from '../parts/menu.tsx';
import { say } from '../parts/say.tsx';
import type { Tagged } from '../service/api.ts';
import { can, type FieldModel, type GroupModel, groups } from '../service/model.ts';
import { isUnset, labelOf, wordsOf } from '../values/format.ts';
import { isState } from '../values/tone.ts';
import { State } from '../values/value.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Judgement } from './draft/judge.ts';

interface RecordHeadProps {
  readonly group: GroupModel;
  readonly name: string;
  readonly tagged: Tagged | undefined;
  readonly isEditing: boolean;
  readonly judgement: Judgement;
  readonly onEdit: () => void;
  readonly onState: (field: FieldModel, to: string) => void;
  /** States cannot be changed while something else is not saved. */
  readonly isBusy: boolean;
}

export function RecordHead(props: RecordHeadProps): JSX.Element {
  const { group, name, tagged, isEditing, judgement, onEdit } = props;
  const states = group.fields.filter((field) => field.shown && isState(field));
  const isLocked = judgement.lockedWhole !== undefined;
  return (
    <header class="record-head">
      <div class="record-title">
        <h1>{name}</h1>
        {tagged !== undefined &&
          states.map((field) => {
            const value = tagged.record[field.name];
            return isUnset(value) ? null : <State key={field.name} field={field} value={String(value)} />;
          })}
      </div>
      {tagged !== undefined && (
        <div class="actions">
          {can(group, 'update') && !isLocked && !isEditing && <States states={states} {...props} tagged={tagged} />}
          {can(group, 'update') && !isEditing && !isLocked && (
            <button type="button" data-key="e" onClick={onEdit}>
              {recordMessages.edit}
            </button>
          )}
          <More group={group} name={name} tagged={tagged} judgement={judgement} />
        </div>
      )}
      {isLocked && <p class="lock-note">{recordMessages.cannotChangeWhile(judgement.lockedWhole ?? '')}</p>}
    </header>
  );
}

interface StatesProps extends RecordHeadProps {
  readonly states: readonly FieldModel[];
  readonly tagged: Tagged;
}

/** The states that may follow, each with a button. */
function States({ states, tagged, onState, isBusy, judgement }: StatesProps): JSX.Element {
  return (
    <>
      {states
        .filter(({ onUpdate, key }) => onUpdate && !judgement.locked.has(key))
        .flatMap((field) =>
          (field.transitions?.[String(tagged.record[field.name])] ?? []).map((to) => (
            <Transition
              key={`${field.key}/${to}`}
              field={field}
              to={to}
              isBusy={isBusy}
              reason={judgement.refusedStates.get(`${field.key}/${to}`)}
              onState={onState}
            />
          )),
        )}
    </>
  );
}

interface TransitionProps extends Pick<RecordHeadProps, 'isBusy' | 'onState'> {
  readonly field: FieldModel;
  readonly to: string;
  /** Why it cannot follow now. */
  readonly reason: string | undefined;
}

/** A state that cannot follow says why: it can be reached, and does nothing. */
function Transition({ field, to, isBusy, reason, onState }: TransitionProps): JSX.Element {
  const id = useId();
  return (
    <span class="transition-place">
      <button
        type="button"
        class="transition"
        disabled={isBusy}
        aria-disabled={reason === undefined ? undefined : true}
        aria-describedby={reason === undefined ? undefined : id}
        title={reason ?? `${labelOf(field)}: ${wordsOf(to)}`}
        onClick={() => (reason === undefined ? onState(field, to) : say(reason))}
      >
        → {wordsOf(to)}
      </button>
      {reason !== undefined && (
        <span class="visually-hidden" id={id}>
          {reason}
        </span>
      )}
    </span>
  );
}

interface MoreProps {
  readonly group: GroupModel;
  readonly name: string;
  readonly tagged: Tagged;
  readonly judgement: Judgement;
}

function More({ group, name, tagged: { record, etag }, judgement }: MoreProps): JSX.Element {
  const [isDeleting, setDeleting] = useState(false);
  const { id } = record;
  const path = id === undefined ? group.path : `${group.path}/${id}`;
  const { lockedDelete } = judgement;
  return (
    <>
      <Menu
        label={recordMessages.more}
        entries={[
          can(group, 'create') &&
            id !== undefined && {
              label: recordMessages.duplicate,
              does: newAddress(group.path, new URLSearchParams({ _like: id })),
            },
          {
            label: recordMessages.showHelp,
            isPressed: areMeaningsShown.value,
            does: () => {
              areMeaningsShown.value = !areMeaningsShown.value;
            },
          },
          { label: commonMessages.print, does: () => print() },
          { label: commonMessages.copyAsCurl, does: () => copyText(curlOf(path), 'curl') },
          { label: recordMessages.copyAsJson, does: () => copyText(JSON.stringify(record, null, 2), 'JSON') },
          id !== undefined && { label: recordMessages.copyId, does: () => copyText(id, recordMessages.id) },
          groups().hasPages && {
            label: commonMessages.about(group.plural.toLowerCase()),
            does: `/docs/groups/${group.name}`,
          },
          can(group, 'delete') &&
            id !== undefined && {
              label: commonMessages.deleteMore,
              isDanger: true,
              title: lockedDelete === undefined ? undefined : recordMessages.cannotDeleteWhile(lockedDelete),
              does: () => setDeleting(true),
            },
        ]}
      />
      {isDeleting && id !== undefined && (
        <DeleteDialog group={group} id={id} name={name} etag={etag} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
