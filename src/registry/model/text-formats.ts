// Formats of texts (email, URL, time zone): one row each.
import { isCurrency } from '../../values/currency.ts';
import { isTime } from '../../values/date.ts';
import { isEmail, isSlug, isTimeZone, isUrl } from '../../values/format.ts';
import type { Code } from './kind-name.ts';
import type { TextFormat } from './model.ts';

interface FormatRow<F extends TextFormat> {
  /** What a text of the format is, in the words of the interface. */
  readonly words: string;
  readonly test: (text: string) => boolean;
  /** Characters that it has at most, where a descriptor does not say. */
  readonly length: number;
  /** Whether a descriptor may say how long it is: not where the format does. */
  readonly isSized: boolean;
  /** Whether it is a code: never blank, never shortened, compared as a whole. */
  readonly isCode: F extends Code ? true : false;
}

/** Every format that a text may have. */
export const textFormats: { readonly [F in TextFormat]: FormatRow<F> } = {
  email: { words: 'an e-mail address', test: isEmail, length: 255, isSized: true, isCode: false },
  url: { words: 'an http or https URL', test: isUrl, length: 2048, isSized: true, isCode: false },
  'time-zone': { words: 'an IANA time zone', test: isTimeZone, length: 64, isSized: false, isCode: false },
  currency: { words: 'an ISO 4217 currency code', test: isCurrency, length: 3, isSized: false, isCode: true },
  time: { words: 'a time (HH:mm)', test: isTime, length: 5, isSized: false, isCode: true },
  slug: { words: 'lower-case letters and digits joined by -', test: isSlug, length: 255, isSized: true, isCode: false },
};

/** The format of a text of a descriptor, of which it may have none; others are no formats of texts. */
export const textFormatOf = (format: string | undefined): TextFormat | undefined =>
  format !== undefined && Object.hasOwn(textFormats, format) ? (format as TextFormat) : undefined;

/** Whether a text has a fixed form. */
export const isCode = (format: TextFormat | undefined): format is Code =>
  format !== undefined && textFormats[format].isCode;
