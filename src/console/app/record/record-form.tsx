// The form of a record. Only changed fields are sent, with If-Match; leaving with unsaved changes asks first.
import type { JSX, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newKey } from '../browser/new-key.ts';
import { go, groupAddress, guardLeaving, recordAddress } from '../browser/router.ts';
import { bodyOf, changedFields, type Draft, draftOf, emptyDraft, faultsByPlace } from '../controls/draft.ts';
import { forgetLists } from '../grid/list/places.ts';
import { commonMessages } from '../messages/common.ts';
import { recordMessages } from '../messages/record.ts';
import { say } from '../parts/say.tsx';
import { asProblem, create, get, type Shown, type Tagged, update } from '../service/api.ts';
import { can, type GroupModel } from '../service/model.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { Judgement } from './draft/judge.ts';
import { nothing, useJudgement } from './draft/use-judgement.ts';
import { explaining, RecordContext } from './explain/explained.tsx';
import { ExplainedHere } from './explain/explained-here.tsx';
import { Fields } from './fields/fields.tsx';
import { Newer } from './newer.tsx';
import { RecordHead } from './record-head.tsx';
import { type Refusal, RefusedNote, showFirstFault, standingFaults } from './refused-note.tsx';

interface RecordFormProps {
  readonly group: GroupModel;
  readonly name: string;
  /** Undefined for a new record. */
  readonly tagged?: Tagged;
  /** What a new record begins with. */
  readonly begun?: Draft;
  readonly onSaved?: (tagged: Tagged) => void;
}

