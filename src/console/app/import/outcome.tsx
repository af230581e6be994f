// What an import has come to: how many rows were taken, and which were not and why.
import type { JSX } from 'preact';
import { saveFile } from '../browser/save-file.ts';
import { countText } from '../values/format.ts';
import { type Brought, formatOf } from './bring.ts';

/** So many rows are told here; all of them stand in the file. */
const told = 12;

interface OutcomeProps {
  readonly brought: Brought;
  readonly file: File;
  /** Of the group. */
  readonly name: string;
}

export function Outcome({ brought, file, name }: OutcomeProps): JSX.Element {
  const { isTrial, created, updated, unchanged, refused, unjudged, stopped, refusedRows, table } = brought;
  const { ignored, leftOut, notices } = brought;
  const parts = [
    `${countText(created)} ${isTrial ? 'would be made' : 'made'}`,
    `${countText(updated)} changed`,
    ...(unchanged > 0 ? [`${countText(unchanged)} stay as they are`] : []),
    `${countText(refused)} refused`,
    ...(unjudged > 0 ? [`${countText(unjudged)} not judged`] : []),
  ];
  return (
    <div class={refused > 0 ? 'problem' : undefined} role="status">
      <p>
        <b>{parts.join(', ')}.</b> {isTrial && 'Nothing has been written yet.'}
        {stopped !== undefined && ` It ended before its end: ${stopped}.`}
      </p>
      {ignored.length > 0 && (
        <p>
          <b>Columns that are not taken:</b> {ignored.join(', ')}.
        </p>
      )}
      {leftOut.length > 0 && (
        <p class="quiet">
          Left out if computed, inherited, not applicable or given by the service: {leftOut.join(', ')}.
        </p>
      )}
      {notices.map((text) => (
        <p key={text} class="quiet">
          {text}
        </p>
      ))}
      {refusedRows.length > 0 && (
        <>
          <ul>
            {refusedRows.slice(0, told).map(({ line, errors }) => (
              <li key={line}>
                Line {line}: {errors.join('; ')}
              </li>
            ))}
            {refusedRows.length > told && <li>and {countText(refusedRows.length - told)} more</li>}
          </ul>
          <button type="button" onClick={() => saveFile(new Blob([table]), `${name}.refused.${formatOf(file)}`)}>
            Save the refused rows
          </button>
        </>
      )}
    </div>
  );
}
