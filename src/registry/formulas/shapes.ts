// The types of descriptors for formulas: for each record, item and object the names that formulas may use, and their types.

import { compileFormula } from '../../formulas/compile/compile.ts';
import type { Scope } from '../../formulas/compile/scope.ts';
import { Unresolved } from '../../formulas/language/fault.ts';
import type { Collection, Member, Shape, Tree, Type } from '../../formulas/language/tree.ts';
import { bool, common, listOf, recordOf } from '../../formulas/language/types.ts';
import { unreachable } from '../../unreachable.ts';
import { isObject } from '../../values/json.ts';
import { keyOf, recordName } from '../model/field-names.ts';
import type { Kind } from '../model/kind-name.ts';
import { isScalarKind, kindOf, kinds } from '../model/kinds.ts';
import type { ScalarKind } from '../model/model.ts';
import { collectionName } from '../model/naming.ts';
import { textFormatOf, textFormats } from '../model/text-formats.ts';
import { isTakenAtRead, own, type RawDescriptor, type RawField } from '../model/vocabulary.ts';
import type { DescriptorSource } from '../read/source.ts';
import { FieldsAtRead } from './at-read.ts';
import { NamedFormulas } from './named-formulas.ts';

type Fields = Readonly<Record<string, RawField | true>>;

/** Where fields stand. */
interface Home {
  readonly fields: Fields;
  readonly group: string;
  readonly kind: Shape['kind'];
  readonly words: string;
  readonly owner: Shape | undefined;
  readonly lists: readonly string[];
  readonly objectKey?: string | undefined;
  /** Names by which records of the group are found: the first of each key and each index. */
  readonly sought: ReadonlySet<string>;
}

