// A value that opens its explanation when clicked.
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { explainMessages } from '../../messages/record.ts';
import type { Shown } from '../../service/api.ts';
import type { FieldModel, GroupModel } from '../../service/model.ts';
import { labelOf } from '../../values/format.ts';

/** The record whose values they are. */
export interface ExplainedRecord {
  readonly group: GroupModel;
  readonly id: string;
  /** As it was read, for the currencies of its amounts; undefined for one that is only named. */
  readonly shown?: Shown | undefined;
}

export const RecordContext = createContext<ExplainedRecord | undefined>(undefined);

/** What is explained beside the page; undefined for nothing. */
export const explaining = signal<(ExplainedRecord & { readonly path: string }) | undefined>(undefined);

interface ExplainedProps {
  readonly field: FieldModel;
  /** `lines.amount` */
  readonly path: string;
  readonly children: ComponentChildren;
}

export function Explained({ field, path, children }: ExplainedProps): JSX.Element {
  const record = useContext(RecordContext);
  if (record === undefined || field.isExplained !== true) return <>{children}</>;
  return (
    <span class="explained">
      {children}
      <button
        type="button"
        class="why"
        aria-label={explainMessages.howComputed(labelOf(field))}
        title={explainMessages.title}
        onClick={() => {
          explaining.value = { ...record, path };
        }}
      >
        ƒ
      </button>
    </span>
  );
}
