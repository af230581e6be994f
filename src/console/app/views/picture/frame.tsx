// The frame of a view: choices above it, how much has been loaded, export as an image.
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { commonMessages } from '../../messages/common.ts';
import { viewMessages } from '../../messages/views.ts';
import { Popover } from '../../parts/popover.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { say } from '../../parts/say.tsx';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { countText } from '../../values/format.ts';
import { measuresOf } from '../shape/shapes.ts';
import { choose } from './choice.ts';
import { bound, type Reading } from './reading.ts';
import { saveAsPng, saveAsSvg } from './save-image.ts';
import { measureText } from './values.ts';

interface Option {
  readonly value: string;
  readonly text: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** A choice of several; nothing to see where there is only one. */
export function Select({ label, value, options, onChange }: SelectProps): JSX.Element | null {
  const id = useId();
  if (options.length < 2) return null;
  return (
    <span class="picture-select">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}

interface StepsProps {
  readonly text: string;
  /** What one step is: month, year. */
  readonly step: string;
  readonly onStep: (step: -1 | 1) => void;
  /** Back to where today is. */
  readonly onToday: (() => void) | undefined;
}

/** Earlier and later. */
export function Steps({ text, step, onStep, onToday }: StepsProps): JSX.Element {
  return (
    <span class="picture-steps">
      <button
        type="button"
        aria-label={viewMessages.earlierBy(step)}
        title={viewMessages.earlier}
        onClick={() => onStep(-1)}
      >
        ‹
      </button>
      <span class="picture-period" aria-live="polite">
        {text}
      </span>
      <button
        type="button"
        aria-label={viewMessages.laterBy(step)}
        title={viewMessages.later}
        onClick={() => onStep(1)}
      >
        ›
      </button>
      {onToday !== undefined && (
        <button type="button" class="bare" onClick={onToday}>
          {viewMessages.today}
        </button>
      )}
    </span>
  );
}

interface ReadNoteProps {
  readonly group: GroupModel;
  readonly reading: Reading;
  /** What it means for the picture that not all of it has been read. */
  readonly cut: string;
  /** What stands at the other end of the line. */
  readonly children?: ComponentChildren;
}

/** How far it has been read; what is not shown is never silent. */
export function ReadNote({ group, reading, cut, children }: ReadNoteProps): JSX.Element {
  // Whoever shows it is told of each change.
  reading.version.value;
  const problem = reading.problem.value;
  const count = `${countText(reading.count)} ${(reading.count === 1 ? group.title : group.plural).toLowerCase()}`;
  if (problem !== undefined) return <ProblemNote problem={problem} onAgain={() => reading.further()} />;
  return (
    <div class="picture-note">
      {reading.isCut ? (
        <p class="cut" role="status">
          {viewMessages.cut(count)} {cut}{' '}
          <button type="button" onClick={() => reading.further()}>
            {viewMessages.loadMore(countText(bound))}
          </button>
        </p>
      ) : (
        <p class="quiet" role="status">
          {reading.isWhole ? count : viewMessages.loading(count)}
        </p>
      )}
      {children}
    </div>
  );
}

interface SaveProps {
  /** Holds the drawings, from top to bottom. */
  readonly of: RefObject<HTMLElement | null>;
  /** Of the file, without its ending. */
  readonly name: string;
  /** Lines above the drawing. */
  readonly title: readonly string[];
}

export function SaveImage({ of, name, title }: SaveProps): JSX.Element {
  const save = (way: typeof saveAsSvg | typeof saveAsPng, ending: string): void => {
    if (of.current === null) return;
    Promise.resolve(way(of.current, { name, title })).then(
      () => say(commonMessages.saved(`${name}.${ending}`)),
      () => say(viewMessages.imageFailed),
    );
  };
  return (
    <Popover label={viewMessages.saveImage} class="save-image">
      {(close) => (
        <div class="menu">
          <button
            type="button"
            onClick={() => {
              save(saveAsPng, 'png');
              close();
            }}
          >
            {viewMessages.png}
          </button>
          <button
            type="button"
            onClick={() => {
              save(saveAsSvg, 'svg');
              close();
            }}
          >
            {viewMessages.svg}
          </button>
        </div>
      )}
    </Popover>
  );
}

export const Bar = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <fieldset class="picture-bar" aria-label={viewMessages.options}>
    {children}
  </fieldset>
);

interface MeasureSelectProps {
  readonly group: GroupModel;
  /** What is added up; undefined where records are counted. */
  readonly measure: FieldModel | undefined;
}

export const MeasureSelect = ({ group, measure }: MeasureSelectProps): JSX.Element => (
  <Select
    label={viewMessages.show}
    value={measure?.name ?? 'count'}
    options={[
      ...measuresOf(group).map((field) => ({ value: field.name, text: measureText(field) })),
      { value: 'count', text: viewMessages.countOfRecords },
    ]}
    onChange={(of) => choose({ of })}
  />
);
