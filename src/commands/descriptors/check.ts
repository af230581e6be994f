// `praxis check`: faults of descriptors, and what a change of them does to callers.

import type { Roles } from '../../access/model.ts';
import { exampleFaults } from '../../access/proof/examples.ts';
import type { Finding } from '../../access/proof/finding.ts';
import { writableAuthors } from '../../access/proof/writable-authors.ts';
import { growthIn } from '../../app/growth.ts';
import { listRoleFindings, registryOf, rolesOf, rulesOf } from '../../app/registry.ts';
import { type Change, compareFacts } from '../../changes/compare.ts';
import { effects, type Harm, harms, harmsOf } from '../../changes/effects.ts';
import { factsOf } from '../../changes/facts.ts';
import { beforeOf } from '../../changes/origin.ts';
import type { Config } from '../../config.ts';
import { ConfigurationFault } from '../../configuration-fault.ts';
import { holdingIn } from '../../doctor/roles.ts';
import { components } from '../../endpoints/document/components.ts';
import { listDistantConditions } from '../../registry/guide/distant-conditions.ts';
import { DescriptorFaults } from '../../registry/model/faults.ts';
import type { Registry } from '../../registry/model/model.ts';
import { didYouMean } from '../../text/nearest.ts';
import { counted } from '../output/counted.ts';
import { paintOut, print, printJson } from '../output/terminal.ts';
import { grantLine, grantsAgainst } from './grants-against.ts';
import { writeDialect } from './project-dialect.ts';

export interface CheckOptions {
  /** A git ref, a snapshot or a folder of descriptors to compare with. */
  readonly against?: string;
  /** Harms that may be done. */
  readonly allow?: readonly string[];
  /** Whether it is asked of the records who holds roles. */
  readonly database?: boolean;
  /** Whether all conditions are listed that writes of other groups can break. */
  readonly conditions?: boolean;
  /** Whether findings are faults. */
  readonly strict?: boolean;
  readonly json?: boolean;
}

/**
 * Checks the descriptors and, with `against`, tells what their change does to whom.
 * @throws DescriptorFaults; ConfigurationFault for a change that hurts somebody and is not allowed
 */
export async function check(config: Config, options: CheckOptions): Promise<void> {
  const { against, allow = [], strict = false, json = false, database = false, conditions = false } = options;
  const allowed = allow.map(harmOf);
  writeDialect(config);
  const registry = registryOf(config);
  components(registry);
  const roles = rolesOf(config, registry);
  const found = [
    ...writableAuthors(registry),
    ...(roles === undefined ? [] : rolesFindings(roles, registry)),
    ...(database && roles !== undefined ? await unheld(config, registry, roles) : []),
  ];
  if (against === undefined) {
    const growing = growthIn(config, registry);
    const count = roles && { roles: roles.byName.size };
    const { size } = registry.resources;
    if (json) printJson({ descriptors: size, ...count, faults: [], growing, findings: found });
    else {
      const notes = [...growingLines(growing), ...distantLines(registry, conditions), ...found.map(findingLine)];
      print([countText(registry, roles), ...notes].join('\n'));
    }
    if (strict && found.length > 0) throw new ConfigurationFault(`${counted(found.length, 'finding')}.`);
    return;
  }
  const before = beforeOf({ against, resources: config.resources, signatures: rulesOf(config) });
  const changes = compareFacts(before.facts, factsOf(registry)).map((change) => ({
    ...change,
    harms: harmsOf(change.code),
  }));
  const grants = grantsAgainst({ config, against, before, roles });
  const refused = [...new Set([...changes, ...grants].flatMap((change) => change.harms))].filter(
    (harm) => !allowed.includes(harm),
  );
  const lines = [...changes.map(lineOf), ...grants.map(grantLine)];
  if (json) printJson([...changes.map(toJson), ...grants]);
  else print(lines.length === 0 ? `no differences from ${against}` : lines.join('\n'));
  if (refused.length > 0)
    throw new ConfigurationFault(
      `This change breaks ${refused.map((harm) => hurt[harm]).join(', ')}. To allow it: --allow ${refused.join(' ')}`,
    );
}

/** What is hardly meant in roles. @throws DescriptorFaults for examples that end otherwise than they say */
function rolesFindings(roles: Roles, registry: Registry): readonly Finding[] {
  const faults = exampleFaults(roles, registry);
  if (faults.length > 0) throw new DescriptorFaults(faults);
  return listRoleFindings(roles, registry);
}

