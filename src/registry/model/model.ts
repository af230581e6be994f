// The model of descriptors: normalised, linked and frozen. Everything outside of `registry` knows descriptors only by it; raw
// JSON stays in `source.ts` and `normalise.ts`.

import type { DayBound } from '../../formulas/analyse/day-bounds.ts';
import type { Read } from '../../formulas/analyse/dependencies.ts';
import type { Watch } from '../../formulas/analyse/reverse-dependencies.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import type { NamedFormula, Shape, Tree } from '../../formulas/language/tree.ts';
import type { Gift, Needs, ParameterType } from './parameters.ts';

export const operations = ['list', 'get', 'create', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

/** What an unset field holds (and shows): it cannot be unset, null, or the empty string. */
export type Unset = 'never' | 'null' | 'empty';

export type TextFormat = 'email' | 'url' | 'time-zone' | 'currency' | 'time' | 'slug';
type DeleteRule = 'restrict' | 'cascade' | 'clear';
export type FilterFamily = 'exact' | 'text' | 'range';

/**
 * A value of a record inside the engine. Decimals are text in plain notation without trailing zeros ("12.5"), dates
 * `YYYY-MM-DD`, times ISO 8601 UTC with milliseconds, references the id of the other record.
 */
export type Value = string | number | boolean | null | readonly Value[] | Values;
/** A record inside the engine, by `key` of its fields (`ownerId`, `tagIds`). */
export interface Values {
  [key: string]: Value | undefined;
}

/** A formula that is true or false, compiled once. A comparison that null makes impossible is false. */
export interface Condition {
  readonly source: string;
  readonly tree: Tree;
  /** Keys of the record's own fields that it looks at, those with which paths begin among them. */
  readonly keys: readonly string[];
  /** Paths over references that it looks at (`project.isBillable`, `project.client.isInternal`). */
  readonly paths: readonly string[];
  /** Keys of the fields that it looks at, by the group of the records that have them: its own record's and others'. */
  readonly keysByGroup: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of the record alone: references lead to nothing. */
  readonly test: (values: Readonly<Values>) => boolean;
  /** Whether the record alone tells that it does not hold, whatever others are like, and whatever is under `unsound` keys. */
  readonly rulesOut: (values: Readonly<Values>, unsound?: ReadonlySet<string>) => boolean;
}

/** A formula that a field equals. */
export interface Figure {
  readonly source: string;
  readonly tree: Tree;
  /** `always`: whenever the record is written. What is taken otherwise may look at other records. `atRead` is not kept. */
  readonly taken: 'always' | 'atWrite' | 'onCreate' | 'atRead';
  /** Keys of fields whose change takes it anew. */
  readonly again: readonly string[];
  /** What it stands on: the record, or an object or item of it. */
  readonly on: Shape;
  /** What it looks at: in the record and inside it, and in others. */
  readonly reads: readonly Read[];
  /** What it looks at in other records of the group, among which the record itself may be. */
  readonly alike: readonly Read[];
  /** Keys of the record's own fields that it looks at. */
  readonly keys: readonly string[];
  /** Whether it looks at nothing but its own record. */
  readonly isLocal: boolean;
  /** While this does not hold the field is one without a formula. */
  readonly when: Condition | undefined;
  /** Keys of the record's own fields that this condition looks at, from inside an object or item too. */
  readonly whenKeys: readonly string[];
  /** Of one that is always true: where it looks at records of other groups, or at others of its own. */
  readonly watches: readonly Watched[];
  /** Of one that is always true: whom a day concerns. */
  readonly days: readonly DayBound[];
}

/** Records of a group at which a figure looks. */
export interface Watched extends Watch {
  /** Keys whose change makes the figure another. */
  readonly keys: ReadonlySet<string>;
}

/** A value that a field takes when a condition holds, whoever has made it hold. */
export interface State {
  readonly to: string | boolean;
  /** May compare with the record before the write. */
  readonly when: Condition;
  /** Other records at which the condition looks. */
  readonly watches: readonly Watched[];
  /** Whom a day concerns. */
  readonly days: readonly DayBound[];
}

/** A field of another group, and the formula of the record that has the effect which gives its value. */
export interface Setting {
  /** Name or key of the field. */
  readonly name: string;
  readonly source: string;
  readonly tree: Tree;
}

/** Fields whose changes are logged together. */
export interface Logged {
  /** What formulas of the log know as `kind`. */
  readonly kind: string;
  readonly fields: readonly Field[];
  /** Whether the descriptor does not name them: all that stand nowhere else. */
  readonly isOfOthers: boolean;
}

/** What an effect hangs on: one of these has happened to the record, or a day has begun. */
export type EffectEvent = 'create' | 'update' | 'delete' | 'becomes' | 'day';

/** What a write of a record does to others. */
export type Effect = {
  readonly on: ReadonlySet<EffectEvent>;
  /** Fields of which the body sends one; empty where that does not matter. */
  readonly sent: readonly Pick<Field, 'name' | 'key'>[];
  readonly when: Condition | undefined;
  /** Of one that hangs on the day: whom a day concerns. */
  readonly days: readonly DayBound[];
  readonly group: string;
} & (
  | {
      readonly kind: 'make';
      readonly settings: readonly Setting[];
      /** Of a log: one is made for each of these of which a field has changed. */
      readonly logs: readonly Logged[] | undefined;
    }
  | {
      readonly kind: 'change';
      /** Undefined if the effect sets fields of the record that has it. */
      readonly source: string | undefined;
      readonly targets: Tree;
      readonly settings: readonly Setting[];
    }
  /** Records, or items of the list that these keys lead to. */
  | { readonly kind: 'remove'; readonly source: string; readonly targets: Tree; readonly lists: readonly string[] }
);

/** Where a missing value comes from on create. */
export type DefaultSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'today' }
  | { readonly kind: 'actingMember' }
  | { readonly kind: 'find'; readonly group: string; readonly where: Readonly<Values> }
  | { readonly kind: 'value'; readonly value: Value; readonly when?: Condition }
  /** Taken on create, and again when a field changes that it names and the body does not send this one. */
  | { readonly kind: 'formula'; readonly figure: Figure };

