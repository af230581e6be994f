// Diagnoses a service without changing anything: findings, each with what to do about it.
import { registryOf } from '../app/registry.ts';
import { type Config, readConfig } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { loadProject } from '../project.ts';
import { DescriptorFaults } from '../registry/model/faults.ts';
import type { Registry } from '../registry/model/model.ts';
import { describeUnavailable } from '../storage/unavailable.ts';
import { act, type Finding, fine } from './finding.ts';
import { disk, exposure, permissions, port, user, versions } from './machine.ts';
import { records } from './records.ts';
import { roles } from './roles.ts';
import { signInAround } from './sign-in.ts';

/** Runs all checks. @param env Variables, as `readConfig` reads them; a project in the current folder applies too. */
export async function examine(env: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  const first = [versions(), user()];
  const { config, finding } = await configuration(env);
  if (config === undefined) return [...first, finding];
  const { registry, finding: described } = descriptors(config);
  return [
    ...first,
    finding,
    described,
    ...(registry === undefined ? [] : await roles(config, registry)),
    ...permissions(config),
    disk(config),
    ...(registry === undefined ? [] : await recordsOf(config, registry)),
    await port(config),
    exposure(config),
    ...(await signInAround(config)),
  ];
}

async function configuration(
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly config?: Config; readonly finding: Finding }> {
  try {
    const config = readConfig(env, await loadProject());
    return { config, finding: fine('configuration', 'variables and project are valid') };
  } catch (error) {
    return {
      finding: faultOf(
        'configuration',
        error,
        'correct the configuration, then run "praxis doctor" again; the other checks did not run',
      ),
    };
  }
}

function descriptors(config: Config): { readonly registry?: Registry; readonly finding: Finding } {
  try {
    const registry = registryOf(config);
    return { registry, finding: fine('descriptors', `${registry.resources.size} descriptors, no faults`) };
  } catch (error) {
    return { finding: faultOf('descriptors', error, 'run "praxis check" for all faults') };
  }
}

const recordsOf = (config: Config, registry: Registry): Promise<readonly Finding[]> =>
  records(config, registry).catch((error: unknown) => [
    faultOf('database', error, 'check DATABASE_URL, that the database runs, and that it accepts this user'),
  ]);

/** Returns an error that the operator can correct as a finding. @throws any other error */
function faultOf(code: string, error: unknown, todo: string): Finding {
  if (error instanceof ConfigurationFault || error instanceof DescriptorFaults)
    return act(code, error.message.split('\n')[0] ?? '', todo);
  const reason = describeUnavailable(error);
  if (reason !== undefined) return act(code, reason, todo);
  throw error;
}
