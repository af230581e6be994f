// An entry of the log of changes: who, when, what, and the values side by side.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EntryShown } from '../../../past/entry-json.ts';
import { recordAddress } from '../browser/router.ts';
import { commonMessages } from '../messages/common.ts';
import { historyMessages, undoMessages } from '../messages/history.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { type ApiProblem, asProblem } from '../service/api.ts';
import { readWritePage } from '../service/log.ts';
import { can, type FieldModel, type GroupModel, groups } from '../service/model.ts';
import { countText, isUnset, labelOf, momentText } from '../values/format.ts';
import { nameOf } from '../values/names.ts';
import { Value } from '../values/value.tsx';
import { type Difference, differencesOf, operationOf, reasonOf, writerOf } from './differences.ts';
import { UndoDialog } from './undo-dialog.tsx';

interface EntryProps {
  readonly entry: EntryShown;
  /** The record as it is now, where it is known. */
  readonly record?: unknown;
  /** Whether the record is named: where it is not the one that is shown. */
  readonly isNamed?: boolean;
  /** Called once the write is undone. Without it nothing is offered. */
  readonly onUndone?: () => void;
}

/** So many lines are shown at once; of what was made or deleted all are behind a word. */
const mostLines = 8;

export function Entry({ entry, record, isNamed = false, onUndone }: EntryProps): JSX.Element | null {
  const [isUndoing, setUndoing] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const group = groups().named(entry.group ?? '');
  if (group === undefined) return null;
  const lines = differencesOf(group, entry, record);
  const isFolded = entry.operation !== 'update' || lines.length > mostLines;
  const table = lines.length > 0 && <Lines entry={entry} lines={lines} />;
  return (
    <li class="past-entry">
      <p class="past-head">
        <strong>{writerOf(entry)}</strong> {operationOf(entry)}{' '}
        {isNamed ? (
          <Named group={group} entry={entry} />
        ) : entry.operation === 'update' ? (
          labels(lines)
        ) : (
          historyMessages.it
        )}
        <Reason entry={entry} />{' '}
        <time class="quiet" dateTime={entry.at} title={entry.at}>
          {momentText(entry.at)}
        </time>
      </p>
      {entry.changes === null && <p class="quiet">{historyMessages.tooLarge}</p>}
      {isFolded && lines.length > 0 ? (
        <details class="past-folded">
          <summary>{historyMessages.values(countText(lines.length), lines.length === 1)}</summary>
          {table}
        </details>
      ) : (
        table
      )}
      {onUndone !== undefined && (
        <p class="past-actions">
          {entry.parts > 1 && (
            <button type="button" class="bare" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {historyMessages.allChanges}
            </button>
          )}
          {(entry.cause?.kind === 'caller' || entry.cause?.kind === 'undo') && (
            <button type="button" class="bare" onClick={() => setUndoing(true)}>
              {undoMessages.undoMore}
            </button>
          )}
        </p>
      )}
      {isWhole && <WholeWrite entry={entry} />}
      {isUndoing && onUndone !== undefined && (
        <UndoDialog entry={entry} onClose={() => setUndoing(false)} onUndone={onUndone} />
      )}
    </li>
  );
}

/** Within a sentence; PO stays PO. */
const lowered = (label: string): string => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase());

const labels = (lines: readonly Difference[]): string => {
  const all = [...new Set(lines.map(({ label }) => lowered(label.split(/[,:]/, 1)[0] ?? '')))];
  if (all.length === 0) return historyMessages.it;
  return all.length > 3
    ? historyMessages.changedFields(countText(all.length))
    : all.join(', ').replace(/, ([^,]*)$/, historyMessages.lastOfList);
};

function Named({ group, entry: { id, name, operation } }: { readonly group: GroupModel; readonly entry: EntryShown }) {
  const isThere = operation !== 'delete' && id !== null && can(group, 'get');
  // The log keeps no names that stand in other records: those of today do.
  const today = (name ?? '') === '' && isThere ? nameOf(group.name, id) : undefined;
  const text = name || (today === undefined || today === id ? group.title : today);
  return (
    <>
      {group.title.toLowerCase()} {isThere ? <a href={recordAddress(group.path, id)}>{text}</a> : text}
    </>
  );
}

