// Fields that hold a file. Each is a reference to a group that the service brings along, with conditions for what it takes; so filters,
// rights, the log, exports and types know it as they know any other reference.
import type { RawDescriptor, RawField } from './vocabulary.ts';

/** The group of uploaded files. */
export const fileGroup = 'file';

/** The most that any file may have. */
export const mostFileBytes = 25 * 1024 * 1024;

/** Its descriptor. Records of it are made by uploads alone, and end when none names them any more. */
export const fileDescriptor: RawDescriptor = {
  title: 'File',
  description: 'A file that was uploaded: its bytes are at its id.',
  properties: {
    fileName: {
      type: 'string',
      maxLength: 255,
      filter: 'text',
      description: 'What it is called, as it was uploaded',
      examples: ['receipt.pdf'],
    },
    contentType: {
      type: 'string',
      maxLength: 100,
      filter: 'exact',
      description: 'What it is, by its first bytes (a media type)',
      examples: ['application/pdf'],
    },
    size: { type: 'integer', minimum: 1, description: 'Its length in bytes', examples: [48_211] },
    sha256: {
      type: 'string',
      maxLength: 64,
      filter: 'exact',
      description: 'The SHA-256 of its bytes, in hexadecimal digits',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    },
    createdAt: true,
  },
  required: ['fileName', 'contentType', 'size', 'sha256'],
  resource: { path: '/files', area: 'Files', shownAs: '{fileName}', operations: ['list'] },
};

const shownOfFiles = ['fileName', 'contentType', 'size', 'sha256'] as const;

type Fields = RawDescriptor['properties'];

/** A descriptor whose fields of format `file` are the references that they mean; the same one where it has none. */
export function withFileFields(raw: RawDescriptor): RawDescriptor {
  const properties = fieldsIn(raw.properties, raw.required);
  return properties === raw.properties ? raw : { ...raw, properties };
}

function fieldsIn(fields: Fields, required: readonly string[] = []): Fields {
  const entries = Object.entries(fields).map(([name, field]) => {
    const read = field === true ? field : fieldOf(name, field, required.includes(name));
    return [name, read] as const;
  });
  return entries.every(([name, field]) => field === fields[name]) ? fields : Object.fromEntries(entries);
}

function fieldOf(name: string, raw: RawField, isRequired: boolean): RawField {
  if (isFile(raw)) return one(name, raw, isRequired);
  const { items } = raw;
  if (items === undefined) return raw;
  if (isFile(items)) return many(raw, items);
  if (items.properties === undefined) return raw;
  const properties = fieldsIn(items.properties, items.required) as NonNullable<RawField['properties']>;
  return properties === items.properties ? raw : { ...raw, items: { ...items, properties } };
}

const isFile = ({ format }: RawField): boolean => format === 'file';

function one(name: string, { type, format: _format, ...raw }: RawField, isRequired: boolean): RawField {
  const { rest, must } = taken(raw, name);
  return {
    ...rest,
    reference: fileGroup,
    include: shownOfFiles,
    onDelete: 'restrict',
    ...(Array.isArray(type) || !isRequired ? { nullable: true } : {}),
    ...(must.length > 0 && { must: [...(raw.must ?? []), ...must] }),
  };
}

function many({ type: _type, items: _items, ...raw }: RawField, items: RawField): RawField {
  const { must } = taken(items, 'file');
  return {
    ...raw,
    references: fileGroup,
    onDelete: 'restrict',
    ...(must.length > 0 && { must: [...(raw.must ?? []), ...must.map((each) => ({ each: 'file', ...each }))] }),
  };
}

/** What a file must be, as conditions on the record that it is. @param name Under which formulas know it */
function taken(raw: RawField, name: string): { rest: RawField; must: { that: string; be: string }[] } {
  const { maxBytes, mediaTypes, ...rest } = raw;
  const must: { that: string; be: string }[] = [];
  if (mediaTypes !== undefined) {
    const tests = mediaTypes.map((type) =>
      type.endsWith('/*')
        ? `${name}.contentType.startsWith('${type.slice(0, -1)}')`
        : `${name}.contentType == '${type}'`,
    );
    must.push({ that: tests.join(' || '), be: typesInWords(mediaTypes) });
  }
  if (maxBytes !== undefined)
    must.push({ that: `${name}.size <= ${maxBytes}`, be: `of at most ${bytesInWords(maxBytes)}` });
  return { rest, must };
}

const words: Readonly<Record<string, string>> = {
  'application/pdf': 'a PDF',
  'application/zip': 'a ZIP archive',
  'image/*': 'an image',
  'image/png': 'a PNG',
  'image/jpeg': 'a JPEG',
  'text/*': 'a text',
  'text/plain': 'a plain text',
  'text/csv': 'a CSV',
  'video/*': 'a video',
  'audio/*': 'a recording',
};

/** `a PDF or an image`. */
function typesInWords(types: readonly string[]): string {
  const named = types.map((type) => words[type] ?? `a file of type ${type}`);
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}

/** `10 MiB`, `512 KiB`, `700 bytes`. */
function bytesInWords(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}
