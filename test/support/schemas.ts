// Validators of answers, from the same schemas that the OpenAPI document shows.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { recordSchema } from '../../src/endpoints/schemas.ts';
import type { Registry, Resource } from '../../src/registry/model.ts';
import { isDate } from '../../src/values/date.ts';
import { isEmail, isUrl } from '../../src/values/format.ts';

/** An Ajv that knows our formats and lets extensions (`x-…`) pass. */
export function createAjv(): Ajv2020 {
  // "type" may be one of two: the value, or null.
  const ajv = new Ajv2020({ allErrors: true, strict: false, allowUnionTypes: true });
  formats.default(ajv);
  // What the service accepts: ajv-formats knows neither addresses without a dot nor URLs beyond ASCII.
  return ajv.addFormat('email', isEmail).addFormat('uri', isUrl).addFormat('date', isDate);
}

const ajv = createAjv();
const validators = new WeakMap<Resource, ValidateFunction>();

/** Whether a value is a record as the group's schema has it; `errors` of the function says what is wrong. */
export function recordValidator(registry: Registry, resource: Resource): ValidateFunction {
  const known = validators.get(resource);
  if (known !== undefined) return known;
  const validate = ajv.compile(recordSchema(resource, registry));
  validators.set(resource, validate);
  return validate;
}
