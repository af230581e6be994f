// What callers say of a webhook → what it is to be sent, or what is wrong with that.

import { entryCauses, entryOperations } from '../endpoints/values/log-words.ts';
import { enumWords } from '../endpoints/values/words.ts';
import { type FieldFault, fieldFault, unknownField } from '../problems/field-fault.ts';
import { problems } from '../problems.ts';
import type { Registry } from '../registry/model/model.ts';
import type { WebhookWish } from '../storage/log/webhooks.ts';
import { maxWordsInMessage, meantName, nearestThree } from '../text/nearest.ts';
import { addressFault } from './address.ts';

interface Ground {
  readonly registry: Registry;
  /** Hosts with their ports that may be private, and be spoken to without TLS. */
  readonly hosts: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** What a body says, each part where it is given. */
interface SaidOfWebhook extends Partial<WebhookWish> {
  readonly state?: 'active' | 'paused';
}

const onFailures = ['hold', 'pass'] as const;
const settable = ['active', 'paused'] as const;
const wishNames = ['url', 'groups', 'operations', 'causes', 'onFailure'] as const;

/** @throws Problem 400 */
export function readNewWebhook(body: Body, ground: Ground): WebhookWish {
  const { said, faults } = read(body, ground, wishNames);
  const { url, onFailure = 'hold', ...rest } = said;
  if (url === undefined && !faults.some(({ pointer }) => pointer === '/url'))
    faults.unshift(fieldFault('url', 'is required', 'required'));
  if (faults.length > 0 || url === undefined) throw problems.bodyInvalid(faults);
  return { ...rest, url, onFailure };
}

/** @throws Problem 400 */
export function readWebhookChange(body: Body, ground: Ground): SaidOfWebhook {
  const { said, faults } = read(body, ground, [...wishNames, 'state']);
  if (faults.length > 0) throw problems.bodyInvalid(faults);
  return said;
}

function read(
  body: Body,
  { registry, hosts }: Ground,
  known: readonly string[],
): { readonly said: SaidOfWebhook; readonly faults: FieldFault[] } {
  const logged = [...registry.resources.values()].filter(({ isLogged }) => isLogged).map(({ name }) => name);
  const faults: FieldFault[] = [];
  const said: Record<string, unknown> = {};
  const take = (name: string, value: unknown, fault: string | undefined): void => {
    if (fault === undefined) said[name] = value;
    else faults.push(fieldFault(name, fault, 'invalid-value'));
  };
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) {
      faults.push(unknownField(name, meantName(name, known)));
      continue;
    }
    switch (name) {
      case 'url':
        take(name, value, typeof value === 'string' ? addressFault(value, hosts) : 'must be an https URL');
        break;
      case 'onFailure':
        take(name, value, wordFault(value, onFailures));
        break;
      case 'state':
        take(name, value, wordFault(value, settable));
        break;
      default: {
        const words = { groups: logged, operations: entryOperations, causes: entryCauses }[name] ?? [];
        // Null stands for all, as it is shown.
        take(name, value ?? undefined, value === null ? undefined : listFault(value, words));
      }
    }
  }
  // Each part was judged above.
  return { said: said as SaidOfWebhook, faults: faults.slice(0, 50) };
}

const wordFault = (value: unknown, words: readonly string[]): string | undefined =>
  words.some((word) => word === value) ? undefined : `must be ${enumWords(words)}`;

function listFault(value: unknown, words: readonly string[]): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of at least one item';
  const wrong = value.find((item) => !words.some((word) => word === item));
  if (wrong === undefined) return new Set(value).size < value.length ? 'must be without duplicates' : undefined;
  if (words.length <= maxWordsInMessage) return `must hold ${enumWords(words)}`;
  const name = String(wrong).slice(0, 255);
  return `must hold groups that keep a log; '${name}' is none; ${nearestThree(name, words)}`;
}
