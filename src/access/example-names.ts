// Checks the names in the examples of roles: their groups, and the fields of the records that they give.
import type { Registry, Resource } from '../registry/model/model.ts';
import { didYouMean } from '../text/nearest.ts';
import type { Report } from './model.ts';
import type { RoleFile } from './read.ts';

/** Tells every group and every field that there is not. */
export function checkExamples({ raw: { examples = [] } }: RoleFile, registry: Registry, report: Report): void {
  const { resources, actors } = registry;
  for (const [index, { as, on, record, body, records = {} }] of examples.entries()) {
    const path = ['examples', index];
    const group = (name: string, place: (string | number)[]): Resource | undefined => {
      const found = resources.get(name);
      if (found === undefined)
        report(place, `"${name}" is not a group${didYouMean(name, resources.keys())}`, 'unknown-group');
      return found;
    };
    const resource = group(on, [...path, 'on']);
    const acting = actors === undefined ? undefined : resources.get(actors);
    const told: readonly [Resource | undefined, object | undefined, (string | number)[]][] = [
      [resource, record, [...path, 'record']],
      [resource, body, [...path, 'body']],
      [acting, as, [...path, 'as']],
      ...Object.entries(records).flatMap(([name, byId]): [Resource | undefined, object, (string | number)[]][] => {
        const of = group(name, [...path, 'records', name]);
        return Object.entries(byId).map(([id, values]) => [of, values, [...path, 'records', name, id]]);
      }),
    ];
    for (const [of, values = {}, place] of told) if (of !== undefined) checkFields(of, values, { place, report });
  }
}

interface Told {
  readonly place: (string | number)[];
  readonly report: Report;
}

function checkFields({ byKey, byName, computed }: Resource, values: object, { place, report }: Told): void {
  for (const name of Object.keys(values)) {
    if ((name === 'id' && computed === undefined) || byKey.has(name) || byName.has(name)) continue;
    const names = [...byKey.keys(), ...byName.keys()];
    report(
      [...place, name],
      `names "${name}", which the record does not have${didYouMean(name, names)}`,
      'unknown-field',
    );
  }
}
