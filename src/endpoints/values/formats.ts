// Ajv formats, registered once for the service, its document and whoever validates responses: those of `ajv-formats` in
// full, and ours.
import type { Ajv2020 } from 'ajv/dist/2020.js';
import standard from 'ajv-formats';
import { textFormats } from '../../registry/model/text-formats.ts';

const fits = (name: 'date' | 'uuid', text: string): boolean => {
  const format = standard.default.get(name);
  if (format instanceof RegExp) return format.test(text);
  const { validate } = format as { validate: (text: string) => boolean };
  return validate(text);
};

/** Ours, by name: all that texts of descriptors may have are among them. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  ...Object.fromEntries(Object.entries(textFormats).map(([name, { test }]) => [name, test])),
  // Earlier years do not survive every database.
  date: (text) => text >= '1000' && fits('date', text),
  // Without the prefix `urn:uuid:`.
  uuid: (text) => text.length === 36 && fits('uuid', text),
  // Only http and https: the document has no other URIs in bodies.
  uri: textFormats.url.test,
};

/** Gives an Ajv all formats that descriptors and the document use. */
export function addFormats(ajv: Ajv2020): Ajv2020 {
  standard.default(ajv, { mode: 'full' });
  for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test);
  return ajv;
}
