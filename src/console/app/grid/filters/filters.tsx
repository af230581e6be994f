// The declared filters of a group as controls, each of its kind. What they say stands in the address.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { filtersIn, query, setQuery } from '../../browser/router.ts';
import { commonMessages } from '../../messages/common.ts';
import { comparisonMessages, filterMessages, numberComparisonMessages } from '../../messages/grid.ts';
import { Picker, searchFilter } from '../../parts/picker.tsx';
import { Popover } from '../../parts/popover.tsx';
import type { FieldModel, FilterModel, GroupModel } from '../../service/model.ts';
import { dateText, labelOf, wordsOf } from '../../values/format.ts';
import { nameOf } from '../../values/names.ts';
import { presets, type Range } from './presets.ts';

/** The parameters of one field. */
interface Family {
  readonly path: string;
  readonly label: string;
  readonly filters: readonly FilterModel[];
}

function familiesOf(group: GroupModel): readonly Family[] {
  const byPath = Map.groupBy(group.filters, ({ path }) => path);
  return [...byPath].map(([path, filters]) => ({ path, label: pathLabel(group, path), filters }));
}

/** `lines[].project` → Lines: project. */
function pathLabel({ fields }: GroupModel, path: string): string {
  const [outer = '', inner] = path.split('[].');
  const field = fields.find(({ name }) => name === outer);
  const own = field?.fields?.find(({ name }) => name === inner);
  if (inner === undefined) return field === undefined ? wordsOf(outer) : labelOf(field);
  return `${wordsOf(outer)}: ${(own === undefined ? wordsOf(inner) : labelOf(own as FieldModel)).toLowerCase()}`;
}

/** Sets parameters, '' for none, in one step. */
function setFilters(values: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  setQuery(next);
}

export function Filters({ group }: { readonly group: GroupModel }): JSX.Element | null {
  const [added, setAdded] = useState<string | undefined>(undefined);
  const families = familiesOf(group);
  if (families.length === 0) return null;
  const given = query.value;
  const isUsed = ({ filters }: Family): boolean => filters.some(({ name }) => given.has(name));
  const quick = searchFilter(group);
  const chips = families.filter(
    (family) => family.path === added || (isUsed(family) && !(quick !== undefined && usesOnly(family, quick))),
  );
  const rest = families.filter((family) => !chips.includes(family));
  return (
    <fieldset class="filters" aria-label={filterMessages.filters}>
      {quick !== undefined && <QuickSearch key={quick} name={quick} group={group} />}
      {chips.map((family) => (
        <FilterChip
          key={family.path}
          family={family}
          isOpenAtFirst={family.path === added}
          onClose={() => setAdded(undefined)}
        />
      ))}
      {rest.length > 0 && <AddFilter families={rest} onAdd={setAdded} />}
      {chips.length + (quick !== undefined && given.has(quick) ? 1 : 0) > 0 && filtersIn(given).size > 0 && (
        <button
          type="button"
          class="bare"
          onClick={() => setFilters(Object.fromEntries([...filtersIn(given)].map(([name]) => [name, ''])))}
        >
          {filterMessages.clearAll}
        </button>
      )}
    </fieldset>
  );
}

const usesOnly = ({ filters }: Family, name: string): boolean =>
  filters.every((filter) => filter.name === name || !query.value.has(filter.name));

const delayMs = 250;