export function RecordForm({ group, name, tagged, begun, onSaved }: RecordFormProps): JSX.Element {
  const isNew = tagged === undefined;
  const { stored, draft, setDraft, changed, isDirty, isEditing, setEditing, rest } = useDraft(group, tagged, begun);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<Refusal | undefined>(undefined);
  const [isSaving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<Tagged | undefined>(undefined);
  const sent = useRef({ key: '', body: '', isAgain: false });
  const form = useRef<HTMLFormElement>(null);
  const judged = useJudgement({ group, stored: isNew ? undefined : stored, draft, changed });
  const judgement = judged ?? nothing;
  // What is asked first of a new record hangs on conditions: its fields wait for them, so that none moves under a hand.
  const isReady = !isNew || judged !== undefined;

  const saved = (next: Tagged): void => {
    forgetLists();
    guardLeaving(undefined);
    setProblem(undefined);
    if (isNew) {
      say(recordMessages.savedNew(group.title));
      // Another one begins with what this one was given, and is another even where nothing of it is changed.
      sent.current.body = '';
      if (sent.current.isAgain) focusFirst(form.current);
      else go(placeOf(group, next.record));
      return;
    }
    say(recordMessages.saved);
    rest(draftOf(group.fields, next.record));
    onSaved?.(next);
  };
  const refused = async (error: unknown, values: Draft): Promise<void> => {
    const found = asProblem(error);
    if (found.status === 412) setConflict(await get(group.path, tagged?.record.id));
    else setProblem({ problem: found, sent: values });
    requestAnimationFrame(() => showFirstFault(form.current));
  };
  /** @param fields What is sent. */
  const send = async (fields: typeof changed, values: Draft): Promise<void> => {
    setSaving(true);
    try {
      const told = fields.filter((field) => !judgement.unapplied.has(field.key) || !isNew);
      const body = bodyOf(told, cleared(values, judgement.unapplied));
      // The same again is the same record, also where nobody knows what became of the first; another is another.
      if (sent.current.body !== body) sent.current = { ...sent.current, key: newKey(), body };
      saved(
        isNew
          ? await create(group.path, body, sent.current.key)
          : await update(group.path, tagged.record.id, { body, ifMatch: tagged.etag }),
      );
    } catch (error) {
      await refused(error, values).catch((again: unknown) => setProblem({ problem: asProblem(again), sent: values }));
    } finally {
      setSaving(false);
    }
  };
  const discard = (): void => {
    rest(stored);
    setProblem(undefined);
  };
  const save = (another = false): void => {
    sent.current.isAgain = another;
    if (isDirty || isNew) void send(changed, draft);
    else setEditing(false);
  };
  useFormKeys(isEditing, { save: () => save(), leave: () => setEditing(isDirty || isNew) });
  useFormFocus(form, { isEditing: isEditing && isReady, focused, judgement });
  const faults = isEditing ? standingFaults(problem, draft) : faultsByPlace([]);
  const context = useExplained(group, tagged?.record);
  return (
    <RecordContext.Provider value={context}>
      <RecordHead
        group={group}
        name={name}
        tagged={tagged}
        isEditing={isEditing}
        judgement={judgement}
        onEdit={() => setEditing(true)}
        onState={(field, to) => void send([field], { ...draft, [field.key]: to })}
        isBusy={isSaving || isDirty}
      />
      {tagged !== undefined && (
        <Newer
          group={group}
          tagged={tagged}
          isEditing={isEditing}
          onRead={(now) => onSaved?.(now)}
          onCompare={setConflict}
        />
      )}
      {problem !== undefined && (
        <RefusedNote refusal={problem} group={group} faults={faults} judgement={judgement} isEditing={isEditing} />
      )}
      <form
        ref={form}
        class={isEditing ? 'fields-form editing' : 'fields-form'}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {isReady ? (
          <Fields
            group={group}
            record={tagged?.record}
            draft={draft}
            isEditing={isEditing}
            focused={focused}
            changed={new Set(changed.map((field) => field.key))}
            faults={faults}
            judgement={judgement}
            onChange={(field, value) => setDraft((before) => ({ ...before, [field.key]: value }))}
            onEdit={(field) => {
              setFocused(field.key);
              setEditing(true);
            }}
          />
        ) : (
          <p class="quiet loading">{commonMessages.loading}</p>
        )}
        {isEditing && (
          <SaveBar
            count={changed.length}
            isNew={isNew}
            isSaving={isSaving}
            group={group}
            onDiscard={discard}
            onAnother={() => save(true)}
          />
        )}
      </form>
      {conflict !== undefined && (
        <ConflictDialog
          group={group}
          before={stored}
          mine={draft}
          now={conflict}
          onClose={() => setConflict(undefined)}
          onResolve={(next) => {
            setDraft(next);
            setConflict(undefined);
            onSaved?.(conflict);
          }}
        />
      )}
      <ExplainedHere asked={explaining.value} />
    </RecordContext.Provider>
  );
}

/** What is written, and what it began with: others may write that anew while nothing of it is edited here. */
function useDraft(group: GroupModel, tagged: Tagged | undefined, begun: Draft | undefined) {
  const stored = useMemo(
    () => (tagged === undefined ? emptyDraft(group.fields) : draftOf(group.fields, tagged.record)),
    [group, tagged],
  );
  const [draft, setDraft] = useState<Draft>(begun ?? stored);
  const [isEditing, setEditing] = useState(tagged === undefined);
  useEffect(() => {
    if (!isEditing) setDraft(stored);
  }, [stored]);
  const changed = changedFields({ group, before: stored, now: draft, isNew: tagged === undefined });
  const isDirty = changed.length > 0;
  useLeaving(isDirty);
  /** Goes back to reading. */
  const rest = (shown: Draft): void => {
    setDraft(shown);
    setEditing(false);
  };
  return { stored, draft, setDraft, changed, isDirty, isEditing, setEditing, rest };
}

/** Asks first where something is not saved. */
function useLeaving(isDirty: boolean): void {
  useEffect(() => {
    guardLeaving(isDirty ? () => true : undefined);
    return () => guardLeaving(undefined);
  }, [isDirty]);
}

/** Where one goes on with a record that was made. */
const placeOf = (group: GroupModel, { id }: Shown): string =>
  id === undefined || !can(group, 'get') ? groupAddress(group.path) : recordAddress(group.path, id);

interface FormKeys {
  readonly save: () => void;
  readonly leave: () => void;
}

/** Wherever the focus is, while something is written. */
function useFormKeys(isEditing: boolean, keys: FormKeys): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    if (!isEditing) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isSave = (event.ctrlKey || event.metaKey) && event.key === 's';
      if (isSave) event.preventDefault();
      if (document.querySelector('dialog[open]') !== null) return;
      if (isSave) now.current.save();
      else if (event.key === 'Escape') now.current.leave();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isEditing]);
}

