/** `fine`: no action. `note`: worth knowing, perhaps intended. `act`: requires action. */
export type FindingState = 'fine' | 'note' | 'act';

/** The result of one check. */
export interface Finding {
  /** Stable name of the check. */
  readonly code: string;
  readonly state: FindingState;
  readonly says: string;
  /** Remedy; undefined if the state is `fine`. */
  readonly todo?: string;
}

export const fine = (code: string, says: string): Finding => ({ code, state: 'fine', says });
export const note = (code: string, says: string, todo: string): Finding => ({ code, state: 'note', says, todo });
export const act = (code: string, says: string, todo: string): Finding => ({ code, state: 'act', says, todo });
