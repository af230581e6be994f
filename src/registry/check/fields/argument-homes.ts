// Resolves names in the arguments of rules: fields of the record, of another group, or inside a list.
import type { JSONPath } from 'jsonc-parser';
import { keyOf } from '../../model/field-names.ts';
import type { RuleSignature } from '../../model/model.ts';
import { leavesOf, meantType, namesGroup, type ParameterType } from '../../model/parameters.ts';
import { own, type RawField, type RawRule } from '../../model/vocabulary.ts';
import { idField, type Placed, targetOf } from './field-types.ts';
import { followPath, type Linked, type Links } from './paths.ts';

/** One use of a rule in a group. */
export interface Use {
  readonly rule: RawRule;
  readonly path: JSONPath;
  readonly signature: RuleSignature;
  readonly group: Linked;
  readonly links: Links;
}

/** A key of a map, with what it stands for. */
export interface MapKey {
  readonly type: ParameterType;
  readonly text: string;
}

/** A use, and the keys of the maps around the place that is looked at, the innermost last. */
export interface Scope {
  readonly use: Use;
  readonly keys: readonly MapKey[];
}

/** Fields that stand together. */
export interface Home {
  readonly fields: Readonly<Record<string, RawField | true>>;
  /** The group whose record they are part of. */
  readonly group: string;
  /** What faults call it: a group, a list. */
  readonly label: string;
  /** They are the fields of the record that the rule is about. */
  readonly isOwn: boolean;
  /** They are those of a record, which has an id. */
  readonly isRecord: boolean;
}

export interface KeyedField extends Placed {
  /** Its name in bodies and inside the engine. */
  readonly key: string;
}

const createdAt: RawField = { type: 'string', format: 'date-time', readOnly: true };

const ownHome = ({ group }: Use): Home => ({ ...homeOfGroup(group), isOwn: true });

const homeOfGroup = ({ name, raw }: Linked): Home => ({
  fields: raw.properties,
  group: name,
  label: name,
  isOwn: false,
  isRecord: true,
});

/** A field by its name or its key. */
export function fieldIn(home: Home, word: string): KeyedField | undefined {
  const found = own(home.fields, word);
  const { group } = home;
  if (found === true) return { name: word, key: word, field: createdAt, group };
  if (found !== undefined) return { name: word, key: keyOf(word, found), field: found, group };
  for (const [name, field] of Object.entries(home.fields))
    if (field !== true && keyOf(name, field) === word) return { name, key: word, field, group };
  return word === 'id' && home.isRecord ? { name: 'id', key: 'id', field: idField, group } : undefined;
}

/** The fields that a field leads to, or has inside. */
function homeBehind(placed: Placed, links: Links): Home | undefined {
  const inside = placed.field.properties ?? placed.field.items?.properties;
  if (inside !== undefined)
    return { fields: inside, group: placed.group, label: placed.name, isOwn: false, isRecord: false };
  const target = links.groups.get(targetOf(placed) ?? '');
  return target && homeOfGroup(target);
}

/**
 * The homes that a word of a signature stands for: `this`, `workspace`, `@key`, an argument, and behind a point
 * what a field there leads to or has inside (`list.id`, `this.lines`). Several where the
 * argument names several groups.
 * @returns undefined where something on the way is wrong, which is told at its own place, or is not there.
 */
export function homesOf(word: string | undefined, scope: Scope): readonly Home[] | undefined {
  const { use } = scope;
  if (word === undefined || word === 'this') return [ownHome(use)];
  if (word === 'workspace') return use.links.workspace && [homeOfGroup(use.links.workspace)];
  if (word === '@key') return homesOfKey(scope);
  const [first = '', ...steps] = word.split('.');
  let homes = first === 'this' ? [ownHome(use)] : homesOfArgument(first, scope);
  for (const step of steps) {
    homes = homes?.flatMap((home) => {
      const found = fieldIn(home, step);
      return (found && homeBehind(found, use.links)) ?? [];
    });
  }
  return homes === undefined || homes.length === 0 ? undefined : homes;
}

function homesOfKey(scope: Scope): readonly Home[] | undefined {
  const key = scope.keys.at(-1);
  if (key === undefined) return undefined;
  const isBranch = typeof key.type === 'object' && 'branchOf' in key.type;
  const name = isBranch ? own(branchesOf(key.type.branchOf, scope), key.text) : key.text;
  const group = scope.use.links.groups.get(name ?? '');
  return group && [homeOfGroup(group)];
}

function homesOfArgument(name: string, scope: Scope): readonly Home[] | undefined {
  const { links, signature, rule } = scope.use;
  const type = own(signature.parameters, name);
  const value = own(rule, name);
  if (type === undefined || value === undefined) return undefined;
  const leaves = leavesOf(type, value);
  const groups = leaves.filter((leaf) => namesGroup(leaf.type));
  if (groups.length > 0)
    return groups.flatMap(({ text }) => {
      const group = links.groups.get(text);
      return group === undefined ? [] : [homeOfGroup(group)];
    });
  const placed = placedOf(name, scope);
  const home = placed && homeBehind(placed, links);
  return home && [home];
}

/** The field that an argument, or `@key`, names: by its name, or as the end of a path. */
export function placedOf(word: string, scope: Scope): KeyedField | undefined {
  const { use } = scope;
  const key = word === '@key' ? scope.keys.at(-1) : undefined;
  const declared = key?.type ?? own(use.signature.parameters, word);
  const value = key?.text ?? own(use.rule, word);
  if (declared === undefined || typeof value !== 'string') return undefined;
  const type = meantType(declared, value);
  if (typeof type === 'object' && 'path' in type) {
    const [from] = pathGroups(type.in, scope) ?? [];
    const end = from && followPath(value, { group: from, links: use.links }, () => undefined);
    return end && { name: end.name, key: end.name, field: end.field, group: end.group.name };
  }
  // The key of a map stands beside the map, and not in it.
  const around = word === '@key' ? { ...scope, keys: scope.keys.slice(0, -1) } : scope;
  const homes = homesOf(typeof type === 'object' && 'field' in type ? type.in : undefined, around);
  return homes?.[0] && fieldIn(homes[0], value);
}

/** The groups from which paths begin. */
export function pathGroups(word: string | undefined, scope: Scope): readonly Linked[] | undefined {
  if (word === undefined) return [scope.use.group];
  return homesOf(word, scope)?.flatMap((home) => (home.isRecord ? (scope.use.links.groups.get(home.group) ?? []) : []));
}

/** The groups of a list of ids of several groups, by the word that tells of which. */
export function branchesOf(argument: string, scope: Scope): Readonly<Record<string, string>> {
  const inside = placedOf(argument, scope)?.field.items?.properties ?? {};
  return Object.values(inside).find(({ groups }) => groups !== undefined)?.groups ?? {};
}
