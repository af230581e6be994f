// The first read of a write under roles: whether the acting member exists, and which of the records that the write names are visible.
// One statement, before any lock, in place of the one that looks for the acting member.
import type { Resource, Values } from '../../registry/model/model.ts';
import type { Bound } from '../../storage/schema/cells.ts';
import { bind, compile } from '../../storage/schema/compiler.ts';
import type { Session } from '../../storage/schema/session.ts';
import { visibilitySql } from '../../storage/sight/update-grant.ts';
import { nameInFull, type RecordName } from '../changes/change.ts';
import type { Groups } from '../plan/groups.ts';
import type { Viewer } from './caller-sight.ts';

/** Maximum number of records in one statement; the visibility of others is read when it is needed. */
const maxRecords = 8;

export interface Opening {
  readonly actingMember: string | null;
  /** Whether records are visible, by `nameInFull`; without those that were not read. */
  readonly visible: ReadonlyMap<string, boolean>;
}

interface OpeningOptions {
  readonly groups: Groups;
  readonly viewer: Viewer;
  /** Member of the token; undefined if its existence is known. */
  readonly memberId: string | null | undefined;
  readonly records: readonly RecordName[];
}

/** Reads the acting member's existence and the visibility of records. */
export async function openWrite(session: Session, options: OpeningOptions): Promise<Opening> {
  const { groups, viewer, memberId = null } = options;
  const actors = memberId === null ? undefined : groups.registry.actors;
  const records = options.records.slice(0, maxRecords);
  if (actors === undefined && records.length === 0) return { actingMember: null, visible: new Map() };
  const names = [actors ?? '', ...records.map(({ group }) => group)];
  const { sight } = viewer;
  const statement = groups.statements.get(`open ${sight.rights.number} ${names.join()}`, () => {
    const rows = records.map(({ group }, index) => ({ resource: groups.get(group).resource, id: `id${index}` }));
    return compile(visibilitySql(sight.sql, actors, rows), groups.dialect);
  });
  const values: Record<string, Bound> = { ...viewer.values };
  for (const [index, { id }] of records.entries()) values[`id${index}`] = id;
  const [cells = []] = await session.all(statement.sql, bind(statement, values));
  const flags = cells.map((cell) => Number(cell) === 1);
  const isActing = actors !== undefined && flags.shift() === true;
  return {
    actingMember: isActing ? memberId : null,
    visible: new Map(records.map((record, index) => [nameInFull(record), flags[index] === true])),
  };
}

/** Lists records that some callers do not see: the one that a write changes, and the targets of its references. */
export function listNamedRecords(
  { groups, viewer: { sight } }: Pick<OpeningOptions, 'groups' | 'viewer'>,
  resource: Resource,
  { id, values }: { readonly id: string | undefined; readonly values: Readonly<Values> },
): readonly RecordName[] {
  const isHiding = (group: string): boolean => group !== groups.registry.files?.name && !sight.isAllVisible(group);
  const targets = resource.fields.flatMap((field): readonly RecordName[] => {
    const value = values[field.key];
    if (field.kind !== 'reference' || !field.stored || typeof value !== 'string') return [];
    return isHiding(field.target) ? [{ group: field.target, id: value }] : [];
  });
  const isNamed = id !== undefined && !resource.singleton && isHiding(resource.name);
  return isNamed ? [{ group: resource.name, id }, ...targets] : targets;
}
