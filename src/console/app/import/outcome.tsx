// What an import has come to: how many rows were taken, and which were not and why.
import type { JSX } from 'preact';
import { saveFile } from '../browser/save-file.ts';
import { commonMessages } from '../messages/common.ts';
import { importMessages } from '../messages/importing.ts';
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
    isTrial ? importMessages.wouldCreate(countText(created)) : importMessages.created(countText(created)),
    isTrial ? importMessages.wouldUpdate(countText(updated)) : importMessages.updated(countText(updated)),
    ...(unchanged > 0 ? [importMessages.unchanged(countText(unchanged))] : []),
    importMessages.refused(countText(refused)),
    ...(unjudged > 0 ? [importMessages.notChecked(countText(unjudged))] : []),
  ];
  return (
    <div class={refused > 0 ? 'problem' : undefined} role="status">
      <p>
        <b>{parts.join(', ')}.</b> {isTrial && importMessages.nothingWritten}
        {stopped !== undefined && importMessages.stoppedBecause(stopped)}
      </p>
      {ignored.length > 0 && (
        <p>
          <b>{importMessages.ignored}</b> {ignored.join(', ')}.
        </p>
      )}
      {leftOut.length > 0 && <p class="quiet">{importMessages.leftOut(leftOut.join(', '))}</p>}
      {notices.map((text) => (
        <p key={text} class="quiet">
          {text}
        </p>
      ))}
      {refusedRows.length > 0 && (
        <>
          <ul>
            {refusedRows.slice(0, told).map(({ line, errors }) => (
              <li key={line}>{importMessages.line(line, errors.join('; '))}</li>
            ))}
            {refusedRows.length > told && <li>{commonMessages.more(countText(refusedRows.length - told))}</li>}
          </ul>
          <button type="button" onClick={() => saveFile(new Blob([table]), `${name}.refused.${formatOf(file)}`)}>
            {importMessages.saveRefused}
          </button>
        </>
      )}
    </div>
  );
}
