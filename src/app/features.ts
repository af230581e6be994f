// Feature switches of groups: lists and sets them from the command line.
import type { Config } from '../config.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** A feature of the workspace and whether it is on. */
export interface FeatureState {
  readonly name: string;
  readonly switch: string;
  readonly isOn: boolean;
}

/** The features that groups hang on. */
export async function listFeatures(config: Config): Promise<FeatureState[]> {
  const workspace = await openWorkspace(config);
  try {
    return featuresOf(workspace);
  } finally {
    await workspace.close();
  }
}

/** Turns a feature on or off, by its name or its switch. @throws ConfigurationFault when there is no such feature. */
export async function setFeature(config: Config, name: string, isOn: boolean): Promise<FeatureState> {
  const workspace = await openWorkspace(config);
  try {
    const features = featuresOf(workspace);
    const meant = features.find(
      (feature) => feature.switch === name || feature.name.toLowerCase() === name.toLowerCase(),
    );
    if (meant === undefined)
      throw new ConfigurationFault(
        `there is no feature "${name}"; known: ${features.map((feature) => feature.switch).join(', ')}`,
      );
    if (!(await workspace.engine.switchFeature(meant.switch, isOn)))
      throw new ConfigurationFault('no descriptor says "workspace": true');
    return { ...meant, isOn };
  } finally {
    await workspace.close();
  }
}

function featuresOf({ registry, book }: Workspace): FeatureState[] {
  const features = new Map(
    [...registry.resources.values()].flatMap(({ feature }) =>
      feature === undefined ? [] : [[feature.switch, feature] as const],
    ),
  );
  return [...features.values()].map((feature) => ({
    name: feature.name,
    switch: feature.switch,
    isOn: book.isEnabled(feature),
  }));
}
