// What a trial of a write tells: the fields that it fills in and the conditions that it judges, each in words, with the values
// that they have seen.
import { isUnset } from '../../facts/record-values.ts';
import { recordValue } from '../../formulas/evaluate/facts.ts';
import { parseFormula } from '../../formulas/language/syntax.ts';
import { conditionForPeople, formulaForPeople, ruleForPeople, valueForPeople } from '../../formulas/words/people.ts';
import type { DefaultSource, Field, Resource, RuleUse, Value, Values } from '../../registry/model/model.ts';
import type { Watching } from '../../rules/support/watching.ts';
import { isAsStored } from '../changes/same-value.ts';
import type { Draft } from '../draft/draft.ts';
import { writeOf } from '../draft/moment.ts';
import { shownName } from '../transaction/shown-name.ts';
import { Behind } from './explain.ts';
import type { ExplainedPart } from './explained.ts';

/** A value that a formula has looked at. */
interface SeenValue {
  /** `limit of customer` */
  readonly words: string;
  /** As the write would leave it. */
  readonly value: Value;
  /** Where it is the id of a record, how references show that. */
  readonly name?: string;
  /** Whether it is a figure of another record, which the write may move. */
  readonly isAfter?: true;
  /** As it is before the write; absent where that is the same, or there is no record yet. */
  readonly before?: Value;
  /** Names of the first records that it is made of, and how many there are. */
  readonly from: readonly string[];
  readonly count: number;
}

/** A field with a value from a formula or a default. */
export interface FilledIn {
  readonly name: string;
  readonly kind: 'figure' | 'default';
  readonly value: Value;
  /** Where it is the id of a record, how references show that. */
  readonly shownAs?: string;
  readonly before?: Value;
  readonly words: string;
  /** Absent if the value does not come from a formula. */
  readonly formula?: string;
  readonly seen: readonly SeenValue[];
}

/** A condition of the write, or of one that it brings about. */
export interface TriedCondition {
  readonly group: string;
  readonly rule: string;
  /** The field that it answers about. */
  readonly field: string | undefined;
  readonly words: string;
  readonly formula: string;
  readonly refuses: boolean;
  readonly seen: readonly SeenValue[];
}

/** So many records behind a value are named. */
const mostNamed = 3;

/** Watches one write, and keeps what it has seen of it. A write that is tried again is seen anew. */
export class Trial implements Watching {
  #filled: readonly FilledIn[] = [];
  readonly #conditions = new Map<string, TriedCondition>();
  #first: Draft | undefined;

  get filled(): readonly FilledIn[] {
    return this.#filled;
  }

  get conditions(): readonly TriedCondition[] {
    return [...this.#conditions.values()];
  }

  /** Before conditions are judged. */
  async judging(draft: Draft): Promise<void> {
    const { scope, operation } = draft;
    // The transaction was begun anew.
    if (this.#first === undefined || this.#first.scope !== scope) {
      this.#first = draft;
      this.#conditions.clear();
    }
    if (draft !== this.#first || operation === 'delete') return;
    const filled: FilledIn[] = [];
    for (const field of draft.group.resource.fields) filled.push(...(await filledIn(draft, field)));
    this.#filled = filled;
  }

  /** A condition that was judged. */
  async judged(draft: Draft, use: RuleUse, refuses: boolean): Promise<void> {
    const that = use.conditions['that'];
    const says = draft.scope.groups.rules[use.use]?.says ?? use.use;
    const { resource } = draft.group;
    const key = [use.arguments['field'], use.arguments['reference']].find((one) => typeof one === 'string');
    const field = key === undefined ? undefined : (resource.byKey.get(key)?.name ?? key);
    const name = `${resource.name} ${String(draft.values['id'])} ${JSON.stringify(use.arguments)}`;
    const known = this.#conditions.get(name);
    this.#conditions.set(name, {
      group: resource.name,
      rule: use.use,
      field,
      words: that === undefined ? ruleForPeople(says, use.arguments) : conditionForPeople(that.source),
      formula: that?.source ?? '',
      refuses: refuses || known?.refuses === true,
      // A condition on items stands on each of these.
      seen: that === undefined || use.use !== 'require' ? [] : await seenBy(draft, that),
    });
  }
}

async function filledIn(draft: Draft, field: Field): Promise<readonly FilledIn[]> {
  const { values, before } = draft;
  const { name, key, figure, shown } = field;
  if (!shown || figure?.taken === 'atRead') return [];
  const value = (values[key] as Value | undefined) ?? null;
  const isChanged = before === undefined || !isAsStored(field, (before[key] as Value | undefined) ?? null, value);
  if (figure === undefined && !(isChanged && isByDefault(draft, field, value))) return [];
  const formula = figure ?? field.defaultFrom.flatMap((source) => (source.kind === 'formula' ? source.figure : []))[0];
  const shownAs = await nameOf(draft, name, value);
  return [
    {
      name,
      kind: figure === undefined ? 'default' : 'figure',
      value,
      ...(shownAs !== undefined && { shownAs }),
      ...(before !== undefined && isChanged && { before: (before[key] as Value | undefined) ?? null }),
      words: formula === undefined ? defaultForPeople(field) : formulaForPeople(formula.source),
      ...(formula !== undefined && { formula: formula.source }),
      seen: formula === undefined ? [] : await seenBy(draft, formula),
    },
  ];
}

