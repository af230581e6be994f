// Template folders, kept as readable files, that `init` and `new rule` copy.
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Whether this is a checkout, which Node runs as it is, or the package that is built of it. */
export const isCheckout = import.meta.filename.endsWith('.ts');

/** The folder of this checkout or package. */
export const ownRoot = here(isCheckout ? '../../..' : '../../../..');

/** The folder of the files that a command writes. */
export const templateFolder = (command: string): string =>
  here(isCheckout ? `../../../.package/${command}` : `../../../${command}`);

/** Where `praxis new rule` writes, in a project. */
export const rulesFolder = 'rules';
