// What paths of the log answer.
import type { LogRequest } from '../../http/request/service.ts';
import type { Outcome } from '../../request/intent.ts';

/** What one path answers, by method. */
export type Answers = Readonly<Record<string, (request: LogRequest) => Promise<Outcome>>>;

export const ok = (body: string): Outcome => ({ status: 200, body });