/** The text by which records are found most often, always at hand. */
function QuickSearch({ name, group }: { readonly name: string; readonly group: GroupModel }): JSX.Element {
  const given = query.value.get(name) ?? '';
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(() => setFilters({ [name]: text }), delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  const filter = group.filters.find((one) => one.name === name);
  const label = filterMessages.contains(filter === undefined ? wordsOf(name) : pathLabel(group, filter.path));
  return (
    <input
      type="search"
      class="quick"
      aria-label={label}
      placeholder={`${label} …`}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

function AddFilter({
  families,
  onAdd,
}: {
  readonly families: readonly Family[];
  readonly onAdd: (path: string) => void;
}) {
  return (
    <Popover label={filterMessages.add} class="add-filter">
      {(close) => (
        <div class="menu">
          {families.map(({ path, label }) => (
            <button
              type="button"
              key={path}
              onClick={() => {
                close();
                onAdd(path);
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

interface ChipProps {
  readonly family: Family;
  readonly isOpenAtFirst: boolean;
  readonly onClose: () => void;
}

function FilterChip({ family, isOpenAtFirst, onClose }: ChipProps): JSX.Element {
  const clear = (): void => setFilters(Object.fromEntries(family.filters.map(({ name }) => [name, ''])));
  return (
    <span class="chip">
      <Popover label={<ChipLabel family={family} />} isOpenAtFirst={isOpenAtFirst} onClose={onClose}>
        {(close) => (
          <div class="filter-body">
            <FilterControl family={family} close={close} />
          </div>
        )}
      </Popover>
      <button
        type="button"
        class="clear"
        aria-label={filterMessages.clear(family.label)}
        onClick={() => {
          clear();
          onClose();
        }}
      >
        ×
      </button>
    </span>
  );
}

/** What a family says now. */
function ChipLabel({ family: { label, filters } }: { readonly family: Family }): JSX.Element {
  const said = filters.flatMap((filter) => {
    const value = query.value.get(filter.name);
    return value === null ? [] : [`${signOf(filter)} ${valueWords(filter, value)}`.trim()];
  });
  return (
    <>
      <span class="quiet">{label}</span> {said.length === 0 ? '…' : said.join(', ')}
    </>
  );
}

/** `atLeast` of kinds that came later says what it is. */
const signOf = ({ comparison, kind }: FilterModel): string =>
  (kind === 'integer' || kind === 'decimal' ? numberComparisonMessages[comparison] : undefined) ??
  comparisonMessages[comparison] ??
  wordsOf(comparison).toLowerCase();

function valueWords(filter: FilterModel, value: string): string {
  if (filter.target !== undefined) return nameOf(filter.target, value) ?? '…';
  switch (filter.kind) {
    case 'enum':
      return wordsOf(value);
    case 'boolean':
      return value === 'true' ? commonMessages.yes : commonMessages.no;
    case 'date':
      return dateText(value);
    default:
      return value;
  }
}

interface ControlProps {
  readonly family: Family;
  readonly close: () => void;
}

function FilterControl({ family, close }: ControlProps): JSX.Element | null {
  const { filters, label } = family;
  const [first] = filters;
  if (first === undefined) return null;
  const value = query.value.get(first.name) ?? '';
  if (first.target !== undefined)
    return (
      <Picker
        target={first.target}
        value={value}
        label={label}
        isFocused
        onChange={(id) => {
          setFilters({ [first.name]: id });
          close();
        }}
      />
    );
  if (first.kind === 'enum' || first.kind === 'boolean') return <OneOf filter={first} close={close} />;
  if (first.kind === 'date' && filters.length > 1) return <DateRange filters={filters} close={close} />;
  return <Texts filters={filters} close={close} />;
}

function OneOf({ filter, close }: { readonly filter: FilterModel; readonly close: () => void }): JSX.Element {
  const values = filter.kind === 'boolean' ? ['true', 'false'] : (filter.values ?? []);
  const given = query.value.get(filter.name);
  return (
    <div class="menu">
      {values.map((value) => (
        <button
          type="button"
          key={value}
          aria-pressed={value === given}
          onClick={() => {
            setFilters({ [filter.name]: value === given ? '' : value });
            close();
          }}
        >
          {valueWords(filter, value)}
        </button>
      ))}
    </div>
  );
}

/** Days from one to another, and the ranges that people ask for most. */
function DateRange({ filters, close }: { readonly filters: readonly FilterModel[]; readonly close: () => void }) {
  const named = (comparison: string): string => filters.find((filter) => filter.comparison === comparison)?.name ?? '';
  const [from, to] = [named('onAfter'), named('onBefore')];
  const others = Object.fromEntries(filters.map(({ name }) => [name, '']));
  const set = (range: Range): void => setFilters({ ...others, [from]: range.from, [to]: range.to });
  const given = { from: query.value.get(from) ?? '', to: query.value.get(to) ?? '' };
  return (
    <div class="dates">
      <div class="menu">
        {presets().map(({ label, range }) => (
          <button
            type="button"
            key={label}
            aria-pressed={range.from === given.from && range.to === given.to}
            onClick={() => {
              set(range);
              close();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <label>
        {filterMessages.from}
        <input
          type="date"
          value={given.from}
          onChange={(event) => set({ ...given, from: event.currentTarget.value })}
        />
      </label>
      <label>
        {filterMessages.to}
        <input type="date" value={given.to} onChange={(event) => set({ ...given, to: event.currentTarget.value })} />
      </label>
    </div>
  );
}

const inputTypes: Readonly<Record<string, 'date' | 'number'>> = { date: 'date', integer: 'number', decimal: 'number' };

/** One field a parameter: contains, starts with, is … */
function Texts({ filters, close }: { readonly filters: readonly FilterModel[]; readonly close: () => void }) {
  const order = ['foldedContains', 'foldedStartsWith', 'foldedEndsWith', 'foldedEquals'];
  const sorted = filters.toSorted((a, b) => order.indexOf(a.comparison) - order.indexOf(b.comparison));
  return (
    <form
      class="texts"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        setFilters(Object.fromEntries(filters.map(({ name }) => [name, String(data.get(name) ?? '')])));
        close();
      }}
    >
      {sorted.map((filter) => (
        <label key={filter.name}>
          {signOf(filter) === '' ? filterMessages.is : wordsOf(signOf(filter))}
          <input
            name={filter.name}
            // Any of them takes these attributes; their types are told apart by one literal.
            type={(inputTypes[filter.kind] ?? 'text') as 'text'}
            step="any"
            autocomplete="off"
            defaultValue={query.value.get(filter.name) ?? ''}
          />
        </label>
      ))}
      <button type="submit" class="primary">
        {filterMessages.apply}
      </button>
    </form>
  );
}
