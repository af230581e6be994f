// `praxis feature`: lists the feature switches, and turns them on and off.
import { type FeatureState, listFeatures, setFeature } from '../../app/features.ts';
import type { Config } from '../../config.ts';
import { type JsonFlag, paintOut, tell } from '../output/terminal.ts';

/** Prints a line for each feature: `on`, its name in the settings, its name in messages. */
export async function list(config: Config, flags: JsonFlag): Promise<void> {
  const features = await listFeatures(config);
  tell(flags, features, features.map(lineOf).join('\n'));
}

interface TurnFlags extends JsonFlag {
  readonly isOn: boolean;
}

/** Turns a feature on or off; running processes follow within 5 seconds. @throws ConfigurationFault */
export async function turn(config: Config, name: string, { isOn, json }: TurnFlags): Promise<void> {
  const feature = await setFeature(config, name, isOn);
  tell({ json }, feature, lineOf(feature));
}

const lineOf = (feature: FeatureState): string =>
  `${feature.isOn ? paintOut('green', 'on ') : paintOut('dim', 'off')}  ${feature.switch}  (${feature.name})`;
