// The panel that explains a value: its formula, the values in it, the records behind these; each can be explained
// further. Loaded on first use.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { recordAddress } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { explainMessages } from '../../messages/record.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ApiProblem, explain, type Shown } from '../../service/api.ts';
import { type FieldModel, type GroupModel, groups } from '../../service/model.ts';
import {
  amountText,
  countText,
  currencyOf,
  dateText,
  labelOf,
  momentText,
  numberText,
  peopleText,
  wordsOf,
} from '../../values/format.ts';
import { nameOf } from '../../values/names.ts';
import type { ExplainedRecord } from './explained.tsx';
import { PartWords, saidWords } from './part-words.tsx';

interface Source {
  readonly group: string;
  readonly id: string;
  readonly name: string;
  readonly place: string;
  readonly value?: unknown;
  readonly parts: readonly Part[];
}
interface Part {
  readonly words: string;
  readonly value: unknown;
  /** That it has no value here: too many records are behind it. */
  readonly unread?: true;
  readonly parts: readonly Part[];
  readonly sources: readonly Source[];
  readonly more?: number;
}
interface Numbers {
  readonly part: string;
  readonly place: string;
  readonly kept?: unknown;
  readonly value: unknown;
  readonly unread?: true;
  readonly parts: readonly Part[];
}
interface Explanation {
  readonly description: string;
  readonly says: readonly {
    readonly role: string;
    readonly formulas: readonly { readonly part: string; readonly source: string; readonly words: string }[];
    readonly taken?: string;
    readonly again: readonly string[];
    readonly upToDateBy: readonly {
      readonly group: string;
      readonly on: readonly string[];
      readonly fields: readonly string[];
    }[];
  }[];
  readonly lookedAtBy: readonly { readonly group: string; readonly name?: string }[];
  readonly record: { readonly name: string; readonly numbers: readonly Numbers[] };
}

interface Asked extends ExplainedRecord {
  readonly path: string;
}