/** The path of a group whose descriptor is not well-formed, as far as it says one. */
function pathIn(data: unknown): string | undefined {
  const resource = isObject(data) ? data['resource'] : undefined;
  const path = isObject(resource) ? resource['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** A field that is looked at. */
interface Looked {
  readonly name: string;
  readonly raw: RawField;
  readonly home: Home;
  readonly shape: Shape;
}

type Composite = Exclude<Kind, ScalarKind>;

/** Characters of a text that an index holds on every engine. */
const longestOfIndex = 255;
function lengthOf({ maxLength, format }: RawField): number {
  const text = textFormatOf(format);
  return maxLength ?? (text === undefined ? 0 : textFormats[text].length);
}

export class Shapes {
  readonly formulas: NamedFormulas;
  readonly #atRead = new FieldsAtRead();
  readonly #groups: ReadonlyMap<string, RawDescriptor>;
  readonly #records = new Map<string, Shape>();
  readonly #scopes = new Map<Shape, Scope>();
  readonly #each = new Map<string, Scope>();
  readonly #collections = new Map<string, string>();
  /** The group of the settings. */
  readonly #workspace: string | undefined;
  /** The group whose records act. */
  readonly #actors: string | undefined;
  /** The shape of the fields of an object or of the items of a list, by these fields. */
  readonly #inside = new Map<object, Shape>();

  /**
   * @param groups Descriptors by the name of their group.
   * @param lost Those that cannot be read as such: their collections are known by their paths, and lead to nothing.
   */
  constructor(
    groups: ReadonlyMap<string, RawDescriptor>,
    lost: readonly Pick<DescriptorSource, 'name' | 'data'>[] = [],
  ) {
    this.#groups = groups;
    this.formulas = new NamedFormulas(groups, (group) => this.scope(group));
    for (const [name, { resource }] of groups)
      if (resource.computed === undefined && resource.singleton !== true)
        this.#collections.set(collectionName(resource.path), name);
    for (const { name, data } of lost) {
      const path = pathIn(data);
      if (path !== undefined) this.#collections.set(collectionName(path), name);
    }
    this.#workspace = [...groups].find(([, { resource }]) => resource.workspace === true)?.[0];
    this.#actors = actorsIn(groups);
  }

  /** What formulas on a record of a group may name. */
  scope(group: string): Scope {
    return this.#scopeOf(this.#record(group));
  }

  /** What formulas may name that stand in an object, or in the items of a list. @param fields Those beside them. */
  scopeInside(group: string, fields: Fields): Scope {
    const { properties } = this.#descriptor(group);
    if (fields === properties) return this.scope(group);
    if (!this.#inside.has(fields)) this.#makeInside(properties, this.#record(group));
    const shape = this.#inside.get(fields);
    if (shape === undefined) unreachable(`no such fields in ${group}`);
    return this.#scopeOf(shape);
  }

  /** The same of formulas that are judged for each record of a list of references, which goes by the name `each`. */
  scopeOfEach(group: string, list: string, each: string): Scope {
    const word = JSON.stringify([group, list, each]);
    const known = this.#each.get(word);
    if (known !== undefined) return known;
    // By its name or, as bodies have it, its key.
    const fields = Object.entries(this.#descriptor(group).properties);
    const [, raw] =
      fields.find(([name, field]) => name === list || (isField(field) && keyOf(name, field) === list)) ?? [];
    const owner = this.#record(group);
    const shape = this.#shapeOf({
      fields: { [each]: { reference: (isField(raw) ? raw.references : undefined) ?? '' } },
      group,
      kind: 'item',
      words: `a record of "${list}"`,
      owner,
      lists: [...owner.lists, list],
      sought: new Set(),
    });
    const scope = this.#scopeOf(shape);
    this.#each.set(word, scope);
    return scope;
  }

  /** Whether a name of the records of a group leads to a field. */
  isField(group: string, name: string): boolean {
    return namesOf(this.#descriptor(group).properties).includes(name);
  }

  #descriptor(group: string): RawDescriptor {
    const found = this.#groups.get(group);
    if (found === undefined) throw new Unresolved(group);
    return found;
  }

  #record(group: string): Shape {
    const known = this.#records.get(group);
    if (known !== undefined) return known;
    const { properties, resource } = this.#descriptor(group);
    const keys = [...(resource.unique ?? []), ...(resource.indexes ?? [])];
    const sought = new Set(['id', ...keys.flatMap(([first]) => first ?? [])]);
    const words = `"${group}"`;
    const shape = this.#shapeOf({
      fields: properties,
      group,
      kind: 'record',
      words,
      owner: undefined,
      lists: [],
      sought,
    });
    this.#records.set(group, shape);
    return shape;
  }

  #shapeOf(home: Home): Shape {
    const members = new Map<string, Member | undefined>();
    const { fields, group, kind, words, owner, lists, objectKey } = home;
    const shape: Shape = {
      group,
      kind,
      words,
      owner,
      lists,
      objectKey,
      names: () => (kind === 'record' ? [...namesOf(fields), ...this.formulas.namesOf(group)] : namesOf(fields)),
      member: (name) => {
        if (!members.has(name)) members.set(name, this.#memberOf(name, home, shape));
        return members.get(name);
      },
    };
    return shape;
  }

  #scopeOf(shape: Shape): Scope {
    const known = this.#scopes.get(shape);
    if (known !== undefined) return known;
    const scope: Scope = {
      record: shape,
      collection: (name) => this.#collection(name),
      collectionNames: () => [...this.#collections.keys()],
      workspace: this.#workspace === undefined ? undefined : this.#record(this.#workspace),
      timeZone: this.#workspace === undefined ? undefined : this.#groups.get(this.#workspace)?.resource.timeZone,
      actors: this.#actors,
    };
    this.#scopes.set(shape, scope);
    return scope;
  }

  #collection(name: string): Collection | undefined {
    const group = this.#collections.get(name);
    return group === undefined ? undefined : { group, lists: [], shape: this.#record(group) };
  }

  #collectionOf(group: string): string | undefined {
    return [...this.#collections].find(([, each]) => each === group)?.[0];
  }

  #memberOf(name: string, home: Home, shape: Shape): Member | undefined {
    if (home.kind === 'record' && name === 'id')
      return { kind: 'value', name, key: 'id', type: idOf(home.group), nullable: false, isSought: true, isFixed: true };
    if (home.kind === 'record' && name === 'createdAt')
      return {
        kind: 'value',
        name,
        key: name,
        type: { kind: 'instant' },
        nullable: false,
        isSought: false,
        isFixed: true,
      };
    const field = this.#fieldOf(name, home);
    if (field === undefined)
      return home.kind === 'record' ? this.formulas.member(home.group, name) : this.#branchMember(name, home);
    const member = this.#fieldMember({ ...field, home, shape }, name);
    if (member === undefined) return undefined;
    const { transient, immutable } = field.raw;
    return {
      ...member,
      ...(transient === true && { isTransient: true }),
      ...(immutable === true && { isFixed: true }),
    };
  }

  #fieldOf(name: string, { fields }: Home): Pick<Looked, 'name' | 'raw'> | undefined {
    const direct = own(fields, name);
    if (isField(direct)) return { name, raw: direct };
    for (const [field, raw] of Object.entries(fields))
      if (isField(raw) && aliasesOf(field, raw).includes(name)) return { name: field, raw };
    return undefined;
  }

  /** @param word The name by which it is asked for: its own, its key, or that of the record behind it. */
  #fieldMember(field: Looked, word: string): Member | undefined {
    const { raw, name, home, shape } = field;
    if (isTakenAtRead(raw))
      return this.#atRead.member({
        name,
        raw,
        word,
        scope: this.#scopeOf(shape),
        collectionOf: (group) => this.#collectionOf(group),
      });
    if (raw.lookup !== undefined) return this.#readThrough(field, word, raw.lookup);
    const kind = kindOf(raw);
    if (kind === undefined) return undefined;
    const nullable = mayBeNull(raw);
    const key = keyOf(name, raw);
    const type = isScalarKind(kind) ? kinds[kind].type(raw) : undefined;
    if (isScalarKind(kind) && type === undefined) return undefined;
    const member =
      type === undefined || isScalarKind(kind) === false
        ? this.#composites[kind as Composite](field, word)
        : ({
            kind: 'value',
            name: word,
            key,
            type,
            nullable,
            isSought: home.sought.has(name),
            isIndexable:
              home.kind === 'record' &&
              kinds[kind].isSought &&
              raw.transient !== true &&
              lengthOf(raw) <= longestOfIndex,
          } as const);
    return raw.inherits === undefined || member?.kind !== 'value' ? member : this.#inherited(field, member);
  }

  readonly #composites: Readonly<Record<Composite, (field: Looked, word: string) => Member | undefined>> = {
    reference: ({ name, raw }, word) => {
      const group = raw.reference ?? '';
      const key = keyOf(name, raw);
      const nullable = mayBeNull(raw);
      const behind = { kind: 'reference', name: word, key, shape: () => this.#record(group), nullable } as const;
      if (word !== key) return behind;
      const id = { kind: 'value', name: word, key, type: idOf(group), nullable, isSought: true } as const;
      // A bare id that is called `id`, or `owner`: its record goes by the same name.
      return recordName(name) === key ? { ...id, behind } : id;
    },
    references: ({ name, raw }, word) => {
      const group = raw.references ?? '';
      const key = keyOf(name, raw);
      if (raw.via !== undefined) return this.#others(word, key, { via: `${group}.${raw.via}` });
      const shape = (): Shape => this.#record(group);
      return word === key
        ? {
            kind: 'value',
            name: word,
            key,
            type: listOf(idOf(group)),
            nullable: false,
            isSought: false,
            isAmong: true,
          }
        : { kind: 'references', name: word, key, shape, nullable: false };
    },
    choice: ({ name, raw }, word) => ({
      kind: 'value',
      name: word,
      key: name,
      type: idOf(undefined),
      nullable: false,
      isSought: true,
      branches: { by: raw.referenceBy ?? '', groups: raw.groups ?? {} },
    }),
    list: ({ name, raw }, word) => {
      const kind = raw.items && kindOf(raw.items);
      const type = kind !== undefined && isScalarKind(kind) ? kinds[kind].type(raw.items ?? {}) : undefined;
      const item: Type = type ?? { kind: 'text' };
      return { kind: 'value', name: word, key: name, type: listOf(item), nullable: mayBeNull(raw), isSought: false };
    },
    object: ({ name, raw, shape }, word) => {
      return {
        kind: 'object',
        name: word,
        key: name,
        shape: () => this.#insideShape(name, raw, shape),
        nullable: mayBeNull(raw),
      };
    },
    objects: ({ name, raw, shape }, word) => {
      if (raw.via !== undefined) return this.#others(word, name, raw);
      return {
        kind: 'items',
        name: word,
        key: name,
        shape: () => this.#insideShape(name, raw, shape),
        nullable: false,
      };
    },
  };

  /** Makes the shapes of all objects and items among fields, those inside them too. */
  #makeInside(fields: Fields, owner: Shape): void {
    for (const [name, raw] of Object.entries(fields)) {
      const inside = isField(raw) ? insideOf(raw) : undefined;
      if (inside === undefined) continue;
      this.#makeInside(inside.properties ?? {}, this.#insideShape(name, raw as RawField, owner));
    }
  }

  #insideShape(name: string, raw: RawField, owner: Shape): Shape {
    const { properties = {} } = insideOf(raw) ?? {};
    const known = this.#inside.get(properties);
    if (known !== undefined) return known;
    const isObject = raw.properties !== undefined;
    const shape = this.#shapeOf({
      fields: properties,
      group: owner.group,
      kind: isObject ? 'object' : 'item',
      words: isObject ? `"${name}"` : `an item of "${name}"`,
      owner,
      lists: isObject ? owner.lists : [...owner.lists, name],
      objectKey: isObject ? name : undefined,
      sought: new Set(),
    });
    this.#inside.set(properties, shape);
    return shape;
  }

  /** The records that name this one. */
  #others(name: string, key: string, { via = '' }: RawField): Member {
    const [group = '', field = ''] = via.split('.');
    const raw = own(this.#descriptor(group).properties, field);
    const by = isField(raw) ? keyOf(field, raw) : field;
    return { kind: 'others', name, key, field: by, shape: () => this.#record(group), nullable: false };
  }

  /** `timeEntry` beside an id of one of several groups: the record, where it is one of this group. */
  #branchMember(name: string, { fields }: Home): Member | undefined {
    for (const [key, raw] of Object.entries(fields)) {
      if (!isField(raw) || raw.referenceBy === undefined) continue;
      for (const [value, group] of Object.entries(raw.groups ?? {}))
        if (collectionName(group) === name)
          return {
            kind: 'reference',
            name,
            key,
            shape: () => this.#record(group),
            by: { key: raw.referenceBy, value },
            nullable: true,
          };
    }
    return undefined;
  }

  /** A field that is another one's, at the end of a path. */
  #readThrough({ name, raw, shape }: Looked, word: string, path: string): Member | undefined {
    const isId = raw.reference !== undefined && word === keyOf(name, raw);
    const before = path.split('.').slice(0, -1);
    const last = path.split('.').at(-1) ?? '';
    const tree = (): Tree => {
      const ends = raw.reference === undefined ? [last] : isId ? [`${last}Id`, last] : [recordName(last), last];
      for (const end of ends) {
        const found = this.#treeOf([...before, end].join('.'), shape);
        if (raw.reference === undefined || (found?.type.kind === 'record') !== isId) {
          if (found !== undefined) return found;
        }
      }
      throw new Unresolved(path);
    };
    return { kind: 'formula', name: word, nullable: true, formula: { name: word, given: [], tree: once(tree) } };
  }

  /** A value that the record shows from another one while a condition holds. */
  #inherited({ raw, shape }: Looked, member: Member & { readonly kind: 'value' }): Member {
    const tree = (): Tree => {
      const place = { start: 0, end: 0 };
      const self: Tree = { op: 'self', up: 0, type: recordOf(shape), nullable: false, ...place };
      let found: Tree = { op: 'field', of: self, member, type: member.type, nullable: member.nullable, ...place };
      for (const { when, from } of (raw.inherits ?? []).toReversed()) {
        const test = this.#treeOf(when, shape);
        // A reference is inherited as the id that it is, whose key ends so.
        const yes = this.#treeOf(raw.reference === undefined ? from : `${from}Id`, shape) ?? this.#treeOf(from, shape);
        const type: Type | undefined = yes && common(yes.type, found.type);
        if (test?.type.kind !== bool.kind || yes === undefined || type === undefined) throw new Unresolved(from);
        found = { op: 'if', test, yes, no: found, type, nullable: yes.nullable || found.nullable, ...place };
      }
      return found;
    };
    return {
      kind: 'formula',
      name: member.name,
      nullable: true,
      kept: member,
      formula: { name: member.name, given: [], tree: once(tree) },
    };
  }

  /** Undefined where it is none, which is told where it stands. */
  #treeOf(source: string, shape: Shape): Tree | undefined {
    try {
      return compileFormula(source, this.#scopeOf(shape));
    } catch (error) {
      if (error instanceof Unresolved) throw error;
      return undefined;
    }
  }
}

