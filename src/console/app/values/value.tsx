// A value of a field as people see it: in a cell of a grid, or in a record.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { recordAddress } from '../browser/router.ts';
import { saveFile } from '../browser/save-file.ts';
import { commonMessages } from '../messages/common.ts';
import { recordMessages } from '../messages/record.ts';
import { asProblem, bytesAt } from '../service/api.ts';
import { can, type FieldModel, groups } from '../service/model.ts';
import { isUnset, plainText, wordsOf } from './format.ts';
import { nameOf } from './names.ts';
import { toneOf } from './tone.ts';

interface ValueProps {
  readonly field: FieldModel;
  readonly value: unknown;
  /** The record, and the items in which the value stands, from inside outwards. */
  readonly around: readonly unknown[];
  /** In one line, and without links inside a link. */
  readonly isBrief?: boolean;
}

/** A value; what is not set is told apart. */
export function Value({ field, value, around, isBrief = false }: ValueProps): JSX.Element {
  if (isUnset(value)) return <span class="unset">{isBrief ? '' : commonMessages.notSet}</span>;
  switch (field.kind) {
    case 'enum':
      return <State field={field} value={String(value)} />;
    case 'boolean':
      return value === true ? (
        <span class="yes">{commonMessages.yes}</span>
      ) : (
        <span class="no">{commonMessages.no}</span>
      );
    case 'reference':
      return <Reference target={field.target ?? ''} value={value} isBrief={isBrief} />;
    case 'choice':
      return <Reference target={choiceTarget(field, around[0]) ?? ''} value={value} isBrief={isBrief} />;
    case 'references':
      return <References field={field} value={value} isBrief={isBrief} />;
    case 'list':
      return <span>{plainText(field, value, around)}</span>;
    case 'objects':
      return <span class="quiet">{countWords(value)}</span>;
    case 'text':
      return <Text field={field} value={String(value)} isBrief={isBrief} />;
    case 'decimal':
    case 'integer':
      return <NumberValue field={field} value={value} around={around} />;
    default:
      return <Other field={field} value={value} around={around} />;
  }
}

const countWords = (value: unknown): string => {
  const count = Array.isArray(value) ? value.length : 0;
  return commonMessages.items(count);
};

function NumberValue({ field, value, around }: ValueProps): JSX.Element {
  const isNegative = Number(value) < 0;
  return <span class={isNegative ? 'number negative' : 'number'}>{plainText(field, value, around)}</span>;
}

/** What no other part knows: objects, and kinds that came later. */
function Other({ field, value, around }: ValueProps): JSX.Element {
  if (typeof value === 'object') return <code class="json">{JSON.stringify(value)}</code>;
  return <span>{plainText(field, value, around)}</span>;
}

function Text({ field, value, isBrief }: { field: FieldModel; value: string; isBrief: boolean }): JSX.Element {
  if (isBrief) return <span>{value}</span>;
  if (field.format === 'url' && /^https?:/i.test(value))
    return (
      <a href={value} target="_blank" rel="noreferrer noopener">
        {value}
      </a>
    );
  if (field.format === 'email') return <a href={`mailto:${value}`}>{value}</a>;
  return <span class="text">{value}</span>;
}

/** A word of a closed set; what may change along a way of states has a colour of its own. */
export function State({ field, value }: { field: FieldModel; value: string }): JSX.Element {
  return <span class={`state tone-${toneOf(field, value)}`}>{wordsOf(value)}</span>;
}

/** The group of an id of one of several: what the enum beside it says. */
export const choiceTarget = (field: FieldModel, item: unknown): string | undefined =>
  field.branches?.[String((item as Readonly<Record<string, unknown>> | undefined)?.[field.by ?? ''])];

interface ReferenceProps {
  readonly target: string;
  readonly value: unknown;
  readonly isBrief?: boolean;
}

const isNamed = (value: unknown): value is { readonly id: string; readonly name?: string } =>
  typeof value === 'object' && value !== null && 'id' in value;

/** A record of another group by its name, as a link. */
function Reference({ target, value, isBrief = false }: ReferenceProps): JSX.Element {
  const id = isNamed(value) ? value.id : String(value);
  const group = groups().named(target);
  const text =
    isNamed(value) && value.name !== undefined && value.name !== '' ? value.name : (nameOf(target, id) ?? '…');
  if (!isBrief && group?.holdsFiles === true) return <FileLink path={`${group.path}/${id}`} name={text} />;
  if (isBrief || group === undefined || !can(group, 'get')) return <span>{text}</span>;
  return (
    <a href={recordAddress(group.path, id)} data-group={target} data-record={id}>
      {text}
    </a>
  );
}

/** A file, which is had with the token of who asks: an address alone would not do. */
function FileLink({ path, name }: { readonly path: string; readonly name: string }): JSX.Element {
  const [fault, setFault] = useState('');
  const save = (): void => {
    setFault('');
    bytesAt(path).then(
      (bytes) => saveFile(bytes, name),
      (error: unknown) => setFault(asProblem(error).message),
    );
  };
  return (
    <>
      <button type="button" class="bare link" title={recordMessages.download} onClick={save}>
        {name}
      </button>
      {fault !== '' && <span class="fault">{fault}</span>}
    </>
  );
}

function References({ field, value, isBrief }: { field: FieldModel; value: unknown; isBrief: boolean }): JSX.Element {
  const all = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return (
    <span class="references">
      {all.map((one, index) => (
        <span key={isNamed(one) ? one.id : String(one)}>
          {index > 0 ? ', ' : ''}
          <Reference target={field.target ?? ''} value={one} isBrief={isBrief} />
        </span>
      ))}
    </span>
  );
}
