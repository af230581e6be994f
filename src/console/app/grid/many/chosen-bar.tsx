// What can be done with the rows that are chosen, and what they come to.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { filtersIn, query } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { selectionMessages } from '../../messages/grid.ts';
import { copyText } from '../../parts/menu.tsx';
import { say } from '../../parts/say.tsx';
import { can, type GroupModel } from '../../service/model.ts';
import { countText } from '../../values/format.ts';
import { choiceOf } from '../../values/names.ts';
import { askedFields, type Column } from '../columns/columns.ts';
import { csvOf } from '../columns/csv.ts';
import type { RecordWindow } from '../list/record-window.ts';
import { allMatching, mostChosen, type Selection } from '../list/selection.ts';
import { MakeDialog } from './make-dialog.tsx';
import { areAlike, type Maker, makersOf, newWith } from './makers.ts';
import { ChangeDialog, DeleteManyDialog } from './of-many.tsx';
import { Totals } from './totals.tsx';

interface ChosenBarProps {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
  readonly selection: Selection;
  /** Something has been written. */
  readonly onWritten: () => void;
}

export function ChosenBar({ group, columns, records, selection, onWritten }: ChosenBarProps): JSX.Element | null {
  const [doing, setDoing] = useState<'change' | 'delete' | Maker | undefined>(undefined);
  const { count } = selection;
  if (count === 0) return null;
  const total = records.isEnd ? records.count : records.total?.count;
  const chooseAll = async (): Promise<void> => {
    const asked = filtersIn(query.value);
    asked.set(
      'fields',
      askedFields(
        group,
        columns.map(({ key }) => key),
      ).join(','),
    );
    selection.choose(await allMatching(group.path, asked));
  };
  const end = (isWritten: boolean): void => {
    setDoing(undefined);
    if (isWritten) onWritten();
  };
  return (
    <section class="chosen-bar" aria-label={selectionMessages.selectedRecords}>
      <span role="status">
        <b>{countText(count)}</b> {selectionMessages.selected}
      </span>
      <Totals columns={columns} records={selection.records} />
      {total !== undefined && total > count && count < mostChosen && (
        <button
          type="button"
          class="bare"
          onClick={() => void chooseAll().catch((error: unknown) => say(String(error)))}
        >
          {total > mostChosen
            ? selectionMessages.selectFirst(countText(mostChosen))
            : selectionMessages.selectAll(countText(total))}
        </button>
      )}
      <span class="spacer" />
      {makersOf(group).map((made) =>
        areAlike(made, group, selection.records) ? (
          <a
            key={made.maker.name}
            class="button"
            href={newWith(made, group, selection.records)}
            // They are known there by their names at once.
            onClick={() => {
              for (const record of selection.records) choiceOf(group.name, record);
            }}
          >
            {selectionMessages.createFromSelection(made.maker.title.toLowerCase())}
          </a>
        ) : (
          <button key={made.maker.name} type="button" onClick={() => setDoing(made)}>
            {selectionMessages.createMoreFromSelection(made.maker.plural.toLowerCase())}
          </button>
        ),
      )}
      {can(group, 'update') && (
        <button type="button" onClick={() => setDoing('change')}>
          {selectionMessages.changeMore}
        </button>
      )}
      {can(group, 'delete') && (
        <button type="button" class="danger" onClick={() => setDoing('delete')}>
          {commonMessages.deleteMore}
        </button>
      )}
      <button type="button" onClick={() => copyText(csvOf(group, columns, selection.records), 'CSV')}>
        {selectionMessages.copyAsCsv}
      </button>
      <button
        type="button"
        class="clear"
        aria-label={selectionMessages.clear}
        title={selectionMessages.escape}
        onClick={() => selection.clear()}
      >
        ×
      </button>
      {doing === 'change' && <ChangeDialog group={group} records={selection.records} onClose={end} />}
      {typeof doing === 'object' && <MakeDialog group={group} made={doing} records={selection.records} onClose={end} />}
      {doing === 'delete' && <DeleteManyDialog group={group} records={selection.records} onClose={end} />}
    </section>
  );
}
