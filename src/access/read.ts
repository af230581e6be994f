// Reads the folder of roles: its files as JSON of the right form, with a fault for whatever else stands there.
import { existsSync } from 'node:fs';
import { ConfigurationFault } from '../configuration-fault.ts';
import accessSchema from '../registry/access.json' with { type: 'json' };
import { formFaults, formOf, meantErrors } from '../registry/check/form.ts';
import { type Fault, fileFault } from '../registry/model/faults.ts';
import { type DescriptorSource, readSources } from '../registry/read/source.ts';
import type { AccessOperation, May } from './model.ts';

/** The JSON of a rule. */
export interface RawRule {
  readonly id?: string;
  readonly on: readonly string[];
  readonly to: readonly string[];
  readonly when?: string;
  readonly after?: string;
  readonly fields?: Readonly<Partial<Record<'show' | 'hide' | 'write' | 'keep', readonly string[]>>>;
  readonly names?: 'all';
  readonly because?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** The JSON of an example. */
export interface RawExample {
  readonly as?: Values;
  readonly to: AccessOperation;
  readonly on: string;
  readonly record?: Values;
  readonly body?: Values;
  readonly records?: Readonly<Record<string, Readonly<Record<string, Values>>>>;
  readonly is: 'allowed' | 'refused';
  readonly by?: string;
}

/** The JSON of a role. */
interface RawRole {
  readonly title: string;
  readonly description: string;
  readonly heldBy?: string;
  readonly includes?: readonly string[];
  readonly allow: readonly RawRule[];
  readonly forbid?: readonly RawRule[];
  readonly may?: readonly May[];
  readonly examples?: readonly RawExample[];
}

/** The file of a role: its JSON, and the way to report a fault in it. */
export interface RoleFile {
  readonly name: string;
  readonly file: string;
  readonly raw: RawRole;
  readonly fault: DescriptorSource['fault'];
}

/** More could not be told apart by anybody. */
const mostRoles = 64;
const mostRules = 500;

let form: ReturnType<typeof formOf> | undefined;

/**
 * The role files of a folder, those that are of the right form, and the faults of the others.
 * @returns undefined where there is no such folder: then there are no roles
 * @throws ConfigurationFault for an empty folder
 */
export function readRoleFiles(folder: string): { files: readonly RoleFile[]; faults: readonly Fault[] } | undefined {
  if (!existsSync(folder)) return undefined;
  const { sources, faults } = readSources(folder);
  const files: RoleFile[] = [];
  const found = [...faults];
  // Not one of many faults: nobody is to be locked out by a slip.
  if (sources.length === 0 && faults.length === 0)
    throw new ConfigurationFault(`${folder} holds no role; remove the folder, or add one`);
  if (sources.length > mostRoles)
    found.push(
      fileFault({ file: folder, rule: 'too-many-roles', text: `holds ${sources.length} roles; ${mostRoles} at most` }),
    );
  const { $schema: _own, ...schema } = accessSchema;
  form ??= formOf(schema);
  for (const source of sources) {
    const { name, file, data, fault } = source;
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
      found.push(
        fault([], `the file name "${name}" must be a small letter, then small letters, digits and "-", 40 at most`, {
          rule: 'file-name',
        }),
      );
    if (!form(data)) {
      found.push(...meantErrors(form.errors ?? []).flatMap((error) => formFaults(error, source, [])));
      continue;
    }
    const raw = data as RawRole; // by its form
    const rules = raw.allow.length + (raw.forbid?.length ?? 0);
    if (rules > mostRules)
      found.push(fault(['allow'], `has ${rules} rules; ${mostRules} at most`, { rule: 'too-many-rules' }));
    files.push({ name, file, raw, fault });
  }
  return { files, faults: found };
}