/** A value shown from another record while `when` holds. */
export interface Inherited {
  readonly when: SimpleCondition;
  /** `workspace.<field>` or `<reference>.<field>`. */
  readonly from: string;
}
/** A condition simple enough for SQL as well as for CEL. */
export interface SimpleCondition {
  readonly key: string;
  readonly operator: '==' | '!=';
  readonly literal: string | boolean | null;
}

/** A text, and formulas whose values stand in it. */
export interface Message {
  readonly parts: readonly (string | Tree)[];
}

/** A named rule of the catalogue with its arguments, as the descriptor gives them; conditions are compiled. */
export interface RuleUse {
  readonly use: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly conditions: Readonly<Record<string, Condition>>;
  readonly messages: Readonly<Record<string, Message>>;
  /** What the rule may answer with, so used. */
  readonly conflicts: Conflicts;
  /** Whose records they are about: this group's, those that its ids of several groups may be of, or one group's. */
  readonly conflictsAbout: ConflictsAbout;
  /** Fields that the rule computes while another one is set. */
  readonly computed: readonly { readonly name: string; readonly whileSet: string }[];
}

/** Why a rule refuses with a conflict (409), as `problems` names it. */
export type ConflictKind = 'readOnly' | 'inUse' | 'datesOverlap';
/** The conflict that a write may meet; `cascade` is a delete that comes from the record that owns this one. */
export type Conflicts = Readonly<Partial<Record<'create' | 'update' | 'delete' | 'cascade', ConflictKind>>>;

export type ConflictsAbout = 'own' | 'choices' | { readonly group: string };

