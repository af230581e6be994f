// Files that records name: who may bring and have them, and what becomes of those that no record names any more.
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Endpoint, endpointsOf } from '../../endpoints/routes/endpoint.ts';
import { type Draft, writeDraft } from '../../files/draft.ts';
import { nameFor, typeOf } from '../../files/media-types.ts';
import type { FileStore } from '../../files/store.ts';
import type { FileService } from '../../http/request/service.ts';
import { Problem, problems } from '../../problems.ts';
import { fileGroup, mostFileBytes } from '../../registry/model/file-fields.ts';
import type { Field, Registry, Resource } from '../../registry/model/model.ts';
import { type Caller, nobody } from '../../request/intent.ts';
import { requestKey } from '../../request/key.ts';
import { writeIntent } from '../../request/write-intent.ts';
import {
  filesIdleSince,
  findFile,
  isDigestNamed,
  noteIdleFiles,
  recordsWithFile,
} from '../../storage/files/records.ts';
import { unreachable } from '../../unreachable.ts';
import { isUuid } from '../../values/format.ts';
import { isObject } from '../../values/json.ts';
import { answer } from '../answer.ts';
import { originOf } from '../log/log.ts';
import type { Workspace } from '../workspace.ts';

/** How long a file is kept that no record names. */
const idleMs = 24 * 60 * 60 * 1000;
/** Records that are looked at for whether their caller may have a file. */
const mostRecords = 20;

/** What nobody can ask for by itself: a file is made by an upload, and goes when no record names it. */
function ownEndpoints(registry: Registry, files: Resource): { readonly create: Endpoint; readonly remove: Endpoint } {
  const own: Resource = { ...files, operations: new Set(['create', 'delete']) };
  const [create, remove] = endpointsOf({
    ...registry,
    resources: new Map([...registry.resources, [files.name, own]]),
  }).filter(({ resource }) => resource === own);
  return create === undefined || remove === undefined ? unreachable('files are not made') : { create, remove };
}

/** Makes what answers for files; undefined where no group has any. */
export function createFileService(workspace: Workspace, endpoints: readonly Endpoint[]): FileService | undefined {
  const { registry, engine, unit, once } = workspace;
  if (registry.files === undefined || workspace.files === undefined) return undefined;
  const store = workspace.files;
  const { create } = ownEndpoints(registry, registry.files);
  const gets = new Map(
    endpoints.flatMap((each) => (each.operation === 'get' ? [[each.resource.name, each] as const] : [])),
  );

  async function upload(request: Parameters<FileService['upload']>[0]): ReturnType<FileService['upload']> {
    const { caller, options, target, fileName, said, deadline } = request;
    checkUpload(registry, caller);
    const draft = await written(store, request.parts());
    try {
      const { size, sha256, head } = draft;
      if (size === 0) throw problems.fileEmpty();
      const { type, fits } = typeOf(head, said);
      if (!fits) throw problems.fileTypeWrong(said ?? '', type);
      const isTrial = options.isTrial === true;
      const key =
        options.key === undefined || isTrial
          ? undefined
          : requestKey(caller, options.key, [target, fileName, type, sha256]);
      if (!isTrial) await store.keep(draft.path, sha256);
      const values = { fileName: fileName ?? nameFor(type), contentType: type, size, sha256 };
      const intent = writeIntent({
        endpoint: create,
        // Who may bring a file has been asked above.
        caller: { tokenId: caller.tokenId, memberId: caller.memberId },
        body: { values },
        options: { isTrial, key, ...(options.isMinimal === true && { isMinimal: true }) },
      });
      const execute = () =>
        unit.attend('write', deadline, (own) => engine.on(own, originOf(workspace, request)).execute(intent));
      return await (key === undefined ? execute() : once.answer(key, execute));
    } finally {
      await rm(draft.path, { force: true });
    }
  }

  /** Whether a record that the caller sees shows it the file. */
  async function isSeen(id: string, { caller, deadline }: Parameters<FileService['find']>[1]): Promise<boolean> {
    if (caller.rights === undefined) return true;
    for (const record of await recordsWithFile(unit, registry, { id, most: mostRecords })) {
      const endpoint = gets.get(record.group);
      const { resource } = endpoint ?? {};
      if (endpoint === undefined || resource === undefined || caller.rights.on(record.group, 'get') === undefined)
        continue;
      if (resource.feature !== undefined && !workspace.book.isEnabled(resource.feature)) continue;
      const asked = { ...{ caller, deadline, target: '', options: {}, requestId: '', traceId: undefined, query: '' } };
      const readBody = () => unreachable('a read has no body');
      const outcome = await answer(workspace, { ...asked, readBody, endpoint, id: record.id }).catch(refused);
      if (outcome?.body !== undefined && showsFile(resource.fields, JSON.parse(String(outcome.body)), id)) return true;
    }
    return false;
  }

  async function find(idAsSent: string, asking: Parameters<FileService['find']>[1]): ReturnType<FileService['find']> {
    const id = idAsSent.toLowerCase();
    if (!isUuid(id)) throw problems.uuidMalformed('id');
    return unit.attend('read', asking.deadline, async (own) => {
      const file = await findFile(own, id);
      if (file === undefined || !(await isSeen(id, asking))) throw problems.recordUnknown(idAsSent);
      return { ...file, read: (range) => store.read(file.sha256, range) };
    });
  }
  return { limitBytes: mostFileBytes, upload, find };
}

