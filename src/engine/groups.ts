// What the engine keeps for each group: its statements, its rows, the function that writes its JSON. Made at first use,
// so that starting costs the same with eight groups as with eight hundred.
import type { Rule } from '../behaviours/rule.ts';
import type { Registry, Resource, RuleUse } from '../registry/model.ts';
import { viewOf } from '../storage/group-view.ts';
import { Queries } from '../storage/query.ts';
import { RowStore } from '../storage/rows.ts';
import type { DialectName } from '../storage/session.ts';
import type { ListView } from '../storage/view.ts';
import { compileWriter, type RecordWriter } from '../storage/writer.ts';
import { entangledKeys } from './shortcuts.ts';

/** One list-valued field of a group, and how its items are written. */
export interface GroupList {
  readonly view: ListView;
  readonly write: RecordWriter;
  /** Lists of the items. */
  readonly lists: readonly GroupList[];
}

/** The steps of a write at which rules act. */
export type Step = 'guard' | 'fill' | 'derive' | 'check' | 'after';

interface Act {
  readonly rule: Rule;
  readonly use: RuleUse;
  readonly act: NonNullable<Rule[Step]>;
}

export interface Group {
  readonly resource: Resource;
  readonly rows: RowStore;
  readonly queries: Queries;
  readonly write: RecordWriter;
  readonly lists: readonly GroupList[];
  /** What the rules do at each step of a write, in the order of the descriptor. */
  readonly acts: Readonly<Record<Step, readonly Act[]>>;
  /** Keys whose change needs the stored record; undefined when every change does. */
  readonly entangled: ReadonlySet<string> | undefined;
}

const listsOf = (views: readonly ListView[], dialect: DialectName): GroupList[] =>
  views.map((view) => ({ view, write: compileWriter(view.node, dialect), lists: listsOf(view.lists, dialect) }));

export class Groups {
  readonly registry: Registry;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly dialect: DialectName;
  readonly #made = new Map<string, Group>();

  constructor(registry: Registry, rules: Readonly<Record<string, Rule>>, dialect: DialectName) {
    this.registry = registry;
    this.rules = rules;
    this.dialect = dialect;
  }

  get(name: string): Group {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const resource = this.registry.resources.get(name);
    if (resource === undefined) throw new Error(`unknown group ${name}`);
    const view = viewOf(this.registry, resource);
    const group: Group = Object.freeze({
      resource,
      rows: new RowStore(resource, this.dialect),
      queries: new Queries(view, this.dialect),
      write: compileWriter(view.node, this.dialect),
      lists: listsOf(view.lists, this.dialect),
      acts: this.#actsOf(resource),
      entangled: entangledKeys(resource, this.rules),
    });
    this.#made.set(name, group);
    return group;
  }

  #actsOf({ rules }: Resource): Group['acts'] {
    const at = (step: Step): readonly Act[] =>
      rules.flatMap((use) => {
        const rule = this.rules[use.use];
        const act = rule?.[step];
        return rule === undefined || act === undefined ? [] : [{ rule, use, act }];
      });
    return { guard: at('guard'), fill: at('fill'), derive: at('derive'), check: at('check'), after: at('after') };
  }
}
