// The page of a record, read and edited in place. A new record is the same form, required fields first.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { groupAddress, query, setQuery } from '../browser/router.ts';
import { type Draft, draftOf, emptyDraft, toControl } from '../controls/draft.ts';
import { commonMessages } from '../messages/common.ts';
import { recordMessages } from '../messages/record.ts';
import { Lazy } from '../parts/lazy.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { allowedOf } from '../service/allowed.ts';
import { type ApiProblem, asProblem, get, type Shown, type Tagged } from '../service/api.ts';
import type { FieldModel, GroupModel } from '../service/model.ts';
import { shownName } from '../values/format.ts';
import { noteName } from '../values/names.ts';
import { noteOpened } from '../values/recent.ts';
import { ParametersForm, parametersIn } from './fields/parameters.tsx';
import { RecordForm } from './record-form.tsx';
import { Related } from './related.tsx';

interface RecordPageProps {
  readonly group: GroupModel;
  readonly id: string | undefined;
  readonly isNew?: boolean;
}

export default function RecordPage({ group, id, isNew = false }: RecordPageProps): JSX.Element {
  if (isNew) return <NewRecord group={group} />;
  return <ReadRecord group={group} id={id} />;
}

/** A record as it is now; without an id the one of its group, of a computed one that which the query chooses. */
function ReadRecord({ group: all, id }: { readonly group: GroupModel; readonly id: string | undefined }): JSX.Element {
  const [tagged, setTagged] = useState<Tagged | undefined>(undefined);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const parameters = parametersIn(all, query.value);
  const question = parameters.given.toString();
  const group = useAllowed(all, id, tagged?.etag);
  useEffect(() => {
    if (!parameters.isComplete) return;
    setProblem(undefined);
    get(group.path, id, parameters.given).then(setTagged, (error: unknown) => setProblem(asProblem(error)));
  }, [all, id, question]);
  const name = tagged === undefined ? group.title : shownName(group, tagged.record);
  useEffect(() => {
    document.title = commonMessages.pageTitle(name);
    if (id === undefined || tagged === undefined) return;
    noteName(group.name, id, name);
    noteOpened({ group: group.name, id, name });
  }, [name]);
  const isPast = query.value.get(tabName) === 'history';
  const read = (): void => {
    get(group.path, id, parameters.given).then(setTagged, (error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <article class="record">
      <div class="record-place">
        <Crumbs group={group} />
        {group.isLogged === true && !group.isComputed && <Tabs isPast={isPast} />}
      </div>
      {isPast && <Lazy load={loadHistory} props={{ group, id, name, record: tagged?.record, onUndone: read }} />}
      <div hidden={isPast}>
        {group.isComputed && <ParametersForm group={group} />}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {tagged === undefined && problem === undefined && parameters.isComplete && (
          <p class="quiet loading">{commonMessages.loading}</p>
        )}
        {tagged !== undefined && problem === undefined && (
          <RecordForm
            key={tagged.record.id ?? group.name}
            group={group}
            name={name}
            tagged={tagged}
            onSaved={setTagged}
          />
        )}
        {tagged !== undefined && id !== undefined && <Related group={group} id={id} />}
      </div>
    </article>
  );
}

/** The group with what is granted of this record; what some records alone allow is not offered before it is known. */
function useAllowed(group: GroupModel, id: string | undefined, etag: string | undefined): GroupModel {
  const [allowed, setAllowed] = useState<GroupModel | undefined>(undefined);
  const { partly = [] } = group;
  useEffect(() => {
    if (id === undefined || etag === undefined || partly.length === 0) return;
    let isOver = false;
    allowedOf(group, id).then(
      (found) => isOver || setAllowed(found),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [group, id, etag]);
  const surely = useMemo(
    () => ({ ...group, operations: group.operations.filter((name) => name === 'get' || !partly.includes(name)) }),
    [group],
  );
  return partly.length === 0 || id === undefined ? group : (allowed ?? surely);
}

const tabName = '_tab';
const loadHistory = () => import('../past/history.tsx');

/** What is written stays as it is while one looks at the history. */
function Tabs({ isPast }: { readonly isPast: boolean }): JSX.Element {
  const show = (isHistory: boolean): void => {
    const next = new URLSearchParams(query.value);
    if (isHistory) next.set(tabName, 'history');
    else next.delete(tabName);
    setQuery(next, false);
  };
  return (
    <fieldset class="segments" aria-label={recordMessages.shown}>
      <button type="button" aria-pressed={!isPast} onClick={() => show(false)}>
        {recordMessages.record}
      </button>
      <button type="button" aria-pressed={isPast} onClick={() => show(true)}>
        {recordMessages.history}
      </button>
    </fieldset>
  );
}

/** @returns what a new record begins with: filters of the list that one came from, or the record that it is a copy of. */
function NewRecord({ group }: { readonly group: GroupModel }): JSX.Element {
  const given = new URLSearchParams(query.value);
  const copied = given.get('_like');
  const [like, setLike] = useState<Shown | undefined>(undefined);
  useEffect(() => {
    document.title = commonMessages.pageTitle(commonMessages.newRecord(group.title.toLowerCase()));
    if (copied !== null)
      get(group.path, copied).then(
        ({ record }) => setLike(record),
        () => setLike({}),
      );
  }, [group, copied]);
  return (
    <article class="record">
      <Crumbs group={group} />
      {copied === null || like !== undefined ? (
        <RecordForm
          group={group}
          name={commonMessages.newRecord(group.title.toLowerCase())}
          begun={begun(group, given, like)}
        />
      ) : (
        <p class="quiet">{commonMessages.loading}</p>
      )}
    </article>
  );
}

function begun(group: GroupModel, given: URLSearchParams, like: Shown | undefined): Draft {
  const values: Record<string, unknown> = { ...emptyDraft(group.fields) };
  const copy = like === undefined ? {} : draftOf(group.fields, like);
  for (const field of group.fields) {
    if (!field.onCreate) continue;
    const text = given.get(field.key) ?? given.get(field.name);
    if (like !== undefined && field.name !== 'id' && isInitial(field, copy[field.key]))
      values[field.key] = withoutIds(copy[field.key]);
    if (text !== null && isInitial(field, text)) values[field.key] = begunWith(field, text);
    const items = given.get(`_items.${field.key}`);
    if (items !== null) values[field.key] = itemsNaming(field, items.split(','));
  }
  return values;
}

/** Reports whether a create may send the value; a state that it may not send begins with its default. */
const isInitial = ({ initialStates }: FieldModel, value: unknown): boolean =>
  initialStates === undefined || initialStates.includes(String(value));

/** What an address says of a field, as its control holds it. */
function begunWith(field: FieldModel, text: string): unknown {
  if (field.kind === 'boolean') return text === 'true';
  return field.kind === 'references' ? [text] : toControl(field, text);
}

/** An item for each of some records that it must name. @param told `id`, or `id:amount`. */
function itemsNaming({ fields = [] }: FieldModel, told: readonly string[]): readonly Draft[] {
  const reference = fields.find(({ kind, required }) => kind === 'reference' && required);
  const amount = fields.find(({ currency, required }) => currency !== undefined && required);
  return told.map((one) => {
    const [id, due] = one.split(':');
    return {
      ...emptyDraft(fields),
      ...(reference && { [reference.key]: id }),
      ...(amount && due !== undefined && { [amount.key]: due }),
    };
  });
}

/** Items of a copy are new ones. */
const withoutIds = (control: unknown): unknown =>
  Array.isArray(control)
    ? control.map((item: unknown) => {
        if (typeof item !== 'object' || item === null) return item;
        const { id: _own, ...rest } = item as Record<string, unknown>;
        return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutIds(value)]));
      })
    : control;

const Crumbs = ({ group }: { readonly group: GroupModel }): JSX.Element => (
  <nav class="crumbs" aria-label={recordMessages.breadcrumb}>
    <span class="quiet">{group.area}</span> <span aria-hidden="true">/</span>{' '}
    <a href={groupAddress(group.path)}>{group.isSingle ? group.title : group.plural}</a>
  </nav>
);
