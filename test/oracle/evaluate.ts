// What a formula gives over plain records: each part is evaluated where it stands, and nothing is kept or foreseen.
import { callFunction, callMethod, isFunction, rounded } from './functions.ts';
import { type Group, groupIn, type Model, shapeIn } from './model.ts';
import type { Field, Shape } from './shape.ts';
import { type Node, namesIn, namesThrough } from './syntax.ts';
import {
  compared,
  Day,
  equals,
  isDay,
  isList,
  isNumeric,
  isRow,
  listOf,
  type Numeric,
  numeric,
  quotient,
  type Row,
  rowsOf,
  type Value,
} from './values.ts';
import type { World } from './world.ts';

/** What a formula is evaluated in. */
export interface Standing {
  readonly world: World;
  readonly self: Row;
  /** The record before the write; null on create. */
  readonly old?: Row | null;
  readonly sent?: ReadonlySet<string>;
  /** The records as they were before the write, for conditions and effects. */
  readonly past?: World | undefined;
}

interface Frame extends Standing {
  readonly variables: ReadonlyMap<string, Value>;
  /** Whether a value was read through a reference of the record that is null. */
  readonly notes: { throughNull: boolean };
}

export interface Evaluated {
  readonly value: Value;
  readonly throughNull: boolean;
}

export function evaluate(node: Node, standing: Standing): Evaluated {
  const notes = { throughNull: false };
  return { value: run(node, { ...standing, variables: new Map(), notes }), throughNull: notes.throughNull };
}

export const holds = (node: Node | undefined, standing: Standing): boolean =>
  node === undefined || evaluate(node, standing).value === true;

function run(node: Node, frame: Frame): Value {
  switch (node.op) {
    case 'literal':
      return typeof node.value === 'object' && node.value !== null ? numeric(node.value.number) : node.value;
    case 'name':
      return nameValue(node.name, frame);
    case 'member':
      return memberValue(node, frame);
    case 'index': {
      const at = run(node.at, frame);
      return isNumeric(at) ? (listOf(run(node.of, frame))[at.toNumber()] ?? null) : null;
    }
    case 'call': {
      const own = ownerOf(node.name, frame);
      if (own !== undefined) return named(own, node.name, node.args, frame);
      if (node.name === 'with') return withValue(node.args, frame);
      if (node.name === 'before') return beforeValue(node.args, frame);
      return callFunction(
        node.name,
        node.args.map((arg) => run(arg, frame)),
      );
    }
    case 'method':
      return methodValue(node, frame);
    case 'not':
      return run(node.of, frame) !== true;
    case 'negate': {
      const value = run(node.of, frame);
      return isNumeric(value) ? value.negated() : null;
    }
    case 'if':
      return run(node.test, frame) === true ? run(node.yes, frame) : run(node.no, frame);
    case 'list':
      return node.items.map((item) => run(item, frame));
    case 'map':
      return { entries: Object.fromEntries(node.entries.map(([key, value]) => [key, run(value, frame)])) };
    case 'binary':
      return binaryValue(node, frame);
  }
}

function binaryValue({ sign, left, right }: Node & { op: 'binary' }, frame: Frame): Value {
  const a = run(left, frame);
  if (sign === '&&') return a === true && run(right, frame) === true;
  if (sign === '||') return a === true || run(right, frame) === true;
  const b = run(right, frame);
  switch (sign) {
    case '==':
      return equals(a, b);
    case '!=':
      return !equals(a, b);
    case 'in':
      return listOf(b).some((one) => equals(one, a));
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const order = compared(a, b);
      if (order === undefined) return false;
      return sign === '<' ? order < 0 : sign === '<=' ? order <= 0 : sign === '>' ? order > 0 : order >= 0;
    }
    default:
      return a === null || b === null ? null : arithmetic(sign, a, b);
  }
}

