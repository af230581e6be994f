// The grid view of a group, with its window of records and the rows that are chosen in it.

import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { query } from '../browser/router.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useFollowed } from '../service/follow.ts';
import type { GroupModel } from '../service/model.ts';
import { allColumns, askedFields, type Column, shownKeys } from './columns/columns.ts';
import { Grid } from './grid.tsx';
import { forgetLists, recordsAt } from './list/places.ts';
import type { RecordWindow } from './list/record-window.ts';
import { Selection } from './list/selection.ts';
import { ChosenBar } from './many/chosen-bar.tsx';

/**
 * The columns of the address, and the records that it asks for.
 * @param choice Rises when somebody chooses other columns.
 */
export function useRecords(
  group: GroupModel,
  choice: number,
): { readonly columns: readonly Column[]; readonly records: RecordWindow } {
  const text = query.value.toString();
  const asked = query.value.get('_columns');
  const columns = useMemo(() => {
    const known = new Map(allColumns(group).map((column) => [column.key, column]));
    return shownKeys(group, asked).flatMap((key) => known.get(key) ?? []);
  }, [group, asked, choice]);
  const records = useMemo(() => {
    const fields = askedFields(
      group,
      columns.map(({ key }) => key),
    );
    return recordsAt({ path: group.path, query: new URLSearchParams(text), fields });
  }, [group, text, columns]);
  return { columns, records };
}

interface GridViewProps {
  readonly group: GroupModel;
  readonly columns: readonly Column[];
  readonly records: RecordWindow;
}

export function GridView({ group, columns, records }: GridViewProps): JSX.Element {
  const selection = useMemo(() => new Selection(), [records]);
  const version = records.version.value;
  const problem = records.problem.value;
  useEffect(() => {
    if (records.count === 0 && !records.isEnd) records.want(0, 0);
  }, [records]);
  useFollowed(group.name, () => {
    if (records.isEnd && records.count === 0) records.restart();
  });
  if (problem !== undefined) return <ProblemNote problem={problem} onAgain={() => records.again()} />;
  if (version > 0 && records.isEnd && records.count === 0) return <Empty group={group} />;
  return (
    <>
      <Grid
        key={group.name}
        group={group}
        columns={columns}
        records={records}
        label={group.plural}
        selection={selection}
      />
      <ChosenBar
        group={group}
        columns={columns}
        records={records}
        selection={selection}
        onWritten={() => {
          forgetLists();
          selection.clear();
          records.restart();
        }}
      />
    </>
  );
}
