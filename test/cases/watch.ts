// Which rules of the descriptors the cases have been through: each rule of the catalogue is watched while it acts.

import type { Registry, Resource, RuleUse } from '../../src/registry/model/model.ts';
import type { Aftermath, Effects, Moment, Question, Rule } from '../../src/rules/support/rule.ts';

/** What was seen of one use of a rule. */
interface Seen {
  /** It acted in a request that was answered 2xx. */
  isAllowed: boolean;
  /** It has refused one. */
  isRefused: boolean;
  /** It has given a value, or changed another record. */
  hasEffect: boolean;
}

export class Watch {
  readonly #seen = new Map<RuleUse, Seen>();
  /** Uses that have acted in the request under way without refusing it; undefined while no case is judged. */
  #acting: Set<RuleUse> | undefined;

  /** The same rules, each telling what it does. */
  watched(rules: Readonly<Record<string, Rule>>): Record<string, Rule> {
    return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, this.#rule(rule)]));
  }

  #of(use: RuleUse): Seen {
    let seen = this.#seen.get(use);
    if (seen === undefined) {
      seen = { isAllowed: false, isRefused: false, hasEffect: false };
      this.#seen.set(use, seen);
    }
    return seen;
  }

  #rule(rule: Rule): Rule {
    const { lock, fill, derive, check, last, plan, after, compute } = rule;
    const acting = (act: Rule['check']): Rule['check'] => act && ((moment) => this.#act(act, moment));
    return {
      ...rule,
      ...(plan && {
        plan: (use: RuleUse, resource: Resource) => {
          const planned = plan(use, resource);
          const { condition } = planned;
          return {
            ...planned,
            // A use is asked no more where its condition holds.
            ...(condition && {
              condition: {
                ...condition,
                isAsked: (write: Parameters<typeof condition.isAsked>[0]) => {
                  this.#acting?.add(use);
                  return condition.isAsked(write);
                },
              },
            }),
            ...(planned.check && { check: acting(planned.check) }),
            ...(planned.last && { last: acting(planned.last) }),
          };
        },
      }),
      ...(lock && { lock: acting(lock) }),
      ...(fill && { fill: acting(fill) }),
      ...(derive && { derive: acting(derive) }),
      ...(check && { check: acting(check) }),
      ...(last && { last: acting(last) }),
      ...(after && { after: (moment: Aftermath) => this.#act(after, moment) }),
      ...(compute && {
        compute: (question: Question) => {
          if (this.#acting !== undefined) Object.assign(this.#of(question.use), { isAllowed: true, hasEffect: true });
          return compute(question);
        },
      }),
    } as Rule;
  }

  async #act<M extends Moment>(act: (moment: M) => void | Promise<void>, moment: M): Promise<void> {
    const acting = this.#acting;
    // What sets the scene is not judged.
    if (acting === undefined) return act(moment);
    const seen = this.#of(moment.use);
    acting.add(moment.use);
    const refuses = (): void => {
      seen.isRefused = true;
      acting.delete(moment.use);
    };
    const before = JSON.stringify(moment.values);
    await act({
      ...moment,
      ...('effects' in moment && { effects: this.#effects(seen, moment.effects as Effects) }),
      refuse: (key, text) => {
        refuses();
        moment.refuse(key, text);
      },
      conflict: (kind, group) => {
        refuses();
        return moment.conflict(kind, group);
      },
    });
    if (JSON.stringify(moment.values) !== before) seen.hasEffect = true;
  }

  /** The same effects, which tell that there are some. */
  #effects(seen: Seen, { create, change, remove, refresh }: Effects): Effects {
    return {
      create: (...given) => {
        seen.hasEffect = true;
        return create(...given);
      },
      change: (...given) => {
        seen.hasEffect = true;
        return change(...given);
      },
      remove: (...given) => {
        seen.hasEffect = true;
        return remove(...given);
      },
      refresh: (group, ids, figures) => {
        seen.hasEffect ||= ids.length > 0;
        return refresh(group, ids, figures);
      },
    };
  }

  /** To be told before the request that a case is about. */
  begin(): void {
    this.#acting = new Set();
  }

  /** To be told after it. */
  end(isAllowed: boolean): void {
    if (isAllowed) for (const use of this.#acting ?? []) this.#of(use).isAllowed = true;
    this.#acting = undefined;
  }

  /** Uses of the registry that no case has been through, each with what is missing. */
  missing(registry: Registry, rules: Readonly<Record<string, Rule>>): string[] {
    return [...registry.resources.values()].flatMap((resource) => {
      const placed = [
        ...resource.rules.map((use, place) => ({ use, name: `${resource.name} rules[${place}] ${use.use}` })),
        ...(typeof resource.computed === 'object'
          ? [{ use: resource.computed, name: `${resource.name} ${resource.computed.use}` }]
          : []),
        ...resource.fields.flatMap(({ name, derived }) =>
          derived === undefined || resource.rules.some(({ use }) => use === derived.use)
            ? []
            : [{ use: derived, name: `${resource.name}.${name} ${derived.use}` }],
        ),
      ];
      return placed.flatMap(({ use, name }) => {
        const rule = rules[use.use];
        const seen = this.#seen.get(use);
        if (rule === undefined) return [`${name}: no such rule`];
        const wants = [
          [seen?.isAllowed === true, 'no case that it allows'],
          [(rule.lock ?? rule.check ?? rule.plan) === undefined || seen?.isRefused === true, 'no case that it refuses'],
          [
            (rule.fill ?? rule.derive ?? rule.after) === undefined || seen?.hasEffect === true,
            'no case in which it gives a value or changes a record',
          ],
        ] as const;
        return wants.flatMap(([isThere, text]) => (isThere ? [] : [`${name}: ${text}`]));
      });
    });
  }
}