/** Reports whether a default gives the value of a field. What is sent is not a default, and an empty value fills in nothing. */
function isByDefault({ sent }: Draft, field: Field, value: Value): boolean {
  if (sent.has(field.key) || isUnset(value) || (Array.isArray(value) && value.length === 0)) return false;
  return field.defaultFrom.length > 0 || (field.default !== undefined && isAsStored(field, field.default, value));
}

/** The sources of a default without a formula, in their order. */
const defaultForPeople = ({ defaultFrom }: Field): string =>
  defaultFrom.length === 0 ? 'by default' : `by default: ${defaultFrom.map(sourceForPeople).join(', otherwise ')}`;

function sourceForPeople(source: DefaultSource): string {
  switch (source.kind) {
    case 'today':
      return 'today';
    case 'actingMember':
      return 'acting member';
    case 'path':
      return formulaForPeople(source.path);
    case 'formula':
      return formulaForPeople(source.figure.source);
    case 'find':
      return `${source.group.replaceAll('-', ' ')} where ${Object.entries(source.where)
        .map(([name, value]) => conditionForPeople(`${name} == ${JSON.stringify(value)}`))
        .join(' and ')}`;
    case 'value':
      return `${valueForPeople(String(source.value))}${source.when === undefined ? '' : ` if ${conditionForPeople(source.when.source)}`}`;
  }
}

interface Written {
  readonly source: string;
  readonly tree: Parameters<Behind['parts']>[0]['tree'];
}

/** The values at which a formula has looked: as the write would leave them, and as they are before it. */
async function seenBy(draft: Draft, formula: Written): Promise<readonly SeenValue[]> {
  const after = draft.operation === 'delete' ? (draft.before ?? draft.values) : draft.values;
  const now = await partsOf(draft, formula, after);
  const old =
    draft.operation === 'update' && draft.before !== undefined ? await partsOf(draft, formula, draft.before) : [];
  const before = new Map(old.map((part) => [part.words, part.value]));
  // What the formula is in all is told beside it.
  const parts = now.filter(({ words, sources }) => sources.length > 0 || words !== formula.source);
  const shown = await Promise.all(parts.map(({ words, value }) => nameOf(draft, words, value)));
  return parts.map(({ words, value, sources, isAfter, more = 0 }, place) => {
    const names = sources.flatMap((source) => ('hidden' in source ? [] : [source.name]));
    const last = before.get(words) ?? null;
    const hasChanged = before.has(words) && JSON.stringify(last) !== JSON.stringify(value);
    return {
      words: formulaForPeople(words),
      value: asAsked(words, value),
      ...(shown[place] !== undefined && { name: shown[place] }),
      ...(isAfter && { isAfter }),
      ...(hasChanged && { before: asAsked(words, last) }),
      from: names.filter((name) => name !== '').slice(0, mostNamed),
      count: sources.length + more,
    };
  });
}

/** How references show the record whose id stands at a path; undefined for any other value. */
async function nameOf({ scope, group }: Draft, path: string, id: Value): Promise<string | undefined> {
  let at: Resource | undefined = group.resource;
  let last: Field | undefined;
  for (const name of path.replace(/^old\./, '').split('.')) {
    last = at?.byName.get(name) ?? at?.byKey.get(name);
    at = last?.kind === 'reference' ? scope.groups.registry.resources.get(last.target) : undefined;
  }
  if (at === undefined || typeof id !== 'string') return undefined;
  const record = (await scope.records.many(at.name, [id])).get(id);
  return record && shownName(scope, at.name, record);
}

async function partsOf(
  draft: Draft,
  { source, tree }: Written,
  record: Readonly<Values>,
): Promise<readonly ExplainedPart[]> {
  const { scope, group, operation, before, sent } = draft;
  const write = { operation, before, sent, actingMember: scope.actingMember, befores: writeOf(draft).befores };
  const behind = new Behind(scope, { resource: group.resource, record, write, mostSources: mostNamed });
  return behind.parts({ source, tree, self: recordValue(record) }, 1);
}

/** Whether there is any is counted, and told as what was asked. */
function asAsked(source: string, value: Value): Value {
  return /\.exists\(/.test(source) && typeof value !== 'boolean' && isExists(source) ? Number(value) > 0 : value;
}

function isExists(source: string): boolean {
  const node = parseFormula(source);
  return node.op === 'call' && node.name === 'exists';
}
