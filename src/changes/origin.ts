// Reads the descriptors to compare with: from a commit, a folder or a snapshot.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { Registry, RuleSignature } from '../registry/model/model.ts';
import { parseSource } from '../registry/read/source.ts';
import { buildRegistry, loadRegistry } from '../registry/registry.ts';
import { rewriteKeywords } from '../registry/upgrade/rewrite.ts';
import { isObject } from '../values/json.ts';
import { type Facts, factsOf, rolesKey } from './facts.ts';

interface Origin {
  /** A file of facts, a folder of descriptors, or a git ref. */
  readonly against: string;
  /** The folder of descriptors now; the same folder is looked for in the commit. */
  readonly resources: string;
  readonly signatures: Readonly<Record<string, RuleSignature>>;
}

/** What there was before. */
export interface Before {
  readonly facts: Facts;
  /** Undefined of a snapshot. */
  readonly registry: Registry | undefined;
  /** What a snapshot says of roles. */
  readonly roles: unknown;
  /** Of a commit: the JSON files of a folder in it. */
  filesIn(folder: string): readonly NamedText[];
  readonly kind: 'folder' | 'snapshot' | 'commit';
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** @throws ConfigurationFault when there is no such thing; DescriptorFaults when its descriptors are wrong by today's rules */
export function beforeOf({ against, resources, signatures }: Origin): Before {
  const stat = statSync(against, { throwIfNoEntry: false });
  const filesIn = (folder: string): readonly NamedText[] => filesAt(against, folder);
  if (stat?.isFile() === true) return { ...readSnapshot(against), registry: undefined, filesIn, kind: 'snapshot' };
  const isFolder = stat?.isDirectory() === true;
  const registry = isFolder
    ? loadRegistry(against, signatures)
    : buildRegistry(buildSources(descriptorsAt(against, resources)), signatures);
  return { facts: factsOf(registry), registry, roles: undefined, filesIn, kind: isFolder ? 'folder' : 'commit' };
}

/** Facts out of a snapshot file. @throws ConfigurationFault when the file holds something else */
function readSnapshot(file: string): Pick<Before, 'facts' | 'roles'> {
  try {
    const { [rolesKey]: roles, ...facts }: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(file, 'utf8'));
    if (isFacts(facts)) return { facts, roles };
  } catch (error) {
    throw new ConfigurationFault(`${file} is not a snapshot: ${error instanceof Error ? error.message : error}`, error);
  }
  throw new ConfigurationFault(`${file} is not a snapshot; write one with "praxis snapshot".`);
}

const isFacts = (value: unknown): value is Facts =>
  isObject(value) &&
  Object.values(value).every(
    (entry) =>
      isObject(entry) && isObject(entry.group) && isObject(entry.fields) && Object.values(entry.fields).every(isObject),
  );

/** The descriptors of a commit. */
function descriptorsAt(ref: string, resources: string): readonly NamedText[] {
  const files = filesAt(ref, resources);
  if (files.length === 0) throw new ConfigurationFault(`${ref} has no descriptors in ${inGit(resources)}`);
  return files;
}

const inGit = (folder: string): string => `./${relative('.', folder).split(sep).join(posix.sep)}`;

function filesAt(ref: string, folder: string): readonly NamedText[] {
  return git(['ls-tree', '--name-only', ref, `${inGit(folder)}/`], `"${ref}" is neither a file, a folder nor a git ref`)
    .split('\n')
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name, text: toCurrent(git(['show', `${ref}:./${name}`], `${name} cannot be read`)) }));
}

/** A commit cannot be upgraded, so its old keywords are read as the current ones. */
const toCurrent = (text: string): string => rewriteKeywords(text)?.text ?? text;

function buildSources(files: readonly NamedText[]) {
  return files.flatMap(({ name, text }) => {
    const { source, faults } = parseSource(name, posix.basename(name, '.json'), text);
    if (source === undefined) throw new ConfigurationFault(`${name}: ${faults[0]?.text ?? 'cannot be read'}`);
    return [source];
  });
}

function git(words: readonly string[], fault: string): string {
  try {
    return execFileSync('git', words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    throw new ConfigurationFault(`${fault}.`, error);
  }
}
