// praxis.config.ts: a project's settings in code. Loaded before any command runs, so that all commands know the same
// rules.
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Koa from 'koa';
import { ConfigurationFault } from './configuration-fault.ts';
import { rulesWith } from './rules/catalogue.ts';
import type { Rule } from './rules/support/rule.ts';
import { didYouMean } from './text/nearest.ts';

/** What `praxis.config.ts` exports by default. A variable of the environment goes before what stands here. */
export interface ProjectConfig {
  /** Folder of descriptors, from that of the file: `resources` by default. `RESOURCES` */
  readonly resources?: string;
  /** Folder of roles, from that of the file: `roles` among the descriptors by default, if it is there. `ROLES` */
  readonly roles?: string;
  /** Folder of migrations, from that of the file: `migrations` by default. `MIGRATIONS` */
  readonly migrations?: string;
  /** For how long the log of changes is kept: `90d`, `forever`, or `off`. `CHANGES` */
  readonly changes?: string;
  /** Rules of the project's own, by the names that its descriptors use. */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** Run before every request, in this order; one that does not call `next` answers itself. */
  readonly middleware?: readonly Koa.Middleware[];
  /** Whether there are pages for people; there are by default. `PAGES` */
  readonly pages?: boolean;
  /** Whether there is a console for the records; there is by default. `CONSOLE` */
  readonly console?: boolean;
}

/** Gives an editor the types of `praxis.config.ts`. */
export const defineConfig = (config: ProjectConfig): ProjectConfig => config;

/** In the order in which they are looked for; there may be one. */
export const projectFiles = ['praxis.config.ts', 'praxis.config.mts', 'praxis.config.js', 'praxis.config.mjs'] as const;

/** The file of a project in a folder, or undefined. @throws ConfigurationFault where there are two */
export function projectFile(folder: string): string | undefined {
  const [file, other] = projectFiles.filter((name) => existsSync(join(folder, name)));
  if (other !== undefined) throw new ConfigurationFault(`There are ${file} and ${other}; keep one of them.`);
  return file;
}

/**
 * What the project in a folder says; nothing where it has no file.
 * @throws ConfigurationFault with one line for a file that cannot be loaded or says something else
 */
export async function loadProject(folder = '.'): Promise<ProjectConfig> {
  const file = projectFile(folder);
  if (file === undefined) return {};
  const path = resolve(folder, file);
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new ConfigurationFault(`${file} cannot be loaded: ${reasonOf(error, resolve(folder))}`, error);
  });
  if (loaded.default === undefined)
    throw new ConfigurationFault(`${file} exports nothing by default; write: export default defineConfig({ … })`);
  const fault = faultIn(loaded.default);
  if (fault !== undefined) throw new ConfigurationFault(`${file}: ${fault}.`);
  return loaded.default as ProjectConfig; // by the check above
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const folderFault = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? undefined : 'must be the path of a folder';

const switchFault = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? undefined : 'must be true or false';

/** What is wrong with a value, behind its name. */
const settings: Readonly<Record<keyof ProjectConfig, (value: unknown) => string | undefined>> = {
  resources: folderFault,
  roles: folderFault,
  migrations: folderFault,
  changes: (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text, as CHANGES is'),
  rules: rulesFault,
  middleware: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'function')
      ? undefined
      : 'must be a list of functions',
  pages: switchFault,
  console: switchFault,
};

function faultIn(value: unknown): string | undefined {
  if (!isObject(value)) return 'exports no object by default';
  for (const [name, said] of Object.entries(value)) {
    if (!Object.hasOwn(settings, name))
      return `unknown setting "${name}"${didYouMean(name, Object.keys(settings)) || `; known: ${Object.keys(settings).join(', ')}`}`;
    const fault = said === undefined ? undefined : settings[name as keyof ProjectConfig](said); // by the condition above
    if (fault !== undefined) return `${name} ${fault}`;
  }
  return undefined;
}

/** What a rule may say, and whether that is a moment of it. */
const partsOfRules: Readonly<Record<keyof Rule, 'moment' | 'other'>> = {
  ...{
    parameters: 'other',
    optional: 'other',
    needs: 'other',
    gives: 'other',
    conflicts: 'other',
    conflictsAbout: 'other',
    computed: 'other',
  },
  ...{
    wrong: 'other',
    says: 'other',
    example: 'other',
    refuses: 'other',
    looksAt: 'other',
    isCalledBySent: 'other',
    plan: 'moment',
    guards: 'other',
    on: 'other',
    takesPart: 'other',
    isLocal: 'other',
  },
  ...{ guard: 'moment', prefetch: 'moment', lock: 'moment', fill: 'moment', derive: 'moment', check: 'moment' },
  ...{ last: 'moment', after: 'moment', compute: 'moment' },
};

function rulesFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object, from the names of rules to rules';
  for (const [name, rule] of Object.entries(value)) {
    const fault = ruleFault(name, rule);
    if (fault !== undefined) return fault;
  }
  try {
    rulesWith(value as Readonly<Record<string, Rule>>); // by the loop above
    return undefined;
  } catch (error) {
    return `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function ruleFault(name: string, rule: unknown): string | undefined {
  if (!/^[a-z][A-Za-z0-9]{0,39}$/.test(name))
    return `has "${name}", which is not a name: letters and digits, the first a small letter, at most 40`;
  if (!isObject(rule))
    return `has "${name}", which must be a rule, not ${rule === undefined ? 'undefined' : typeof rule}`;
  for (const [part, said] of Object.entries(rule)) {
    if (!Object.hasOwn(partsOfRules, part))
      return `has "${name}" with an unknown part "${part}"${didYouMean(part, Object.keys(partsOfRules))}`;
    if (partsOfRules[part as keyof Rule] === 'moment' && typeof said !== 'function')
      return `has "${name}", whose ${part} must be a function`;
  }
  return isObject(rule['parameters']) ? undefined : `has "${name}" without parameters; write "parameters: {}" for none`;
}

/** Why a file could not be loaded, on one line, with the place in the project where that is known. */
function reasonOf(error: unknown, folder: string): string {
  if (!(error instanceof Error)) return String(error);
  const text = (error.message.split('\n').find((line) => line.trim() !== '') ?? error.name).trim();
  const inProject = new RegExp(`${escaped(realpathSync(folder))}/(?!node_modules/)([^\\s:)]+:\\d+)`);
  const place = inProject.exec((error.stack ?? '').replace(error.message, ''))?.[1];
  return place === undefined ? text : `${place}: ${text}`;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
