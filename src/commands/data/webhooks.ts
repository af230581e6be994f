// `praxis webhook`: webhooks, made by whoever has write access to the database. Those that are made so see everything.
import { withLog } from '../../app/log/reading.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { isUuid } from '../../values/format.ts';
import { type JsonFlag, print, printJson, tell } from '../output/terminal.ts';

export interface WebhookOptions extends JsonFlag {
  readonly group?: readonly string[];
  readonly operation?: readonly string[];
  readonly cause?: readonly string[];
  readonly pass?: boolean;
}

/** Prints the secret alone, so that a script can take it. @throws ConfigurationFault */
export async function create(
  config: Config,
  url: string,
  { group, operation, cause, pass = false, ...flags }: WebhookOptions,
): Promise<void> {
  const body = {
    url,
    ...(group && { groups: group }),
    ...(operation && { operations: operation }),
    ...(cause && { causes: cause }),
    ...(pass && { onFailure: 'pass' }),
  };
  const made = await withLog(config, (log) => log.makeWebhook(body));
  tell(flags, made, made.secret);
  if (flags.json !== true)
    process.stderr.write(`Webhook ${made.id} receives changes from now on; its secret cannot be shown again.\n`);
}

/** Prints a line for each. @throws ConfigurationFault */
export async function list(config: Config, { json = false }: JsonFlag): Promise<void> {
  const webhooks = await withLog(config, (log) => log.webhooks());
  if (json) return printJson(webhooks);
  for (const { id, state, url, groups, waiting } of webhooks) {
    const why = waiting === null ? '' : `  ${waiting.position} was refused, tried ${waiting.tries} times`;
    print(`${id}  ${state.padEnd(7)}  ${url}  ${groups?.join(',') ?? 'all groups'}${why}`);
  }
}

/** @throws ConfigurationFault where there is none with this id */
export async function remove(config: Config, id: string, flags: JsonFlag): Promise<void> {
  const isThere = isUuid(id) && (await withLog(config, (log) => log.removeWebhook(id.toLowerCase())));
  if (!isThere) throw new ConfigurationFault(`No webhook has the id '${id}'; run "praxis webhook list".`);
  tell(flags, { id }, `${id}  removed`);
}
