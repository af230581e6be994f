// Makes the rules of a role's file: each as it applies to each of its groups, with the faults of what it names.
import type { Scope } from '../formulas/compile/scope.ts';
import type { Shape, Tree } from '../formulas/language/tree.ts';
import { compileCondition, withBody } from '../registry/formulas/conditions.ts';
import type { Condition, Registry, Resource } from '../registry/model/model.ts';
import { excerpt } from '../text/excerpt.ts';
import { didYouMean } from '../text/nearest.ts';
import { type AccessOperation, operationsOf, type Place, type Report, type Rule } from './model.ts';
import type { RawRule, RoleFile } from './read.ts';
import { type Unsayable, unsayableIn } from './sayable.ts';
import { createFieldReader, type RoleCondition, truthBy } from './truth.ts';
import { groupsOf, operationsIn } from './words.ts';

type Path = (string | number)[];

/** A rule as it stands in its file. */
interface Standing {
  readonly file: RoleFile;
  readonly effect: Rule['effect'];
  readonly raw: RawRule;
  readonly id: string;
  readonly path: Path;
  readonly place: Place;
  readonly report: Report;
  /** Those that it names, whether a group has them or not. */
  readonly operations: readonly AccessOperation[];
}

/** Finds the first part of a condition over records of a group, or over none, that a database cannot judge. */
export type Unsaid = (tree: Tree, group: string | undefined) => Tree | undefined;

/** What conditions over a role may stand on: no record at all. */
const nobody: Shape = {
  group: '',
  words: 'a role',
  kind: 'object',
  lists: [],
  member: () => undefined,
  names: () => [],
  owner: undefined,
};

export class RuleCompiler {
  readonly #registry: Registry;
  readonly #unsaid: Unsaid;
  readonly #me: Shape | undefined;
  readonly #scopes = new Map<string, Scope>();

  constructor(registry: Registry, unsaid: Unsaid) {
    this.#registry = registry;
    this.#unsaid = unsaid;
    const { actors } = registry;
    this.#me = actors === undefined ? undefined : registry.scopeOf(actors).record;
  }

  /** The rules of a file, those of `allow` first. */
  rulesOf(file: RoleFile, report: Report): readonly Rule[] {
    const { allow, forbid = [] } = file.raw;
    const all = [
      ...allow.map((raw, index) => this.#standing(file, report, { effect: 'allow', raw, index })),
      ...forbid.map((raw, index) => this.#standing(file, report, { effect: 'forbid', raw, index })),
    ];
    const seen = new Set<string>();
    for (const { id, path } of all) {
      if (seen.has(id)) report([...path, 'id'], `"${id}" is twice in the role`, 'twice');
      seen.add(id);
    }
    return all.flatMap((standing) => this.#applied(standing));
  }

  /** Who holds a role. */
  heldBy({ raw: { heldBy: source } }: RoleFile, report: Report): Condition | undefined {
    if (source === undefined) return undefined;
    const [any] = this.#registry.resources.keys();
    if (this.#me === undefined || any === undefined) {
      report(['heldBy'], 'means nothing: no field of a record has an acting member ("defaultFrom")', 'held-by');
      return undefined;
    }
    const scope: Scope = { ...this.#registry.scopeOf(any), record: nobody, me: this.#me };
    const compiled = compileCondition(source, scope);
    const wrong = typeof compiled === 'object' ? this.#unsayable(compiled, undefined) : compiled;
    if (wrong !== undefined) report(['heldBy'], wrong, 'condition');
    return typeof compiled === 'object' ? compiled : undefined;
  }

  #standing(
    file: RoleFile,
    report: Report,
    { effect, raw, index }: { readonly effect: Rule['effect']; readonly raw: RawRule; readonly index: number },
  ): Standing {
    const path = [effect, index];
    const { line, column, pointer } = file.fault(path, '');
    const operations = [...new Set(raw.to.flatMap(operationsOf))];
    const place = { file: file.file, line, column, pointer };
    return { file, effect, raw, id: raw.id ?? `${effect}[${index}]`, path, place, report, operations };
  }

  /** A rule as it applies to each of its groups. */
  #applied(standing: Standing): readonly Rule[] {
    checkKeywords(standing);
    const groups = this.#groupsOf(standing);
    let isWrong = false;
    return groups.flatMap((resource): Rule[] => {
      // One group's faults are enough: those of the others are mostly the same.
      const report: Report = (path, text, rule) => {
        if (isWrong) return;
        standing.report(path, groups.length > 1 ? `on "${resource.name}": ${text}` : text, rule);
      };
      let told = false;
      const noted: Report = (path, text, rule) => {
        told = true;
        report(path, text, rule);
      };
      const rule = this.#ruleOn(resource, { ...standing, report: noted });
      isWrong ||= told;
      return rule.operations.size === 0 ? [] : [rule];
    });
  }

  /** Each group once, in the order of the registry; unknown words are told. */
  #groupsOf({ raw: { on }, path, report, operations }: Standing): readonly Resource[] {
    const named = new Set<string>();
    for (const [index, word] of on.entries()) {
      const found = groupsOf(word, this.#registry);
      if (typeof found === 'string') report([...path, 'on', index], found, 'unknown-group');
      else {
        for (const { name } of found) named.add(name);
        const [only] = found;
        if (only?.name === word && !operations.some((each) => operationsIn(only).has(each)))
          report([...path, 'on', index], `"${word}" has none of these operations`, 'no-operation');
      }
    }
    return [...this.#registry.resources.values()].filter(({ name }) => named.has(name));
  }

  #ruleOn(resource: Resource, standing: Standing): Rule {
    const { file, effect, raw, id, path, place, report } = standing;
    const served = operationsIn(resource);
    const operations = new Set(standing.operations.filter((each) => served.has(each)));
    const isOfNew = standing.operations.every((each) => each === 'create');
    const scope = this.#scopeOf(resource.name);
    const condition = (keyword: 'when' | 'after', isSaid: boolean): RoleCondition | undefined => {
      const source = raw[keyword];
      if (source === undefined) return undefined;
      if (resource.computed !== undefined) {
        report([...path, keyword], 'judges records, and these are computed at each request', 'condition');
        return undefined;
      }
      const compiled = compileCondition(source, isSaid ? scope : withBody(scope));
      const wrong = typeof compiled === 'object' && isSaid ? this.#unsayable(compiled, resource.name) : compiled;
      if (typeof wrong === 'string') report([...path, keyword], wrong, 'condition');
      if (typeof compiled !== 'object') return undefined;
      return { ...compiled, truth: truthBy(compiled.tree), readsField: createFieldReader(compiled.tree) };
    };
    return Object.freeze({
      id: `${file.name}/${id}`,
      role: file.name,
      effect,
      group: resource.name,
      operations,
      when: condition('when', !isOfNew),
      after: condition('after', false),
      shows: shownBy(resource, standing),
      writes: writtenBy(resource, standing),
      fields: raw.fields,
      namesAll: raw.names === 'all',
      because: raw.because,
      place,
    });
  }

  /** A part of a condition that the database cannot judge, as a fault. */
  #unsayable({ source, tree }: Condition, group: string | undefined): string | undefined {
    const found = unsayableIn(tree) ?? this.#unsaidIn(tree, source, group);
    if (found === undefined) return undefined;
    const what =
      group === undefined ? 'the database cannot evaluate the holders of a role' : 'the database cannot filter a list';
    return `${what} by "${found.words}"; put it in a computed field of the record, and compare that field${excerpt(source, found.offset)}`;
  }

  #unsaidIn(tree: Tree, source: string, group: string | undefined): Unsayable | undefined {
    const part = this.#unsaid(tree, group);
    return part && { words: source.slice(part.start, part.end), offset: part.start };
  }

