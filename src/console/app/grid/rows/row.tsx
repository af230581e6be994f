// A row of a grid: it is chosen by its box, opened by a click, and its cells are edited where they stand.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { go, recordAddress } from '../../browser/router.ts';
import { gridMessages } from '../../messages/grid.ts';
import type { Shown } from '../../service/api.ts';
import { can, type FieldModel, type GroupModel } from '../../service/model.ts';
import { labelOf, shownName } from '../../values/format.ts';
import { Value } from '../../values/value.tsx';
import type { Column } from '../columns/columns.ts';
import { CellEditor } from './cell-editor.tsx';

export interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly record: Shown | undefined;
  /** Undefined where rows cannot be chosen. */
  readonly isChosen: boolean | undefined;
  /** Key of the column whose cell is being edited. */
  readonly edited: string | undefined;
  readonly onPick: () => void;
  readonly onChoose: (isRange: boolean) => void;
  /** @param key Undefined where it is over. @param record As it is now, where something was written. */
  readonly onEdit: (key: string | undefined, record?: Shown) => void;
}

/** Whether a cell can be written where it stands: one value, that a row holds. */
export const isEditable = (group: GroupModel, field: FieldModel | undefined): field is FieldModel =>
  field?.onUpdate === true &&
  can(group, 'update') &&
  ['text', 'enum', 'date', 'integer', 'decimal', 'boolean', 'reference'].includes(field.kind) &&
  (field.maxLength ?? 0) <= 1000;

/** Rows are kept as they are while nothing of theirs changes. */
export function Row(props: RowProps): JSX.Element {
  const { index, top, isActive, group, columns, record, isChosen, edited, onPick, onChoose, onEdit } = props;
  return useMemo(() => {
    const id = record?.id;
    // On a narrow screen it stands beside the name.
    const figure = columns.find(({ isNumeric }) => isNumeric)?.key;
    const open = (event: MouseEvent): void => {
      onPick();
      const isControl = (event.target as Element).closest('a, button, input, select, textarea, .cell-editor') !== null;
      if (isControl) return;
      if (isChosen !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey)) onChoose(event.shiftKey);
      else if (id !== undefined && can(group, 'get') && getSelection()?.isCollapsed !== false)
        go(recordAddress(group.path, id));
    };
    return (
      <div
        class={isChosen === true ? 'grid-row chosen' : 'grid-row'}
        role="row"
        id={`row-${group.name}-${index}`}
        aria-rowindex={index + 2}
        aria-selected={isChosen ?? isActive}
        data-active={isActive ? '' : undefined}
        style={{ '--top': `${top}px` }}
        tabIndex={-1}
        onClick={open}
      >
        {columns.map((column, place) => (
          <div
            key={column.key}
            class={`cell${column.isNumeric ? ' numeric' : ''}${column.key === figure ? ' figure' : ''}`}
            role="gridcell"
            aria-colindex={place + 1}
            data-label={column.label}
          >
            {place === 0 && isChosen !== undefined && record !== undefined && (
              <input
                type="checkbox"
                class="choose"
                tabIndex={-1}
                aria-label={gridMessages.selectRow(shownName(group, record))}
                checked={isChosen}
                onClick={(event) => {
                  onChoose(event.shiftKey);
                  // Whoever reaches for a row that is chosen already does not leave it.
                  if (event.shiftKey) event.currentTarget.checked = true;
                }}
              />
            )}
            {edited === column.key && record !== undefined && column.field !== undefined ? (
              <CellEditor
                group={group}
                field={column.field}
                record={record}
                onEnd={(next) => onEdit(undefined, next)}
              />
            ) : (
              <>
                <span class="cell-text">
                  {record !== undefined && <Cell group={group} column={column} record={record} />}
                </span>
                {record !== undefined && isChosen !== undefined && isEditable(group, column.field) && (
                  <button
                    type="button"
                    class="edit-cell"
                    tabIndex={-1}
                    title={gridMessages.editHere}
                    aria-label={gridMessages.editCell(labelOf(column.field), shownName(group, record))}
                    onClick={() => onEdit(column.key)}
                  >
                    ✎
                  </button>
                )}
              </>
            )}
          </div>
        ))}
      </div>
    );
  }, [record, columns, isActive, top, isChosen, edited]);
}

interface CellProps {
  readonly group: GroupModel;
  readonly column: Column;
  readonly record: Shown;
}

function Cell({ group, column: { field }, record }: CellProps): JSX.Element {
  if (field !== undefined) return <Value field={field} value={record[field.name]} around={[record]} isBrief />;
  const name = shownName(group, record);
  if (record.id === undefined || !can(group, 'get')) return <span class="name">{name}</span>;
  return (
    <a class="name" href={recordAddress(group.path, record.id)} tabIndex={-1}>
      {name}
    </a>
  );
}
