// A card with the record behind a link, on hover or keyboard focus: the fields of its grid.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { allColumns, nameKey, shownKeys } from '../grid/columns/columns.ts';
import { get, type Shown } from '../service/api.ts';
import { type GroupModel, groups } from '../service/model.ts';
import { isUnset, shownName } from '../values/format.ts';
import { Value } from '../values/value.tsx';

interface Pointed {
  readonly group: GroupModel;
  readonly id: string;
  readonly left: number;
  readonly top: number;
}

const delayMs = 350;
const most = 7;
const width = 320;

function pointedBy(target: EventTarget | null): Pointed | undefined {
  const link = target instanceof Element ? target.closest<HTMLElement>('a[data-record]') : null;
  const group = groups().named(link?.dataset['group'] ?? '');
  const id = link?.dataset['record'];
  if (link === null || group === undefined || id === undefined) return undefined;
  const { left, bottom, top } = link.getBoundingClientRect();
  const isLow = bottom > innerHeight - 240;
  return {
    group,
    id,
    left: Math.max(8, Math.min(left, innerWidth - width - 8)),
    top: isLow ? Math.max(8, top - 236) : bottom + 6,
  };
}

export function HoverCard(): JSX.Element | null {
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const [record, setRecord] = useState<Shown | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const point = ({ target }: Event): void => {
      clearTimeout(timer);
      const next = pointedBy(target);
      timer = setTimeout(() => setPointed(next), next === undefined ? 120 : delayMs);
    };
    const leave = (): void => {
      clearTimeout(timer);
      setPointed(undefined);
    };
    // What is scrolled beside the link leaves it where it is.
    const scroll = ({ target }: Event): void => {
      const link = document.querySelector('a[data-record]:hover, a[data-record]:focus');
      if (link === null || (target instanceof Node && target.contains(link))) setPointed(undefined);
    };
    addEventListener('pointerover', point);
    addEventListener('focusin', point);
    addEventListener('pointerdown', leave);
    addEventListener('keydown', leave);
    addEventListener('scroll', scroll, true);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', point);
      removeEventListener('focusin', point);
      removeEventListener('pointerdown', leave);
      removeEventListener('keydown', leave);
      removeEventListener('scroll', scroll, true);
    };
  }, []);
  useEffect(() => {
    setRecord(undefined);
    let isOver = false;
    if (pointed !== undefined)
      get(pointed.group.path, pointed.id).then(
        (tagged) => isOver || setRecord(tagged.record),
        () => undefined,
      );
    return () => {
      isOver = true;
    };
  }, [pointed?.id]);
  if (pointed === undefined || record === undefined) return null;
  return <Card pointed={pointed} record={record} />;
}

function Card({
  pointed: { group, left, top },
  record,
}: {
  readonly pointed: Pointed;
  readonly record: Shown;
}): JSX.Element {
  const known = new Map(allColumns(group).map((column) => [column.key, column]));
  const columns = shownKeys(group, null)
    .filter((key) => key !== nameKey)
    .flatMap((key) => known.get(key) ?? [])
    .filter(({ field }) => field !== undefined && !isUnset(record[field.name]))
    .slice(0, most);
  return (
    <div class="hover-card" role="tooltip" style={{ left: `${left}px`, top: `${top}px` }}>
      <p>
        <strong>{shownName(group, record)}</strong> <span class="quiet">{group.title}</span>
      </p>
      <dl>
        {columns.map(({ key, label, field }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              {field !== undefined && <Value field={field} value={record[field.name]} around={[record]} isBrief />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
