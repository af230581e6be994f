// Which ids of a record refer to nothing: asked only when something else is wrong or a foreign key has said so, because
// the keys of the database watch over every write anyway. One statement for each group referred to.
import type { Field, Resource, Value, Values } from '../registry/model.ts';
import type { Session } from '../storage/session.ts';
import type { Groups } from './groups.ts';

/** An id without a record: where it stands in the body, and the title of the group it should be in. */
export interface ReferenceFault {
  readonly place: string;
  readonly title: string;
}

interface Named {
  readonly place: string;
  readonly target: string;
  readonly id: string;
}

/** Looks up every id that the chosen fields name. */
export async function referenceFaults(
  session: Pick<Session, 'all'>,
  groups: Groups,
  resource: Resource,
  values: Readonly<Values>,
  isChosen: (key: string) => boolean,
): Promise<ReferenceFault[]> {
  const named = resource.fields
    .filter(({ key }) => isChosen(key))
    .flatMap((field) => namedIds(field, values, field.key));
  const targets = new Map<string, Set<string>>();
  for (const { target, id } of named) targets.set(target, (targets.get(target) ?? new Set()).add(id));
  const missing = new Set<string>();
  for (const [target, ids] of targets) {
    const existing = await groups.get(target).rows.existing(session, [...ids]);
    for (const id of ids) if (!existing.has(id)) missing.add(`${target}/${id}`);
  }
  return named
    .filter(({ target, id }) => missing.has(`${target}/${id}`))
    .map(({ place, target }) => ({ place, title: groups.get(target).resource.title }));
}

/** The ids that a field of a record, or of an item, names. */
function namedIds(field: Field, values: Readonly<Values>, place: string): Named[] {
  const value = values[field.key];
  if (field.kind === 'reference') return typeof value === 'string' ? [{ place, target: field.target, id: value }] : [];
  if (field.kind === 'choice') {
    const branch = field.branches.find((each) => each.value === values[field.by]);
    return branch && typeof value === 'string' ? [{ place, target: branch.reference.target, id: value }] : [];
  }
  if (!Array.isArray(value)) return [];
  const items = value as Value[];
  // What is ill-formed has been left out of what is judged.
  if (field.kind === 'references')
    return items.flatMap((id, index) =>
      typeof id === 'string' ? { place: `${place}[${index}]`, target: field.target, id } : [],
    );
  if (field.kind !== 'objects') return [];
  return items.flatMap((item, index) =>
    field.fields.flatMap((inside) =>
      namedIds(inside, (item as Values | null) ?? {}, `${place}[${index}].${inside.key}`),
    ),
  );
}
