// A cell that is written where it stands. Enter writes, Escape leaves it; nothing is written over what somebody else has changed.
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Control } from '../../controls/control.tsx';
import { bodyOf, draftOf, toJson, withoutPlace } from '../../controls/draft.ts';
import { gridMessages } from '../../messages/grid.ts';
import { asProblem, get, type Shown, update } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { labelOf } from '../../values/format.ts';

interface CellEditorProps {
  readonly group: GroupModel;
  readonly field: FieldModel;
  /** As the row shows it. */
  readonly record: Shown;
  /** @param record As it is now, where something was written or had been changed. */
  readonly onEnd: (record?: Shown) => void;
}

export function CellEditor({ group, field, record, onEnd }: CellEditorProps): JSX.Element {
  // As it was when one began: the grid is refreshed meanwhile, and what others have written must not count as seen.
  const [before] = useState<unknown>(() => draftOf([field], record)[field.key]);
  const [value, setValue] = useState<unknown>(before);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isSaving, setSaving] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  // At first, and again where something was refused: while it was sent, nothing could have the focus.
  const isRefused = fault !== undefined && !isSaving;
  const wasRefused = useRef(true);
  useEffect(() => {
    const isTurn = isRefused || wasRefused.current;
    wasRefused.current = isRefused;
    if (!isTurn || (!isRefused && value !== before)) return;
    const control = root.current?.querySelector<HTMLElement>('input, select, textarea');
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === 'text') control.select();
  }, [isRefused]);
  const save = async (next: unknown): Promise<void> => {
    if (toJson(field, next) === toJson(field, before)) return onEnd();
    setSaving(true);
    try {
      const { record: now, etag } = await get(group.path, record.id);
      if (toJson(field, draftOf([field], now)[field.key]) !== toJson(field, before)) {
        setFault(gridMessages.changedMeanwhile);
        return;
      }
      const body = bodyOf([field], { [field.key]: next });
      const written = await update(group.path, record.id, { body, ifMatch: etag });
      onEnd(written.record);
    } catch (error) {
      const { errors, message } = asProblem(error);
      setFault(errors.length > 0 ? errors.map(withoutPlace).join(' ') : message);
    } finally {
      setSaving(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // What is open in the cell has its own Escape and Enter.
    const isOpen = root.current?.querySelector('[aria-expanded="true"]') !== null;
    if (event.key === 'Escape' && !isOpen) onEnd();
    else if (event.key === 'Enter' && !isOpen) void save(value);
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  // A choice is made by choosing, everything else by Enter.
  const isChosen = field.kind === 'reference' || field.kind === 'enum' || field.kind === 'boolean';
  return (
    <div
      class="cell-editor"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        const isInside = event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget) === true;
        if (!isInside && event.relatedTarget !== null && fault === undefined && !isSaving) void save(value);
      }}
    >
      <Control
        field={field}
        value={value}
        id={id}
        label={labelOf(field)}
        isInvalid={fault !== undefined}
        describedBy={fault === undefined ? undefined : `${id}-fault`}
        isDisabled={isSaving}
        onChange={(next) => {
          setValue(next);
          setFault(undefined);
          if (isChosen) void save(next);
        }}
      />
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
