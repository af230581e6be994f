// Answers exports: all records of a list, as one moment has them.
import { CallerPlaces } from '../../admission/caller-places.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { type Endpoint, endpointsOf } from '../../endpoints/routes/endpoint.ts';
import { exportTexts } from '../../engine/export/export-texts.ts';
import type { Service } from '../../http/request/service.ts';
import { headCursor } from '../../past/cursor.ts';
import { Problem, problems } from '../../problems.ts';
import type { Feature } from '../../registry/model/model.ts';
import { type Caller, type Intent, limitKey, nobody } from '../../request/intent.ts';
import { type ExportFormat, type ExportIntent, parseExport } from '../../request/long-reads/export.ts';
import { now } from '../../values/id.ts';
import type { Workspace } from '../workspace.ts';
import { listsAt } from './list-at.ts';

/** Records that are read at once. */
const portion = 500;

const types: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** What an export reads of its list. */
const intentOf = ({ list, filters, order, shows }: ExportIntent, caller: Caller): Intent => ({
  ...{ endpoint: list, caller, id: '', idAsSent: '', limit: portion, cursor: undefined, filters, given: {} },
  ...(order !== undefined && { order }),
  ...(shows !== undefined && { shows }),
  body: undefined,
});

/** One group of a whole workspace. */
export interface ExportedGroup {
  readonly name: string;
  /** A record a line. */
  readonly texts: AsyncIterable<string>;
}

/**
 * Reads all that a workspace keeps as one moment has it, its settings among them, in an order in which parents come before their
 * children; groups behind features that are off, too.
 * @param take Takes one group after the other. @returns how many there were
 */
export function exportWorkspace(
  { engine, registry }: Workspace,
  take: (group: ExportedGroup) => Promise<void>,
): Promise<number> {
  const lists = new Map(
    endpointsOf(registry).flatMap((list) => (list.operation === 'list' ? [[list.resource.name, list] as const] : [])),
  );
  const kept = [...registry.resources.values()].filter(({ computed }) => computed === undefined);
  return engine.atMoment(undefined, async ({ keptOf, single }) => {
    for (const { name, singleton } of kept) {
      const list = lists.get(name);
      if (singleton) await take({ name, texts: linesOf([await single(name)]) });
      else if (list !== undefined) {
        const intent = parseExport(list, '', () => true);
        await take({ name, texts: exportTexts(intent, keptOf(intentOf(intent, nobody))) });
      }
    }
    return kept.length;
  });
}

async function* linesOf(texts: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield `${texts.join('\n')}\n{"end":true,"count":${texts.length}}\n`;
}

/** A slow reader of one export must not hold the places of all exports. */
const exportsPerCaller = 1;

/** What exports lists of a workspace for who has opened it. @throws ConfigurationFault for a query that is wrong */
export function exportOf(workspace: Workspace): (path: string, query: string) => ReturnType<Service['export']> {
  const answer = createExportAnswer(workspace, endpointsOf(workspace.registry));
  return (path, query) => {
    const deadline = { since: performance.now(), isDisconnected: () => false };
    try {
      return answer({ caller: nobody, path, query, deadline, callerNow: async () => nobody });
    } catch (error) {
      throw error instanceof Problem ? new ConfigurationFault(error.message, error) : error;
    }
  };
}

/** Makes the function that answers exports of groups that can be listed. */
export function createExportAnswer(
  { engine, book, log }: Workspace,
  endpoints: readonly Endpoint[],
): Service['export'] {
  const isEnabled = (feature: Feature): boolean => book.isEnabled(feature);
  const places = new CallerPlaces(exportsPerCaller, problems.tooManyExports);
  const listAt = listsAt(endpoints, { isEnabled, sights: engine.sights });
  return ({ caller, path, query, deadline, callerNow }) => {
    const intent = parseExport(listAt(path, caller), query, isEnabled);
    const { resource } = intent.list;
    return {
      type: types[intent.format],
      fileName: `${path}-${now().toISOString().slice(0, 10)}.${intent.format}`,
      send: (take) =>
        places.run(limitKey(caller), deadline, () =>
          engine.atMoment(deadline, async ({ portionsOf, logState }) => {
            // How much is written is for those alone who may follow it.
            const isTold = log !== undefined && caller.rights?.may('changes') !== false;
            const cursor = isTold ? headCursor(await logState()) : undefined;
            const portions = portionsOf(intentOf(intent, caller));
            await take(exportTexts(intent, asGranted(portions, { caller, callerNow, title: resource.title })), cursor);
          }),
        ),
    };
  };
}

interface Granted {
  readonly caller: Caller;
  readonly callerNow: () => Promise<Caller | undefined>;
  /** Of the group. */
  readonly title: string;
}

/** Portions, as long as the caller may do what it might at the beginning: what would be shown then is none of its by now. @throws Problem */
async function* asGranted<T>(
  portions: AsyncIterable<T>,
  { caller, callerNow, title }: Granted,
): AsyncGenerator<T, void, undefined> {
  for await (const portion of portions) {
    const now = await callerNow();
    if (now === undefined) throw problems.tokenInvalid();
    if (now.rights !== caller.rights) throw problems.accessDenied.group('list', title, null);
    yield portion;
  }
}
