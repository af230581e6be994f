// Validators of answers, from the same schemas that the OpenAPI document shows.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { components } from '../../../src/endpoints/document/components.ts';
import { recordName } from '../../../src/endpoints/routes/names.ts';
import { addFormats } from '../../../src/endpoints/values/formats.ts';
import type { Registry, Resource } from '../../../src/registry/model/model.ts';

/** An Ajv that knows our formats and lets extensions (`x-…`) pass. */
export function createAjv(): Ajv2020 {
  // "type" may be one of two: the value, or null.
  // Code that is made a little faster takes longer to make than the tests of one file run it.
  const code = { optimize: false };
  return addFormats(new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true, code }));
}

const known = new WeakMap<Registry, Ajv2020>();

/** An Ajv that has the registry's components under `praxis#/components/schemas/<name>`. */
function ajvOf(registry: Registry): Ajv2020 {
  const found = known.get(registry);
  if (found !== undefined) return found;
  const schemas = Object.fromEntries(components(registry));
  const ajv = createAjv().addSchema({ $id: 'praxis', components: { schemas } });
  known.set(registry, ajv);
  return ajv;
}

/** Whether a value is a record as the group's schema has it; `errors` of the function says what is wrong. */
export function recordValidator(registry: Registry, resource: Resource): ValidateFunction {
  const id = `praxis#/components/schemas/${recordName(resource)}`;
  const validate = ajvOf(registry).getSchema(id);
  if (validate === undefined) throw new Error(`there is no schema ${id}`);
  return validate as ValidateFunction;
}
