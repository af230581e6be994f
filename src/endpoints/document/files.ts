// The OpenAPI operations of files: bytes in, and out again. Their list is one as that of any group.
import { problems } from '../../problems.ts';
import { mostFileBytes } from '../../registry/model/file-fields.ts';
import type { Resource } from '../../registry/model/model.ts';
import { recordName, toComponent } from '../routes/names.ts';
import { exampleId } from '../values/example-id.ts';
import type { Schema } from '../values/schema.ts';
import { commonHeaders, problemAnswer, shared, successAnswer } from './answers.ts';
import { idParameter } from './asked.ts';

/** What files have besides their list. @param paths Those of all groups */
export const filePaths = (
  files: Resource,
  paths: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> => ({
  [files.path]: { ...paths[files.path], post: uploadOperation(files) },
  [`${files.path}/{id}`]: { parameters: [idParameter], get: downloadOperation(files) },
});

const failures = {
  401: shared('Unauthorized'),
  403: problemAnswer([problems.accessDenied.group('create', 'File', null)]),
  429: shared('TooManyRequests'),
  500: shared('Unforeseen'),
  503: shared('Unavailable'),
};
const bytes: Schema = { schema: { type: 'string', format: 'binary' } };

/** The upload. */
const uploadOperation = (files: Resource): Schema => ({
  tags: [files.area],
  operationId: 'uploadFile',
  summary: 'Upload a file',
  description: `The body is the bytes of the file, at most ${mostFileBytes / 1024 ** 2} MiB. What it is is told by its first bytes. A record names it by its id; a file that no record has named for a day is gone.`,
  parameters: [
    {
      ...{ name: 'Content-Disposition', in: 'header', description: 'The name of the file (RFC 6266)' },
      schema: { type: 'string', examples: ['attachment; filename="receipt.pdf"'] },
    },
  ],
  requestBody: { required: true, content: { 'application/octet-stream': bytes } },
  responses: {
    200: successAnswer('The new file', {}, { schema: toComponent(recordName(files)) }),
    ...{ 400: problemAnswer([problems.fileEmpty(), problems.parameterUnknown('name')]), ...failures },
    413: shared('BodyTooLarge'),
    415: problemAnswer([problems.fileTypeWrong('image/png', 'application/pdf')]),
  },
});

/** The download. */
const downloadOperation = (files: Resource): Schema => ({
  tags: [files.area],
  operationId: 'downloadFile',
  summary: 'Download a file',
  description:
    'The bytes of a file that a record names which the caller sees, as an attachment. `Range` asks for a part of it, `If-None-Match` for it only where the caller has another one.',
  responses: {
    200: {
      description: 'The bytes',
      headers: {
        ...commonHeaders(),
        ETag: { description: 'The SHA-256 of the bytes', required: true, schema: { type: 'string' } },
        'Content-Disposition': { description: 'The name of the file', required: true, schema: { type: 'string' } },
      },
      content: { '*/*': bytes },
    },
    206: { description: 'A part of the bytes', headers: commonHeaders(), content: { '*/*': bytes } },
    304: { description: 'The file is as the caller has it', headers: commonHeaders() },
    ...{ 400: problemAnswer([problems.uuidMalformed('id')]), ...failures },
    404: problemAnswer([problems.recordUnknown(exampleId('unknown'))]),
    416: problemAnswer([problems.rangeNotSatisfiable(48_211)]),
  },
});