/** What fields of every kind have. */
export interface FieldBase {
  /** Name in the record as callers read it. */
  readonly name: string;
  /** Name in bodies and inside the engine: `ownerId` for the reference `owner`, `tagIds` for the list `tags`. */
  readonly key: string;
  /** Column, or prefix of columns; '' for fields that have none. */
  readonly column: string;
  readonly description: string;
  readonly examples: readonly unknown[];
  readonly deprecated: boolean;
  /** What people call it; undefined where its name says it. */
  readonly label: string | undefined;
  /** Under which heading people see it; undefined for that of its kind. */
  readonly section: string | undefined;
  readonly shownIn: ShownIn | undefined;
  /** Accepted in create bodies, in update bodies. */
  readonly onCreate: boolean;
  readonly onUpdate: boolean;
  /** Required on create. */
  readonly required: boolean;
  readonly shown: boolean;
  /** Kept in the database: not `transient`, `from`, `via` or `atRead`, and not in a computed record. */
  readonly stored: boolean;
  readonly unset: Unset;
  readonly default: Value | undefined;
  readonly defaultFrom: readonly DefaultSource[];
  readonly onlyWhen: Condition | undefined;
  readonly requiredWhen: Condition | undefined;
  readonly inherits: readonly Inherited[];
  /** Path that the value is read through, for fields that are not stored. */
  readonly from: string | undefined;
  readonly derived: RuleUse | undefined;
  /** The formula that the field equals, or equalled when it was taken. */
  readonly figure: Figure | undefined;
  /** Values that follow from the rest of the record, in the order in which they are tried. */
  readonly becomes: readonly State[];
  /** Of a figure: that bodies may hold it, as long as it is right. */
  readonly accepts: 'equal' | undefined;
  readonly filter: FilterFamily | undefined;
  /** Whether lists can be sorted by it. */
  readonly sort: boolean;
  /** Of an amount of money: the path to its currency, as the descriptor has it. */
  readonly currency: string | undefined;
  /** Whether an amount of money is a price or rate per unit. */
  readonly isPerUnit: boolean;
  /** The name that the field had before: its values are kept. */
  readonly renamedFrom: string | undefined;
  /** Value of the enum (or of the list's items) → the value that it was before. */
  readonly renamedValues: Readonly<Record<string, string>>;
  /** Chosen by the query parameter of its name, in a computed record. */
  readonly isParameter: boolean;
  /** Whether it is part of a unique key. */
  readonly isOfKey: boolean;
  /** Whether its values are kept in the log of changes, and not only that they have changed. */
  readonly isLogged: boolean;
}

/** What people are shown of a number: minutes as hours, a ratio as percent. */
export type ShownIn = 'hours' | 'percent';

/** What a plain value may be; also the items of a list. What each kind is, is told in `kinds.ts`. */
export type Scalar =
  | {
      readonly kind: 'text';
      readonly maxLength: number;
      readonly format: TextFormat | undefined;
      /** A regular expression over the whole of it, and a text that it matches. */
      readonly pattern: string | undefined;
      readonly sample: string | undefined;
    }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date' }
  | { readonly kind: 'dateTime' }
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }
  | {
      readonly kind: 'decimal';
      readonly precision: number;
      readonly scale: number;
      readonly minimum: number | undefined;
      readonly maximum: number | undefined;
      readonly exclusiveMinimum: number | undefined;
    }
  | { readonly kind: 'boolean' }
  /** An object of any form, which is its JSON text inside. */
  | { readonly kind: 'json' };

export type ScalarField = FieldBase &
  Scalar & {
    readonly transitions: Readonly<Record<string, readonly string[]>> | undefined;
    /** Values of an enum that a create may send; `undefined` if it may send any. */
    readonly initialStates: readonly string[] | undefined;
  };
export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly item: Scalar;
  readonly minItems: number;
  readonly maxItems: number;
}
export interface ReferenceField extends FieldBase {
  readonly kind: 'reference';
  readonly target: string;
  readonly as: 'object' | 'id';
  readonly include: readonly string[];
  readonly onDelete: DeleteRule;
}
export interface ReferencesField extends FieldBase {
  readonly kind: 'references';
  readonly target: string;
  readonly onDelete: DeleteRule;
  readonly maxItems: number;
  /** The field of the target that names this record, for lists that are the other side of a reference. */
  readonly via: string | undefined;
}
/** An id of a record whose group another field beside it tells. Stands in items of lists. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  /** Key of the enum beside it. */
  readonly by: string;
  /** One for each value of the enum. */
  readonly branches: readonly Branch[];
}
/** While the enum has this value, the id is that of a record of the reference's group, and kept in its column. */
export interface Branch {
  readonly value: string;
  readonly reference: ReferenceField;
}
export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  readonly fields: readonly ScalarField[];
}
export interface ObjectsField extends FieldBase {
  readonly kind: 'objects';
  readonly fields: readonly Field[];
  readonly minItems: number;
  readonly maxItems: number;
  /** Key of an item field whose value may stand in a list once. */
  readonly distinct: string | undefined;
  /** Kept as one JSON text of the record: nobody can send it, refer through it or search in it. */
  readonly isEmbedded: boolean;
  /** The records that the items are, for lists that are the other side of a reference. */
  readonly via: OtherSide | undefined;
  /** Items have an id of their own, which callers may send to keep it. */
  readonly hasIds: boolean;
}
/** Records of another group that name this one by a field; items show fields of theirs, by name. */
export interface OtherSide {
  readonly target: string;
  readonly field: string;
  /** Name of the field that they are sorted by, before the order of their making. */
  readonly sortedBy: string | undefined;
}
export type Field =
  | ScalarField
  | ListField
  | ReferenceField
  | ReferencesField
  | ChoiceField
  | ObjectField
  | ObjectsField;

