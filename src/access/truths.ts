// How many truth values a page must select for each record of a group, so that its writer knows which fields to show.
import type { Resource } from '../registry/model/model.ts';
import { type Rule, shows } from './model.ts';

/** So many at most, of a group and a set of roles. */
export const mostTruths = 16;

/** Of the fields that some records show and others do not: how many sets of rules decide on them. */
export function truthsOf(rules: readonly Rule[], { name: group, fields }: Resource): number {
  return Math.max(
    ...(['list', 'get'] as const).map((operation) => {
      const allows = rules.filter(
        (rule) => rule.group === group && rule.effect === 'allow' && rule.operations.has(operation),
      );
      const deciding = fields.flatMap(({ name, shown }): readonly string[] => {
        const showing = allows.filter((rule) => shows(rule, name));
        const isKnown = showing.length === allows.length || showing.some(({ when }) => when === undefined);
        return !shown || showing.length === 0 || isKnown ? [] : [showing.map(({ id }) => id).join()];
      });
      return new Set(deciding).size;
    }),
  );
}

/** What is wrong with so many. */
export const tooManyTruths = (count: number, group: string): string =>
  `needs ${count} truth values for each record of "${group}" to know which fields to show, and ${mostTruths} are allowed; let rules show the same fields`;
