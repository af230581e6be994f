// What an import has come to: how many rows were taken, and which were not and why.
import type { JSX } from 'preact';
import { saveFile } from '../browser/save-file.ts';
import { commonTexts } from '../texts/common.ts';
import { importTexts } from '../texts/importing.ts';
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
    isTrial ? importTexts.wouldCreate(countText(created)) : importTexts.created(countText(created)),
    isTrial ? importTexts.wouldUpdate(countText(updated)) : importTexts.updated(countText(updated)),
    ...(unchanged > 0 ? [importTexts.unchanged(countText(unchanged))] : []),
    importTexts.refused(countText(refused)),
    ...(unjudged > 0 ? [importTexts.notChecked(countText(unjudged))] : []),
  ];
  return (
    <div class={refused > 0 ? 'problem' : undefined} role="status">
      <p>
        <b>{parts.join(', ')}.</b> {isTrial && importTexts.nothingWritten}
        {stopped !== undefined && importTexts.stoppedBecause(stopped)}
      </p>
      {ignored.length > 0 && (
        <p>
          <b>{importTexts.ignored}</b> {ignored.join(', ')}.
        </p>
      )}
      {leftOut.length > 0 && <p class="quiet">{importTexts.leftOut(leftOut.join(', '))}</p>}
      {notices.map((text) => (
        <p key={text} class="quiet">
          {text}
        </p>
      ))}
      {refusedRows.length > 0 && (
        <>
          <ul>
            {refusedRows.slice(0, told).map(({ line, errors }) => (
              <li key={line}>{importTexts.line(line, errors.join('; '))}</li>
            ))}
            {refusedRows.length > told && <li>{commonTexts.more(countText(refusedRows.length - told))}</li>}
          </ul>
          <button type="button" onClick={() => saveFile(new Blob([table]), `${name}.refused.${formatOf(file)}`)}>
            {importTexts.saveRefused}
          </button>
        </>
      )}
    </div>
  );
}