/** Roles that nobody holds, by the records. @throws ConfigurationFault where there are none */
async function unheld(config: Config, registry: Registry, roles: Roles): Promise<readonly Finding[]> {
  const holding = await holdingIn(config, registry, roles);
  if (holding === undefined)
    throw new ConfigurationFault('--database needs a database with records; set DATABASE_URL.');
  return holding.unheld.map(({ name }) => ({
    ...{ code: 'role-unheld', text: `no member and no token has the role "${name}"`, place: undefined },
  }));
}

const findingLine = ({ code, text, place }: Finding): string => {
  const where = place === undefined ? '' : `${paintOut('bold', `${place.file}:${place.line}`)} `;
  return `${paintOut('yellow', '!')} ${where}${code}: ${text}${code === 'list-unindexed' ? `; ${costGuide}` : ''}`;
};

const countText = ({ resources: { size } }: Registry, roles: Roles | undefined): string =>
  [
    counted(size, 'descriptor'),
    ...(roles === undefined ? [] : [counted(roles.byName.size, 'role')]),
    paintOut('green', 'no faults'),
  ].join(', ');

/** Section that explains the notes about cost. */
const costGuide = 'see the guide "Performance": /docs/guides/performance#cost-notes';

/** Notes of formulas whose cost grows; fields with the same reasons share one line. */
function growingLines(all: ReturnType<typeof growthIn>): readonly string[] {
  const byText = Map.groupBy(all, ({ why }) => why.map(({ text }) => text).join('; '));
  return [...byText].map(([text, places]) => {
    const ways = new Set(places.flatMap(({ why }) => why.flatMap(({ way }) => way ?? [])));
    const where = paintOut('bold', places.map(({ place }) => place).join(', '));
    const isOfRecords = places.some(({ why }) => why.some(({ code }) => code !== 'queue'));
    const effect = isOfRecords ? ': the cost grows with the number of records' : '';
    return [`${paintOut('yellow', '!')} ${where} ${text}${effect}`, ...ways, costGuide].join('; ');
  });
}

/** Maximum number of distant conditions that `check` passes over without `--conditions`: small projects have no notes. */
const maxUnnotedConditions = 3;

/** Notes conditions that writes of other groups can break: a line for each with `--conditions`, otherwise their number. */
function distantLines(registry: Registry, isWhole: boolean): readonly string[] {
  const conditions = listDistantConditions(registry);
  const mark = paintOut('yellow', '!');
  if (!isWhole && conditions.length <= maxUnnotedConditions) return [];
  if (!isWhole)
    return [
      `${mark} ${conditions.length} conditions read fields of other groups, whose writes do not evaluate them; to list them: praxis check --conditions`,
    ];
  return conditions.map(({ group, field, source, reads }) => {
    const place = paintOut('bold', field === '' ? group : `${group}.${field}`);
    return `${mark} ${place} ${JSON.stringify(source)}: writes that change ${reads.join(', ')} do not evaluate this condition`;
  });
}

function harmOf(word: string): Harm {
  const harm = harms.find((known) => known === word);
  if (harm === undefined)
    throw new ConfigurationFault(`--allow must be ${harms.join(', ')}, not "${word}"${didYouMean(word, harms)}`);
  return harm;
}

const hurt: Record<Harm, string> = {
  data: 'stored data',
  readers: 'programs that read',
  writers: 'programs that write',
  filters: 'programs that filter',
};

type Judged = Change & { readonly harms: readonly Harm[] };

/** `client.name  bound-tightened  maxLength 255 → 100  (hurts writers; rows are checked)`. */
function lineOf({ code, group, field, text, harms: done }: Judged): string {
  const { data, types } = effects[code];
  const words = [
    done.length > 0 ? `hurts ${done.join(', ')}` : 'safe',
    ...(data === 'none' || data === 'destroyed' ? [] : [dataWords[data]]),
    ...(types === 'breaking' && done.length === 0 ? ['types change'] : []),
  ];
  const mark = done.length > 0 ? paintOut('red', '✗') : paintOut('green', '✓');
  const where = paintOut('bold', field === undefined ? group : `${group}.${field}`);
  return `${mark} ${where}: ${code}: ${text} (${words.join('; ')})`;
}

const dataWords = {
  added: 'the schema grows',
  checked: 'rows are checked',
  rewritten: 'values are kept',
  computed: 'values are computed',
} as const;

const toJson = ({ harms: done, ...change }: Judged) => ({ ...change, effect: effects[change.code], harms: done });
