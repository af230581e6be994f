// Changes a field of many records, or deletes them.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Control } from '../../controls/control.tsx';
import { emptyDraft, toJson } from '../../controls/draft.ts';
import { commonMessages } from '../../messages/common.ts';
import { selectionMessages } from '../../messages/grid.ts';
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { labelOf } from '../../values/format.ts';
import { isState } from '../../values/tone.ts';
import { ManyDialog } from './many-dialog.tsx';

interface OfManyProps {
  readonly group: GroupModel;
  readonly records: readonly Shown[];
  readonly onClose: (isWritten: boolean) => void;
}

const kinds = ['text', 'enum', 'date', 'dateTime', 'integer', 'decimal', 'boolean', 'reference', 'references', 'list'];

/** Fields that may be the same in many records: states first. */
const changeable = ({ fields }: GroupModel): readonly FieldModel[] =>
  fields
    .filter(({ onUpdate, kind }) => onUpdate && kinds.includes(kind))
    .map(withReachable)
    .toSorted((a, b) => Number(isState(b)) - Number(isState(a)));

/** Of a state those values to which somebody may change it: others follow by themselves. */
function withReachable(field: FieldModel): FieldModel {
  const { values = [], transitions } = field;
  if (transitions === undefined) return field;
  const reachable = new Set(Object.values(transitions).flat());
  return { ...field, values: values.filter((value) => reachable.has(value)) };
}

export function ChangeDialog(props: OfManyProps): JSX.Element | null {
  const { group } = props;
  const fields = changeable(group);
  const [key, setKey] = useState(fields[0]?.key ?? '');
  const [value, setValue] = useState<unknown>(undefined);
  const field = fields.find((one) => one.key === key);
  if (field === undefined) return null;
  const control = value ?? emptyDraft([{ ...field, default: undefined }])[field.key];
  const json = toJson(field, control);
  return (
    <ManyDialog
      {...props}
      verb={selectionMessages.change}
      done={selectionMessages.changed}
      asked={`${key}: ${json}`}
      make={({ id }) => ({ method: 'PATCH', path: `${group.path}/${id}`, body: { [key]: JSON.parse(json) } })}
    >
      <label for="many-field">{commonMessages.field}</label>
      <select
        id="many-field"
        value={key}
        onChange={(event) => {
          setKey(event.currentTarget.value);
          setValue(undefined);
        }}
      >
        {fields.map((one) => (
          <option key={one.key} value={one.key}>
            {labelOf(one)}
          </option>
        ))}
      </select>
      <label for="many-value">{selectionMessages.newValue(labelOf(field))}</label>
      <Control key={field.key} field={field} value={control} id="many-value" onChange={setValue} />
    </ManyDialog>
  );
}

export const DeleteManyDialog = (props: OfManyProps): JSX.Element => (
  <ManyDialog
    {...props}
    verb={commonMessages.delete}
    done={selectionMessages.deleted}
    isDanger
    make={({ id }) => ({ method: 'DELETE', path: `${props.group.path}/${id}` })}
  />
);
