// Groups as they are named on the command line.
import { ConfigurationFault } from '../../configuration-fault.ts';
import type { Registry, Resource } from '../../registry/model/model.ts';
import { didYouMean } from '../../text/nearest.ts';

/** A group by its name or its path (`time-entry`, `time-entries`). @throws ConfigurationFault where there is none */
export function groupNamed(registry: Registry, name: string): Resource {
  const wanted = name.replace(/^\//, '');
  const all = [...registry.resources.values()];
  const found = registry.resources.get(wanted) ?? all.find(({ path }) => path.slice(1) === wanted);
  if (found !== undefined) return found;
  const known = [...registry.resources.keys(), ...all.map(({ path }) => path.slice(1))];
  throw new ConfigurationFault(`"${name}" is not a group${didYouMean(wanted, known)}`);
}

/** Where an export of all groups has the bytes of their files. */
export const filesFolder = 'files';
