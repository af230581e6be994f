// The parameters of a computed record, kept in the address.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { Control } from '../../controls/control.tsx';
import { toControl } from '../../controls/draft.ts';
import { recordMessages } from '../../messages/record.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { labelOf, peopleText } from '../../values/format.ts';

const parametersOf = ({ fields }: GroupModel): readonly FieldModel[] =>
  fields.filter(({ isParameter }) => isParameter === true);

/** The parameters that an address gives, and whether all that must be there are. */
export function parametersIn(group: GroupModel, all: URLSearchParams) {
  const parameters = parametersOf(group);
  const given = new URLSearchParams([...all].filter(([name]) => parameters.some((field) => field.name === name)));
  return { given, isComplete: parameters.every(({ required, name }) => !required || given.has(name)) };
}

export function ParametersForm({ group }: { readonly group: GroupModel }): JSX.Element | null {
  const parameters = parametersOf(group);
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    Object.fromEntries(
      parameters.map((field) => [field.name, query.value.get(field.name) ?? toControl(field, field.default)]),
    ),
  );
  if (parameters.length === 0) return null;
  return (
    <form
      class="parameters"
      onSubmit={(event) => {
        event.preventDefault();
        const given = Object.entries(values).filter(([, value]) => value !== '' && value !== null);
        setQuery(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
      }}
    >
      {parameters.map((field) => (
        <div key={field.name}>
          <label for={`parameter-${field.name}`} title={peopleText(field.description)}>
            {labelOf(field)}
          </label>
          <Control
            field={field}
            id={`parameter-${field.name}`}
            value={values[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        </div>
      ))}
      <button type="submit" class="primary">
        {recordMessages.compute}
      </button>
    </form>
  );
}