export type ScalarKind = Scalar['kind'];
export type ScalarOf<K extends ScalarKind> = Extract<Scalar, { readonly kind: K }>;

/** A part of a reference's name: literal text, or the first of several paths that has a value. */
export type ShownPart =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'value';
      /** Paths to plain values, the first of which that is set is shown. */
      readonly paths: readonly string[];
      /** The paths of the descriptor, which may end at references. */
      readonly written: readonly string[];
      readonly otherwise: string;
    };

export interface Feature {
  readonly name: string;
  readonly switch: string;
}

export interface UniqueKey {
  readonly fields: readonly Field[];
  /** Name of the last field: the word in the message. */
  readonly word: string;
}

/** Fields that callers cannot change while a condition holds of the stored record. */
export interface FieldLock {
  readonly when: Condition;
  /** Whether the descriptor names those that can still change. */
  readonly isOfAllBut: boolean;
  /** Those that it names. */
  readonly named: readonly Field[];
  /** Those that are locked. */
  readonly fields: readonly Field[];
}

/** A formula with a name, which other formulas call. */
export interface GroupFormula {
  readonly name: string;
  readonly given: NamedFormula['given'];
  readonly source: string;
  readonly tree: Tree;
}

/** The fields at which a path begins: those of a record, or of an item. */
export type PathStart = Pick<Resource, 'name' | 'byName' | 'byKey'>;

export interface Resource {
  readonly name: string;
  readonly file: string;
  /** The name that the group had before: its records are kept. */
  readonly renamedFrom: string | undefined;
  /** Human name, singular: `Cost Period`. */
  readonly title: string;
  readonly description: string;
  readonly area: string;
  readonly path: string;
  readonly operations: ReadonlySet<Operation>;
  readonly feature: Feature | undefined;
  readonly singleton: boolean;
  /** Whether callers must say which version of a record they change or delete. */
  readonly ifMatch: boolean;
  /** Whether the log of changes keeps what becomes of its records. */
  readonly isLogged: boolean;
  /** This record holds the settings that paths name `workspace`. */
  readonly isWorkspace: boolean;
  /** Of the settings: the key of the field with the time zone of `today`, and of the list of features that are on. */
  readonly timeZone: string | undefined;
  readonly features: string | undefined;
  readonly shownAs: readonly ShownPart[];
  /** Names of the fields that people are shown first in a list; undefined where nobody has said. */
  readonly shows: readonly string[] | undefined;
  /** Of a group that keeps views of others for the console: its texts that hold their name, the path of the group, and what is asked for. */
  readonly views: { readonly name: string; readonly of: string; readonly query: string } | undefined;
  /**
   * Computed at each request, and kept nowhere: the record has no table, no `id` and no `createdAt`. By a rule, or by the
   * formulas of its fields.
   */
  readonly computed: RuleUse | true | undefined;
  /** In the order of the record, `id` and `createdAt` among them. */
  readonly fields: readonly Field[];
  readonly byKey: ReadonlyMap<string, Field>;
  readonly byName: ReadonlyMap<string, Field>;
  readonly unique: readonly UniqueKey[];
  /** Fields by which rules find records together. */
  readonly indexes: readonly (readonly Field[])[];
  /** Of the group whose records act: their tokens end when what it looks at changes, and it does not hold then. */
  readonly mayAct: Condition | undefined;
  /** The same, of those who sign in: by the text of a unique field, while the condition holds. */
  readonly signIn: SignInRule | undefined;
  readonly lockedUpdate: Condition | undefined;
  readonly lockedDelete: Condition | undefined;
  /** Those of `rules`, then the conditions that stand on fields. */
  readonly lockedFields: readonly FieldLock[];
  readonly formulas: readonly GroupFormula[];
  readonly rules: readonly RuleUse[];
  readonly effects: readonly Effect[];
  /** Records whose figures, states and effects the begin of a day may concern; none where nothing hangs on the day. */
  readonly days: readonly DayBound[];
  /** Keys of fields whose change alone calls only for conditions that look at them. */
  readonly decisions: ReadonlySet<string>;
  readonly setup: readonly Readonly<Record<string, unknown>>[];
}

