// Where each column of a table goes, and how its values are written; records say it by themselves.
import type { JSX } from 'preact';
import { importMessages } from '../messages/importing.ts';
import { wordsOf } from '../values/format.ts';
import type { Proposal } from './bring.ts';

const days = { iso: '2026-12-31', 'DD.MM.YYYY': '31.12.2026', 'DD/MM/YYYY': '31/12/2026', 'MM/DD/YYYY': '12/31/2026' };

export interface Choice {
  /** By the name of the column; '' for those that are not taken. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: string;
  readonly decimal: '.' | ',';
  readonly date: string;
}

interface ColumnsProps {
  readonly proposal: Proposal;
  /** Whether they are fields of records, which are taken as they are. */
  readonly isOfRecords: boolean;
  readonly choice: Choice;
  /** Whether an import has reported the columns that it does not take. */
  readonly hasOutcome: boolean;
  readonly onChoose: (choice: Choice) => void;
}

/** `client.name` → Client: name */
const targetText = (to: string): string => {
  const [own = '', ...inner] = to.split('.').map(wordsOf);
  return [own, ...inner.map((words) => words.toLowerCase())].join(': ');
};

export function Columns({ proposal, isOfRecords, choice, hasOutcome, onChoose }: ColumnsProps): JSX.Element {
  const { columns, targets, keys } = proposal;
  const ignored = columns.filter(({ name, to }) => ((isOfRecords ? to : choice.columns[name]) ?? '') === '');
  return (
    <>
      <div class="table-scroll">
        <table class="items">
          <thead>
            <tr>
              <th scope="col">{importMessages.column}</th>
              <th scope="col" class="samples">
                {importMessages.firstRows}
              </th>
              <th scope="col">{importMessages.importAs}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, to, samples }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="quiet samples">{samples.join(' · ').slice(0, 80)}</td>
                <td>
                  {isOfRecords ? (
                    <span class={to === undefined ? 'quiet' : ''}>
                      {to === undefined ? importMessages.skip : targetText(to)}
                    </span>
                  ) : (
                    <select
                      aria-label={importMessages.becomes(name)}
                      value={choice.columns[name] ?? ''}
                      onChange={({ currentTarget: { value } }) =>
                        onChoose({ ...choice, columns: { ...choice.columns, [name]: value } })
                      }
                    >
                      <option value="">{importMessages.skip}</option>
                      {targets.map((to) => (
                        <option key={to} value={to}>
                          {targetText(to)}
                        </option>
                      ))}
                    </select>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {ignored.length > 0 && !hasOutcome && (
        <p>
          <b>{importMessages.ignored}</b> {ignored.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <label for="import-key">{importMessages.existing}</label>
      <select
        id="import-key"
        value={choice.key}
        onChange={({ currentTarget: { value } }) => onChoose({ ...choice, key: value })}
      >
        <option value="">{importMessages.allNew}</option>
        {keys.map((key) => (
          <option key={key} value={key}>
            {importMessages.updateBy(
              key === 'id' ? key : key.split(',').map(targetText).join(importMessages.and).toLowerCase(),
            )}
          </option>
        ))}
      </select>
      {!isOfRecords && <Writing choice={choice} onChoose={onChoose} />}
    </>
  );
}

/** How days and numbers are written in a table. */
function Writing({ choice, onChoose }: Pick<ColumnsProps, 'choice' | 'onChoose'>): JSX.Element {
  return (
    <>
      <label for="import-date">{importMessages.format}</label>
      <span class="side-by-side">
        <select
          id="import-date"
          value={choice.date}
          onChange={({ currentTarget: { value } }) => onChoose({ ...choice, date: value })}
        >
          {Object.entries(days).map(([form, text]) => (
            <option key={form} value={form}>
              {text}
            </option>
          ))}
        </select>
        <select
          aria-label={importMessages.numberFormat}
          value={choice.decimal}
          onChange={({ currentTarget: { value } }) => onChoose({ ...choice, decimal: value === ',' ? ',' : '.' })}
        >
          <option value=".">1234.50</option>
          <option value=",">1234,50</option>
        </select>
      </span>
    </>
  );
}
