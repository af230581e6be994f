// What a change of role files grants or takes: their grants now, compared with those of before.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Roles } from '../../access/model.ts';
import {
  compareGrants,
  type GrantChange,
  type GrantFacts,
  grantFactsOf,
  grantsOfTexts,
} from '../../access/proof/grants.ts';
import { loadRoles, rolesFolderOf, rolesOf } from '../../app/registry.ts';
import type { Harm } from '../../changes/effects.ts';
import type { Before } from '../../changes/origin.ts';
import type { Config } from '../../config.ts';
import type { Registry } from '../../registry/model/model.ts';
import { isObject } from '../../values/json.ts';
import { paintOut } from '../output/terminal.ts';

export type JudgedGrant = GrantChange & { readonly harms: readonly Harm[] };

interface Compared {
  readonly config: Config;
  readonly against: string;
  readonly before: Before;
  readonly roles: Roles | undefined;
}

/** Every difference of what roles grant. @throws DescriptorFaults where those of before are wrong by today's rules */
export function grantsAgainst({ config, against, before, roles }: Compared): readonly JudgedGrant[] {
  const old = grantsBefore(config, against, before);
  return compareGrants(old, roles === undefined ? {} : grantFactsOf(roles)).map((change) => ({
    ...change,
    harms: harmsOf(change),
  }));
}

/** Who may see or do more is felt by those whose records these are, who may less by the programs that did. */
function harmsOf({ operations }: GrantChange): readonly Harm[] {
  const isRead = (operation: string): boolean => ['list', 'get', 'history'].includes(operation);
  if (operations.length === 0) return ['readers', 'writers'];
  return [
    ...(operations.some(isRead) ? (['readers'] as const) : []),
    ...(operations.every(isRead) ? [] : (['writers'] as const)),
  ];
}

/** `✗ member: read of project widened (readers)` */
export function grantLine({ role, text, harms }: JudgedGrant): string {
  return `${paintOut('red', '✗')} ${paintOut('bold', role)}: ${text} (${harms.join(', ')})`;
}

function grantsBefore(config: Config, against: string, before: Before): GrantFacts {
  const { registry, kind } = before;
  if (registry === undefined)
    return isObject(before.roles) ? grantsOfTexts(before.roles as Parameters<typeof grantsOfTexts>[0]) : {}; // as it was written
  const roles =
    kind === 'folder'
      ? rolesOf({ resources: against, rolesFolder: undefined }, registry)
      : rolesAt(before, { folder: rolesFolderOf(config), registry });
  return roles === undefined ? {} : grantFactsOf(roles);
}

/** The roles of a commit. */
function rolesAt(before: Before, { folder, registry }: { readonly folder: string; readonly registry: Registry }) {
  const files = before.filesIn(folder);
  if (files.length === 0) return undefined;
  const copy = mkdtempSync(join(tmpdir(), 'praxis-roles-'));
  try {
    for (const { name, text } of files) writeFileSync(join(copy, basename(name)), text);
    return loadRoles(copy, registry);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
