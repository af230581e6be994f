// The formats of texts, registered once for the service, its document and whoever checks answers against that: JSON Schema's
// own as `ajv-formats` has them, in full, and beside them what the interface says otherwise or besides.
import type { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isCurrency } from '../values/currency.ts';
import { isTime } from '../values/date.ts';
import { isEmail, isSlug, isTimeZone, isUrl } from '../values/format.ts';

const fits = (name: 'date' | 'uuid', text: string): boolean => {
  const format = formats.default.get(name);
  if (format instanceof RegExp) return format.test(text);
  const { validate } = format as { validate: (text: string) => boolean };
  return validate(text);
};

const ours: Readonly<Record<string, (text: string) => boolean>> = {
  // Earlier years do not survive every database.
  date: (text) => text >= '1000' && fits('date', text),
  // Without the prefix `urn:uuid:`.
  uuid: (text) => text.length === 36 && fits('uuid', text),
  // Addresses without a dot are addresses (HTML), and so are web addresses beyond ASCII (WHATWG URL).
  email: isEmail,
  url: isUrl,
  uri: isUrl,
  currency: isCurrency,
  'time-zone': isTimeZone,
  // Hours and minutes, of no zone.
  time: isTime,
  slug: isSlug,
};

/** Gives an Ajv all formats that descriptors and the document use. */
export function addFormats(ajv: Ajv2020): Ajv2020 {
  formats.default(ajv, { mode: 'full' });
  for (const [name, test] of Object.entries(ours)) ajv.addFormat(name, test);
  return ajv;
}