/** That of the fields whose default is the acting member. */
function actorsIn(groups: ReadonlyMap<string, RawDescriptor>): string | undefined {
  for (const { properties } of groups.values())
    for (const field of Object.values(properties))
      if (isField(field) && [field.defaultFrom].flat().includes('actingMember')) return field.reference;
  return undefined;
}

/** What stands among the fields of a file may be no field at all, which is told where it stands. */
const isField = (raw: RawField | true | undefined): raw is RawField => typeof raw === 'object' && raw !== null;

/** What has the fields of an object, or of the items of a list. */
const insideOf = (raw: RawField): RawField | undefined =>
  raw.properties === undefined ? (raw.items?.properties === undefined ? undefined : raw.items) : raw;

const idOf = (group: string | undefined): Type => ({ kind: 'id', group });

const mayBeNull = (raw: RawField): boolean =>
  Array.isArray(raw.type) || raw.nullable === true || raw.onlyWhen !== undefined;

/** What a field goes by besides its name: its key, and the record behind a bare id. */
function aliasesOf(name: string, raw: RawField): readonly string[] {
  return raw.referenceFormat === 'id' ? [keyOf(name, raw), recordName(name)] : [keyOf(name, raw)];
}

const namesOf = (fields: Fields): readonly string[] => [
  ...new Set(
    Object.entries(fields).flatMap(([name, raw]) => (isField(raw) ? [name, ...aliasesOf(name, raw)] : [name])),
  ),
];

/** A circle of fields that are read through each other is told elsewhere; here it only must end. */
function once(make: () => Tree): () => Tree {
  let made: Tree | undefined;
  let isMaking = false;
  return () => {
    if (isMaking) throw new Unresolved('itself');
    isMaking = true;
    try {
      made ??= make();
    } finally {
      isMaking = false;
    }
    return made;
  };
}
