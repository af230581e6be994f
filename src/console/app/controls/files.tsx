// Files: uploaded as soon as they are chosen, and named by the record when it is saved.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { recordMessages } from '../messages/record.ts';
import { asProblem, upload } from '../service/api.ts';
import { groups } from '../service/model.ts';
import { nameOf, noteName } from '../values/names.ts';
import type { ControlProps } from './control-props.ts';

/** Whether ids of a group are those of files. */
export const isOfFiles = (target: string | undefined): boolean => groups().named(target ?? '')?.holdsFiles === true;

/** One file: what it is now, and another in its place. */
export function FileControl(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props;
  const id = typeof value === 'string' ? value : '';
  return (
    <div class="many">
      {id !== '' && (
        <ul class="tokens">
          <li>
            {nameOf(field.target ?? '', id) ?? '…'}
            <button type="button" class="clear" aria-label={recordMessages.removeFile} onClick={() => onChange('')}>
              ×
            </button>
          </li>
        </ul>
      )}
      <FileInput {...props} onUploaded={onChange} />
    </div>
  );
}

interface FileInputProps extends ControlProps {
  readonly onUploaded: (id: string) => void;
}

export function FileInput({ field, id, label, describedBy, isInvalid, onUploaded }: FileInputProps): JSX.Element {
  const [said, setSaid] = useState<string | undefined>(undefined);
  const send = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (file === undefined) return;
    setSaid(recordMessages.uploading(file.name));
    try {
      const kept = await upload(file);
      noteName(field.target ?? '', kept, file.name);
      setSaid(undefined);
      onUploaded(kept);
    } catch (error) {
      setSaid(asProblem(error).message);
    }
    // The same file can be chosen again.
    input.value = '';
  };
  return (
    <>
      <input
        type="file"
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid === true ? true : undefined}
        onChange={({ currentTarget }) => void send(currentTarget)}
      />
      {said !== undefined && (
        <p class="quiet small" role="status">
          {said}
        </p>
      )}
    </>
  );
}
