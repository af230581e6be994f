// The grid view of a group, with its window of records.

import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { query } from '../browser/router.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import type { GroupModel } from '../service/model.ts';
import { allColumns, shownKeys } from './columns.ts';
import { Grid } from './grid.tsx';
import { recordsAt } from './places.ts';
import type { RecordWindow } from './record-window.ts';

/** The records that the address asks for. */
export function useRecords(group: GroupModel): RecordWindow {
  const text = query.value.toString();
  return useMemo(() => recordsAt(group.path, new URLSearchParams(text)), [group, text]);
}

interface GridViewProps {
  readonly group: GroupModel;
  readonly records: RecordWindow;
  /** Rises when the choice of columns changes. */
  readonly choice: number;
}

export function GridView({ group, records, choice }: GridViewProps): JSX.Element {
  const asked = query.value.get('_columns');
  const columns = useMemo(() => {
    const known = new Map(allColumns(group).map((column) => [column.key, column]));
    return shownKeys(group, asked).flatMap((key) => known.get(key) ?? []);
  }, [group, asked, choice]);
  const version = records.version.value;
  const problem = records.problem.value;
  useEffect(() => {
    if (records.count === 0 && !records.isEnd) records.want(0, 0);
  }, [records]);
  if (problem !== undefined) return <ProblemNote problem={problem} onAgain={() => records.again()} />;
  if (version > 0 && records.isEnd && records.count === 0) return <Empty group={group} />;
  return <Grid key={group.name} group={group} columns={columns} records={records} label={group.plural} />;
}
