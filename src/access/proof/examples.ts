// Runs the examples of roles: each must end as it says.
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { notKnown } from '../../formulas/language/value.ts';
import { type Fault, fileFault } from '../../registry/model/faults.ts';
import type { Registry } from '../../registry/model/model.ts';
import type { AccessOperation, Example, Role, Roles, Rule } from '../model.ts';
import { type Rights, RightsBook } from '../rights.ts';
import type { Truth } from '../truth.ts';
import { type Case, type Verdict, verdictOf } from '../verdict.ts';
import { ExampleWorld } from './example-world.ts';

/** A fault for each example that ends otherwise, with the rules that were considered. */
export function exampleFaults(roles: Roles, registry: Registry): readonly Fault[] {
  const book = new RightsBook(roles);
  return [...roles.byName.values()].flatMap((role) => {
    const rights = book.of({ roles: [role.name] });
    return role.examples.flatMap((example) => {
      const text = rights && differenceIn(example, { role, rights, registry });
      return text === undefined
        ? []
        : [{ ...fileFault({ ...example.place, rule: 'example', text }), ...example.place }];
    });
  });
}

interface Surroundings {
  readonly role: Role;
  readonly rights: Rights;
  readonly registry: Registry;
}

/** In which an example ends otherwise than it says; undefined where it does not. */
function differenceIn(example: Example, { role, rights, registry }: Surroundings): string | undefined {
  const resource = registry.resources.get(example.on);
  if (resource === undefined) return undefined;
  const { to, isAllowed, by } = example;
  const world = new ExampleWorld(registry, resource, example);
  const verdict = endOf(to, world, rights);
  const says = verdict.isAllowed ? 'allowed' : 'refused';
  if (verdict.isAllowed !== isAllowed) return `is ${says}, not as it says; ${consideredIn(verdict, role, example)}`;
  const deciding = (isAllowed ? verdict.by : verdict.forbiddenBy).map(({ id }) => id);
  if (by === undefined || deciding.includes(by) || deciding.includes(`${role.name}/${by}`)) return undefined;
  return `is ${says} by ${deciding.join(', ') || 'no rule'}, not by ${by}; ${consideredIn(verdict, role, example)}`;
}

/** What may not be read is not there for a write; the history of a record needs the record. */
function endOf(operation: AccessOperation, world: ExampleWorld, rights: Rights): Verdict {
  const verdict = verdictIn(operation, world, rights);
  if (operation === 'history')
    return verdictIn('get', world, rights).isAllowed ? verdict : { ...verdict, isAllowed: false };
  if (operation !== 'update' && operation !== 'delete') return verdict;
  const isSeen = (['list', 'get'] as const).some((read) => verdictIn(read, world, rights).isAllowed);
  return isSeen ? verdict : { ...verdict, isAllowed: false };
}

function verdictIn(operation: AccessOperation, world: ExampleWorld, rights: Rights): Verdict {
  const isCreate = operation === 'create';
  const isWrite = isCreate || operation === 'update';
  const truth: Case['truth'] = (condition, of): Truth => {
    const self = recordValue(of === 'new' ? world.next : world.stored);
    const found = condition.truth(self, world.facts(of, isCreate));
    return found === notKnown ? 'undecided' : found;
  };
  const changed = isWrite
    ? [...world.sent].filter((key) => isCreate || !isSame(world.next[key], world.stored[key]))
    : [];
  return verdictOf(rights.on(world.resource.name, operation), { operation, changed, knowsNew: isWrite, truth });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The rules about it, each with what it came to. */
function consideredIn({ by, forbiddenBy, uncovered }: Verdict, { rules }: Role, { on, to }: Example): string {
  const about = rules.filter((rule) => rule.group === on && rule.operations.has(to));
  if (about.length === 0) return 'no rule is about it';
  const came = (rule: Rule): string => {
    const [yes, no] = rule.effect === 'allow' ? ['allows it', 'does not hold'] : ['forbids it', 'does not hold'];
    return `${rule.id} ${by.includes(rule) || forbiddenBy.includes(rule) ? yes : no}`;
  };
  const fields =
    by.length === 0 || uncovered.length === 0 ? '' : `; no rule that holds lets ${uncovered.join(', ')} be written`;
  return `considered: ${about.map(came).join(', ')}${fields}`;
}
