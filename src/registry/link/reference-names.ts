// Display names that contain the name of another record: `{client}` becomes the paths to that name, `client.name`.
import type { Field, Resource, ShownPart } from '../model/model.ts';
import { solePaths } from '../model/shown-as.ts';

type Resources = ReadonlyMap<string, Resource>;

/** Returns the same resources, in whose display names each path ends at a plain value. */
export function expandReferenceNames(resources: readonly Resource[]): readonly Resource[] {
  const groups = new Map(resources.map((resource) => [resource.name, resource]));
  return resources.map((resource) => {
    const shownAs = resource.shownAs.map((part) => expandPart(part, resource, groups));
    return shownAs.every((part, index) => part === resource.shownAs[index])
      ? resource
      : Object.freeze({ ...resource, shownAs });
  });
}

function expandPart(part: ShownPart, resource: Resource, resources: Resources): ShownPart {
  if (part.kind === 'literal') return part;
  const paths = part.paths.flatMap((path) => expandPath(path, resource, resources));
  return paths.join() === part.paths.join() ? part : Object.freeze({ ...part, paths: Object.freeze(paths) });
}

function expandPath(path: string, resource: Resource, resources: Resources): readonly string[] {
  const target = findTarget(path, resource, resources);
  if (target === undefined) return [path];
  const namePaths = solePaths(target.shownAs) ?? [];
  return namePaths.flatMap((each) => expandPath(`${path}.${each}`, resource, resources));
}

/** Returns the group of the reference at the end of a path; undefined if the path ends at another field. */
function findTarget(path: string, resource: Resource, resources: Resources): Resource | undefined {
  let here: Resource | undefined = resource;
  for (const step of path.split('.')) {
    const field: Field | undefined = here?.byName.get(step) ?? here?.byKey.get(step);
    here = field?.kind === 'reference' ? resources.get(field.target) : undefined;
  }
  return here;
}
