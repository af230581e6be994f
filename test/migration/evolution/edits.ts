// Sets of groups, and what people do to them: edits in a row, each of which finds its place among what is there.
import fc from 'fast-check';
import type { Groups } from '../../support/commands/project.ts';
import { type Field, field, fieldJson, type Group, isRequired, type Plain, type Shape, words } from './shapes.ts';

const operations = [
  ...['add', 'remove', 'rename', 'reshape', 'tweak', 'tweak', 'tweak', 'filter', 'key', 'condition'],
  ...['inside', 'inside', 'addGroup', 'removeGroup', 'renameGroup'],
] as const;

interface Edit {
  readonly does: string;
  /** Places, each taken modulo what is there. */
  readonly group: number;
  readonly field: number;
  readonly choice: number;
  readonly brings: Field;
}

/** What a run begins with, and what is done to it. */
export interface Evolution {
  readonly groups: readonly Group[];
  readonly edits: readonly Edit[];
  /** Of the values of the records. */
  readonly seed: number;
}

const group: fc.Arbitrary<Group> = fc.record({
  uid: fc.constant(0),
  name: fc.constant(''),
  fields: fc.array(field, { minLength: 1, maxLength: 6 }),
  keys: fc.array(fc.array(fc.nat(6), { minLength: 1, maxLength: 2 }), { maxLength: 1 }),
});

export const evolutions: fc.Arbitrary<Evolution> = fc.record({
  groups: fc.array(group, { minLength: 1, maxLength: 4 }).map(numbered),
  edits: fc.array(
    fc.record({
      does: fc.constantFrom(...operations),
      group: fc.nat(11),
      field: fc.nat(11),
      choice: fc.nat(23),
      brings: field,
    }),
    { minLength: 1, maxLength: 8 },
  ),
  seed: fc.nat(99_999),
});

const groupNames = ['alpha', 'beta', 'gamma', 'delta'];

/** Gives groups and fields their numbers and names, and references and keys what they need. */
function numbered(groups: readonly Group[]): readonly Group[] {
  let next = 0;
  const number = (one: Field): Field => {
    next += 1;
    const { shape } = one;
    const uid = next;
    const isNest = shape.kind === 'object' || shape.kind === 'objects';
    const inner = isNest ? { ...shape, fields: shape.fields.map(number) } : shape;
    return { ...one, uid, name: `f${uid}`, shape: inner };
  };
  return groups.map((one, uid) => {
    const fields = one.fields.map(number).map((each) => settled(each, uid, groups.length));
    const keys = one.keys.map((key) => keyOf(key, fields)).filter((key) => key.length > 0);
    return { ...one, uid, name: groupNames[uid] ?? '', fields, keys };
  });
}

/** A reference that names a group that is there; one of a group to itself or to a later one may be null, or none could be first. */
function settled(one: Field, home: number, count: number): Field {
  const shapeOf = (shape: Shape): Shape => {
    if (shape.kind === 'reference' || shape.kind === 'references') {
      const target = shape.target % count;
      return shape.kind === 'reference'
        ? { ...shape, target, nullable: shape.nullable || target >= home }
        : { ...shape, target };
    }
    return shape.kind === 'objects'
      ? { ...shape, fields: shape.fields.map((inner) => settled(inner, home, count)) }
      : shape;
  };
  const isScalar = ['text', 'enum', 'integer', 'decimal', 'date'].includes(one.shape.kind);
  return { ...one, shape: shapeOf(one.shape), isConditional: one.isConditional && isScalar };
}

const mayKey = ({ shape, isConditional }: Field): boolean =>
  ['enum', 'integer', 'date', 'reference'].includes(shape.kind) ||
  (shape.kind === 'text' && shape.max <= 255 && !isConditional);

function keyOf(places: readonly number[], fields: readonly Field[]): readonly number[] {
  const able = fields.filter(mayKey);
  return [...new Set(places.flatMap((place) => able[place % Math.max(able.length, 1)]?.uid ?? []))];
}

/** The groups after the edits. */
export function edited({ groups, edits }: Evolution): readonly Group[] {
  // Clear of the numbers that are taken.
  return edits.reduce<readonly Group[]>((now, edit, index) => applied(edit, now, 1000 + index * 20), groups);
}

