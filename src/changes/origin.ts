// Reads the descriptors to compare with: from a commit, a folder or a snapshot.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { ConfigurationFault } from '../configuration-fault.ts';
import type { RuleSignature } from '../registry/model/model.ts';
import { parseSource } from '../registry/read/source.ts';
import { buildRegistry, loadRegistry } from '../registry/registry.ts';
import { isObject } from '../values/json.ts';
import { type Facts, factsOf } from './facts.ts';

interface Origin {
  /** A file of facts, a folder of descriptors, or a git ref. */
  readonly against: string;
  /** The folder of descriptors now; the same folder is looked for in the commit. */
  readonly resources: string;
  readonly signatures: Readonly<Record<string, RuleSignature>>;
}

/** @throws ConfigurationFault when there is no such thing; DescriptorFaults when its descriptors are wrong by today's rules */
export function factsAgainst({ against, resources, signatures }: Origin): Facts {
  const stat = statSync(against, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return factsOf(loadRegistry(against, signatures));
  if (stat?.isFile() === true) return readSnapshot(against);
  return factsOf(buildRegistry(sourcesAt(against, resources), signatures));
}

/** Facts out of a snapshot file. @throws ConfigurationFault when the file holds something else */
function readSnapshot(file: string): Facts {
  try {
    const facts: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isFacts(facts)) return facts;
  } catch (error) {
    throw new ConfigurationFault(`${file} is no snapshot: ${error instanceof Error ? error.message : error}`, error);
  }
  throw new ConfigurationFault(`${file} is no snapshot; "praxis snapshot" writes one.`);
}

const isFacts = (value: unknown): value is Facts =>
  isObject(value) &&
  Object.values(value).every(
    (entry) =>
      isObject(entry) && isObject(entry.group) && isObject(entry.fields) && Object.values(entry.fields).every(isObject),
  );

/** The descriptors of a commit. */
function sourcesAt(ref: string, resources: string): ReturnType<typeof buildSources> {
  const folder = `./${relative('.', resources).split(sep).join(posix.sep)}`;
  const names = git(['ls-tree', '--name-only', ref, `${folder}/`], `"${ref}" is neither a file, a folder nor a git ref`)
    .split('\n')
    .filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new ConfigurationFault(`${ref} has no descriptors in ${folder}`);
  return buildSources(
    names.map((name) => ({ name, text: git(['show', `${ref}:./${name}`], `${name} cannot be read`) })),
  );
}

function buildSources(files: readonly { readonly name: string; readonly text: string }[]) {
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
