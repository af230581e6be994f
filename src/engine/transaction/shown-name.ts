// The display name of a record, as references show it.
import type { Value, Values } from '../../registry/model/model.ts';
import type { Scope } from './scope.ts';

/** The name that references show of a record. */
export async function shownName(scope: Scope, group: string, values: Readonly<Values>): Promise<string> {
  const resource = scope.records.resource(group);
  let name = '';
  for (const part of resource.shownAs) {
    if (part.kind === 'literal') {
      name += part.text;
      continue;
    }
    let found: Value | undefined;
    for (const path of part.paths) found ??= await scope.records.follow(resource, values, path);
    name += found === undefined || found === null || found === '' ? part.otherwise : String(found);
  }
  return name;
}