export default function ExplainPanel({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const field = fieldAt(asked.group, asked.path);
  return (
    <Dialog
      class="drawer"
      title={explainMessages.howComputed(field === undefined ? wordsOf(asked.path) : labelOf(field))}
      onClose={onClose}
    >
      <Explaining key={`${asked.id}/${asked.path}`} asked={asked} depth={1} />
    </Dialog>
  );
}

function fieldAt({ fields }: GroupModel, path: string): FieldModel | undefined {
  const [first, ...rest] = path.split('.');
  let field = fields.find(({ name, key }) => name === first || key === first);
  for (const step of rest) field = field?.fields?.find(({ name, key }) => name === step || key === step);
  return field;
}

function useExplanation({ group, id, path }: Asked) {
  const [found, setFound] = useState<Explanation | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  useEffect(() => {
    explain(group.path, { id, field: path, depth: 1 }).then(
      (answer) => setFound(answer as Explanation),
      (error: unknown) => setFault(error instanceof ApiProblem ? error.message : String(error)),
    );
  }, [group, id, path]);
  return { found, fault };
}

/** @param depth How far one has gone from where one began. */
function Explaining({ asked, depth }: { readonly asked: Asked; readonly depth: number }): JSX.Element {
  const { found, fault } = useExplanation(asked);
  if (fault !== undefined) return <p class="fault">{fault}</p>;
  if (found === undefined) return <p class="quiet">{commonMessages.loading}</p>;
  const { says, record, description } = found;
  const told = says.filter(({ role }) => role === 'figure' || role === 'state');
  const field = fieldAt(asked.group, asked.path);
  return (
    <div class="explaining">
      {depth === 1 && <p class="quiet">{peopleText(description)}</p>}
      {told.map(({ role, formulas, taken }) => (
        <div key={role} class="formula">
          {formulas.map(({ part, source, words }) => (
            <div key={part}>
              {part !== '' && <span class="quiet">{wordsOf(part)}: </span>}
              <span>{saidWords(words)}</span>
              {words !== source && (
                <details>
                  <summary class="quiet small">{explainMessages.formula}</summary>
                  <pre>{source}</pre>
                </details>
              )}
            </div>
          ))}
          {depth === 1 && taken !== undefined && <p class="quiet small">{explainMessages.evaluation[taken]}</p>}
        </div>
      ))}
      {record.numbers
        .filter(({ part }) => part !== 'when')
        .map((numbers) => (
          <NumbersTold
            key={`${numbers.place}/${numbers.part}`}
            numbers={numbers}
            field={field}
            asked={asked}
            depth={depth}
          />
        ))}
    </div>
  );
}

interface ToldProps {
  readonly asked: Asked;
  readonly depth: number;
  /** The list in whose item one is: names in it are of the item. */
  readonly within?: string;
  /** The field whose amount it is a part of. */
  readonly whole?: FieldModel | undefined;
}

/** A part of a formula that adds up or chooses among others: it is an amount where the whole is. */
const isOfWhole = (words: string): boolean => /\.(?:sum|min|max|first|last|avg)\(/.test(words);

/** `lines[0]` → Lines 1 */
const placeText = (place: string): string =>
  place
    .replaceAll(/([a-zA-Z]+)\[(\d+)\]/g, (_all, list: string, index: string) => `${wordsOf(list)} ${Number(index) + 1}`)
    .replaceAll('.', ', ');

function NumbersTold({
  numbers,
  field,
  asked,
  depth,
}: ToldProps & { numbers: Numbers; field: FieldModel | undefined }) {
  const { part, place, kept, value, unread, parts } = numbers;
  const isOther =
    part === '' && unread !== true && kept !== undefined && JSON.stringify(kept) !== JSON.stringify(value);
  return (
    <section class="numbers">
      <p class="result">
        {place.includes('[') && <span class="quiet">{placeText(place)}</span>}
        {part !== '' && <span class="quiet"> {wordsOf(part)}</span>}{' '}
        <strong>
          = <Told value={part === '' && kept !== undefined ? kept : value} field={field} record={asked.shown} />
        </strong>
      </p>
      {isOther && (
        <p class="quiet">
          {explainMessages.stored} <Told value={kept} field={field} />
          {explainMessages.storedFormula} <Told value={value} field={field} />.
        </p>
      )}
      {unread === true && <Unread />}
      <Parts parts={parts} asked={asked} depth={depth} whole={field} />
    </section>
  );
}

const Unread = (): JSX.Element => <span class="quiet small">{explainMessages.tooManyRecords}</span>;

function Parts({ parts, ...told }: ToldProps & { readonly parts: readonly Part[] }): JSX.Element | null {
  if (parts.length === 0) return null;
  return (
    <ul class="parts">
      {parts.map((part) => (
        <PartTold key={part.words} part={part} {...told} />
      ))}
    </ul>
  );
}

/** A part of a formula; a field of the record that is a figure itself can be taken apart where it stands. */
function PartTold({ part, asked, depth, within, whole }: ToldProps & { readonly part: Part }): JSX.Element {
  const { words, value, unread, parts, sources, more } = part;
  const own = /^[a-zA-Z][\w.]*$/.test(words)
    ? fieldAt(asked.group, within === undefined ? words : `${within}.${words}`)
    : undefined;
  const [isOpen, setOpen] = useState(sources.length > 0 && sources.length <= 12);
  const canTakeApart = own?.isExplained === true && within === undefined;
  const canOpen = sources.length > 0 || parts.length > 0 || canTakeApart;
  const amount = own ?? (isOfWhole(words) ? whole : undefined);
  return (
    <li>
      <div class="part">
        {canOpen ? (
          <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {own === undefined ? <PartWords source={words} /> : labelOf(own)}
          </button>
        ) : (
          <span>{own === undefined ? <PartWords source={words} /> : labelOf(own)}</span>
        )}
        {unread === true ? <Unread /> : <Told value={value} field={amount} record={asked.shown} />}
      </div>
      {isOpen && (
        <>
          <Parts parts={parts} asked={asked} depth={depth} whole={amount} {...(within !== undefined && { within })} />
          {canTakeApart && parts.length === 0 && <Explaining asked={{ ...asked, path: words }} depth={depth + 1} />}
          <Sources sources={sources} asked={asked} depth={depth} whole={isOfWhole(words) ? amount : undefined} />
          {more !== undefined && <p class="quiet small">{commonMessages.more(countText(more))}</p>}
        </>
      )}
    </li>
  );
}

function Sources({ sources, ...told }: ToldProps & { readonly sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <table class="sources">
      <tbody>
        {sources.map((source) => (
          <SourceRow key={`${source.id}${source.place}`} source={source} {...told} />
        ))}
      </tbody>
    </table>
  );
}

function SourceRow({ source, asked, depth, whole }: ToldProps & { readonly source: Source }): JSX.Element {
  const { name, id, place, value, parts } = source;
  const group = groups().named(source.group);
  const text = name === '' ? (group?.title ?? id) : isDay(name) ? dateText(name) : name;
  // An item of the record that one looks at needs no name.
  const isOwn = id === asked.id && place !== '';
  const within = place === '' ? undefined : place.replaceAll(/\[\d+\]/g, '');
  const of = isOwn ? asked.shown : undefined;
  return (
    <tr>
      <td>
        {isOwn ? (
          placeText(place)
        ) : (
          <>
            {group === undefined ? text : <a href={recordAddress(group.path, id)}>{text}</a>}{' '}
            <span class="quiet small">
              {group?.title} {placeText(place)}
            </span>
          </>
        )}
        {parts.length > 0 && group !== undefined && (
          <Parts
            parts={parts}
            asked={{ group, id, path: '', shown: of }}
            depth={depth}
            whole={whole}
            {...(within !== undefined && { within })}
          />
        )}
      </td>
      <td class="numeric">{value !== undefined && <Told value={value} field={whole} record={asked.shown} />}</td>
    </tr>
  );
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

interface ToldValue {
  readonly value: unknown;
  readonly field: FieldModel | undefined;
  /** Whose field it is. */
  readonly record?: Shown | undefined;
}

/** A value as formulas give it: numbers are texts. */
function Told({ value, field, record }: ToldValue): JSX.Element {
  if (value === null || value === '') return <span class="unset">{explainMessages.nothing}</span>;
  if (typeof value === 'boolean') return <span>{value ? commonMessages.yes : commonMessages.no}</span>;
  if (typeof value === 'object') return <code class="json">{JSON.stringify(value)}</code>;
  const text = String(value);
  if (field?.kind === 'reference' && field.target !== undefined)
    return <span>{nameOf(field.target, text) ?? '…'}</span>;
  if (isDay(text)) return <span>{dateText(text)}</span>;
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return <span>{momentText(text)}</span>;
  // What stands in an item names the record around it.
  const currency = field === undefined ? undefined : currencyOf(field, [record, record]);
  if (currency !== undefined) return <span class="number">{amountText(Number(text), currency)}</span>;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return <span class="number">{numberText(Number(text))}</span>;
  return <span>{field?.kind === 'enum' ? wordsOf(text) : text}</span>;
}
