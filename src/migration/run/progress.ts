// Progress of a step that reads a table in chunks.

/** How far a step is, in rows. */
export interface StepProgress {
  readonly doneRows: number;
  readonly totalRows: number;
}

export type OnProgress = (progress: StepProgress) => void;
