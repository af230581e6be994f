// Writes of many records: tried first, so that one knows what would be refused, then done, each by itself and only over what was
// seen.
import { placeLabel, withoutPlace } from '../../controls/draft.ts';
import { selectionMessages } from '../../messages/grid.ts';
import {
  type ApiProblem,
  batch,
  type Operation,
  type OperationResult,
  problemOf,
  type Shown,
} from '../../service/api.ts';
import { type GroupModel, groups } from '../../service/model.ts';

export interface Tried {
  readonly record: Shown;
  /** Of the record as it was when it was tried. */
  readonly etag: string | undefined;
  readonly refusal: ApiProblem | undefined;
}

/** What is done to a record; it is done only over what was seen. */
export type Make = (record: Shown) => Operation;

const over = (operation: Operation, ifMatch: string | undefined): Operation =>
  ifMatch === undefined ? operation : { ...operation, ifMatch };

/** What would come of it, record by record; nothing is written. @throws ApiProblem */
export async function tryMany(group: GroupModel, records: readonly Shown[], make: Make): Promise<readonly Tried[]> {
  const read = await batch(records.map(({ id }) => ({ method: 'GET', path: `${group.path}/${id}?fields=id` })));
  const results = await batch(
    records.map((record, index) => over(make(record), versionOf(read[index]))),
    { isTrial: true },
  );
  return records.map((record, index) => {
    const result = results[index];
    return { record, etag: versionOf(read[index]), refusal: result === undefined ? undefined : problemOf(result) };
  });
}

const versionOf = (result: OperationResult | undefined): string | undefined => result?.etag;

/** Writes those that were not refused. @returns those that were refused all the same @throws ApiProblem */
export async function writeMany(
  tried: readonly Tried[],
  make: Make,
  onProgress: (count: number) => void,
): Promise<readonly Tried[]> {
  const free = tried.filter(({ refusal }) => refusal === undefined);
  const results = await batch(
    free.map(({ record, etag }) => over(make(record), etag)),
    { onProgress },
  );
  return free.flatMap((one, index) => {
    const result = results[index];
    const refusal = result === undefined ? undefined : problemOf(result);
    return refusal === undefined ? [] : [{ ...one, refusal }];
  });
}

/** Why a record was refused, in one line: the field, and what was said of it; by what it is in use. */
export function reasonOf(group: GroupModel, problem: ApiProblem): string {
  const { errors, message, usedBy } = problem;
  if (errors.length > 0)
    return errors
      .map((text) => {
        const place = /^'([^']+)'/.exec(text)?.[1];
        return place === undefined ? text : `${placeLabel(group.fields, place)}: ${withoutPlace(text)}`;
      })
      .join(' ');
  const users = usedBy.map(({ group: path, count }) => {
    const other = groups().at(path);
    return `${count} ${(count === 1 ? other?.title : other?.plural)?.toLowerCase() ?? path}`;
  });
  return users.length === 0 ? message : selectionMessages.referredToBy(message, users.join(', '));
}
