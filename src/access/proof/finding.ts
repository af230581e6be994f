// Findings of `praxis check`: no faults of roles and descriptors, but most likely mistakes.
import type { Place } from '../model.ts';

/** A finding; programs may rely on its code. */
export interface Finding {
  readonly code: FindingCode;
  readonly text: string;
  /** Place of the rule; undefined if the finding is about a whole role or a descriptor. */
  readonly place: Place | undefined;
}

export type FindingCode =
  | 'author-writable'
  | 'allow-covered'
  | 'allow-always-forbidden'
  | 'condition-never'
  | 'write-unseen'
  | 'field-nowhere'
  | 'figure-shows'
  | 'group-unreachable'
  | 'role-grants'
  | 'state-steered'
  | 'truths-many'
  | 'list-unindexed'
  | 'role-unheld';
