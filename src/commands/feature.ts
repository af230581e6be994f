import { type FeatureState, listFeatures, setFeature } from '../app/features.ts';
import type { Config } from '../config.ts';

/** Prints a line for each feature: `on`, its name in the settings, its name in messages. */
export async function list(config: Config): Promise<void> {
  for (const feature of await listFeatures(config)) print(feature);
}

/** Turns a feature on or off; running processes follow within 5 seconds. @throws ConfigurationFault */
export async function turn(config: Config, name: string, isOn: boolean): Promise<void> {
  print(await setFeature(config, name, isOn));
}

const print = (feature: FeatureState): void => {
  process.stdout.write(`${feature.isOn ? 'on ' : 'off'}  ${feature.switch}  (${feature.name})\n`);
};
