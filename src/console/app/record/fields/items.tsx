// An owned list as an editable table; a nested list is a cell of its row.
import type { JSX } from 'preact';
import { Control } from '../../controls/control.tsx';
import { type Draft, emptyDraft, withoutPlace } from '../../controls/draft.ts';
import { recordMessages } from '../../messages/record.ts';
import type { FieldModel } from '../../service/model.ts';
import { labelOf, peopleText } from '../../values/format.ts';
import { Value } from '../../values/value.tsx';
import { Explained } from '../explain/explained.tsx';

interface ItemsProps {
  readonly field: FieldModel;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** The record, and the items around, from inside outwards. */
  readonly around: readonly unknown[];
  /** `lines` */
  readonly path: string;
}

const isSeen = ({ shown, name, kind }: FieldModel): boolean => shown && !(name === 'id' && kind === 'uuid');

/** Columns in which nothing stands are left out. */
export function Items({ field, items, around, path }: ItemsProps): JSX.Element {
  const columns = (field.fields ?? []).filter(
    (inner) => isSeen(inner) && items.some((item) => item[inner.name] !== null && item[inner.name] !== undefined),
  );
  return (
    <div class="table-scroll">
      <table class="items">
        <thead>
          <tr>
            {columns.map((inner) => (
              <th
                key={inner.name}
                scope="col"
                class={isNumber(inner) ? 'numeric' : ''}
                title={peopleText(inner.description)}
              >
                {labelOf(inner)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            // Items without an id are known by their place.
            <tr key={String(item['id'] ?? index)}>
              {columns.map((inner) => (
                <td key={inner.name} class={isNumber(inner) ? 'numeric' : ''}>
                  <ItemValue field={inner} item={item} around={[item, ...around]} path={`${path}.${inner.name}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const isNumber = ({ kind }: FieldModel): boolean => kind === 'decimal' || kind === 'integer';

interface ItemValueProps {
  readonly field: FieldModel;
  readonly item: Readonly<Record<string, unknown>>;
  readonly around: readonly unknown[];
  readonly path: string;
}

function ItemValue({ field, item, around, path }: ItemValueProps): JSX.Element {
  const value = item[field.name];
  if (field.kind === 'objects' && Array.isArray(value) && value.length > 0)
    return (
      <details>
        <summary>
          {value.length} {value.length === 1 ? 'item' : 'items'}
        </summary>
        <Items field={field} items={value} around={around} path={path} />
      </details>
    );
  return (
    <Explained field={field} path={path}>
      <Value field={field} value={value} around={around} />
    </Explained>
  );
}

interface ItemsControlProps {
  readonly field: FieldModel;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Place of the list: `lines`. */
  readonly place: string;
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly unapplied: ReadonlyMap<string, string>;
  readonly required: ReadonlyMap<string, string>;
  readonly isNew: boolean;
}

export function ItemsControl(props: ItemsControlProps): JSX.Element {
  const { field, value, onChange, place, isNew } = props;
  const items = Array.isArray(value) ? (value as readonly Draft[]) : [];
  const columns = (field.fields ?? []).filter(
    (inner) =>
      (isNew ? inner.onCreate : inner.onCreate || inner.onUpdate) && !(inner.name === 'id' && inner.kind === 'uuid'),
  );
  const put = (index: number, key: string, next: unknown): void =>
    onChange(items.map((item, at) => (at === index ? { ...item, [key]: next } : item)));
  const move = (index: number, by: number): void => {
    const item = items[index];
    if (item !== undefined) onChange(items.toSpliced(index, 1).toSpliced(index + by, 0, item));
  };
  return (
    <div class="items-control">
      {items.map((item, index) => (
        <fieldset key={index} class="item" aria-label={`${labelOf(field)} ${index + 1}`}>
          {columns.map((inner) => (
            <ItemCell
              key={inner.key}
              field={inner}
              item={item}
              place={`${place}[${index}].${inner.key}`}
              onChange={(next) => put(index, inner.key, next)}
              list={props}
            />
          ))}
          <div class="item-actions">
            <button
              type="button"
              class="bare"
              aria-label={recordMessages.moveUp(index + 1)}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="bare"
              aria-label={recordMessages.moveDown(index + 1)}
              disabled={index === items.length - 1}
              onClick={() => move(index, 1)}
            >
              ↓
            </button>
            <button
              type="button"
              class="bare"
              aria-label={recordMessages.removeItem(index + 1)}
              onClick={() => onChange(items.toSpliced(index, 1))}
            >
              ×
            </button>
          </div>
        </fieldset>
      ))}
      <button
        type="button"
        disabled={items.length >= (field.maxItems ?? Number.POSITIVE_INFINITY)}
        onClick={() => onChange([...items, emptyDraft(field.fields ?? [])])}
      >
        + {labelOf(field)}
      </button>
    </div>
  );
}

/** An object of a record: its fields, each with its control. */
export function ObjectControl(props: ItemsControlProps): JSX.Element {
  const { field, value, onChange, place, isNew } = props;
  const fields = field.fields ?? [];
  const draft: Draft = typeof value === 'object' && value !== null ? (value as Draft) : emptyDraft(fields);
  return (
    <fieldset class="item" aria-label={labelOf(field)}>
      {fields
        .filter((inner) => (isNew ? inner.onCreate : inner.onUpdate))
        .map((inner) => (
          <ItemCell
            key={inner.key}
            field={inner}
            item={draft}
            place={`${place}.${inner.key}`}
            onChange={(next) => onChange({ ...draft, [inner.key]: next })}
            list={props}
          />
        ))}
    </fieldset>
  );
}

interface ItemCellProps {
  readonly field: FieldModel;
  readonly item: Draft;
  readonly place: string;
  readonly onChange: (value: unknown) => void;
  readonly list: ItemsControlProps;
}

function ItemCell({ field, item, place, onChange, list }: ItemCellProps): JSX.Element | null {
  const { faults, unapplied, required } = list;
  if (unapplied.has(place)) return null;
  const id = `field-${place}`;
  const texts = faults.get(place) ?? [];
  const isRequired = field.required || required.has(place);
  const isWide = field.kind === 'objects' || (field.maxLength ?? 0) > 300;
  return (
    <div class={isWide ? 'item-cell wide' : 'item-cell'}>
      <span class="label">
        <label for={id} title={peopleText(field.description)}>
          {labelOf(field)}
        </label>
        {isRequired && <Needed />}
      </span>
      {field.kind === 'objects' ? (
        <ItemsControl {...list} field={field} value={item[field.key]} place={place} onChange={onChange} />
      ) : (
        <Control
          field={field}
          value={item[field.key]}
          around={item}
          id={id}
          isInvalid={texts.length > 0}
          isRequired={isRequired}
          describedBy={texts.length > 0 ? `${id}-fault` : undefined}
          onChange={onChange}
        />
      )}
      {texts.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {texts.map(withoutPlace).join(' ')}
        </p>
      )}
    </div>
  );
}

/** That a field must be filled in: beside its label, for the eyes; its control says it by itself. */
export const Needed = (): JSX.Element => (
  <span class="needed" aria-hidden="true">
    {' '}
    {recordMessages.required}
  </span>
);
