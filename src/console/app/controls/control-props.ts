// Props of all field controls.
import type { FieldModel } from '../service/model.ts';

export interface ControlProps {
  readonly field: FieldModel;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Of the label. */
  readonly id: string;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** Values beside it in an item, for what hangs on them. */
  readonly around?: Readonly<Record<string, unknown>>;
  /** What would hold if nothing were said. */
  readonly placeholder?: string | undefined;
}

/** Attributes that every control has. */
