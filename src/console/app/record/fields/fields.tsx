// The fields of a record in sections: what it is, amounts, lists, and what the service keeps. In a new record required
// fields come first.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { areMeaningsShown } from '../../browser/layout.ts';
import { Control } from '../../controls/control.tsx';
import { type Draft, isWritable, withoutPlace } from '../../controls/draft.ts';
import { commonMessages } from '../../messages/common.ts';
import { recordMessages } from '../../messages/record.ts';
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { isNumeric, isUnset, labelOf, peopleText, plainText } from '../../values/format.ts';
import { nameOf } from '../../values/names.ts';
import { Value } from '../../values/value.tsx';
import type { Judgement } from '../draft/judge.ts';
import { Explained } from '../explain/explained.tsx';
import { Items, ItemsControl, Needed, ObjectControl } from './items.tsx';

export interface FieldsProps {
  readonly group: GroupModel;
  /** Undefined for a new one. */
  readonly record: Shown | undefined;
  readonly draft: Draft;
  readonly isEditing: boolean;
  /** Key of the field that was asked to be edited. */
  readonly focused: string | undefined;
  readonly changed: ReadonlySet<string>;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly judgement: Judgement;
  readonly onChange: (field: FieldModel, value: unknown) => void;
  readonly onEdit: (field: FieldModel) => void;
}

interface Section {
  readonly title: string | undefined;
  readonly fields: readonly FieldModel[];
  readonly class: string;
}

const isList = ({ kind }: FieldModel): boolean => kind === 'objects' || kind === 'object';
const isLong = ({ kind, maxLength = 0, format }: FieldModel): boolean =>
  (kind === 'text' && maxLength > 1000 && format === undefined) || kind === 'list' || kind === 'references';
/** What the service keeps of each record. */
const isOfService = ({ name, kind, onCreate, onUpdate }: FieldModel): boolean =>
  !onCreate && !onUpdate && (name === 'id' || kind === 'dateTime');

function sectionsOf({ group, record, isEditing, judgement }: FieldsProps): readonly Section[] {
  const isNew = record === undefined;
  const seen = group.fields.filter((field) =>
    isNew ? field.onCreate || isFilled(field, judgement) : field.shown || (isEditing && field.onUpdate),
  );
  const plain = seen.filter((field) => !isList(field) && !isOfService(field));
  const made = plain.filter(
    (field) => isNumeric(field) && !isNew && !isWritable(field, false) && field.section === undefined,
  );
  const own = plain.filter((field) => !made.includes(field));
  const isNeeded = (field: FieldModel): boolean =>
    isNew && (field.required || judgement.first.has(field.key) || isFilled(field, judgement));
  // What others hang on is asked before them; what follows from others by itself, behind them.
  const rank = ({ key, hasDefault }: FieldModel): number =>
    judgement.deciding.has(key) && judgement.first.has(key) ? (hasDefault === true ? 1 : -1) : 0;
  const needed = own.filter(isNeeded).toSorted((a, b) => rank(a) - rank(b));
  const rest = own.filter((field) => !isNeeded(field));
  const named = Map.groupBy(rest, ({ section }) => section);
  const isOfSwitches = (fields: readonly FieldModel[]): boolean => 2 * fields.filter(isSwitch).length >= fields.length;
  const lists = seen.filter(
    (field) => isList(field) && !(judgement.unapplied.has(field.key) && isUnset(record?.[field.name])),
  );
  const asked = lists.filter(({ isAddedUp }) => isNew && needed.length > 0 && isAddedUp === true);
  const isFirst = needed.length === 0 && rest[0]?.section === undefined;
  const other = isFirst ? undefined : named.size > 1 ? recordMessages.other : recordMessages.optional;
  return [
    { title: needed.length > 0 && rest.length > 0 ? recordMessages.basics : undefined, fields: needed, class: 'own' },
    // What a new record is added up of is told before what it is called and when it was sent.
    ...asked.map(sectionOf),
    ...[...named]
      .toSorted(([a], [b]) => (isFirst ? 0 : Number(a === undefined) - Number(b === undefined)))
      .toSorted(([, a], [, b]) => Number(isOfSwitches(a)) - Number(isOfSwitches(b)))
      .map(([title = other, fields]) => ({ title, fields: switchesLast(fields, judgement), class: 'own' })),
    { title: recordMessages.computedFields, fields: made, class: 'figures' },
    ...lists.filter((field) => !asked.includes(field)).map(sectionOf),
    { title: recordMessages.record, fields: isNew ? [] : seen.filter(isOfService), class: 'service' },
  ].filter(({ fields }) => fields.length > 0);
}

