// What the file system refuses is the operator's to put right: one line, and no stack.
import { getSystemErrorMessage } from 'node:util';
import { ConfigurationFault } from '../../configuration-fault.ts';

const refusals = ['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'];

/** @param path Of what was to be written, in the operator's words; that of the error without it. @returns undefined for errors of another kind */
export function fileFault(error: unknown, path?: string): ConfigurationFault | undefined {
  const { code = '', errno, syscall = '', path: own } = error as NodeJS.ErrnoException;
  const file = path ?? own;
  // A program that is not there has a path, too.
  if (file === undefined || errno === undefined || !refusals.includes(code) || syscall.startsWith('spawn')) return;
  const what = path !== undefined || /^(mkdir|rename|write|link|copyfile)$/.test(syscall) ? 'write' : 'open';
  return new ConfigurationFault(`Cannot ${what} '${file}': ${getSystemErrorMessage(errno)}.`, error);
}
