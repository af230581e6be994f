// What who is signed in may do, as the service tells it: with groups, and with one record.
import { type Allowed, narrowed } from '../../granted.ts';
import type { GroupModel } from '../../model.ts';
import { ask } from './api.ts';
import { takeEarly } from './early-access.ts';
import { token } from './session.ts';

export interface Access {
  /** What is granted beside the operations of groups. */
  readonly may: readonly string[];
  readonly groups: Readonly<Record<string, Allowed>>;
}

/** What the holder of a token may do. @throws ApiProblem */
export async function readAccess(): Promise<Access> {
  type Told = Pick<Allowed, 'hidden' | 'kept'> & Allowed['operations'];
  const { may, groups } = (await ask('/access', { answer: takeEarly(token.peek()) })).body as Access & {
    readonly groups: Readonly<Record<string, Told>>;
  };
  const allowed = Object.entries(groups).map(([name, { hidden, kept, ...operations }]) => [
    name,
    { operations, hidden, kept } as Allowed,
  ]);
  return { may, groups: Object.fromEntries(allowed) };
}

/** The group as it is for one of its records. @throws ApiProblem */
export async function allowedOf(group: GroupModel, id: string): Promise<GroupModel> {
  const { operations, hidden, kept } = (await ask(`/access${group.path}/${id}`)).body as Pick<
    Allowed,
    'hidden' | 'kept'
  > & { readonly operations: Readonly<Record<string, { readonly allowed: boolean }>> };
  const extents = Object.entries(operations).map(([name, { allowed }]) => [name, allowed ? 'all' : 'no'] as const);
  return narrowed(group, { operations: Object.fromEntries(extents), hidden, kept });
}