/** Reports whether the service fills the field of a new record, by a value that is known already. */
const isFilled = ({ isFilledOnCreate, key }: FieldModel, { defaults }: Judgement): boolean =>
  isFilledOnCreate === true && defaults.has(key);

/** The value that a new record gets, as a record to read it from; undefined if the caller sends the field. */
const filledRecord = (field: FieldModel, judgement: Judgement): Shown | undefined =>
  isFilled(field, judgement) ? { [field.name]: judgement.defaults.get(field.key) } : undefined;

const sectionOf = (field: FieldModel): Section => ({ title: labelOf(field), fields: [field], class: 'list' });

const isSwitch = ({ kind, unset, default: preset }: FieldModel): boolean =>
  kind === 'boolean' && unset === 'never' && preset !== undefined;

/** What is filled in stands before what is switched on and off, and before what hangs on such a switch. */
function switchesLast(fields: readonly FieldModel[], { hangsOn }: Judgement): readonly FieldModel[] {
  const switches = new Set(fields.filter(isSwitch).map(({ key }) => key));
  const isLate = ({ key }: FieldModel): boolean =>
    switches.has(key) || (hangsOn.get(key) ?? []).some((one) => switches.has(one));
  return fields.toSorted((a, b) => Number(isLate(a)) - Number(isLate(b)));
}