function Reason({ entry }: { readonly entry: EntryShown }): JSX.Element | null {
  const reason = reasonOf(entry);
  if (reason === undefined) return null;
  const { words, of } = reason;
  return (
    <span class="quiet">
      {' '}
      · {words}
      {of !== undefined && (
        <>
          {' '}
          <a href={recordAddress(of.group.path, of.id)}>{nameOf(of.group.name, of.id) ?? of.group.title}</a>
        </>
      )}
    </span>
  );
}

function Lines({ entry, lines }: { readonly entry: EntryShown; readonly lines: readonly Difference[] }): JSX.Element {
  const isUpdate = entry.operation === 'update';
  return (
    <div class="table-scroll">
      <table class="items past-lines">
        <thead>
          <tr>
            <th scope="col">{commonMessages.field}</th>
            {entry.operation !== 'create' && <th scope="col">{historyMessages.before}</th>}
            {entry.operation !== 'delete' && (
              <th scope="col">{isUpdate ? historyMessages.after : historyMessages.value}</th>
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.label}>
              <th scope="row">{line.label}</th>
              {line.note === undefined ? (
                <>
                  {entry.operation !== 'create' && <Side line={line} value={line.from} />}
                  {entry.operation !== 'delete' && <Side line={line} value={line.to} />}
                </>
              ) : (
                <td class="quiet" colSpan={isUpdate ? 2 : 1}>
                  {line.note}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ line: { field, around }, value }: { readonly line: Difference; readonly value: unknown }): JSX.Element {
  if (isUnset(value)) return <td class="quiet">–</td>;
  if (field.kind !== 'objects') return <td>{<Value field={field} value={value} around={around} />}</td>;
  const items = value as readonly Readonly<Record<string, unknown>>[];
  return (
    <td>
      {items.map((item, index) => (
        <Item key={String(item['id'] ?? index)} fields={field.fields ?? []} item={item} around={around} />
      ))}
    </td>
  );
}

interface ItemProps {
  readonly fields: readonly FieldModel[];
  readonly item: Readonly<Record<string, unknown>>;
  readonly around: readonly unknown[];
}

/** All that is set in an item of a list. */
function Item({ fields, item, around }: ItemProps): JSX.Element {
  const set = fields.filter(({ key, name }) => name !== 'id' && !isUnset(item[key]));
  return (
    <span class="past-item">
      {set.map((field, index) => (
        <span key={field.key}>
          {index > 0 && ' · '}
          <span class="quiet">{labelOf(field)}</span>{' '}
          <Value field={field} value={item[field.key]} around={[item, ...around]} isBrief />
        </span>
      ))}
    </span>
  );
}

/** Every record that a write concerned, with its figures, page by page. */
function WholeWrite({ entry: { write, part, entry } }: { readonly entry: EntryShown }): JSX.Element {
  const [entries, setEntries] = useState<readonly EntryShown[] | undefined>(undefined);
  const [hasMore, setHasMore] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>(undefined);
  const read = (after?: EntryShown): void => {
    readWritePage(write, after).then(
      (page) => {
        setProblem(undefined);
        setHasMore(page.hasMore);
        setEntries((before) => [...(before ?? []), ...page.results]);
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  useEffect(() => read(), [write]);
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (entries === undefined) return <p class="quiet loading">{commonMessages.loading}</p>;
  return (
    <>
      <ul class="past-list past-inside" aria-label={historyMessages.allChanges}>
        {entries.map((one) => (one.part === part ? null : <Entry key={`${entry}/${one.part}`} entry={one} isNamed />))}
      </ul>
      {hasMore && (
        <button type="button" onClick={() => read(entries.at(-1))}>
          {commonMessages.showMore}
        </button>
      )}
    </>
  );
}
