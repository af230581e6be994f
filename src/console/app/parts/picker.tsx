// Picks a record of another group by typing: searches the group's text filter, or its newest records.
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { pickerMessages } from '../messages/grid.ts';
import { recordMessages } from '../messages/record.ts';
import { list } from '../service/api.ts';
import { can, type GroupModel, groups } from '../service/model.ts';
import { choiceOf, nameOf } from '../values/names.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The parameter by which records are found by a part of their name; undefined where the group has none. */
export function searchFilter({ filters, shownAs }: GroupModel): string | undefined {
  const contains = filters.filter(({ comparison, path }) => comparison === 'foldedContains' && !path.includes('[]'));
  const names = shownAs.flatMap((part) => (part.kind === 'value' ? part.paths : []));
  return (contains.find(({ path }) => names.includes(path)) ?? contains[0])?.name;
}

/** The parameters by which records are found by the whole of their name or number, where nothing finds a part of it. */
export function wholeFilters({ filters, shownAs }: GroupModel): readonly string[] {
  const names = shownAs.flatMap((part) => (part.kind === 'value' ? part.paths : []));
  return filters
    .filter(({ path, kind, comparison }) => kind === 'text' && names.includes(path) && /equals$/i.test(comparison))
    .map(({ name }) => name);
}

const most = 50;
const delayMs = 140;

interface Looked {
  readonly signal?: AbortSignal;
  /** Filters of what is looked for first. */
  readonly near?: URLSearchParams | undefined;
}

/** Records of a group by what is typed: those that are near, where any is; else all. */
export async function findRecords(
  group: GroupModel,
  text: string,
  { signal, near }: Looked,
): Promise<readonly Choice[]> {
  const found = near === undefined ? [] : await foundWith(group, text, { near, ...(signal && { signal }) });
  return found.length > 0 ? found : foundWith(group, text, { ...(signal && { signal }) });
}

async function foundWith(group: GroupModel, text: string, { signal, near }: Looked): Promise<readonly Choice[]> {
  const filter = searchFilter(group);
  const asked = (more: Readonly<Record<string, string>>): URLSearchParams =>
    new URLSearchParams([...(near ?? []), ...Object.entries(more)]);
  const [whole] = filter === undefined && text !== '' ? wholeFilters(group) : [];
  if (whole !== undefined) {
    const { results } = await list(group.path, asked({ [whole]: text, limit: String(most) }), signal);
    if (results.length > 0) return results.map((record) => choiceOf(group.name, record));
  }
  const query = asked({ limit: String(filter === undefined ? 100 : most) });
  if (filter !== undefined && text !== '') query.set(filter, text);
  const { results } = await list(group.path, query, signal);
  const choices = results.map((record) => choiceOf(group.name, record));
  const wanted = text.toLowerCase();
  return filter === undefined ? choices.filter(({ name }) => name.toLowerCase().includes(wanted)) : choices;
}

/**
 * Filters of records that belong where the record belongs that is written: a task is one of the project that is chosen.
 * @param around What is written beside it, by the keys of fields.
 */
function nearTo(group: GroupModel, around: Readonly<Record<string, unknown>> | undefined): URLSearchParams | undefined {
  const near = group.fields.flatMap(({ kind, unset, key, name }): [string, string][] => {
    const value = around?.[key];
    if (kind !== 'reference' || unset !== 'never' || typeof value !== 'string' || value === '') return [];
    const filter = group.filters.find(({ path, comparison }) => path === name && comparison === 'equals');
    return filter === undefined ? [] : [[filter.name, value]];
  });
  return near.length === 0 ? undefined : new URLSearchParams(near);
}

interface PickerProps {
  readonly target: string;
  /** Id of the record that is chosen; '' for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly id?: string;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean;
  /** Values beside it, by the keys of their fields. */
  readonly around?: Readonly<Record<string, unknown>> | undefined;
  /** What would hold if nothing were chosen. */
  readonly placeholder?: string | undefined;
  readonly isFocused?: boolean;
}

