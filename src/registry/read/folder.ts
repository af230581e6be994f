// Finds the descriptor files of a folder. A file that looks like a descriptor but is not one is reported: otherwise its group
// would silently not be served.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const extension = '.json';

/** A file that cannot stand in a folder of descriptors, and what to do about it. */
export interface Stranger {
  readonly file: string;
  readonly text: string;
}

/**
 * Names of files that are not descriptors and not mistakes: hidden files (`.DS_Store`), files that merges and editors leave
 * (`office.json~`, `#office.json#`, `office.json.swp`, `.bak`, `.orig`, `.tmp`), and notes for readers (`README.md`).
 */
const ignoredName = /^[.#]|~$|\.(?:swp|swo|bak|orig|tmp|part|md|kate-swp)$/i;
/** Names of files that exist for a moment while an editor or a program saves: vim, sed, JetBrains, write-file-atomic, VS Code. */
const temporaryName = /^\d+$|^sed\w{6}$|___jb_(?:tmp|old)___$|\.json\.(?:tmp|temp|new|vsctmp|\d)[\w.-]*$/;

/** Reports whether a file is passed over without a fault. */
export const isPassedOver = (name: string): boolean => ignoredName.test(name) || temporaryName.test(name);

/** The group of a file, from its name: `cost-period.json` → `cost-period`. */
export const groupOfFile = (name: string): string => name.slice(0, -extension.length);

/** The one folder that stands among descriptors, unless another one is named for them. */
export const rolesFolder = 'roles';
const isRoles = (folder: string, name: string): boolean =>
  name === rolesFolder && statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;

/** Descriptors of a folder in the order of their names, and what else stands there. */
export function filesOf(folder: string): { descriptors: readonly string[]; strangers: readonly Stranger[] } {
  const names = readdirSync(folder)
    .filter((name) => !isPassedOver(name) && !isRoles(folder, name))
    .sort();
  const strangers = names.flatMap((name): Stranger[] => {
    const text = strangeness(name, join(folder, name));
    return text === undefined ? [] : [{ file: join(folder, name), text }];
  });
  const strange = new Set(strangers.map(({ file }) => file));
  return { descriptors: names.filter((name) => !strange.has(join(folder, name))), strangers };
}

/** Why a file is no descriptor, or undefined. */
function strangeness(name: string, path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'is a broken link; repair or remove it';
  if (found.isDirectory()) return 'is a folder, which is not searched for descriptors; move its files one level up';
  if (!found.isFile()) return 'is not a file; remove it';
  if (name.endsWith(extension)) return undefined;
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
  if (ending.toLowerCase() === extension) return `must end in "${extension}"; rename it to "${stem}${extension}"`;
  if (/^\.(?:ya?ml|jsonc|json5|toml)$/i.test(ending)) return `is not JSON; convert it to "${stem}${extension}"`;
  return `is not a descriptor; rename it to "${stem}${extension}", or move it to another folder`;
}
