// Values inside an object that callers type in only in some states of the record (domain: Projects, budget).
import { isRecord, isUnset } from './record-values.ts';
import { keyArgument, type Rule, textArguments } from './rule.ts';

/**
 * While `when` is false, the fields `of` inside `object` are the service's: refused in bodies that give them another value
 * than they have, and their defaults once `when` ceases to hold.
 */
export const typedInside = {
  says: 'Of {object}, {of} are sent only while {when}; else they are computed.',
  parameters: { object: { field: 'object' }, of: { list: { field: 'any', in: 'object' } }, when: 'condition' },
  isLocal: true,
  on: ['create', 'update'],
  looksAt: (use, resource) => [keyArgument(resource, use, 'object'), ...(use.conditions.when?.keys ?? [])],
  fill: ({ use, resource, before, values, sent, refuse, isSound }) => {
    const key = keyArgument(resource, use, 'object');
    const { when } = use.conditions;
    const field = resource.byKey.get(key);
    const object = values[key];
    if (when === undefined || field?.kind !== 'object' || !isRecord(object)) return;
    if (!isSound(key, ...when.keys) || when.test(values)) return;
    const stored = before?.[key];
    const made = { ...object };
    for (const name of textArguments(use, 'of')) {
      const standard = field.fields.find((inside) => inside.key === name)?.default ?? null;
      const known = isRecord(stored) ? stored[name] : undefined;
      // What a body does not name has been merged from the stored object.
      const isGiven = sent.has(key) && !isUnset(object[name]) && ![known, standard].includes(object[name]);
      if (isGiven) refuse(`${key}.${name}`, 'is not allowed');
      made[name] = (before === undefined || when.test(before) ? undefined : known) ?? standard;
    }
    values[key] = made;
  },
} as const satisfies Rule;
