// Draws a timeline: days above, lanes below each other, a bar for each record.
import type { JSX, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { recordAddress } from '../../browser/router.ts';
import { timelineMessages } from '../../messages/views.ts';
import type { GroupModel } from '../../service/model.ts';
import { dayNumber, today } from '../picture/days.ts';
import type { Days, Lane, TimelineBar } from './lanes.ts';
import { linesOf, type Zoom } from './zoom.ts';

/** Where days stand. */
interface Scale {
  readonly days: Days;
  readonly left: number;
  readonly right: number;
}

const xOf = ({ days, left, right }: Scale, day: number): number =>
  left + ((day - days.from) / (days.to + 1 - days.from)) * (right - left);

const rowHeight = 25;
const barHeight = 20;
const pad = 6;
const axisHeight = 42;
/** Of a lane's name, where it stands above its bars. */
const nameHeight = 20;
/** What a letter takes, about. */
const letter = 6.4;
const widestWord = 46;

/** As much of a text as there is room for. */
function cut(text: string, room: number): string {
  const most = Math.floor(room / letter);
  if (text.length <= most) return text;
  return most < 3 ? '' : `${text.slice(0, most - 1).trimEnd()}…`;
}

interface AxisProps {
  readonly scale: Scale;
  readonly zoom: Zoom;
  readonly width: number;
}

export function Axis({ scale, zoom, width }: AxisProps): JSX.Element {
  const { small, large } = linesOf(zoom, scale.days);
  const within = (x: number): boolean => x >= scale.left - 1 && x < scale.right;
  const now = xOf(scale, dayNumber(today()) + 0.5);
  return (
    <svg data-drawing class="timeline-axis" width={width} height={axisHeight} aria-hidden="true">
      {large.map(({ day, text }, index) => {
        const next = xOf(scale, large[index + 1]?.day ?? Number.MAX_SAFE_INTEGER);
        const x = Math.max(xOf(scale, day), scale.left);
        return Math.min(next, scale.right) - x < text.length * letter ? null : (
          <text key={day} class="large" x={x + 4} y={15}>
            {text}
          </text>
        );
      })}
      {small.map(({ day, text }, index) => {
        const x = xOf(scale, day);
        const room = xOf(scale, small[index + 1]?.day ?? scale.days.to + 1) - x;
        const isLegible = x + text.length * letter + 4 < scale.right && (room > widestWord / 2 || index % 2 === 0);
        return within(x) && isLegible ? (
          <text key={day} x={x + 4} y={33}>
            {text}
          </text>
        ) : null;
      })}
      {within(now) && <circle class="now" cx={now} cy={axisHeight - 4} r={3.5} />}
    </svg>
  );
}

interface LanesProps {
  readonly group: GroupModel;
  readonly lanes: readonly Lane[];
  readonly scale: Scale;
  readonly zoom: Zoom;
  readonly width: number;
  /** The only bar that the Tab key stops at. */
  readonly stop: string | undefined;
  readonly colourOf: (bar: TimelineBar) => string;
  readonly wordsOf: (bar: TimelineBar, lane: Lane) => { readonly short: string; readonly full: string };
  readonly label: string;
  readonly onFocus: (id: string) => void;
  /** What moves along when one drags. */
  readonly moved: RefObject<SVGGElement | null>;
}

export function Lanes(props: LanesProps): JSX.Element {
  const { lanes, scale, zoom, width, label, moved } = props;
  const isAbove = scale.left === 0;
  const window = useId();
  let top = 0;
  const placed = lanes.map((lane) => {
    const height = pad * 2 + lane.rows * rowHeight + (isAbove ? nameHeight : 0);
    const own = { lane, top, height };
    top += height;
    return own;
  });
  const now = xOf(scale, dayNumber(today()) + 0.5);
  const { small, large } = linesOf(zoom, scale.days);
  const lined = new Set([...small, ...large].map(({ day }) => day));
  const strong = new Set(large.map(({ day }) => day));
  return (
    <svg data-drawing class="timeline-lanes" width={width} height={Math.max(top, 1)} role="group" aria-label={label}>
      <clipPath id={window}>
        <rect x={scale.left} width={scale.right - scale.left} height={top} />
      </clipPath>
      <g clip-path={`url(#${window})`}>
        <g ref={moved}>
          {[...lined].map((day) => (
            <line
              key={day}
              class={strong.has(day) ? 'line strong' : 'line'}
              x1={xOf(scale, day)}
              x2={xOf(scale, day)}
              y1={0}
              y2={top}
            />
          ))}
          {now > scale.left && <line class="now" x1={now} x2={now} y1={0} y2={top} />}
          {placed.map(({ lane, top: at }) => (
            <g key={lane.key.id} transform={`translate(0 ${at + pad + (isAbove ? nameHeight : 0)})`}>
              {lane.bars.map((bar) => (
                <BarView key={bar.id} bar={bar} lane={lane} {...props} />
              ))}
            </g>
          ))}
        </g>
      </g>
      {placed.map(({ lane, top: at, height }) => (
        <g key={lane.key.id} class="lane" transform={`translate(0 ${at})`}>
          <line class="between" x1={0} x2={width} y1={height} y2={height} />
          <text class="lane-name" x={4} y={isAbove ? 17 : pad + 14}>
            {cut(lane.key.text, isAbove ? width - 90 : scale.left - 12)}
          </text>
          {lane.rows > 1 && lane.bars.length > 1 && (
            <text
              class="lane-note"
              x={isAbove ? width - 4 : 4}
              y={isAbove ? 17 : pad + 29}
              text-anchor={isAbove ? 'end' : 'start'}
            >
              {timelineMessages.atOnce(lane.rows)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function BarView(props: LanesProps & { readonly bar: TimelineBar; readonly lane: Lane }): JSX.Element {
  const { group, bar, lane, scale, stop, colourOf, wordsOf, onFocus } = props;
  const x = Math.max(xOf(scale, bar.from), scale.left - 6);
  const end = Math.min(xOf(scale, bar.to + 1), scale.right + 6);
  const width = Math.max(end - x - 1, 3);
  const y = bar.row * rowHeight;
  const { short, full } = wordsOf(bar, lane);
  const seen = Math.max(x, scale.left);
  const room = Math.min(end, scale.right) - seen - 9;
  const colour = colourOf(bar);
  return (
    <a
      class={`bar tint-${colour}`}
      href={recordAddress(group.path, bar.id)}
      tabIndex={stop === bar.id ? 0 : -1}
      data-bar={bar.id}
      aria-label={full}
      onFocus={() => onFocus(bar.id)}
      draggable={false}
    >
      <title>{full}</title>
      <rect x={x} y={y} width={width} height={barHeight} rx={4} />
      {/* An end that is open leads on. */}
      {bar.to === Number.POSITIVE_INFINITY && (
        <path class="open" d={`M${Math.min(end, scale.right) - 9} ${y + 5}l5 5l-5 5`} />
      )}
      {room > letter * 3 && short !== '' && (
        // What is longer than its bar ends with it.
        <svg x={seen + 6} y={y} width={room} height={barHeight}>
          <title>{full}</title>
          <text y={14}>{short}</text>
        </svg>
      )}
    </a>
  );
}
