// Records of other groups that match this one: `match` gives key there → name or key here.
import type { ParameterType } from '../registry/parameters.ts';

/** Fields there, in the group of the argument `group`, and fields here that must be equal to them. */
export const matching = {
  map: { field: 'single', in: 'group' },
  to: { field: 'single', like: '@key' },
} as const satisfies ParameterType;