/** Writes an upload down. @throws Problem 503 where there is no room */
const written = (store: FileStore, parts: AsyncIterable<Uint8Array>): Promise<Draft> =>
  writeDraft(store.drafts, parts).catch((error: unknown) => {
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    throw isFull ? problems.databaseFull() : error;
  });

const refused = (error: unknown): undefined => {
  if (error instanceof Problem) return undefined;
  throw error;
};

/** Whether a field of a record that is shown, or of an item in it, holds a file. Other words may well be its id. */
function showsFile(fields: readonly Field[], values: Readonly<Record<string, unknown>>, id: string): boolean {
  return fields.some((field) => {
    const held = [values[field.name]].flat();
    if ('target' in field)
      return field.target === fileGroup && held.some((each) => (isObject(each) ? each['id'] : each) === id);
    return 'fields' in field && held.some((each) => isObject(each) && showsFile(field.fields, each, id));
  });
}

/** Who writes no record that could name a file brings none. @throws Problem 403 */
function checkUpload({ referrers, files }: Registry, { rights }: Caller): void {
  if (rights === undefined || files === undefined) return;
  const mayWrite = (referrers.get(files.name) ?? []).some(({ resource: { name } }) =>
    (['create', 'update'] as const).some((act) => rights.on(name, act) !== undefined),
  );
  if (!mayWrite) throw problems.accessDenied.group('create', files.title, null);
}

/** Ends files that no record has named for a day. What cannot end now does the next time. @param now Milliseconds since 1970 */
export async function sweepFiles(workspace: Workspace, now: number, logger: Logger): Promise<void> {
  const { registry, files: store, engine, unit, database } = workspace;
  if (registry.files === undefined || store === undefined) return;
  const { remove } = ownEndpoints(registry, registry.files);
  const before = new Date(now - idleMs);
  try {
    await noteIdleFiles(unit, registry, { ignore: database.dialect.insertIgnore, now: new Date(now) });
    for (const id of await filesIdleSince(unit, before)) {
      // One that is named again at this moment is in use.
      await engine.execute(writeIntent({ endpoint: remove, caller: nobody, id })).catch(refused);
    }
    await store.sweep(before, (sha256) => isDigestNamed(unit, sha256));
  } catch (error) {
    logger.debug({ err: error, group: fileGroup }, 'files cannot be swept');
  }
}