interface FormFocus {
  readonly isEditing: boolean;
  /** The field at which somebody has begun. */
  readonly focused: string | undefined;
  readonly judgement: Judgement;
}

/** The focus goes along: into the form as it opens, and back to what has opened it. */
function useFormFocus(form: RefObject<HTMLFormElement | null>, { isEditing, focused, judgement }: FormFocus): void {
  const was = useRef(false);
  const held = useRef<HTMLElement | undefined>(undefined);
  const begin = (): void => {
    held.current = focusFirst(form.current);
  };
  // A field that is locked once its conditions are read was not left by anybody.
  useEffect(() => {
    const isTaken = held.current !== undefined && (!held.current.isConnected || held.current.matches(':disabled'));
    if (isEditing && isTaken && document.activeElement === document.body) begin();
  }, [judgement]);
  useEffect(() => {
    if (isEditing && focused === undefined) begin();
    if (!isEditing && was.current && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-key="e"]')?.focus({ preventScroll: true });
    was.current = isEditing;
  }, [isEditing]);
}

/** The first field that can be written in. */
function focusFirst(form: HTMLFormElement | null): HTMLElement | undefined {
  const first = form?.querySelector<HTMLElement>('.written :is(input, select, textarea):not(:disabled)') ?? undefined;
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: 'nearest' });
  return first;
}

/** A record whose values can be explained: one that is there. */
const useExplained = (group: GroupModel, shown: Shown | undefined) =>
  useMemo(() => (shown?.id === undefined ? undefined : { group, id: shown.id, shown }), [group, shown]);

/** What does not apply is unset. */
const cleared = (draft: Draft, unapplied: ReadonlyMap<string, string>): Draft =>
  Object.fromEntries(Object.entries(draft).map(([key, value]) => [key, unapplied.has(key) ? '' : value]));

interface SaveBarProps {
  readonly count: number;
  readonly isNew: boolean;
  readonly isSaving: boolean;
  readonly group: GroupModel;
  readonly onDiscard: () => void;
  readonly onAnother: () => void;
}

function SaveBar({ count, isNew, isSaving, group, onDiscard, onAnother }: SaveBarProps): JSX.Element {
  const words = count === 0 ? recordMessages.unchanged : recordMessages.changedFields(count);
  return (
    <div class="save-bar">
      <span class={count > 0 && !isNew ? 'unsaved' : 'quiet'} role="status">
        {isNew ? '' : words}
      </span>
      <span class="spacer" />
      {isNew ? (
        <a class="button" href={groupAddress(group.path)}>
          {commonMessages.cancel}
        </a>
      ) : (
        <button type="button" onClick={onDiscard}>
          {count === 0 ? commonMessages.close : recordMessages.discard}
        </button>
      )}
      {isNew && (
        <button
          type="button"
          class="another"
          title={recordMessages.saveAndAddHint}
          disabled={isSaving}
          onClick={onAnother}
        >
          {recordMessages.saveAndAdd}
        </button>
      )}
      <button
        type="submit"
        class="primary"
        title={recordMessages.saveKey}
        disabled={isSaving || (count === 0 && !isNew)}
      >
        {isNew ? recordMessages.create(group.title.toLowerCase()) : commonMessages.save}
      </button>
    </div>
  );
}
