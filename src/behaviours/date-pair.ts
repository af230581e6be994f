// What rules over two dates of one record share: both must be there and sound before they are compared.
import type { RuleUse } from '../registry/model.ts';
import { keyArgument, type Moment, type Rule, textOf } from './rule.ts';

/** A rule that refuses `to` with what `faultOf` says of the two dates; `from` is the key of the first. `says` is the rule in words. */
export const datePair = (says: string, faultOf: (first: string, last: string, from: string) => string | undefined) =>
  ({
    says,
    parameters: { from: { field: 'date' }, to: { field: 'date' } },
    isLocal: true,
    on: ['create', 'update'],
    looksAt: (use: RuleUse, resource: Moment['resource']) => [
      keyArgument(resource, use, 'from'),
      keyArgument(resource, use, 'to'),
    ],
    check: ({ use, resource, values, refuse, isSound }: Moment) => {
      const from = keyArgument(resource, use, 'from');
      const to = keyArgument(resource, use, 'to');
      const [first, last] = [textOf(values, from), textOf(values, to)];
      if (!isSound(from, to) || first === null || last === null) return;
      const fault = faultOf(first, last, from);
      if (fault !== undefined) refuse(to, fault);
    },
  }) as const satisfies Rule;
