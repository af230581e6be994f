// Controls of multi-valued fields: ordered references, or plain values.
import type { JSX } from 'preact';
import { recordMessages } from '../messages/record.ts';
import { Picker } from '../parts/picker.tsx';
import { wordsOf } from '../values/format.ts';
import { nameOf } from '../values/names.ts';
import type { ControlProps } from './control-props.ts';
import { FileInput, isOfFiles } from './files.tsx';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

interface TokensProps {
  readonly values: readonly string[];
  readonly textOf: (value: string) => string;
  readonly onChange: (values: readonly string[]) => void;
}

function Tokens({ values, textOf, onChange }: TokensProps): JSX.Element | null {
  if (values.length === 0) return null;
  return (
    <ul class="tokens">
      {values.map((value, index) => (
        <li key={value}>
          {textOf(value)}
          <button
            type="button"
            class="clear"
            aria-label={recordMessages.remove(textOf(value))}
            onClick={() => onChange(values.toSpliced(index, 1))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

export function References(props: ControlProps): JSX.Element {
  const { field, value, onChange, id, label, describedBy, isInvalid, isRequired } = props;
  const values = textsOf(value);
  const target = field.target ?? '';
  const add = (chosen: string): void => {
    if (chosen !== '' && !values.includes(chosen)) onChange([...values, chosen]);
  };
  return (
    <div class="many">
      <Tokens values={values} textOf={(one) => nameOf(target, one) ?? '…'} onChange={onChange} />
      {isOfFiles(target) ? (
        <FileInput {...props} onUploaded={add} />
      ) : (
        <Picker
          target={target}
          value=""
          id={id}
          label={label}
          describedBy={describedBy}
          isInvalid={isInvalid === true}
          isRequired={isRequired === true && values.length === 0}
          onChange={add}
        />
      )}
    </div>
  );
}

/** Plain values: of a closed set by ticking them, others one a line. */
export function Texts({
  field,
  value,
  onChange,
  id,
  label,
  describedBy,
  isInvalid,
  isRequired,
}: ControlProps): JSX.Element {
  const values = textsOf(value);
  const choices = field.item?.values;
  if (choices !== undefined)
    return (
      <fieldset class="ticks" id={id} aria-label={label} aria-describedby={describedBy}>
        {choices.map((choice) => (
          <label key={choice} class="check">
            <input
              type="checkbox"
              checked={values.includes(choice)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...values, choice] : values.filter((one) => one !== choice))
              }
            />
            {wordsOf(choice)}
          </label>
        ))}
      </fieldset>
    );
  return (
    <textarea
      id={id}
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isInvalid === true ? true : undefined}
      aria-required={isRequired === true ? true : undefined}
      placeholder={recordMessages.onePerLine}
      value={values.join('\n')}
      onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? [] : currentTarget.value.split('\n'))}
      onBlur={() => onChange(values.map((one) => one.trim()).filter((one) => one !== ''))}
    />
  );
}
