/** `fine`: nothing is to be done. `note`: to be known, and perhaps meant. `act`: to be put right. */
export type FindingState = 'fine' | 'note' | 'act';

/** What was looked at and found. */
export interface Finding {
  /** What was looked at, in a word that keeps its meaning. */
  readonly code: string;
  readonly state: FindingState;
  readonly says: string;
  /** What to do about it; undefined where that is nothing. */
  readonly todo?: string;
}

export const fine = (code: string, says: string): Finding => ({ code, state: 'fine', says });
export const note = (code: string, says: string, todo: string): Finding => ({ code, state: 'note', says, todo });
export const act = (code: string, says: string, todo: string): Finding => ({ code, state: 'act', says, todo });
