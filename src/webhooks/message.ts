// An entry of the log as the message that a webhook is sent.
import type { ShownEntry } from '../past/page.ts';

export interface Message {
  /** The same at each try: a receiver that has seen it passes it over. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

const done = { create: 'created', update: 'updated', delete: 'deleted', gone: 'gone', reset: 'reset' } as const;

export const messageId = (webhookId: string, position: number): string => `${webhookId}_${position}`;

/** `{"type": "invoice.updated", "timestamp": "…", "data": …}` */
export function messageOf(webhookId: string, { entry, operation, json }: ShownEntry): Message {
  const { group } = entry;
  const type = group === '' ? done[operation] : `${group}.${done[operation]}`;
  return {
    id: messageId(webhookId, entry.position ?? 0),
    body: `{"type":"${type}","timestamp":"${entry.at}","data":${json}}`,
  };
}
