// Files that records name: who may bring and have them, and what becomes of those that no record names any more.
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Endpoint, endpointsOf } from '../../endpoints/routes/endpoint.ts';
import { type Draft, writeDraft } from '../../files/draft.ts';
import { type FolderHindrance, toHindrance } from '../../files/folder-hindrance.ts';
import { nameFor, typeOf } from '../../files/media-types.ts';
import type { FileStore } from '../../files/store.ts';
import type { FileService } from '../../http/request/service.ts';
import { Problem, problems } from '../../problems.ts';
import { fileGroup, mostFileBytes } from '../../registry/model/file-fields.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { type Caller, nobody } from '../../request/intent.ts';
import { requestKey } from '../../request/key.ts';
import { writeIntent } from '../../request/write-intent.ts';
import { filesIdleSince, findFile, isDigestNamed, noteIdleFiles } from '../../storage/files/records.ts';
import { isFileSeen } from '../../storage/files/seen-files.ts';
import type { UnitOfWork } from '../../storage/unit-of-work.ts';
import { unreachable } from '../../unreachable.ts';
import { isUuid } from '../../values/format.ts';
import { originOf } from '../log/log.ts';
import type { Workspace } from '../workspace.ts';

/** How long a file is kept that no record names. */
const idleMs = 24 * 60 * 60 * 1000;

/** What nobody can ask for by itself: a file is made by an upload, and goes when no record names it. */
function ownEndpoints(registry: Registry, files: Resource): { readonly create: Endpoint; readonly remove: Endpoint } {
  const own: Resource = { ...files, operations: new Set(['create', 'delete']) };
  const [create, remove] = endpointsOf({
    ...registry,
    resources: new Map([...registry.resources, [files.name, own]]),
  }).filter(({ resource }) => resource === own);
  return create === undefined || remove === undefined ? unreachable('files are not made') : { create, remove };
}

export interface Files {
  readonly service: FileService;
  /** Ends files that no record has named for a day. What cannot end now does the next time. @param now Milliseconds since 1970 */
  sweep(now: number, logger: Logger): Promise<void>;
}

/** Makes what answers for files, and ends those that nobody needs; undefined where no group has any. */
export function createFiles(workspace: Workspace): Files | undefined {
  const { registry, files: store } = workspace;
  if (registry.files === undefined || store === undefined) return undefined;
  const { create, remove } = ownEndpoints(registry, registry.files);
  return {
    service: createFileService(workspace, store, create),
    sweep: (now, logger) => sweepFiles(workspace, { store, remove, now, logger }),
  };
}

function createFileService(workspace: Workspace, store: FileStore, create: Endpoint): FileService {
  const { registry, engine, unit, once, book, groups, database } = workspace;

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
      if (!isTrial) await store.keep(draft.path, sha256).catch(refuseFolder);
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
  async function isSeen(own: UnitOfWork, id: string, caller: Caller): Promise<boolean> {
    const viewer = engine.sights.viewer(caller, () => book.today());
    if (viewer === undefined) return true;
    const isOpen = ({ feature }: Resource) => feature === undefined || book.isEnabled(feature);
    const seeing = { registry, dialect: database.dialect, kept: groups.statements, sight: viewer.sight.sql, isOpen };
    return isFileSeen(own, seeing, { ...viewer.values, file: id });
  }

  async function find(idAsSent: string, asking: Parameters<FileService['find']>[1]): ReturnType<FileService['find']> {
    const id = idAsSent.toLowerCase();
    if (!isUuid(id)) throw problems.uuidMalformed('id');
    return unit.attend('read', asking.deadline, async (own) => {
      const file = await findFile(own, id);
      if (file === undefined || !(await isSeen(own, id, asking.caller))) throw problems.recordUnknown(idAsSent);
      return { ...file, read: (range) => store.read(file.sha256, range) };
    });
  }
  return { limitBytes: mostFileBytes, upload, find };
}

/** Writes an upload to a file of this machine. @throws Problem 503 if its folder is full or cannot be written */
const written = (store: FileStore, parts: AsyncIterable<Uint8Array>): Promise<Draft> =>
  writeDraft(store.drafts, parts).catch(refuseFolder);

const refusals: Readonly<Record<FolderHindrance, () => Problem>> = {
  full: problems.uploadsFull,
  unwritable: problems.uploadsUnwritable,
};

/** Finds the problem of every upload now; undefined if uploads are taken. */
export async function findUploadProblem(store: FileStore | undefined): Promise<Problem | undefined> {
  const hindrance = await store?.hindrance();
  return hindrance && refusals[hindrance]();
}

const refuseFolder = (error: unknown): never => {
  const hindrance = toHindrance(error);
  throw hindrance === undefined ? error : refusals[hindrance]();
};

const refused = (error: unknown): undefined => {
  if (error instanceof Problem) return undefined;
  throw error;
};

/** Who writes no record that could name a file brings none. @throws Problem 403 */
function checkUpload({ referrers, files }: Registry, { rights }: Caller): void {
  if (rights === undefined || files === undefined) return;
  const mayWrite = (referrers.get(files.name) ?? []).some(({ resource: { name } }) =>
    (['create', 'update'] as const).some((act) => rights.on(name, act) !== undefined),
  );
  if (!mayWrite) throw problems.accessDenied.group('create', files.title, null);
}

interface Sweeping {
  readonly store: FileStore;
  readonly remove: Endpoint;
  readonly now: number;
  readonly logger: Logger;
}

async function sweepFiles(workspace: Workspace, { store, remove, now, logger }: Sweeping): Promise<void> {
  const { registry, engine, unit, database } = workspace;
  const before = new Date(now - idleMs);
  try {
    await noteIdleFiles(unit, registry, { ignore: database.dialect.insertIgnore, now: new Date(now) });
    for (const id of await filesIdleSince(unit, before)) {
      // One that is named again at this moment is in use.
      await engine.execute(writeIntent({ endpoint: remove, caller: nobody, id })).catch(refused);
    }
    await store.sweep(before, (sha256) => isDigestNamed(unit, sha256));
  } catch (error) {
    logger.debug({ err: error, group: fileGroup }, 'failed to delete unused files');
  }
}