export function Fields(props: FieldsProps): JSX.Element {
  const { focused, isEditing } = props;
  useEffect(() => {
    if (!isEditing || focused === undefined) return;
    const list = document.querySelector(`[data-list="${focused}"]`);
    const own =
      list?.querySelector<HTMLElement>('input, select, textarea') ?? document.getElementById(`field-${focused}`);
    own?.focus();
  }, [isEditing, focused]);
  const sections = sectionsOf(props);
  // A list may be called as the section of what is beside it: a label tells them apart.
  return (
    <>
      {sections.map(({ title, fields, ...section }, index) => (
        <section
          key={`${section.class}${title}`}
          class={`fields ${section.class}`}
          data-list={section.class === 'list' ? fields[0]?.key : undefined}
          aria-label={
            sections.findIndex((one) => one.title === title) < index
              ? recordMessages.inFull(title ?? '')
              : (title ?? recordMessages.fields)
          }
        >
          {title !== undefined && (
            <h2>
              {title}
              {section.class === 'list' && fields[0] !== undefined && <ListNote field={fields[0]} {...props} />}
            </h2>
          )}
          <div class="fields-grid">
            {fields.map((field) => (
              <Field key={field.key} field={field} isAlone={section.class === 'list'} {...props} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function ListNote(props: FieldsProps & { readonly field: FieldModel }): JSX.Element {
  const { field, record, faults } = props;
  const value = record?.[field.name];
  const texts = faults.get(field.key) ?? [];
  return (
    <>
      {Array.isArray(value) && <span class="tally"> {value.length}</span>}
      {record !== undefined && <EditHere {...props} />}
      {texts.length > 0 && <p class="fault">{texts.map(withoutPlace).join(' ')}</p>}
    </>
  );
}

/** Whether the service computes a field now, or all that is in it. */
const isMade = ({ key, kind, fields = [] }: FieldModel, { made }: Judgement): boolean =>
  made.has(key) ||
  (kind === 'object' &&
    fields.length > 0 &&
    fields.every(
      ({ key: inner, onUpdate, figure }) => made.has(`${key}.${inner}`) || !onUpdate || figure === undefined,
    ) &&
    fields.some(({ key: inner }) => made.has(`${key}.${inner}`)));

type OneField = FieldsProps & { readonly field: FieldModel; readonly isAlone: boolean };

function Field(props: OneField): JSX.Element | null {
  const { field, record, isEditing, judgement, isAlone } = props;
  const isWritten =
    isEditing &&
    isWritable(field, record === undefined) &&
    !judgement.locked.has(field.key) &&
    !isMade(field, judgement);
  if (isWritten) return <WrittenField {...props} />;
  const reason = judgement.unapplied.get(field.key);
  const source = record ?? filledRecord(field, judgement);
  // A field that does not apply is left out.
  if (source === undefined || (reason !== undefined && isUnset(source[field.name]))) return null;
  if (isAlone) return <ReadList field={field} record={source} />;
  return (
    <div class={isLong(field) ? 'field long' : 'field'}>
      <span class="label" id={`label-${field.key}`} title={peopleText(field.description)}>
        {labelOf(field)}
      </span>
      <ReadValue {...props} record={source} />
      {areMeaningsShown.value && <p class="hint">{meaningOf(field)}</p>}
    </div>
  );
}

/** What a field means, where its label does not say it already; one word does not say more. */
function meaningOf(field: FieldModel): string {
  const { description, shownIn } = field;
  if (!description.includes(' ') || description.toLowerCase() === labelOf(field).toLowerCase()) return '';
  const text = peopleText(description);
  if (shownIn === 'hours')
    return text.replace(/^Minutes\b/, recordMessages.hoursAndMinutes).replace(/ in minutes\b/, '');
  return shownIn === 'percent' ? text.replace(/ as a fraction\b/, '').replace(/ from 0 to 1\b/, '') : text;
}

/** What a field means, and what it is by default where its control has no place for that. */
function hintOf(field: FieldModel, judgement: Judgement | undefined): string {
  const day = field.kind === 'date' ? judgement?.defaults.get(field.key) : undefined;
  if (day === undefined) return meaningOf(field);
  const meaning = meaningOf(field).replace(/[,;] by default [^;]*/, '');
  return `${meaning === '' ? recordMessages.byDefault : recordMessages.thenDefault(meaning)} ${plainText(field, day, [])}`;
}

function ReadValue(props: OneField & { readonly record: Shown }): JSX.Element {
  const { field, record, judgement, isEditing } = props;
  const locked = judgement.locked.get(field.key);
  return (
    <span class="value">
      <Explained field={field} path={field.name}>
        <Value field={field} value={record[field.name]} around={[record]} />
      </Explained>
      <EditHere {...props} />
      {isEditing && locked !== undefined && (
        <span class="quiet small" title={recordMessages.while(locked)}>
          {recordMessages.locked}
        </span>
      )}
    </span>
  );
}

/** Begins to edit at a field that can be changed now. */
function EditHere(props: FieldsProps & { readonly field: FieldModel }): JSX.Element | null {
  const { field, judgement, isEditing, onEdit, group } = props;
  const canEdit =
    !isEditing &&
    field.onUpdate &&
    group.operations.includes('update') &&
    judgement.lockedWhole === undefined &&
    !judgement.locked.has(field.key) &&
    !isMade(field, judgement);
  if (!canEdit) return null;
  return (
    <button
      type="button"
      class="edit-here"
      aria-label={recordMessages.editField(labelOf(field))}
      title={recordMessages.edit}
      onClick={() => onEdit(field)}
    >
      ✎
    </button>
  );
}

function ReadList({ field, record }: { readonly field: FieldModel; readonly record: Shown }): JSX.Element {
  const value = record[field.name];
  const items = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  if (items.length === 0) return <p class="unset">{commonMessages.none}</p>;
  return <Items field={field} items={items} around={[record]} path={field.name} />;
}

function WrittenField(props: OneField): JSX.Element | null {
  const { field, draft, faults, judgement, changed, onChange, record, isAlone } = props;
  if (judgement.unapplied.has(field.key)) return null;
  const isNew = record === undefined;
  const id = `field-${field.key}`;
  if (field.kind === 'objects' || field.kind === 'object') {
    const OfFields = field.kind === 'objects' ? ItemsControl : ObjectControl;
    return (
      <OfFields
        field={field}
        value={draft[field.key]}
        onChange={(value) => onChange(field, value)}
        place={field.key}
        faults={faults}
        unapplied={new Map([...judgement.unapplied, ...judgement.made])}
        required={judgement.required}
        isNew={isNew}
      />
    );
  }
  const texts = textsAbout(field, props);
  const words = judgement.required.get(field.key);
  const isRequired = (isNew && field.required) || words !== undefined;
  return (
    <div
      class={`field written${isLong(field) || isAlone ? ' long' : ''}${changed.has(field.key) && !isNew ? ' changed' : ''}`}
    >
      <span class="label">
        <label for={id}>{labelOf(field)}</label>
        {isRequired && <Needed />}
      </span>
      <span class="value">
        <Control
          field={record === undefined ? fieldOfCreate(field) : followed(field, record[field.name])}
          value={draft[field.key]}
          around={draft}
          id={id}
          isInvalid={texts.length > 0}
          isRequired={isRequired}
          describedBy={`${id}-hint${texts.length > 0 ? ` ${id}-fault` : ''}`}
          placeholder={isNew && field.hasDefault === true ? defaultText(field, judgement, draft) : formOf(field)}
          onChange={(value) => onChange(field, value)}
        />
        {texts.length > 0 && (
          <p class="fault" id={`${id}-fault`}>
            {texts.join(' ')}
          </p>
        )}
        <p class="hint" id={`${id}-hint`}>
          {hintOf(field, isNew ? judgement : undefined)}
        </p>
      </span>
    </div>
  );
}

/** What would hold if nothing were said, where that is known: `by default 1:45`. */
function defaultText(field: FieldModel, { defaults, required }: Judgement, draft: Draft): string | undefined {
  const value = defaults.get(field.key);
  if (value === undefined) return required.has(field.key) ? formOf(field) : recordMessages.anyDefault;
  const named = field.target === undefined ? undefined : (nameOf(field.target, String(value)) ?? '…');
  return recordMessages.defaultOf(named ?? plainText(field, value, [{ ...draft, ...Object.fromEntries(defaults) }]));
}

/** How a number is written that is not shown as it is kept. */
const formOf = ({ shownIn }: FieldModel): string | undefined =>
  shownIn === undefined ? undefined : { hours: 'h:mm', percent: '%' }[shownIn];

/** The field with the values that a create may send. */
const fieldOfCreate = (field: FieldModel): FieldModel =>
  field.initialStates === undefined ? field : { ...field, values: field.initialStates };

/** Of a state, those that may follow what it is. */
function followed(field: FieldModel, now: unknown): FieldModel {
  const { values, transitions } = field;
  if (transitions === undefined || typeof now !== 'string') return field;
  const next = new Set([now, ...(transitions[now] ?? [])]);
  return { ...field, values: (values ?? []).filter((value) => next.has(value)) };
}

/** What the service has said of a field, and what the conditions say of it now. */
function textsAbout(field: FieldModel, { faults, judgement }: FieldsProps): readonly string[] {
  const said = [...faults].filter(
    ([place]) => place === field.key || place.startsWith(`${field.key}[`) || place.startsWith(`${field.key}.`),
  );
  const own = judgement.faults.get(field.key);
  const texts = said.flatMap(([, all]) => all.map(withoutPlace));
  return own === undefined || texts.includes(own) ? texts : [...texts, own];
}
