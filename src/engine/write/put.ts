// A record by a unique key: changed where there is one, else made.
import { isRecord } from '../../facts/record-values.ts';
import { Problem, problems } from '../../problems.ts';
import type { Field, ObjectsField, Resource, Value, Values } from '../../registry/model/model.ts';
import type { BodyInput, Upsert } from '../../request/intent.ts';
import { isAsStored } from '../changes/same-value.ts';
import type { Group } from '../plan/groups.ts';
import type { Precondition } from '../transaction/precondition.ts';
import type { Scope } from '../transaction/scope.ts';
import { createRecord, updateRecord } from './write.ts';

interface PutOptions {
  readonly group: Group;
  readonly upsert: Upsert;
  /** What the caller has seen of the record. */
  readonly precondition: Precondition;
}

/** The record had the key when it was looked for, and has another one under lock. */
class KeyMoved extends Error {}

/** How often a record is looked for whose key others change meanwhile. */
const lookAgain = 3;

/** Makes or changes the record with a key. @returns its values, and whether it is new. @throws Problem */
export async function putRecord(
  scope: Scope,
  options: PutOptions,
): Promise<{ readonly values: Values; readonly isMade: boolean }> {
  const { group, upsert, precondition } = options;
  const ifMatch = precondition?.ifMatch;
  // Whoever sends what is stored must not learn that it is.
  const isSeen = (field: Field): boolean => scope.judge?.hides(field.key) !== true;
  const keyTaken = (): Problem => problems.keyTaken(group.resource.title, wordOf(group.resource, upsert));
  const isKeyHidden = (): boolean => Object.keys(upsert.where).some((key) => scope.judge?.hides(key) === true);
  for (let look = 1; look <= lookAgain; look += 1) {
    const id = await idOf(scope, group, upsert);
    if (id === undefined) {
      if (ifMatch !== undefined && ifMatch !== 'missing') throw problems.recordChanged();
      return { values: await createRecord(scope, { group, input: upsert.forCreate() }), isMade: true };
    }
    if (precondition?.ifNoneMatch === '*') throw problems.recordThere();
    try {
      const inputOf = (before: Readonly<Values>) => {
        if (!upsert.isOf(before)) throw new KeyMoved('The record has another key now.');
        // Whoever does not see which record has the key does not learn it by a write.
        if (isKeyHidden()) throw keyTaken();
        return withoutKept(
          upsert.forUpdate(
            // What no record keeps says something to a new one alone.
            (field, value) => !field.stored || (isSeen(field) && isAsStored(field, before[field.key], value)),
          ),
          { fields: group.resource.fields.filter(isSeen) },
          before,
        );
      };
      return { values: await updateRecord(scope, { group, id, inputOf, precondition }), isMade: false };
    } catch (error) {
      // Nor by what may not be done with that record.
      if (error instanceof Problem && error.code === 'access-denied' && isKeyHidden()) throw keyTaken();
      const isUnknown = error instanceof Problem && error.code === 'record-unknown';
      if (!(error instanceof KeyMoved) && !isUnknown) throw error;
      // One that the caller does not see has the key.
      if (isUnknown && scope.judge !== undefined && (await idOf(scope, group, upsert)) !== undefined) throw keyTaken();
    }
  }
  throw problems.overloaded();
}

/** What messages call the key by which a record is put. */
function wordOf({ unique }: Resource, { where }: Upsert): string {
  const keys = Object.keys(where);
  const key = unique.find(
    ({ fields }) => fields.length === keys.length && fields.every((one) => keys.includes(one.key)),
  );
  return key?.word ?? keys.join();
}

/** Items that are sent without their ids are other ones; as long as nothing else is new of a list, it stays as it is. */
function withoutKept(input: BodyInput, { fields }: Pick<Resource, 'fields'>, before: Readonly<Values>): BodyInput {
  const isKept = (field: Field): boolean => {
    const [stored, sent] = [before[field.key], input.values[field.key]];
    return field.kind === 'objects' && isAsStored(field, stored, withLeftOut(field, stored, sent));
  };
  const kept = new Set(fields.filter(isKept).map(({ key }) => key));
  if (kept.size === 0) return input;
  return { ...input, values: Object.fromEntries(Object.entries(input.values).filter(([key]) => !kept.has(key))) };
}

/**
 * A list with what its items leave out as the items hold it that are stored at their places: their ids, and what takes a default
 * from elsewhere, which may be another one by now.
 */
function withLeftOut(list: ObjectsField, stored: Value | undefined, sent: Value | undefined): Value | undefined {
  if (!Array.isArray(stored) || !Array.isArray(sent)) return sent;
  return sent.map((item: Value, place) => {
    const old: Value | undefined = stored[place];
    if (!isRecord(item) || !isRecord(old)) return item;
    const filled: Values = { ...item };
    if (list.hasIds) filled['id'] ??= old['id'];
    for (const part of list.fields) {
      const { key } = part;
      const isLeftOut = filled[key] === undefined;
      if (isLeftOut && part.defaultFrom.length > 0) filled[key] = old[key];
      else if (!isLeftOut && part.kind === 'objects') filled[key] = withLeftOut(part, old[key], filled[key]);
    }
    return filled;
  });
}

/** The id of the record with a key: the one seam through which `PUT` finds what it changes. */
async function idOf(
  scope: Pick<Scope, 'session' | 'settle'>,
  { rows, resource }: Group,
  { where }: Upsert,
): Promise<string | undefined> {
  scope.settle(resource.name);
  const [id] = await rows.ids(scope.session, where, { limit: 1 });
  return id;
}