/** Who signs in, and by which name. */
interface SignInRule {
  readonly name: ScalarField;
  readonly when: Condition | undefined;
}

/** A field somewhere that refers to a group; `list` when it is a field of an owned list's items. */
export interface Referrer {
  readonly resource: Resource;
  readonly field: ReferenceField | ReferencesField;
  /** Under which its values have the id: an id of one of several groups has one key for all of them. */
  readonly key: string;
  readonly list: ObjectsField | undefined;
  /** The list in whose items `list` stands, if it is not the record's own. */
  readonly outer: ObjectsField | undefined;
}

export interface Registry {
  /** By name, in the order of creation: a group after those that it refers to. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** The one record that holds the workspace's settings, where there is one. */
  readonly workspace: Resource | undefined;
  /** The group of uploaded files, where a field holds one. */
  readonly files: Resource | undefined;
  readonly referrers: ReadonlyMap<string, readonly Referrer[]>;
  /** The group whose records act: that of the fields whose default is the acting member. */
  readonly actors: string | undefined;
  /** What formulas on a record of a group may name. */
  readonly scopeOf: (group: string) => Scope;
}

export interface WrongArgument {
  readonly argument?: string;
  readonly text: string;
}

/** A use of a rule, for people: a part of a descriptor, of a group called `example`, and of the groups that it looks at. */
export interface RuleExample extends ExampleFields {
  readonly rules?: readonly unknown[];
  readonly beside?: Readonly<Record<string, ExampleFields>>;
}

interface ExampleFields {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** What a rule answers: which argument names the field that is refused, where that stands, and the text behind its name. */
export interface Refusal {
  /** `{field}`, `{list}[0].{field}` */
  readonly at: string;
  readonly text: string;
  /** Where it is no matter of a create. */
  readonly on?: 'update';
}

/** What the registry must know of a rule of the catalogue to check its uses. */
export interface RuleSignature {
  readonly parameters: Readonly<Record<string, ParameterType>>;
  readonly optional?: readonly string[];
  /** The fields that the rule looks for by their names: in `this` record, in `workspace`, in or behind an argument (`list.id`). */
  readonly needs?: Readonly<Record<string, Needs>>;
  /** What it puts into the field on which it stands; a rule without it stands among `rules`, or computes a record. */
  readonly gives?: Gift;
  /** The conflicts that the rule may answer with: all of them, or those of one use. */
  readonly conflicts?: Conflicts | ((given: Readonly<Record<string, unknown>>) => Conflicts);
  /** Whose records they are about: of one use, those that an argument's reference leads to. The group's own without it. */
  readonly conflictsAbout?: ConflictsAbout | { readonly argument: string };
  /** Arguments whose fields the rule computes while that of another argument is set: bodies leave them out then. */
  readonly computed?: Readonly<Record<string, { readonly whileSet: string }>>;
  /** What is wrong with arguments that are right by themselves; without an argument, with the use. */
  readonly wrong?: (given: Readonly<Record<string, unknown>>) => readonly WrongArgument[];
  /**
   * The rule in words, for people. `{field}` stands for that argument; `{match:match}` says how it is written; a part in
   * brackets is left out without the arguments it names.
   */
  readonly says?: string;
  /** What a use may be refused with (400); arguments stand in braces, `{this}` for the group's title. */
  readonly refuses?: readonly Refusal[] | ((given: Readonly<Record<string, unknown>>) => readonly Refusal[]);
  readonly example?: RuleExample;
  /** There where it makes the whole of a computed record; all others are for records that are kept. */
  readonly compute?: unknown;
}