interface Found {
  /** What was typed when it was looked for. */
  readonly text: string | undefined;
  readonly choices: readonly Choice[];
  readonly active: number;
}

const nothing: Found = { text: undefined, choices: [], active: 0 };

export function Picker(props: PickerProps): JSX.Element {
  const { target, value, onChange, id, label, describedBy, isInvalid, isRequired, placeholder, isFocused } = props;
  const group = groups().named(target);
  const [text, setText] = useState<string | undefined>(undefined);
  const [found, setFound] = useState<Found>(nothing);
  const input = useRef<HTMLInputElement>(null);
  /** Whether the first that is found for what is typed is taken as soon as it is there. */
  const isAwaited = useRef(false);
  const options = useId();
  const isOpen = text !== undefined;
  const shown = value === '' ? '' : (nameOf(target, value) ?? '…');

  useEffect(() => {
    if (isFocused === true) input.current?.focus();
  }, []);
  useEffect(() => {
    if (text === undefined || group === undefined || !can(group, 'list')) return;
    const ends = new AbortController();
    const timer = setTimeout(
      () =>
        findRecords(group, text, { signal: ends.signal, near: nearTo(group, props.around) }).then(
          (choices) => (isAwaited.current ? choose(choices[0]) : setFound({ text, choices, active: 0 })),
          () => undefined,
        ),
      text === '' ? 0 : delayMs,
    );
    return () => {
      clearTimeout(timer);
      ends.abort();
    };
  }, [text]);

  /** What is typed next is another question: an Enter for the last one no longer counts. */
  const look = (typed: string | undefined): void => {
    isAwaited.current = false;
    setText(typed);
  };
  const choose = (choice: Choice | undefined): void => {
    if (choice !== undefined) onChange(choice.id);
    look(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) look('');
      else setFound({ ...found, active: Math.min(Math.max(found.active + step, 0), found.choices.length - 1) });
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      // What is shown may still be what was found for fewer letters.
      if (found.text === text) choose(found.choices[found.active]);
      else isAwaited.current = true;
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      look(undefined);
    }
  };
  const active = found.choices[found.active];
  return (
    <div class="picker">
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        aria-required={isRequired === true ? true : undefined}
        aria-expanded={isOpen}
        aria-controls={options}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active !== undefined ? `${options}-${found.active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={
          placeholder ?? (group === undefined ? recordMessages.id : pickerMessages.search(group.plural.toLowerCase()))
        }
        value={text ?? shown}
        onInput={(event) => look(event.currentTarget.value)}
        onClick={() => isOpen || look('')}
        // What was chosen by Enter is still taken, once it is found.
        onBlur={() => isAwaited.current || look(undefined)}
        onKeyDown={onKeyDown}
      />
      {value !== '' && !isOpen && (
        <button type="button" class="clear" aria-label={pickerMessages.clear} onClick={() => onChange('')}>
          ×
        </button>
      )}
      {isOpen && <Choices id={options} found={found} onChoose={choose} />}
    </div>
  );
}

interface ChoicesProps {
  readonly id: string;
  readonly found: Found;
  readonly onChoose: (choice: Choice) => void;
}

/** Chosen on pressing, before the field loses the focus. */
function Choices({ id, found, onChoose }: ChoicesProps): JSX.Element {
  return (
    <ul class="choices" id={id} role="listbox" aria-label={pickerMessages.results}>
      {found.choices.length === 0 && <li class="quiet none">{pickerMessages.noResults}</li>}
      {found.choices.map((choice, index) => (
        <li
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === found.active}
          ref={(item) => {
            if (index === found.active) item?.scrollIntoView({ block: 'nearest' });
          }}
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(choice);
          }}
        >
          {choice.name}
        </li>
      ))}
    </ul>
  );
}