  #scopeOf(group: string): Scope {
    const known = this.#scopes.get(group) ?? { ...this.#registry.scopeOf(group), me: this.#me };
    this.#scopes.set(group, known);
    return known;
  }
}

/** What is wrong with how the keywords of a rule stand together. */
function checkKeywords({ raw, path, report, operations }: Standing): void {
  const { after, names, fields } = raw;
  const unjudged = operations.find((each) => each !== 'create' && each !== 'update');
  if (after !== undefined && unjudged !== undefined)
    report([...path, 'after'], `is evaluated on the written record, but "${unjudged}" writes no record`, 'after');
  if (names !== undefined && !operations.some((each) => each === 'list' || each === 'get'))
    report([...path, 'names'], 'has no effect unless the rule allows "list" or "get"', 'names');
  for (const [one, other] of [
    ['show', 'hide'],
    ['write', 'keep'],
  ] as const)
    if (fields?.[one] !== undefined && fields[other] !== undefined)
      report([...path, 'fields', other], `contradicts "${one}"; keep one of the two`, 'fields');
}

function shownBy(resource: Resource, { raw: { fields = {} }, path, report }: Standing): Rule['shows'] {
  const { show, hide } = fields;
  const names = ['id', ...resource.byName.keys()];
  const check = (keyword: 'show' | 'hide', list: readonly string[]): void => {
    for (const [index, name] of list.entries()) {
      if (names.includes(name)) {
        if (keyword === 'hide' && name === 'id')
          report([...path, 'fields', 'hide', index], '"id" is always shown', 'fields');
        continue;
      }
      const called = resource.byKey.get(name)?.name;
      const hint = called === undefined ? didYouMean(name, names) : `; did you mean "${called}"?`;
      report(
        [...path, 'fields', keyword, index],
        `names "${name}", which the record does not have${hint}`,
        'unknown-field',
      );
    }
  };
  if (show !== undefined) {
    check('show', show);
    return new Set(['id', ...show]);
  }
  if (hide === undefined) return undefined;
  check('hide', hide);
  return new Set(names.filter((name) => !hide.includes(name)));
}

function writtenBy(resource: Resource, { raw: { fields = {} }, path, report }: Standing): Rule['writes'] {
  const { write, keep } = fields;
  const keys = resource.fields.filter(({ onCreate, onUpdate }) => onCreate || onUpdate).map(({ key }) => key);
  const check = (keyword: 'write' | 'keep', list: readonly string[]): void => {
    for (const [index, key] of list.entries()) {
      if (keys.includes(key)) continue;
      const called = resource.byName.get(key)?.key ?? '';
      const hint = keys.includes(called) ? `; did you mean "${called}"?` : didYouMean(key, keys);
      const isKnown = resource.byKey.has(key);
      const text = `names "${key}", which bodies ${isKnown ? 'cannot hold' : 'do not have'}${hint}`;
      report([...path, 'fields', keyword, index], text, 'unknown-field');
    }
  };
  if (write !== undefined) {
    check('write', write);
    return new Set(write);
  }
  if (keep === undefined) return undefined;
  check('keep', keep);
  return new Set(keys.filter((key) => !keep.includes(key)));
}
