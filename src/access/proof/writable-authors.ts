// Fields that name the author of a record and that callers can send: a caller could create a record in another member's name.
import type { DefaultSource, Field, Registry } from '../../registry/model/model.ts';
import type { Finding } from './finding.ts';

/** Names of fields for the author of a record: `createdBy`, `submittedById`, `author`. */
const authorName =
  /^(?:(?:added|authored|created|entered|filed|logged|made|opened|posted|raised|recorded|registered|reported|requested|sent|submitted|uploaded|written)By|author|creator|poster|reporter|requester|sender|submitter|uploader|writer)(?:Id)?$/;

/** Finds each field that is named like an author, takes the acting member by default, and can be sent by callers. */
export const writableAuthors = ({ resources }: Registry): readonly Finding[] =>
  [...resources.values()].flatMap(({ name: group, fields }) =>
    fields.filter(isWritableAuthor).map(({ name }): Finding => {
      const text = `${group}.${name} can be sent by callers and name another member; make it "readOnly"`;
      return { code: 'author-writable', text, place: undefined };
    }),
  );

const isWritableAuthor = ({ name, onCreate, onUpdate, defaultFrom }: Field): boolean =>
  authorName.test(name) && (onCreate || onUpdate) && defaultFrom.some(isActingMember);

const isActingMember = (source: DefaultSource): boolean =>
  source.kind === 'actingMember' || (source.kind === 'formula' && source.figure.source.trim() === 'actor');
