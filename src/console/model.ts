// The console's model of the groups: types of plain JSON, imported by the service and the browser.
import type { Comparison } from '../endpoints/routes/endpoint.ts';

export interface FilterModel {
  /** Of the query parameter. */
  readonly name: string;
  /** `lines[].project` */
  readonly path: string;
  /** `string`, so that comparisons that come later are told as they are. */
  readonly comparison: Comparison | (string & {});
  /** Kind of the value that it takes. */
  readonly kind: string;
  readonly format?: string;
  readonly values?: readonly string[];
  /** The group whose ids it takes. */
  readonly target?: string;
}

export interface FieldModel {
  readonly name: string;
  /** Name in bodies. */
  readonly key: string;
  readonly kind: string;
  readonly description: string;
  readonly unset: 'never' | 'null' | 'empty';
  readonly shown: boolean;
  readonly onCreate: boolean;
  readonly onUpdate: boolean;
  /** On create, and without a default. */
  readonly required: boolean;
  readonly default?: unknown;
  /** Whether a value that is left out comes from somewhere. */
  readonly hasDefault?: boolean;
  readonly deprecated?: boolean;
  /** What people call it, where the descriptor says that. */
  readonly label?: string;
  /** The heading under which it stands, where the descriptor says that. */
  readonly section?: string;
  /** Minutes as hours, a ratio as percent. */
  readonly shownIn?: 'hours' | 'percent';
  /** When the formula that it equals is taken. */
  readonly figure?: string;
  /** Whether a create fills it from another record, and callers cannot send it. */
  readonly isFilledOnCreate?: boolean;
  /** Whether its value is made by the service in another way: a rule, a path, a state that follows. */
  readonly isMade?: boolean;
  /** Whether `explain` tells where the value comes from. */
  readonly isExplained?: boolean;
  /** Of a list: whether figures of the record are made of what is in it. */
  readonly isAddedUp?: true;
  /** Path to the currency of an amount. */
  readonly currency?: string;
  /** Whether callers choose it in the query of a computed record. */
  readonly isParameter?: boolean;
  // Of kinds
  readonly format?: string;
  readonly maxLength?: number;
  readonly values?: readonly string[];
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
  readonly initialStates?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** Of a list of plain values. */
  readonly item?: Partial<FieldModel> & { readonly kind: string };
  readonly target?: string;
  readonly as?: 'object' | 'id';
  readonly include?: readonly string[];
  /** Of an id of one of several groups: key of the enum that says which, and the group of each value. */
  readonly by?: string;
  readonly branches?: Readonly<Record<string, string>>;
  /** Of objects and lists of them. */
  readonly fields?: readonly FieldModel[];
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The other side of a reference: group and name of the field there. */
  readonly via?: string;
}

/** A part of a record's name: literal text, or the first of several paths that has a value. */
export type ShownPartModel =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'value'; readonly paths: readonly string[]; readonly otherwise: string };

export interface GroupModel {
  readonly name: string;
  readonly title: string;
  /** `Cost Periods` */
  readonly plural: string;
  /** `/cost-periods` */
  readonly path: string;
  readonly area: string;
  readonly description: string;
  readonly operations: readonly string[];
  /** Those that are granted for some records alone, which each record tells; none where that is not asked. */
  readonly partly?: readonly string[];
  readonly isSingle: boolean;
  readonly isComputed: boolean;
  readonly isWorkspace: boolean;
  /** The switch that gates it. */
  readonly feature?: { readonly name: string; readonly switch: string };
  readonly shownAs: readonly ShownPartModel[];
  /** The columns with which a grid begins, where the descriptor says them. */
  readonly shows?: readonly string[];
  /** Of a group that keeps views of others: its texts that hold their name, the path of the group, and what is asked for. */
  readonly views?: { readonly name: string; readonly of: string; readonly query: string };
  readonly fields: readonly FieldModel[];
  readonly filters: readonly FilterModel[];
  /** Names of dates that belong together: the first is never after the second. */
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
  /** Values of the parameter `sort`: `name`, `-name`. */
  readonly sorts: readonly string[];
  /** Whether there are conditions to be asked for. */
  readonly hasConditions: boolean;
  /** Whether its records are files, which are uploaded and had again as they are. */
  readonly holdsFiles?: true;
  /** Whether what becomes of its records can be read. */
  readonly isLogged?: true;
}

export interface ConsoleModel {
  /** Below which the API answers. */
  readonly base: string;
  readonly groups: readonly GroupModel[];
  /** Whether there are pages about the groups at `/docs`. */
  readonly hasPages: boolean;
  /** How people sign in, beside tokens; absent where nobody does. */
  readonly signIn?: readonly ('password' | 'oidc')[] | undefined;
}
