// The form control of a field, by kind. A kind without one is edited as JSON.
import type { JSX } from 'preact';
import { commonMessages } from '../messages/common.ts';
import { recordMessages } from '../messages/record.ts';
import { Picker } from '../parts/picker.tsx';
import { wordsOf } from '../values/format.ts';
import { choiceTarget } from '../values/value.tsx';
import type { ControlProps } from './control-props.ts';
import { FileControl, isOfFiles } from './files.tsx';
import { References, Texts } from './many.tsx';

const common = ({ id, label, describedBy, isInvalid, isRequired, isDisabled }: ControlProps) => ({
  id,
  'aria-label': label,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid === true ? true : undefined,
  'aria-required': isRequired === true ? true : undefined,
  disabled: isDisabled === true,
});

const inputTypes: Readonly<Record<string, 'email' | 'url' | 'time'>> = { email: 'email', url: 'url', time: 'time' };
/** A text that may be longer is written over several lines. */
const longText = 300;

export function Control(props: ControlProps): JSX.Element {
  const { field, value, onChange, around, id, label, describedBy, isInvalid } = props;
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'reference':
    case 'choice':
      if (isOfFiles(field.target)) return <FileControl {...props} />;
      return (
        <Picker
          target={field.target ?? choiceTarget(field, around) ?? ''}
          value={text}
          onChange={onChange}
          id={id}
          label={label}
          describedBy={describedBy}
          isInvalid={isInvalid === true}
          isRequired={props.isRequired === true}
          around={around}
          placeholder={props.placeholder}
        />
      );
    case 'references':
      return <References {...props} />;
    case 'list':
      return <Texts {...props} />;
    case 'enum':
      return <OneOf {...props} />;
    case 'boolean':
      return <YesNo {...props} />;
    case 'text':
      return <TextControl {...props} />;
    case 'date':
      return (
        <input {...common(props)} type="date" value={text} onInput={(event) => onChange(event.currentTarget.value)} />
      );
    case 'integer':
    case 'decimal':
      return (
        <input
          {...common(props)}
          type="text"
          inputMode="decimal"
          class="numeric"
          autocomplete="off"
          value={text}
          placeholder={props.placeholder}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'dateTime':
      return (
        <input
          {...common(props)}
          type="datetime-local"
          step="1"
          value={localTime(text)}
          onInput={(event) => onChange(momentOf(event.currentTarget.value))}
        />
      );
    case 'uuid':
      return (
        <input
          {...common(props)}
          type="text"
          autocomplete="off"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      return (
        <textarea
          {...common(props)}
          class="json"
          spellcheck={false}
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

/** A moment as the reader's clock has it, to the second. */
function localTime(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The same in UTC. */
function momentOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Formats whose words the browser knows. */
const knownWords: Readonly<Record<string, 'currency' | 'timeZone'>> = { currency: 'currency', 'time-zone': 'timeZone' };

function TextControl(props: ControlProps): JSX.Element {
  const { field, value, onChange, placeholder } = props;
  const { format, maxLength = 0 } = field;
  const text = typeof value === 'string' ? value : '';
  if (format === undefined && maxLength > longText)
    return (
      <textarea
        {...common(props)}
        value={text}
        placeholder={placeholder}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  const words = knownWords[format ?? ''];
  return (
    <>
      <input
        {...common(props)}
        // Any of them takes these attributes; their types are told apart by one literal.
        type={(inputTypes[format ?? ''] ?? 'text') as 'text'}
        autocomplete="off"
        list={words === undefined ? undefined : `${props.id}-words`}
        value={text}
        placeholder={placeholder}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {words !== undefined && (
        <datalist id={`${props.id}-words`}>
          {Intl.supportedValuesOf(words).map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  );
}

function OneOf(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props;
  const none = field.unset === 'never' && value !== '' ? [] : [''];
  return (
    <select {...common(props)} value={String(value ?? '')} onChange={(event) => onChange(event.currentTarget.value)}>
      {none.map(() => (
        <option key="" value="">
          {noneText(props)}
        </option>
      ))}
      {(field.values ?? []).map((one) => (
        <option key={one} value={one}>
          {wordsOf(one)}
        </option>
      ))}
    </select>
  );
}

/** What a choice says of which nothing is chosen. */
const noneText = ({ placeholder, isRequired }: ControlProps): string =>
  placeholder !== undefined ? capital(placeholder) : isRequired === true ? recordMessages.choose : '–';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Three-valued where it can be unset. */
function YesNo(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props;
  if (field.unset === 'never' && value !== null)
    return (
      <span class="check">
        <input
          {...common(props)}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </span>
    );
  return (
    <select
      {...common(props)}
      value={value === null ? '' : String(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value === 'true')}
    >
      <option value="">{noneText(props)}</option>
      <option value="true">{commonMessages.yes}</option>
      <option value="false">{commonMessages.no}</option>
    </select>
  );
}
