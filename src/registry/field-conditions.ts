// Conditions that stand on a field (`must`): each is the use of a rule that names that field.
import type { JSONPath } from 'jsonc-parser';
import type { RawField, RawRule } from './vocabulary.ts';

/** A condition on a field as the rule that it is, and where it stands. */
interface Requirement {
  readonly rule: RawRule;
  readonly path: JSONPath;
}

/** All conditions that stand on fields of a record. */
export function requirements(properties: Readonly<Record<string, RawField | true>>): readonly Requirement[] {
  return Object.entries(properties).flatMap(([field, raw]) => {
    const must = typeof raw === 'object' && Array.isArray(raw?.must) ? raw.must : [];
    return must.map(({ be, ...rest }, index) => ({
      rule: { use: 'require', field, ...rest, ...(be === undefined ? {} : { must: be }) },
      path: ['properties', field, 'must', index],
    }));
  });
}