function arithmetic(sign: string, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return ofNumbers(sign, a, b);
  if (isDay(a) && isNumeric(b)) return a.plus(sign === '-' ? b.negated() : b);
  if (isDay(a) && isDay(b)) return numeric((a.time - b.time) / 86_400_000);
  if (sign === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
  if (sign === '-' && typeof a === 'string' && typeof b === 'string') return numeric(minutesOf(a) - minutesOf(b));
  throw new Error(`the oracle cannot take ${String(a)} ${sign} ${String(b)}`);
}

/** Of a time of the day. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function ofNumbers(sign: string, a: Numeric, b: Numeric): Value {
  if (sign === '+') return a.plus(b);
  if (sign === '-') return a.minus(b);
  if (sign === '%') return callFunction('remainder', [a, b]);
  return sign === '*' ? a.times(b) : quotient(a, b);
}

/** Variables first, then the fields from the item outwards, then what every formula knows. */
function nameValue(name: string, frame: Frame): Value {
  const { variables, self, world, old } = frame;
  if (variables.has(name)) return variables.get(name) ?? null;
  for (let row: Row | undefined = self; row !== undefined; row = row.owner) {
    const found = memberOf(row, name, world);
    if (found !== undefined) return found;
  }
  if (name === 'today') return new Day(world.today);
  if (name === 'old') return old ?? null;
  if (name === 'actor') return null;
  const group = world.model.collections.get(name);
  if (group !== undefined) return world.rows(group);
  throw new Error(`the oracle does not know "${name}" on ${self.group}`);
}

/** @returns undefined where the row has no such member */
function memberOf(row: Row, name: string, world: World): Value | undefined {
  const shape = shapeIn(world.model, row.group, row.lists);
  const field = fieldNamed(shape, name);
  if (field !== undefined) return fieldValue(row, field, name, world);
  if (row.lists.length > 0) return name === 'index' ? numeric(row.index) : name === 'record' ? row.owner : undefined;
  if (name === 'id') return row.id;
  const formula = groupIn(world.model, row.group).formulas[name];
  return formula === undefined ? undefined : evaluate(formula.is, { world, self: row }).value;
}

const names = new WeakMap<Shape, Map<string, Field>>();

/** A field by its key in bodies, or by the name of the records that it leads to. */
export function fieldNamed(shape: Shape, name: string): Field | undefined {
  let known = names.get(shape);
  if (known === undefined) {
    known = new Map();
    for (const field of shape.fields) known.set(recordName(field), field).set(field.key, field);
    names.set(shape, known);
  }
  return known.get(name);
}

const recordName = ({ name, kind, raw }: Field): string =>
  kind === 'reference' && raw.referenceFormat === 'id' ? name.replace(/Id$/, '') : name;

function fieldValue(row: Row, field: Field, name: string, world: World): Value {
  const value = storedValue(row, field, world);
  const isId = name === field.key;
  if (field.kind === 'reference') return isId ? value : (world.find(field.target, value) ?? null);
  if (field.kind === 'references' && !isId) return listOf(value).flatMap((id) => world.find(field.target, id) ?? []);
  return value;
}

export function storedValue(row: Row, field: Field, world: World): Value {
  const { key, figure } = field;
  if (figure?.taken === 'onRead') return readValue(evaluate(figure.formula, { world, self: row }).value, field);
  return row.values[key] ?? null;
}

/** What is read is shown as its field holds it. */
function readValue(value: Value, { scale, kind }: Field): Value {
  if (isNumeric(value)) return rounded(value, scale);
  return value === null && kind === 'bool' ? false : idsIn(value);
}

/** Records as their ids. */
const idsIn = (value: Value): Value =>
  isRow(value)
    ? value.id
    : isList(value)
      ? value.map((one) => (isRow(one) && one.lists.length === 0 ? one.id : one))
      : value;

/** Whether a node is read from the record itself. */
function isOwn(node: Node, frame: Frame): boolean {
  if (node.op === 'member') return isOwn(node.of, frame);
  if (node.op !== 'name' || frame.variables.has(node.name)) return false;
  for (let row: Row | undefined = frame.self; row !== undefined; row = row.owner)
    if (memberOf(row, node.name, frame.world) !== undefined) return true;
  return false;
}

function memberValue(node: Node & { op: 'member' }, frame: Frame): Value {
  const { world, variables } = frame;
  if (node.of.op === 'name' && !variables.has(node.of.name)) {
    if (node.of.name === 'all') return world.rows(world.model.collections.get(node.name) ?? '');
    if (node.of.name === 'sent') return frame.sent?.has(node.name) === true;
  }
  const of = run(node.of, frame);
  if (isList(of)) return rowsOf(of).flatMap((row) => rowsOf(memberOf(row, node.name, world)));
  if (isRow(of)) {
    const value = memberOf(of, node.name, world);
    if (value === undefined) throw new Error(`the oracle finds no "${node.name}" in ${of.group}.${of.lists.join('.')}`);
    return value;
  }
  if (of !== null && typeof of === 'object' && 'entries' in of) return of.entries[node.name] ?? null;
  if (isOwn(node.of, frame)) frame.notes.throughNull = true;
  return null;
}

/** The group and lists of a collection that a node names; undefined for anything else. */
function collectionIn(node: Node, frame: Frame): Shape | undefined {
  const { world, variables, self } = frame;
  const { model } = world;
  if (node.op === 'name') {
    if (variables.has(node.name)) return undefined;
    for (let row: Row | undefined = self; row !== undefined; row = row.owner)
      if (fieldNamed(shapeIn(model, row.group, row.lists), node.name) !== undefined) return undefined;
    const group = model.collections.get(node.name);
    return group === undefined ? undefined : groupIn(model, group).shape;
  }
  if (node.op !== 'member') return undefined;
  if (node.of.op === 'name' && node.of.name === 'all') {
    const group = model.collections.get(node.name);
    return group === undefined ? undefined : groupIn(model, group).shape;
  }
  const outer = collectionIn(node.of, frame);
  return outer?.fields.find(({ name }) => name === node.name)?.items;
}

const narrowing = new Set(['filter', 'exists', 'all', 'count']);

function methodValue(node: Node & { op: 'method' }, frame: Frame): Value {
  const { of, name, args } = node;
  const [variable, body] = args;
  if (isFunction(name))
    return callFunction(
      name,
      [of, ...args].map((arg) => run(arg, frame)),
    );
  if (variable === undefined || body === undefined) {
    const plain = run(of, frame);
    if (isRow(plain)) return named(plain, name, args, frame);
    if (variable === undefined || plain !== null) return callMethod(name, plain, undefined);
    if (isOwn(of, frame)) frame.notes.throughNull = true;
    return null;
  }
  if (name === 'previous' && variable.op === 'name') return previousValue({ of, variable: variable.name, body }, frame);
  if (variable.op !== 'name') {
    const row = run(of, frame);
    return isRow(row) ? named(row, name, args, frame) : null;
  }
  const shape = narrowing.has(name) ? collectionIn(of, frame) : undefined;
  const found = run(of, frame);
  const items = shape === undefined ? found : narrowed(rowsOf(found), { shape, body, variable: variable.name, frame });
  const each = listOf(items).map((item) =>
    run(body, { ...frame, variables: new Map([...frame.variables, [variable.name, item]]) }),
  );
  return callMethod(name, items, each);
}

/** The last of those that stand before the record: by what the key gives part by part, then by their making. */
function previousValue({ of, variable, body }: { of: Node; variable: string; body: Node }, frame: Frame): Value {
  const { world, self } = frame;
  const all = world.rows(self.group);
  const placeOf = (row: Row): number => {
    const place = all.findIndex(({ id }) => id === row.id);
    return place < 0 ? all.length : place;
  };
  const parts = body.op === 'list' ? body.items : [body];
  const keyOf = (row: Row): readonly Value[] =>
    parts.map((part) => {
      if (part.op === 'member' && part.name === 'id') return numeric(placeOf(row));
      return run(part, { ...frame, variables: new Map([...frame.variables, [variable, row]]) });
    });
  const isBefore = (one: Row, other: Row): boolean => {
    const [left, right] = [keyOf(one), keyOf(other)];
    for (const [index, value] of left.entries()) {
      const order = compared(value, right[index] ?? null);
      if (order !== undefined && order !== 0) return order < 0;
    }
    return placeOf(one) < placeOf(other);
  };
  let found: Row | null = null;
  for (const row of rowsOf(run(of, frame)))
    if (row.id !== self.id && isBefore(row, self) && (found === null || isBefore(found, row))) found = row;
  return found;
}

function withValue([value, name, body]: readonly Node[], frame: Frame): Value {
  if (value === undefined || name?.op !== 'name' || body === undefined) throw new Error('with() is written otherwise');
  return run(body, { ...frame, variables: new Map([...frame.variables, [name.name, run(value, frame)]]) });
}

/** What a formula gave before the write: of a record that was not there yet what it leads to, and nothing of itself. */
function beforeValue([node]: readonly Node[], frame: Frame): Value {
  const { self, old, past } = frame;
  if (node === undefined || past === undefined || frame.variables.size > 0) throw new Error('before() is out of place');
  if ((old ?? null) === null && isOfItself(node, frame)) return null;
  return run(node, { ...frame, world: past, self: old ?? self });
}

/** Whether a formula looks at nothing but values of the record itself. */
function isOfItself(node: Node, { self, world }: Frame): boolean {
  const { shape, formulas } = groupIn(world.model, self.group);
  return namesThrough(node, formulas).every((name) => {
    const field = fieldNamed(shape, name);
    return field === undefined
      ? !world.model.collections.has(name) && name !== 'all'
      : !isReferring(field) || name === field.key;
  });
}

const isReferring = ({ kind }: Field): boolean => kind === 'reference' || kind === 'references';

/** The record, or that around the item, whose group has a formula of this name. */
function ownerOf(name: string, { self, world }: Frame): Row | undefined {
  let row = self;
  while (row.owner !== undefined) row = row.owner;
  return groupIn(world.model, row.group).formulas[name] === undefined ? undefined : row;
}

/** A named formula that is given values. */
function named(row: Row, name: string, args: readonly Node[], frame: Frame): Value {
  const formula = groupIn(frame.world.model, row.group).formulas[name];
  if (formula === undefined) throw new Error(`the oracle finds no formula ${name}`);
  const variables = new Map(formula.given.map((word, index) => [word, run(args[index] ?? formula.is, frame)]));
  return run(formula.is, { world: frame.world, self: row, variables, notes: { throughNull: false } });
}

interface Narrowed {
  readonly shape: Shape;
  readonly body: Node;
  readonly variable: string;
  readonly frame: Frame;
}

/** Those that a collection is narrowed to. By nothing but null nothing is found. */
function narrowed(rows: readonly Row[], { shape, body, variable, frame }: Narrowed): readonly Row[] {
  const { model } = frame.world;
  const narrowings = narrowingsIn(body, { shape, variable, model });
  if (narrowings.length === 0) return rows;
  const values = narrowings.map(({ equal }) => run(equal, frame));
  if (values.every((value) => value === null)) return [];
  return rows.filter((row) => {
    const variables = new Map([...frame.variables, [variable, row]]);
    return narrowings.every(({ of, isAmong }, index) => {
      const value = run(of, { ...frame, variables });
      const wanted = values[index] ?? null;
      return isAmong ? listOf(value).some((one) => equals(one, wanted)) : equals(value, wanted);
    });
  });
}

interface Narrowing {
  readonly of: Node;
  readonly equal: Node;
  readonly isAmong: boolean;
}

interface Sought {
  readonly shape: Shape;
  readonly variable: string;
  readonly model: Model;
}

/** Comparisons with a reference, a key or an indexed field of what is gone through, joined by `&&`. */
function narrowingsIn(node: Node, sought: Sought): readonly Narrowing[] {
  if (node.op !== 'binary') return [];
  const { sign, left, right } = node;
  if (sign === '&&') return [...narrowingsIn(left, sought), ...narrowingsIn(right, sought)];
  if (sign === 'in') {
    const isAmong = isSought(right, sought, 'references') && !namesIn(left).includes(sought.variable);
    return isAmong ? [{ of: right, equal: left, isAmong: true }] : [];
  }
  if (sign !== '==') return [];
  for (const [of, equal] of [
    [left, right],
    [right, left],
  ] as const)
    if (isSought(of, sought, 'reference') && !namesIn(equal).includes(sought.variable))
      return [{ of, equal, isAmong: false }];
  return [];
}

function isSought(node: Node, { shape, variable, model }: Sought, kind: 'reference' | 'references'): boolean {
  if (node.op !== 'member') return false;
  let here: Shape | undefined = shape;
  let { of } = node;
  for (; of.op === 'member' && of.name === 'record'; of = of.of) here = here?.outer;
  if (of.op !== 'name' || of.name !== variable || here === undefined) return false;
  const field = fieldNamed(here, node.name);
  if (field?.kind === kind && field.key === node.name) return true;
  const isRecord = here.lists.length === 0 && kind === 'reference';
  return isRecord && isIndexed(groupIn(model, here.group), node.name, field);
}

const isIndexed = ({ sought }: Group, name: string, field: Field | undefined): boolean =>
  sought.has(name) && (name === 'id' || field !== undefined);
