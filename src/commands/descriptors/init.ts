// `praxis init`: writes a project from a template, and adds the name, the version and the Node.js version of this package.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { registryOf } from '../../app/registry.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { writeMigration } from '../../migration/files/folder.ts';
import { nameOf, planMigration } from '../../migration/files/generate.ts';
import { emptySchema } from '../../migration/plan/schema.ts';
import { counted } from '../output/counted.ts';
import { writeDialect } from './project-dialect.ts';
import { getTemplate, isCheckout, ownRoot, type ProjectTemplate, templateFolder } from './templates.ts';

/** Files that all projects have. */
const commonFolder = join(templateFolder('init'), 'common');
/** File of a template with the example calls for the README. */
const callsFile = 'calls.md';
const neededNode = packageFile.engines.node.replace('>=', '');

/**
 * Writes a project into a folder that is new or empty, and prints the next commands.
 * @param templateName decides the groups with which the project begins
 * @throws ConfigurationFault for an unknown template, for any other folder, and if the package cannot be packed; writes nothing then
 */
export function init(folder: string, templateName: string): void {
  const template = getTemplate(templateName);
  const root = resolve(folder);
  const name = nameOfPackage(basename(root));
  const isThere = existsSync(root);
  const found = isThere ? inFolder(folder, root) : [];
  if (found.length > 0)
    throw new ConfigurationFault(`'${folder}' is not empty (${found.slice(0, 3).join(', ')}); nothing was written.`);
  mkdirSync(root, { recursive: true });
  try {
    const praxis = dependency(root);
    write(root, 'package.json', `${JSON.stringify(packageOf(name, praxis), null, 2)}\n`);
    writeFiles(root, name, template);
    const registry = registryOf({ resources: join(root, 'resources') });
    const steps = planMigration(registry, emptySchema, { allowDrop: false, fill: [] });
    if (steps.length > 0) writeMigration(join(root, 'migrations'), [], { name: nameOf(steps, 1), steps });
    writeDialect({ resources: join(root, 'resources') }, root);
    process.stdout.write(summarize({ folder, name, praxis, groupCount: registry.resources.size }));
  } catch (error) {
    for (const file of inFolder(folder, root)) rmSync(join(root, file), { recursive: true });
    if (!isThere) rmSync(root, { recursive: true });
    throw error;
  }
}

/** Writes the common files and the files of the template. */
function writeFiles(root: string, name: string, template: ProjectTemplate): void {
  const folder = join(templateFolder('init'), 'templates', template);
  const calls = readFileSync(join(folder, callsFile), 'utf8').trim();
  for (const file of filesOf(commonFolder)) {
    const text = readFileSync(join(commonFolder, file), 'utf8').replaceAll('{node}', neededNode);
    write(
      root,
      file === 'gitignore' ? '.gitignore' : file,
      file === 'README.md' ? text.replace('{name}', name).replace('{calls}', () => calls) : text,
    );
  }
  for (const file of filesOf(folder))
    if (file !== callsFile) write(root, file, readFileSync(join(folder, file), 'utf8'));
}

/** What is in a folder, but for a repository that waits for its first file. */
function inFolder(folder: string, root: string): readonly string[] {
  if (!statSync(root).isDirectory()) throw new ConfigurationFault(`'${folder}' is a file; name a folder.`);
  return readdirSync(root).filter((file) => file !== '.git');
}

function nameOfPackage(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(text) && text !== 'praxis') return text;
  throw new ConfigurationFault(
    text === 'praxis'
      ? "A project cannot be called 'praxis', like what it stands on; choose another name of the folder."
      : `The folder gives the project its name: small letters, digits, '-', '.' and '_', not '${text}'.`,
  );
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { flag: 'wx' });
}

/**
 * How the project names the Praxis that writes it: by its version where that came from a registry, else by a package of it
 * beside the project's own files, so that the project is whole wherever it is brought.
 */
function dependency(root: string): string {
  if (/^https?:/.test(resolvedFrom() ?? '')) return packageFile.version;
  // Scripts of the package build it from a checkout; what is installed is built already.
  const args = ['pack', ownRoot, '--json', '--pack-destination', root, ...(isCheckout ? [] : ['--ignore-scripts'])];
  try {
    execFileSync('npm', args, {
      cwd: isCheckout ? ownRoot : root,
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: unknown };
    const why = String(stderr).trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error));
    throw new ConfigurationFault(`Praxis cannot be packed for the project by \`npm pack\`: ${why}`, error);
  }
  return `file:${readdirSync(root).find((file) => file.endsWith('.tgz'))}`;
}

/** Where npm has installed this package from, as it notes beside it. */
function resolvedFrom(): string | undefined {
  try {
    const notes = JSON.parse(readFileSync(join(ownRoot, '..', '.package-lock.json'), 'utf8'));
    return notes.packages?.[`node_modules/${packageFile.name}`]?.resolved;
  } catch {
    return undefined;
  }
}

const packageOf = (name: string, praxis: string): object => ({
  name,
  version: '0.1.0',
  private: true,
  type: 'module',
  engines: { node: packageFile.engines.node },
  scripts: {
    start: 'praxis serve',
    // Node starts it again when code changes; descriptors are taken in as it runs.
    dev: 'node --watch --watch-preserve-output node_modules/praxis/dist/praxis.cjs dev',
    // An older Node finds no tests in TypeScript, and would call that a success.
    test: 'node --require ./node_modules/praxis/dist/needs-node.cjs --test',
    check: 'praxis check && praxis migrate generate --check && tsc',
    praxis: 'praxis',
  },
  dependencies: { praxis },
  devDependencies: {
    '@types/node': packageFile.devDependencies['@types/node'],
    typescript: packageFile.devDependencies.typescript,
  },
  // Scripts of packages below Praxis which it does without; one would tell its makers of each installation.
  allowScripts: Object.fromEntries(Object.entries(packageFile.allowScripts).filter(([, isAllowed]) => !isAllowed)),
  scarfSettings: packageFile.scarfSettings,
});

interface WrittenProject {
  readonly folder: string;
  readonly name: string;
  /** Version or package file of Praxis. */
  readonly praxis: string;
  readonly groupCount: number;
}

function summarize({ folder, name, praxis, groupCount }: WrittenProject): string {
  const groups = groupCount === 0 ? 'without a group yet' : `of ${counted(groupCount, 'group')}`;
  const beside = praxis.startsWith('file:') ? `, which lies beside it as ${praxis.slice('file:'.length)}` : '';
  return `${name}: a service ${groups}, in ${resolve(folder)}
It stands on praxis ${packageFile.version}${beside}.

Next:
${olderNode()}${resolve(folder) === process.cwd() ? '' : `  cd ${folder}\n`}  npm install
${groupCount === 0 ? '  npx praxis new <name>\n' : ''}  npm start

Its README says the rest.
`;
}

/** What runs this may be a Node of a package, which the project will not have. */
function olderNode(): string {
  const { PATH = '' } = process.env;
  const places = PATH.split(delimiter).filter((place) => !/node_modules[\\/]\.bin[\\/]?$/.test(place));
  try {
    const env = { ...process.env, PATH: places.join(delimiter) };
    const found = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim().replace('v', '');
    const isOlder = found.localeCompare(neededNode, 'en', { numeric: true }) < 0;
    return isOlder ? `  install Node.js ${neededNode} or later: that of this machine is ${found}\n` : '';
  } catch {
    return `  install Node.js ${neededNode} or later\n`;
  }
}
