// The rule `oneDefault`: at most one default in a group (domain: isDefault), or exactly one among the records of one owner.
import type { Conflicts, Resource, RuleUse, Values } from '../registry/model/model.ts';
import { type Guarded, guardedBy, keyArgument, type Moment, type Rule, textOf, workspaceRow } from './support/rule.ts';

/**
 * Sending true in `field` moves the flag here. Its holder cannot be deleted, or made inactive (`activeField`), and an
 * inactive record cannot take it. With `within` each owner has its own: the first record has it, and a holder that goes leaves
 * it to the one that is least by `heir`, an unset value first.
 */
export const oneDefault = {
  says: 'One record at a time has {field}[ among those of one {within}, the first from its beginning]: sending true moves it here. Its holder cannot be set to false[, made inactive ({activeField}), which cannot take it either,][; when it is deleted, the one with the least {heir} takes it].',
  example: {
    properties: {
      isDefault: { type: 'boolean', default: false },
      isActive: { type: 'boolean', default: true },
    },
    rules: [{ use: 'oneDefault', field: 'isDefault', activeField: 'isActive' }],
  },
  refuses: ({ activeField }) => [
    { at: '{field}', text: 'must be true until another {this} takes it' },
    ...(activeField === undefined ? [] : [{ at: '{field}', text: 'must be false while {activeField} is false' }]),
  ],
  parameters: {
    field: { field: 'boolean', kept: true, filled: true },
    activeField: { field: 'boolean' },
    within: { field: 'reference', kept: true },
    heir: { field: 'date', kept: true },
  },
  optional: ['activeField', 'within', 'heir'],
  wrong: ({ within, heir }) =>
    (within === undefined) === (heir === undefined)
      ? []
      : [{ text: '"within" and "heir" stand together: among the records of one owner one is always the default' }],
  conflicts: ({ within }): Conflicts =>
    within === undefined ? { update: 'readOnly', delete: 'inUse', cascade: 'inUse' } : {},
  looksAt: keysOf,
  guards: ['within'],
  guard: (moment) => {
    const { before, values } = moment;
    const key = flagOf(moment);
    if (isWithin(moment)) return guardOwner(moment);
    return values[key] === true || before?.[key] === true ? workspaceRow : [];
  },
  lock: ({ use, resource, before, values, conflict }) => {
    const [key, active = ''] = keysOf(use, resource);
    if (key !== undefined && before?.[key] === true && before[active] === true && values[active] === false) {
      conflict('readOnly');
    }
  },
  fill: async (moment) => {
    if (isWithin(moment)) moment.values[flagOf(moment)] ??= (await othersOf(moment)).length === 0;
  },
  check: async (moment) => {
    const { use, resource, operation, before, values, refuse, conflict } = moment;
    const [key = '', active = ''] = keysOf(use, resource);
    if (operation === 'delete') {
      if (before?.[key] === true && !isWithin(moment)) conflict('inUse');
    } else if (values[key] === false && moment.isSound(key) && (await isHolder(moment))) {
      refuse(key, `must be true until another ${resource.title} takes it`);
    } else if (values[key] === true && values[active] === false) {
      refuse(key, `must be false while ${active} is false`);
    }
  },
  after: async (moment) => {
    const { resource, operation, before, values, effects } = moment;
    const key = flagOf(moment);
    if (values[key] !== true || moment.isCascade) return;
    if (operation === 'delete') {
      const [heir] = isWithin(moment) ? (await othersOf(moment)).sort(byHeir(moment)) : [];
      if (heir !== undefined) await effects.refresh(resource.name, [String(heir.id)], { [key]: true });
      return;
    }
    if (before?.[key] === true) return;
    const others = (await othersOf(moment, { [key]: true })).map(({ id }) => String(id));
    await effects.refresh(resource.name, others, { [key]: false });
  },
} as const satisfies Rule;

const flagOf = ({ use, resource }: Moment): string => keyArgument(resource, use, 'field');

const isWithin = ({ use }: Moment): boolean => use.arguments.within !== undefined;

const guardOwner = ({ use, resource, values }: Moment): readonly Guarded[] =>
  guardedBy(resource.byKey.get(keyArgument(resource, use, 'within')), values);

/** The others among which one is the default, oldest first. */
async function othersOf(moment: Moment, where: Values = {}): Promise<Values[]> {
  const { use, resource, values, records } = moment;
  const owner = keyArgument(resource, use, 'within');
  const among = isWithin(moment) ? { ...where, [owner]: values[owner] ?? null } : where;
  return (await records.list(resource.name, among)).filter(({ id }) => id !== values.id);
}

/** Whether the record has the flag already, or must have it because there is no other. */
const isHolder = async (moment: Moment): Promise<boolean> =>
  moment.before === undefined
    ? isWithin(moment) && (await othersOf(moment)).length === 0
    : moment.before[flagOf(moment)] === true;

function byHeir({ use, resource }: Moment): (a: Values, b: Values) => number {
  const key = keyArgument(resource, use, 'heir');
  const rank = (record: Values): string => textOf(record, key) ?? '';
  return (a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0);
}

function keysOf(use: RuleUse, resource: Resource): readonly string[] {
  const names = use.arguments.activeField === undefined ? ['field'] : ['field', 'activeField'];
  return names.map((name) => keyArgument(resource, use, name));
}
