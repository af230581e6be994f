// Bodies of legal size with far more faults than an answer shows: the first in the order of the record are told, and the
// others cost nothing.
import { bodyMessage, type Row } from './row.ts';

const shown = 50;
const { stringify } = JSON;

/** The keys `k0`, `k1` and so on, none of which any group knows. */
const unknownKeys = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_value, index) => [`k${index}`, 1]));

const refusedKeys = (count: number, outer = ''): string[] =>
  Object.keys(unknownKeys(count)).map((key) => `'${outer}${key}' is not allowed`);

const lines = (count: number, line: object): object[] => Array.from({ length: count }, () => line);

const refused = (path: string, body: object, errors: readonly string[]): Row => ({
  ...{ method: 'POST', path, body: stringify(body), status: 400, message: bodyMessage },
  errors: errors.slice(0, shown),
});

const tooLarge = (body: object, reason: string): Row => ({
  ...{ method: 'POST', path: '/job-titles', body: stringify(body), status: 413 },
  message: `The request body is too large: ${reason}.`,
});

export const manyFaultsRows: readonly Row[] = [
  tooLarge(unknownKeys(1001), 'an object in it has more than 1000 members'),
  tooLarge({ name: 'x', k: lines(250_000, {}) }, 'it holds more than 250000 values'),
  refused('/job-titles', unknownKeys(1000), ["'name' is required", ...refusedKeys(shown)]),
  refused('/job-titles', { ...unknownKeys(999), name: 5 }, ["'name' must be a string", ...refusedKeys(shown)]),
  refused('/invoices', { clientId: '{client}', lines: lines(1000, unknownKeys(80)) }, [
    "'lines[0].amount' is required",
    ...refusedKeys(shown, 'lines[0].'),
  ]),
  // What is computed is told where the line says so, whatever else is wrong with it.
  refused(
    '/invoices',
    {
      clientId: '{client}',
      lines: [
        { quantity: 2, rate: 3, amount: 6, taxRate: 'x' },
        { quantity: 2, rate: 'x', amount: 6 },
      ],
    },
    ["'lines[0].amount' is not allowed", "'lines[0].taxRate' is not allowed", "'lines[1].rate' must be a number"],
  ),
  // Whole numbers come first, rising; then the others as they were sent.
  refused('/invoices', { clientId: '{client}', lines: lines(1000, { b: 1, 70: 1, a: 1, 60: 1 }) }, [
    ...lines(1000, {}).flatMap((_line, index) =>
      [
        ".amount' is required",
        "[60]' is not allowed",
        "[70]' is not allowed",
        ".b' is not allowed",
        ".a' is not allowed",
      ].map((text) => `'lines[${index}]${text}`),
    ),
  ]),
  // A fault of the record that is found last stands first.
  refused('/invoices', { clientId: '01890a5d-ac96-774b-bcce-b302099a8057', lines: lines(1000, unknownKeys(80)) }, [
    "'clientId' does not refer to an existing Client",
    "'lines[0].amount' is required",
    ...refusedKeys(shown, 'lines[0].'),
  ]),
  refused('/invoices', { clientId: '{client}', lines: lines(500, { amount: 1, sources: lines(400, {}) }) }, [
    "'lines' must have at most 1000 sources in all",
  ]),
  refused('/invoices', { clientId: '{client}', lines: lines(2, { amount: 1, sources: lines(400, {}) }) }, [
    ...Array.from({ length: shown }, (_value, index) => [
      `'lines[0].sources[${index}].typeId' is required`,
      `'lines[0].sources[${index}].id' is required`,
    ]).flat(),
  ]),
  refused('/clients', { tagIds: Array.from({ length: 1000 }, (_value, index) => index) }, [
    "'name' is required",
    ...Array.from({ length: shown }, (_value, index) => `'tagIds[${index}]' must be a UUID`),
  ]),
];
