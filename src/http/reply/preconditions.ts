// Preconditions of reads (RFC 9110, 13.2.2), evaluated once the tag of the answer is known.
import { problems } from '../../problems.ts';
import { type EntityTags, hasTag } from '../../values/entity-tag.ts';

interface Preconditions {
  readonly ifMatch?: EntityTags | undefined;
  readonly ifNoneMatch?: EntityTags | undefined;
}

/**
 * Reports whether the caller already has the answer, which is 304.
 * @param etag Undefined if the answer has no tag: only `*` can match it. @throws Problem 412 if no tag of `If-Match` matches
 */
export function isNotModified({ ifMatch, ifNoneMatch }: Preconditions, etag: string | undefined): boolean {
  const matches = (tags: EntityTags): boolean =>
    etag === undefined ? tags === '*' : hasTag(tags, etag.replace(/^W\//, ''));
  if (ifMatch !== undefined && !matches(ifMatch)) throw problems.preconditionFalse('If-Match');
  return ifNoneMatch !== undefined && matches(ifNoneMatch);
}