function applied(edit: Edit, groups: readonly Group[], uid: number): readonly Group[] {
  const chosen = groups[edit.group % groups.length];
  if (edit.does === 'addGroup') {
    const [first] = numbered([{ uid, name: '', fields: [edit.brings], keys: [] }]);
    const fields = (first?.fields ?? []).map((one) => fresh(one, uid, groups));
    return [...groups, { uid, name: `new${uid}`, fields, keys: [] }];
  }
  if (chosen === undefined) return groups;
  const put = (group: Group): readonly Group[] => groups.map((one) => (one === chosen ? group : one));
  if (edit.does === 'renameGroup')
    return put({
      ...chosen,
      name: `${chosen.name}x`,
      was: chosen.was ?? (chosen.uid < 1000 ? chosen.name : undefined),
    });
  if (edit.does === 'removeGroup') {
    if (groups.length === 1) return groups;
    return groups
      .filter((one) => one !== chosen)
      .map((one) => ({ ...one, ...without(one, (each) => targetOf(each) === chosen.uid) }));
  }
  if (edit.does === 'add') return put({ ...chosen, fields: [...chosen.fields, fresh(edit.brings, uid, groups)] });
  if (edit.does === 'key') {
    const key = keyOf([edit.field, edit.choice], chosen.fields);
    const isThere = chosen.keys.some((other) => String(other) === String(key));
    const keys = chosen.keys.length > 0 && edit.choice % 2 === 0 ? chosen.keys.slice(1) : chosen.keys;
    return put({ ...chosen, keys: isThere || key.length === 0 ? keys : [...keys, key] });
  }
  const target = chosen.fields[edit.field % Math.max(chosen.fields.length, 1)];
  if (target === undefined) return groups;
  if (edit.does === 'remove') return put({ ...chosen, ...without(chosen, (one) => one === target) });
  const changed = editedField(edit, target, uid, groups);
  const fields = chosen.fields.map((one) => (one === target ? changed : one));
  const able = new Set(fields.filter(mayKey).map((one) => one.uid));
  return put({ ...chosen, fields, keys: chosen.keys.filter((key) => key.every((one) => able.has(one))) });
}

/** A group without some of its fields, and without the keys that they were in. */
function without(group: Group, isGone: (one: Field) => boolean): Pick<Group, 'fields' | 'keys'> {
  const fields = group.fields
    .filter((one) => !isGone(one))
    .map((one) => {
      if (one.shape.kind !== 'objects') return one;
      const kept = one.shape.fields.filter((inner) => !isGone(inner));
      return { ...one, shape: { ...one.shape, fields: kept.length === 0 ? [spare(one.uid)] : kept } };
    });
  const left = new Set(fields.map(({ uid }) => uid));
  return { fields, keys: group.keys.filter((key) => key.every((uid) => left.has(uid))) };
}

const spare = (uid: number): Field => ({
  uid: uid + 5000,
  name: `spare${uid}`,
  shape: { kind: 'boolean', value: true },
  isFiltered: false,
  isConditional: false,
  renamedValues: {},
});

const targetOf = ({ shape }: Field): number | undefined =>
  shape.kind === 'reference' || shape.kind === 'references' ? shape.target : undefined;

/** A field that is new in the edits: records that exist can have no record to refer to. */
function fresh(brings: Field, uid: number, groups: readonly Group[]): Field {
  const one = settled(brings, -1, 1);
  const retarget = (shape: Shape): Shape => {
    const target = groups[uid % groups.length]?.uid ?? 0;
    if (shape.kind === 'reference') return { ...shape, target, nullable: true };
    if (shape.kind === 'references') return { ...shape, target };
    if (shape.kind !== 'object' && shape.kind !== 'objects') return shape;
    const fields = shape.fields.map((inner, place) => ({
      ...inner,
      uid: uid + 1 + place,
      name: `f${uid + 1 + place}`,
      shape: retarget(inner.shape),
    }));
    return { ...shape, fields };
  };
  return { ...one, uid, name: `f${uid}`, shape: retarget(one.shape) };
}

function editedField(edit: Edit, one: Field, uid: number, groups: readonly Group[]): Field {
  const { shape } = one;
  switch (edit.does) {
    case 'rename':
      return { ...one, name: `${one.name}x`, was: one.was ?? (one.uid < 1000 ? one.name : undefined) };
    case 'filter':
      return { ...one, isFiltered: !one.isFiltered };
    case 'condition':
      return settled({ ...one, isConditional: !one.isConditional }, -1, 1e9);
    case 'reshape': {
      // Under the same name and number: what can become the other keeps its values.
      const { shape: other } = fresh(edit.brings, uid, groups);
      const isConditional = one.isConditional && 'unset' in other;
      return { ...one, shape: other, isConditional, renamedValues: {} };
    }
    case 'inside': {
      if (shape.kind !== 'object' && shape.kind !== 'objects') return tweaked(edit, one);
      const { fields } = shape;
      const [inner, act] = [fields[edit.choice % fields.length], edit.field % 4];
      if (inner === undefined) return one;
      const put = (list: readonly Field[]): Field => ({ ...one, shape: { ...shape, fields: list } });
      const { shape: brought } = fresh(edit.brings, uid, groups);
      if (act === 0 && 'unset' in brought)
        return put([...fields, { ...spare(uid), uid, name: `f${uid}`, shape: brought }]);
      if (act === 1 && fields.length > 1) return put(fields.filter((each) => each !== inner));
      const does = act === 2 ? 'rename' : 'tweak';
      const next = editedField({ ...edit, does, choice: Math.floor(edit.choice / 2) }, inner, uid, groups);
      return put(fields.map((each) => (each === inner ? next : each)));
    }
    default:
      return tweaked(edit, one);
  }
}

