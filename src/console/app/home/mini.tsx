// Small charts for tiles. Screen readers get each as one text; the tile's title links to the full view.
import type { JSX } from 'preact';
import { dayNumber, today } from '../views/picture/days.ts';
import type { Days, Lane } from '../views/timeline/lanes.ts';

const [width, height] = [320, 84];

export function MiniBars({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}): JSX.Element {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = high === low ? 0 : (height - 4) / (high - low);
  const step = width / values.length;
  const zero = 2 + high * scale;
  return (
    <svg class="mini" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
      <line class="mini-zero" x1={0} x2={width} y1={zero} y2={zero} />
      {values.map((value, index) => (
        <rect
          key={index}
          class="fill-0"
          x={index * step + step * 0.14}
          width={step * 0.72}
          y={value > 0 ? zero - value * scale : zero}
          height={Math.abs(value) * scale}
        />
      ))}
    </svg>
  );
}

interface MiniLanesProps {
  readonly lanes: readonly Lane[];
  readonly days: Days;
  readonly label: string;
}

export function MiniLanes({ lanes, days, label }: MiniLanesProps): JSX.Element {
  const at = (day: number): number => {
    const part = (day - days.from) / (days.to + 1 - days.from);
    return 100 * Math.min(Math.max(part, 0), 1);
  };
  return (
    <div
      class="mini-lanes"
      role="img"
      aria-label={`${label}: ${lanes.map(({ key, bars }) => `${key.text} ${bars.length}`).join(', ')}`}
    >
      {lanes.map(({ key, bars, rows }) => (
        <div key={key.id} class="mini-lane">
          <span class="mini-name">{key.text}</span>
          <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
            {bars.map((bar) => (
              <rect
                key={bar.id}
                class="fill-0"
                x={at(bar.from)}
                width={Math.max(at(bar.to + 1) - at(bar.from), 0.5)}
                y={1 + (12 / rows) * bar.row}
                height={Math.max(12 / rows - 1, 1)}
              />
            ))}
            <line class="mini-now" x1={at(dayNumber(today()) + 0.5)} x2={at(dayNumber(today()) + 0.5)} y1={0} y2={14} />
          </svg>
        </div>
      ))}
    </div>
  );
}
