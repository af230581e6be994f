// A timeline as a table, for whoever would rather read it.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { recordAddress } from '../../browser/router.ts';
import { timelineMessages } from '../../messages/views.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { countText, labelOf, plainText } from '../../values/format.ts';
import type { Span } from '../shape/shapes.ts';
import type { Lane } from './lanes.ts';

interface TableProps {
  readonly group: GroupModel;
  readonly lanes: readonly Lane[];
  readonly span: Span;
  readonly lane: FieldModel | undefined;
}

export function TimelineTable({ group, lanes, span, lane }: TableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const count = lanes.reduce((sum, { bars }) => sum + bars.length, 0);
  return (
    <details class="numbers" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {timelineMessages.sameAsTable} {countText(count)} {(count === 1 ? group.title : group.plural).toLowerCase()}
      </summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              {lane !== undefined && <th scope="col">{labelOf(lane)}</th>}
              <th scope="col">{group.title}</th>
              <th scope="col">{labelOf(span.start)}</th>
              <th scope="col">{labelOf(span.end)}</th>
              <th scope="col" class="numeric">
                {timelineMessages.days}
              </th>
            </tr>
          </thead>
          <tbody>
            {lanes.flatMap(({ key, bars }) =>
              bars.map(({ id, name, record, from, to }) => (
                <tr key={id}>
                  {lane !== undefined && <td>{key.text}</td>}
                  <td>
                    <a href={recordAddress(group.path, id)}>{name}</a>
                  </td>
                  <td>{plainText(span.start, record[span.start.name], [record])}</td>
                  <td>{plainText(span.end, record[span.end.name], [record])}</td>
                  <td class="numeric">{Number.isFinite(to - from) ? countText(to - from + 1) : ''}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      )}
    </details>
  );
}