const sizes = [12, 20, 60, 200, 300, 5000];

/** A field that is a little wider, tighter or otherwise than before. */
function tweaked({ choice, brings }: Edit, one: Field): Field {
  const { shape } = one;
  const as = (next: Shape): Field => ({ ...one, shape: next });
  const by = Math.floor(choice / 4);
  switch (shape.kind) {
    case 'list':
      if (choice % 3 === 0) return as({ ...shape, maxItems: Math.max(shape.minItems, [1, 2, 9][by % 3] ?? 1) });
      if (choice % 3 === 1) return as({ ...shape, minItems: by % 2 });
      return as({ ...shape, item: { ...tweakedPlain(shape.item, choice, by), ...never(shape.item) } });
    case 'objects':
      if (choice % 2 === 0) return as({ ...shape, maxItems: Math.max(shape.minItems, [1, 2, 9][by % 3] ?? 1) });
      return as({ ...shape, minItems: Math.min(by % 3, shape.maxItems) });
    case 'references':
      return as({ ...shape, maxItems: [1, 2, 9][by % 3] ?? 1 });
    case 'reference':
      return as({ ...shape, nullable: !shape.nullable || one.uid >= 1000 });
    case 'object':
      return { ...one, isFiltered: brings.isFiltered };
    case 'enum': {
      const free = words.find((each) => !shape.values.includes(each) && !(each in one.renamedValues));
      const old = shape.values[by % shape.values.length];
      if (choice % 4 === 3 && free !== undefined && old !== undefined && one.uid < 1000) {
        const values = shape.values.map((each) => (each === old ? free : each));
        // A value that is renamed twice is what it was at first; one that comes back has not been renamed.
        const { [old]: first = old, ...others } = one.renamedValues;
        if (Object.values(others).includes(free) || Object.keys(one.renamedValues).length > 0) return one;
        return { ...as({ ...shape, values }), renamedValues: { ...others, [free]: first } };
      }
      return { ...as(tweakedPlain(shape, choice, by)), renamedValues: {} };
    }
    default:
      return as(tweakedPlain(shape, choice, by));
  }
}

const never = (one: Plain): { unset?: 'never' } => ('unset' in one ? { unset: 'never' } : {});

function tweakedPlain(shape: Plain, choice: number, by: number): Plain {
  const unset = (['never', 'null', 'default'] as const)[by % 3] ?? 'null';
  switch (shape.kind) {
    case 'text':
      if (choice % 4 === 0) return { ...shape, unset };
      if (choice % 8 === 1) return { ...shape, format: [undefined, 'email', 'url'][by % 3] };
      return { ...shape, max: sizes[by % sizes.length] ?? 12 };
    case 'enum': {
      if (choice % 4 === 0) return { ...shape, unset };
      const free = words.find((each) => !shape.values.includes(each));
      if (choice % 4 === 1 && shape.values.length > 1) return { ...shape, values: shape.values.slice(1) };
      return free === undefined ? shape : { ...shape, values: [...shape.values, free] };
    }
    case 'integer':
      if (choice % 4 === 0) return { ...shape, unset };
      if (choice % 4 === 1) return { ...shape, min: [undefined, 0, 2][by % 3] };
      if (choice % 4 === 2) return { ...shape, max: [undefined, 99, 9][by % 3] };
      return { kind: 'decimal', precision: 8, scale: by % 4, signed: true, unset: shape.unset };
    case 'decimal': {
      if (choice % 4 === 0) return { ...shape, unset };
      const whole = shape.precision - shape.scale;
      const scale = [0, 1, 2, 4][by % 4] ?? 0;
      if (choice % 4 === 1) return { ...shape, scale, precision: whole + scale };
      if (choice % 4 === 2) return { ...shape, precision: shape.scale + ([3, 4, 8][by % 3] ?? 3) };
      return { ...shape, max: [undefined, 99, 9][by % 3] };
    }
    case 'boolean':
      return { ...shape, value: !shape.value };
    case 'date':
      return { ...shape, unset: shape.unset === 'null' ? 'never' : 'null' };
  }
}

/** The descriptors of groups, as a project has them. */
export function descriptorsOf(groups: readonly Group[]): Groups {
  const naming = { groups: new Map(groups.map(({ uid, name }) => [uid, name])) };
  return Object.fromEntries(
    groups.map(({ name, was, fields, keys }) => {
      const nameOf = new Map(fields.map((one) => [one.uid, one.name]));
      return [
        name,
        {
          ...(was !== undefined && was !== name && { renamedFrom: was }),
          properties: {
            name: { type: 'string', maxLength: 100 },
            isOn: { type: 'boolean', default: true },
            ...Object.fromEntries(fields.map((one) => [one.name, fieldJson(one, naming)])),
          },
          required: ['name', ...fields.filter(isRequired).map((one) => one.name)],
          unique: keys.map((key) => key.map((uid) => nameOf.get(uid))),
        },
      ];
    }),
  );
}
